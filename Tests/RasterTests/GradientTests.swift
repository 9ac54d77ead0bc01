import Core
import Foundation
import Raster
import TestSupport
import Testing

/// Gradients compared with their formulas: straight interpolation between stops, then
/// premultiplication.
@Suite struct GradientTests {
    private static let stops = [
        GradientStop(0.1, Color(255, 30, 0)), GradientStop(0.4, Color(0, 200, 90, alpha: 0.25)),
        GradientStop(0.9, Color(20, 60, 255)),
    ]
    private static let size = (width: 120, height: 290)
    private static var area: Path { .rectangle(Rect(x: 0, y: 0, width: 120, height: 290)) }

    /// The premultiplied colour at an offset.
    private func color(at offset: Double, of stops: [GradientStop] = stops) -> PixelGrid.Pixel {
        let index = stops.firstIndex { $0.offset > offset } ?? stops.count
        let (low, high) = (stops[max(0, index - 1)], stops[min(stops.count - 1, index)])
        let part = low.offset == high.offset ? 0 : (offset - low.offset) / (high.offset - low.offset)
        func mix(_ path: KeyPath<Color, Double>) -> Double {
            low.color[keyPath: path] + (high.color[keyPath: path] - low.color[keyPath: path]) * part
        }
        let alpha = mix(\.alpha)
        func code(_ value: Double) -> Int { Int((255 * value).rounded()) }
        return PixelGrid.Pixel(
            code(mix(\.red) * alpha), code(mix(\.green) * alpha), code(mix(\.blue) * alpha), code(alpha))
    }

    private func scene(_ nodes: [Node], background: Color = Color.black.opacity(0)) -> Scene {
        Scene(
            size: Size(Double(Self.size.width), Double(Self.size.height)), background: background, nodes: nodes)
    }

    private func pixels(_ nodes: [Node]) throws -> PixelGrid {
        try PixelGrid(of: scene(nodes), width: Self.size.width, height: Self.size.height)
    }

    /// Compares each pixel for which `covers` is true with the colour at its centre's offset.
    private func expect(
        _ grid: PixelGrid, where covers: (Point) -> Bool = { _ in true }, _ offset: (Point) -> Double
    ) {
        var worst = 0
        var count = 0
        for y in 0..<grid.height {
            for x in 0..<grid.width where covers(Point(Double(x) + 0.5, Double(y) + 0.5)) {
                worst = max(worst, grid[x, y].distance(to: color(at: offset(Point(Double(x) + 0.5, Double(y) + 0.5)))))
                count += 1
            }
        }
        #expect(worst <= 2 && count > 1000, "\(worst) codes of \(count) pixels")
    }

    private func linear(_ start: Point, _ end: Point, _ point: Point) -> Double {
        let axis = end - start
        let offset = point - start
        return (axis.x * offset.x + axis.y * offset.y) / (axis.x * axis.x + axis.y * axis.y)
    }

    /// The offset of the circle through a point, among the circles from the focus to the outer one.
    private func radial(_ gradient: RadialGradient, _ point: Point) -> Double {
        let offset = point - gradient.focus
        let shift = gradient.center - gradient.focus
        let a = gradient.radius * gradient.radius - shift.x * shift.x - shift.y * shift.y
        let b = offset.x * shift.x + offset.y * shift.y
        return ((b * b + a * (offset.x * offset.x + offset.y * offset.y)).squareRoot() - b) / a
    }

    @Test(arguments: [
        (Point(10, 20), Point(110, 270)), (Point(0, 0), Point(120, 0)), (Point(60, 280), Point(60, 5)),
        (Point(90, 150), Point(-40, 130)),
    ])
    func linearGradientsMatchTheirFormula(start: Point, end: Point) throws {
        let gradient = LinearGradient(from: start, to: end, stops: Self.stops)
        let node = Node.shape(Shape(Self.area, fill: .linearGradient(gradient)))
        expect(try pixels([node])) { linear(start, end, $0) }
        // A transform applies to the gradient along with its path.
        let small = Group(transform: .scale(0.5), nodes: [node])
        expect(try pixels([.group(small)]), where: { $0.x < 60 && $0.y < 145 }) { linear(start, end, $0 * 2) }
    }

    @Test(arguments: [Point(60, 140), Point(30, 100), Point(110, 190)])
    func radialGradientsMatchTheirFormula(focus: Point) throws {
        let gradient = RadialGradient(center: Point(60, 140), radius: 90, focus: focus, stops: Self.stops)
        let node = Node.shape(Shape(Self.area, fill: .radialGradient(gradient)))
        expect(try pixels([node])) { radial(gradient, $0) }
    }

    /// Fills, strokes and both at another scale.
    @Test(arguments: [Point(60, 140), Point(10.5, 300)], [0, 2.5, -4])
    func conicGradientsMatchTheirFormula(center: Point, startAngle: Double) throws {
        let gradient = ConicGradient(center: center, startAngle: startAngle, stops: Self.stops)
        func offset(_ point: Point) -> Double {
            let turns = (atan2(point.y - center.y, point.x - center.x) - startAngle) / (2 * .pi)
            return turns - turns.rounded(.down)
        }
        // Colours change by more than a code per pixel near the centre and where a turn ends.
        func isFar(_ point: Point) -> Bool {
            let distance = point.distance(to: center)
            return distance > 40 && min(offset(point), 1 - offset(point)) * 2 * .pi * distance > 1
        }
        let fill = Node.shape(Shape(Self.area, fill: .conicGradient(gradient)))
        expect(try pixels([fill]), where: isFar, offset)
        let middle = Point(60, 140)
        let ring = Shape(.circle(center: middle, radius: 45), stroke: Stroke(.conicGradient(gradient), width: 20))
        expect(
            try pixels([.shape(ring)]), where: { isFar($0) && abs($0.distance(to: middle) - 45) < 8 }, offset)
        let bar = Shape(line(Point(60, 0), Point(60, 290)), stroke: Stroke(.conicGradient(gradient), width: 90))
        expect(try pixels([.shape(bar)]), where: { isFar($0) && abs($0.x - 60) < 44 }, offset)
        let small = Group(transform: .scale(0.5), nodes: [fill])
        expect(try pixels([.group(small)]), where: { isFar($0 * 2) && $0.x < 60 && $0.y < 145 }) { offset($0 * 2) }
    }

    /// The sectors that vector formats have instead: of opaque colours, and of a colour that fades,
    /// whose many layers are rounded to codes.
    @Test(
        arguments: [
            [GradientStop(0.1, .white), GradientStop(0.4, Color(0, 200, 90)), GradientStop(0.9, Color(20, 60, 255))],
            [GradientStop(0.1, Color(0, 90, 200)), GradientStop(0.6, Color(0, 90, 200, alpha: 0))],
            [GradientStop(0, Color.white.opacity(0.1)), GradientStop(1, .white)],
            [GradientStop(0, Color.white.opacity(0.999)), GradientStop(1, .white)],
            [
                GradientStop(0, Color(255, 0, 0)), GradientStop(0.5, Color(255, 0, 0)),
                GradientStop(0.505, Color(0, 0, 255)), GradientStop(0.505, Color(0, 0, 255, alpha: 0)),
            ],
            [
                GradientStop(0, Color(0, 0, 255)), GradientStop(0.005, Color(255, 0, 0)),
                GradientStop(0.005, Color(0, 0, 255, alpha: 0)), GradientStop(0.99, Color(0, 0, 255, alpha: 0)),
                GradientStop(0.99, Color(0, 255, 0)),
            ],
        ] as [[GradientStop]])
    func sectorsLookLikeTheirConicGradient(stops: [GradientStop]) throws {
        let tolerance = stops.allSatisfy { $0.color.alpha == 1 } ? 4 : 16
        let gradient = ConicGradient(center: Point(50, 150), startAngle: 1, stops: stops)
        let whole = try pixels([.shape(Shape(Self.area, fill: .conicGradient(gradient)))])
        let canvas = Rect(x: 0, y: 0, width: 120, height: 290)
        let sectors = try pixels(gradient.sectors(covering: canvas).map(Node.shape))
        var count = 0
        for y in 0..<whole.height {
            for x in 0..<whole.width where whole[x, y].distance(to: sectors[x, y]) > tolerance { count += 1 }
        }
        // The pixels of hard edges differ, one of which may be at the end of a turn.
        let edges = 1 + zip(stops, stops.dropFirst()).count { $0.offset == $1.offset }
        #expect(count < 150 + 150 * edges, "\(count) pixels")
    }

    @Test func sectorsOfColorsOutOfRangeAreFew() {
        for color in [Color(red: 1e300, green: 0, blue: 0), Color.white.opacity(1e300)] {
            let gradient = ConicGradient(center: .zero, stops: [GradientStop(0, .white), GradientStop(1, color)])
            #expect(gradient.sectors(covering: Rect(x: 0, y: 0, width: 9, height: 9)).count <= 257)
        }
    }

    @Test func gradientStrokesMatchTheirFormula() throws {
        let (start, end) = (Point(20, 40), Point(100, 240))
        let paint = Paint.linearGradient(LinearGradient(from: start, to: end, stops: Self.stops))
        let ring = Shape(.circle(center: Point(60, 140), radius: 45), stroke: Stroke(paint, width: 20))
        expect(try pixels([.shape(ring)]), where: { abs($0.distance(to: Point(60, 140)) - 45) < 8 }) {
            linear(start, end, $0)
        }
        let bar = Shape(line(Point(60, 0), Point(60, 290)), stroke: Stroke(paint, width: 40))
        expect(try pixels([.shape(bar)]), where: { abs($0.x - 60) < 19 }) { linear(start, end, $0) }
    }

    @Test func focusOutsideTheCircleIsMovedInside() throws {
        let opaque = [GradientStop(0, .white), GradientStop(1, Color(0, 0, 255))]
        let gradient = RadialGradient(center: Point(60, 140), radius: 40, focus: Point(500, 140), stops: opaque)
        let grid = try pixels([.shape(Shape(Self.area, fill: .radialGradient(gradient)))])
        #expect((0..<290).allSatisfy { y in (0..<120).allSatisfy { grid[$0, y].alpha == 255 } })
        #expect(grid[99, 140].red > 200 && grid[5, 140].red < 10)
    }

    @Test func degenerateGradientsAreDefined() throws {
        let point = Point(60, 140)
        func pixel(_ paint: Paint) throws -> PixelGrid.Pixel {
            try pixels([.shape(Shape(Self.area, fill: paint))])[100, 50]
        }
        let last = color(at: 1)
        #expect(try pixel(.linearGradient(LinearGradient(from: point, to: point, stops: Self.stops))) == last)
        #expect(try pixel(.radialGradient(RadialGradient(center: point, radius: 0, stops: Self.stops))) == last)
        #expect(try pixel(.radialGradient(RadialGradient(center: point, radius: 9, stops: []))).alpha == 0)
        #expect(try pixel(.linearGradient(LinearGradient(from: point, to: point, stops: []))).alpha == 0)
        // The second stop's offset is clamped to that of the first, which gives a hard edge.
        let stops = [GradientStop(0.5, .white), GradientStop(0.2, .black)]
        let edge = LinearGradient(from: .zero, to: Point(120, 0), stops: stops)
        let grid = try pixels([.shape(Shape(Self.area, fill: .linearGradient(edge)))])
        #expect(grid[58, 9].red == 255 && grid[61, 9].red == 0)
    }

    /// A gradient that is drawn only in the clipped part looks as it does in the whole.
    @Test(arguments: [0.0, 0.3, 1.2])
    func gradientsLookTheSameInAnyPart(angle: Double) throws {
        let (start, end) = (Point(10, 40), Point(100, 240))
        let focus = Point(80, 120)
        let paints: [Paint] = [
            .linearGradient(LinearGradient(from: start, to: end, stops: Self.stops)),
            .radialGradient(RadialGradient(center: Point(60, 140), radius: 90, focus: focus, stops: Self.stops)),
            .conicGradient(ConicGradient(center: focus, startAngle: 2, stops: Self.stops)),
        ]
        for paint in paints {
            let transform = AffineTransform.rotation(angle).about(Point(60, 145))
            // The path covers the canvas at any angle, because Cairo draws its edges differently in
            // parts.
            let cover = Path.rectangle(Rect(x: -300, y: -300, width: 900, height: 900))
            let whole = Node.group(Group(transform: transform, nodes: [.shape(Shape(cover, fill: paint))]))
            let grid = try pixels([whole])
            for part in [Rect(x: 37, y: 0, width: 20, height: 290), Rect(x: 0, y: 101, width: 120, height: 3)] {
                let clipped = try pixels([.group(Group(clip: .rectangle(part), nodes: [whole]))])
                let isSame = (Int(part.y)..<Int(part.maxY)).allSatisfy { y in
                    (Int(part.x)..<Int(part.maxX)).allSatisfy { clipped[$0, y] == grid[$0, y] }
                }
                #expect(isSame, "\(part), \(paint)")
            }
        }
    }

    /// Gradients of any length end in the colours of their first and last stop.
    @Test(arguments: [1e-9, 1e-3, 1e5, 1e12])
    func shortAndLongGradientsAreDrawn(length: Double) throws {
        let ends = [GradientStop(0, .black), GradientStop(1, .white)]
        let linear = LinearGradient(from: Point(60, 0), to: Point(60 + length, length / 7), stops: ends)
        let radial = RadialGradient(center: Point(60, 140), radius: length, stops: ends)
        for paint in [Paint.linearGradient(linear), .radialGradient(radial)] {
            let grid = try pixels([.shape(Shape(Self.area, fill: paint))])
            let far = grid[119, 280].red
            #expect(length < 1 ? far == 255 : far < 2, "\(paint): \(far)")
        }
    }

    @Test func nonFiniteScenesAreRejected() {
        let stops = [GradientStop(.nan, .white)]
        let paints: [Paint] = [
            .linearGradient(LinearGradient(from: .zero, to: Point(1, 0), stops: stops)),
            .linearGradient(LinearGradient(from: Point(.infinity, 0), to: .zero, stops: [])),
            .radialGradient(RadialGradient(center: .zero, radius: .nan, stops: [])),
            .radialGradient(RadialGradient(center: .zero, radius: 1, focus: Point(0, .nan), stops: [])),
            .conicGradient(ConicGradient(center: .zero, startAngle: .infinity, stops: [])),
        ]
        for paint in paints {
            #expect(throws: RasterError.self) { try pixels([.shape(Shape(Self.area, fill: paint))]) }
            #expect(throws: RasterError.self) { try pixels([.shape(Shape(Self.area, stroke: Stroke(paint)))]) }
        }
    }

    @Test func changedStopsDamageOnlyTheirShape() throws {
        func changed(_ stops: [GradientStop]) -> Scene {
            let gradient = RadialGradient(center: Point(60, 140), radius: 30, stops: stops)
            let disc = Shape(.circle(center: Point(60, 140), radius: 30), fill: .radialGradient(gradient))
            return scene([.shape(Shape(Self.area, fill: .white)), .shape(disc)])
        }
        let rasterizer = try Rasterizer(width: 120, height: 290)
        try rasterizer.draw(changed(Self.stops))
        let after = changed([GradientStop(0, .black), GradientStop(1, .white)])
        let boxes = try rasterizer.draw(after)
        #expect(!boxes.isEmpty && boxes.allSatisfy { $0.y >= 96 && $0.maxY <= 192 }, "\(boxes)")
        #expect(try PixelGrid(rasterizer.pixmap) == PixelGrid(of: after, width: 120, height: 290))
        #expect(try rasterizer.draw(after).isEmpty)
    }

    /// librsvg, called by FFmpeg, draws the SVG file.
    @Test func svgMatchesTheBitmap() throws {
        let radial = RadialGradient(center: Point(60, 90), radius: 50, focus: Point(40, 70), stops: Self.stops)
        let linear = LinearGradient(from: Point(10, 160), to: Point(110, 260), stops: Self.stops)
        let scene = scene(
            [
                .shape(Shape(.rectangle(Rect(x: 0, y: 20, width: 120, height: 130)), fill: .radialGradient(radial))),
                .shape(
                    Shape(line(Point(20, 160), Point(100, 260)), stroke: Stroke(.linearGradient(linear), width: 40))),
            ], background: .white)
        let svg = try SVGRenderer.svg(scene)
        #expect(try SVGRenderer.svg(scene) == svg)
        // It would render 120 points as 160 pixels and scale them down to 120, a tenth of a pixel
        // off.
        let text = String(decoding: svg, as: UTF8.self)
            .replacing("width=\"120pt\" height=\"290pt\"", with: "width=\"120\" height=\"290\"")
        try #require(!text.contains("pt\""))
        let directory = try TemporaryDirectory()
        try Data(text.utf8).write(to: URL(filePath: directory.file("a.svg")))
        let drawn = try run(
            "ffmpeg", ["-v", "error", "-i", directory.file("a.svg"), "-f", "rawvideo", "-pix_fmt", "bgra", "-"])
        let ours = try PixelGrid(of: scene, width: 120, height: 290)
        try #require(drawn.output.count == ours.pixels.count)
        // Each rounds a colour, its alpha and the sum over white, so few samples differ by two
        // codes.
        let differences = zip(drawn.output, ours.pixels).map { abs(Int($0) - Int($1)) }
        let worst = differences.max() ?? 0
        let beyond = differences.count { $0 > 1 }
        #expect(worst <= 2 && beyond * 1000 < differences.count, "\(worst) codes, \(beyond) samples")
    }
}
