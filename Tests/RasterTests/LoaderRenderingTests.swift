import Animations
import Core
import Raster
import TestSupport
import Testing

@Suite struct LoaderRenderingTests {
    private func scenes(_ id: String, count: Int) throws -> [(time: Rational, scene: Scene)] {
        let loader = try LoaderCatalog.builtIn.definition(id).make()
        return (0..<count).map { index in
            let time = loader.period * Rational(Int128(2 * index + 1), Int128(2 * count + 1))
            return (time, loader.scene(at: time))
        }
    }

    @Test(arguments: LoaderCatalog.builtIn.ids) func nothingIsPaintedOutsideTheBounds(id: String) throws {
        for (time, scene) in try scenes(id, count: 23) {
            // Fractional scales and odd sizes: antialiased edges reach into the pixels that the
            // bounds touch.
            for scale in [0.7, 1.5] {
                let (width, height) = (Int(scene.size.width * scale), Int(scene.size.height * scale))
                let pixels = try PixelGrid(of: scene, width: width, height: height)
                let empty = try PixelGrid(
                    of: Scene(size: scene.size, background: scene.background, nodes: []), width: width, height: height)
                let view = Viewport(canvas: scene.size, width: width, height: height)
                let bounds = view.transform.bounds(of: try #require(scene.bounds))
                let inked = try #require(pixels.inked(unlike: empty[0, 0]), "something is drawn at \(time) s")
                let touched = Rect(
                    enclosing: [
                        Point(bounds.x.rounded(.down), bounds.y.rounded(.down)),
                        Point(bounds.maxX.rounded(.up), bounds.maxY.rounded(.up)),
                    ])
                #expect(try #require(touched).contains(inked, tolerance: 1e-6), "\(id) at \(time) s")
            }
        }
    }

    @Test(arguments: LoaderCatalog.builtIn.ids) func pixelsDependOnlyOnTheScene(id: String) throws {
        let used = try scenes(id, count: 9).map(\.scene)
        let size = (width: 97, height: 88)
        let rasterizer = try Rasterizer(width: size.width, height: size.height)
        for scene in used + used.reversed() {
            try rasterizer.draw(scene)
            #expect(try PixelGrid(of: scene, width: size.width, height: size.height) == PixelGrid(rasterizer.pixmap))
        }
    }

    @Test func ballsAreDrawnAtTheirPositions() throws {
        // Drawn alone, each ball's centre of mass is at its position to a hundredth of a point.
        for (time, scene) in try scenes("qq-mail", count: 25) {
            for node in scene.nodes {
                guard case .group(let group) = node, let exact = node.bounds?.center else { continue }
                let alone = Group(opacity: group.opacity, nodes: group.nodes.map(blackened))
                let pixels = try PixelGrid(
                    of: Scene(size: scene.size, background: .white, nodes: [.group(alone)]), width: 240, height: 120)
                let center = pixels.centroid * 0.5
                #expect(center.distance(to: exact) < 0.01, "at \(time) s")
                let area = 0.8 * Double.pi * 13 * 13
                #expect(abs(pixels.area - area) < 0.005 * area, "a disc of radius 6.5 points at opacity 0.8")
            }
        }
    }

    private func blackened(_ node: Node) -> Node {
        guard case .shape(var shape) = node else { return node }
        shape.fill = .color(.black)
        shape.stroke?.paint = .color(.black)
        return .shape(shape)
    }
}
