import Core
import Raster
import TestSupport
import Testing

@Suite struct VectorTests {
    private var scene: Scene {
        let disc = Node.shape(Shape(.circle(center: Point(30, 40), radius: 10), fill: Color(255, 0, 0)))
        let layer = Node.group(
            Group(opacity: 0.5, clip: .rectangle(Rect(x: 0, y: 0, width: 50, height: 50)), nodes: [disc, disc]))
        let text = Text("phase 1", frame: Rect(x: 5, y: 60, width: 90, height: 20), fontSize: 12, color: .black)
        let path = Path.polygon([Point(60, 10), Point(90, 10), Point(75, 40)])
        let line = Shape(path, stroke: Stroke(Color(0, 0, 255), width: 3, end: 0.5))
        return Scene(size: Size(100, 80), background: .white, nodes: [layer, .text(text), .shape(line)])
    }

    @Test func svgIsDeterministic() throws {
        let first = try SVGRenderer.svg(scene)
        _ = try PixelGrid(of: scene, width: 200, height: 160)
        #expect(try SVGRenderer.svg(scene) == first)
    }

    @Test func svgHasTheCanvasSizeAndColours() throws {
        let text = String(decoding: try SVGRenderer.svg(scene), as: UTF8.self)
        #expect(text.hasPrefix("<?xml") && text.hasSuffix("</svg>\n"))
        #expect(text.contains("viewBox=\"0 0 100 80\""))
        let colors = Set(
            text.matches(of: /rgb\(([\d.]+)%, *([\d.]+)%, *([\d.]+)%\)/).map { match in
                [match.1, match.2, match.3].map { Double($0).map { Int((2.55 * $0).rounded()) } }
            })
        #expect(colors.isSuperset(of: [[255, 255, 255], [255, 0, 0], [0, 0, 255]]), "\(colors)")
        #expect(!text.contains("<text"), "text is written as outlines")
    }

    @Test func nonFiniteScenesAreRejected() {
        let shape = Shape(.circle(center: Point(.nan, 0), radius: 1), fill: .black)
        let broken = Scene(size: Size(10, 10), background: .white, nodes: [.shape(shape)])
        #expect(throws: RasterError.self) { try SVGRenderer.svg(broken) }
        #expect(throws: RasterError.self) {
            try SVGRenderer.svg(Scene(size: Size(.infinity, 10), background: .white, nodes: []))
        }
    }

    @Test func textIsMeasuredWithoutItsFrame() throws {
        func size(_ string: String, fontSize: Double = 20, frame: Double = 1) throws -> Size {
            let frame = Rect(x: 0, y: 0, width: frame, height: 1)
            return try TextGauge().extent(of: Text(string, frame: frame, fontSize: fontSize, color: .black))
        }
        let one = try size("m")
        let two = try size("mm")
        #expect(one.width > 10 && abs(two.width - 2 * one.width) < 0.5 && one.height == two.height)
        #expect(try size("m\nm").height > 1.8 * one.height)
        #expect(try size("mm", frame: 500) == two)
        #expect(abs(try size("mm", fontSize: 40).width - 2 * two.width) < 3, "widths scale with the font size")
    }
}
