import Core
import Raster
import TestSupport
import Testing

@Suite struct PixmapTests {
    @Test(arguments: [(0, 10), (10, 0), (-1, 5), (8193, 1), (1, 8193), (1_000_000, 1_000_000), (0, 0)])
    func invalidSizesAreRejected(width: Int, height: Int) {
        expectRejection(of: width, height) { _ = try Pixmap(width: width, height: height) }
        expectRejection(of: width, height) { _ = try Rasterizer(width: width, height: height) }
    }

    private func expectRejection(of width: Int, _ height: Int, _ make: () throws -> Void) {
        #expect {
            try make()
        } throws: { error in
            let message = (error as? RasterError)?.description ?? ""
            return message.contains("\(width)x\(height)") && message.contains("8192") && !message.contains("\n")
        }
    }

    @Test(arguments: [(1, 1), (8192, 1), (1, 8192), (3, 5)]) func newPixmapsAreTransparent(
        width: Int, height: Int
    ) throws {
        let pixmap = try Pixmap(width: width, height: height)
        #expect(pixmap.width == width && pixmap.height == height && pixmap.stride >= 4 * width)
        #expect(PixelGrid(pixmap) == PixelGrid(width: width, height: height))
    }

    /// A scene of opaque coloured discs with antialiased edges.
    private func scene(seed: UInt64, background: Color) -> Scene {
        var generator = SeededGenerator(seed: seed)
        let nodes = (0..<20).map { _ in
            Node.shape(
                Shape(
                    .circle(
                        center: Point(generator.double(0...60), generator.double(0...40)),
                        radius: generator.double(1...15)),
                    fill: Color(generator.int(0...255), generator.int(0...255), generator.int(0...255))))
        }
        return Scene(size: Size(60, 40), background: background, nodes: nodes)
    }

    @Test func pngIsDeterministicAndLossless() throws {
        for seed in 0..<6 {
            let scene = scene(seed: UInt64(seed), background: .white)
            let one = try Rasterizer(width: 121, height: 83)
            let other = try Rasterizer(width: 121, height: 83)
            try one.draw(scene)
            try other.draw(scene)
            let png = try one.pixmap.png()
            #expect(try other.pixmap.png() == png)
            #expect(try one.pixmap.png() == png)
            #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(PixelGrid(png: png) == PixelGrid(one.pixmap))
        }
    }

    @Test func pngKeepsTransparency() throws {
        let rasterizer = try Rasterizer(width: 60, height: 40)
        try rasterizer.draw(scene(seed: 9, background: Color.black.opacity(0)))
        let drawn = PixelGrid(rasterizer.pixmap)
        let read = try #require(PixelGrid(png: try rasterizer.pixmap.png()))
        #expect(Set((0..<60 * 40).map { drawn[$0 % 60, $0 / 60].alpha }).count > 5)
        // The conversion to straight alpha and back rounds premultiplied components by at most one
        // code.
        #expect(zip(drawn.pixels, read.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test func brokenPNGsAreRejected() {
        #expect(PixelGrid(png: []) == nil && PixelGrid(png: [1, 2, 3]) == nil)
    }

    @Test func drawingReplacesThePreviousScene() throws {
        let first = scene(seed: 1, background: .white)
        let second = scene(seed: 2, background: Color(9, 8, 7, alpha: 0.5))
        let used = try Rasterizer(width: 90, height: 50)
        for scene in [first, second, first, second] { try used.draw(scene) }
        #expect(try PixelGrid(of: second, width: 90, height: 50) == PixelGrid(used.pixmap))
    }
}

@Suite struct InvalidSceneTests {
    private static let bad = [Double.nan, .infinity, -.infinity]

    private static func paths(_ x: Double) -> [Path] {
        var paths = [line(Point(x, 1), Point(5, 5)), line(Point(1, 1), Point(5, x))]
        for element in [
            Path.Element.quadratic(control: Point(x, 0), end: Point(1, 1)),
            .quadratic(control: Point(0, 0), end: Point(1, x)),
            .cubic(control1: Point(0, x), control2: Point(0, 0), end: Point(1, 1)),
            .cubic(control1: Point(0, 0), control2: Point(x, 0), end: Point(1, 1)),
            .cubic(control1: Point(0, 0), control2: Point(0, 0), end: Point(x, 1)),
            .arc(center: Point(x, 0), radius: 1, startAngle: 0, endAngle: 1),
            .arc(center: Point(0, 0), radius: x, startAngle: 0, endAngle: 1),
            .arc(center: Point(0, 0), radius: 1, startAngle: x, endAngle: 1),
            .arc(center: Point(0, 0), radius: 1, startAngle: 0, endAngle: x),
        ] {
            var path = line(Point(1, 1), Point(2, 2))
            path.append(element)
            paths.append(path)
        }
        return paths
    }

    /// Nodes with one number that is not finite.
    private static func nodes(_ x: Double) throws -> [Node] {
        let good = Path.circle(center: Point(50, 50), radius: 20)
        let bitmap = try #require(Bitmap(width: 1, height: 1, pixels: [0, 0, 0, 255]))
        let disc = Node.shape(Shape(good, fill: .black))
        let frames = [(x, 1.0, 5.0, 5.0), (1, x, 5, 5), (1, 1, x, 5), (1, 1, 5, x)].map {
            Rect(x: $0.0, y: $0.1, width: $0.2, height: $0.3)
        }
        return paths(x).flatMap { path -> [Node] in
            [
                .shape(Shape(path, fill: .black)), .shape(Shape(path, stroke: Stroke(.black))),
                .shape(Shape(path, stroke: Stroke(.black, start: 0.1, end: 0.9))),
                .group(Group(clip: path, nodes: [disc])),
                .group(Group(opacity: 0.5, nodes: [disc, .shape(Shape(path, fill: .black))])),
            ]
        }
            + frames.flatMap { frame -> [Node] in
                [.image(Image(bitmap, frame: frame)), .text(Text("x", frame: frame, fontSize: 9, color: .black))]
            } + [
                .shape(Shape(good, stroke: Stroke(.black, width: x))),
                .group(Group(transform: .translation(Point(x, 0)), nodes: [disc])),
                .group(Group(transform: .scale(x), opacity: 0.5, nodes: [disc])),
                .text(Text("x", frame: Rect(x: 0, y: 0, width: 9, height: 9), fontSize: x, color: .black)),
            ]
    }

    @Test(arguments: bad) func nonFiniteNumbersAreRejected(x: Double) throws {
        for node in try Self.nodes(x) {
            #expect(
                "\(node)", performing: { _ = try rendered([node]) },
                throws: { error in
                    let message = (error as? RasterError)?.description ?? ""
                    return message.hasPrefix("drawing: ") && !message.contains("\n")
                })
        }
    }

    @Test func rejectedScenesDoNotAffectLaterOnes() throws {
        let rasterizer = try Rasterizer(width: 100, height: 100)
        let good = Scene(
            size: Size(100, 100), background: .white,
            nodes: [.shape(Shape(.circle(center: Point(50, 50), radius: 20), fill: .black))])
        let expected = try PixelGrid(of: good, width: 100, height: 100)
        for node in try Self.nodes(.nan) {
            #expect(throws: RasterError.self) {
                try rasterizer.draw(Scene(size: Size(100, 100), background: .black, nodes: [node]))
            }
            #expect(throws: Never.self, "after \(node)") { try rasterizer.draw(good) }
            #expect(PixelGrid(rasterizer.pixmap) == expected)
        }
    }
}
