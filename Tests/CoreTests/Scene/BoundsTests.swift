import Core
import TestSupport
import Testing

@Suite struct BoundsTests {
    @Test(arguments: 0..<80) func pathBoundsContainSampledPoints(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let path = randomPath(&generator)
        let bounds = try #require(path.bounds)
        let sampled = try #require(Rect(enclosing: polylines(of: path).flatMap { $0 }))
        #expect(bounds.contains(sampled, tolerance: 1e-9))
    }

    @Test(arguments: 0..<80) func boundsOfLinesAndArcsAreTight(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(500 + seed))
        let path = randomPath(&generator, curves: false)
        let bounds = try #require(path.bounds)
        let sampled = try #require(Rect(enclosing: polylines(of: path, stepsPerElement: 5000).flatMap { $0 }))
        #expect(sampled.contains(bounds, tolerance: 1e-4))
    }

    @Test func emptyNodesHaveNoBounds() {
        #expect(Path().bounds == nil)
        #expect(Rect(enclosing: []) == nil)
        #expect(Node.shape(Shape(.circle(center: .zero, radius: 5))).bounds == nil, "neither fill nor stroke")
        #expect(Node.group(Group(nodes: [])).bounds == nil)
        let disc = Node.shape(Shape(.circle(center: .zero, radius: 5), fill: .black))
        #expect(Node.group(Group(opacity: 0, nodes: [disc])).bounds == nil)
        let elsewhere = Path.rectangle(Rect(x: 50, y: 50, width: 5, height: 5))
        #expect(Node.group(Group(clip: elsewhere, nodes: [disc])).bounds == nil)
        #expect(Scene(size: Size(10, 10), background: .white, nodes: []).bounds == nil)
    }

    @Test(arguments: 0..<40) func strokesStayInsideTheirBounds(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(900 + seed))
        let path = randomPath(&generator)
        let width = generator.double(0.5...12)
        for join in [Stroke.Join.miter, .round, .bevel] {
            for cap in [Stroke.Cap.butt, .round, .square] {
                let stroke = Stroke(.black, width: width, cap: cap, join: join)
                let bounds = try #require(Node.shape(Shape(path, stroke: stroke)).bounds)
                for line in polylines(of: path, stepsPerElement: 60) {
                    let outline = strokeOutline(line, width: width, square: cap == .square)
                    let box = try #require(Rect(enclosing: outline))
                    #expect(bounds.contains(box, tolerance: 1e-9))
                }
            }
        }
    }

    /// The points at half a width on either side of a line and, for square caps, the corners beyond
    /// its ends.
    private func strokeOutline(_ line: [Point], width: Double, square: Bool) -> [Point] {
        var points: [Point] = []
        for (a, b) in zip(line, line.dropFirst()) where a.distance(to: b) > 1e-9 {
            let along = (b - a) * (width / 2 / a.distance(to: b))
            let across = Point(-along.y, along.x)
            points += [a + across, a - across, b + across, b - across]
            if square { points += [a - along + across, b + along - across] }
        }
        return points.isEmpty ? line : points
    }

    @Test func miterAtTheLimitStaysInsideTheBounds() throws {
        // A half angle s with sin s just above 1/10, so that the miter is as long as the limit
        // allows.
        let path = Path.polygon([Point(-99.4, 10), Point(0, 0), Point(-99.4, -10)])
        let stroke = Stroke(.black, width: 4, join: .miter)
        let bounds = try #require(Node.shape(Shape(path, stroke: stroke)).bounds)
        let halfSine = 10 / Point(-99.4, 10).distance(to: .zero)
        #expect(halfSine > 1 / Stroke(.black).miterLimit)
        #expect(bounds.maxX >= 2 / halfSine)
    }

    /// A line leads to the right to the start of an arc, which turns back by 150°.
    @Test func miterAtTheStartOfAnArcStaysInsideTheBounds() throws {
        var path = Path()
        path.move(to: Point(-40, 0))
        let center = Point.zero.moved(by: -20, towards: .pi / 3)
        path.addArc(center: center, radius: 20, startAngle: .pi / 3, endAngle: 2 * .pi / 3)
        let bounds = try #require(Node.shape(Shape(path, stroke: Stroke(.black, width: 10))).bounds)
        let miter = Point.zero.moved(by: 5 / sin(.pi / 12), towards: -.pi / 12)
        #expect(bounds.contains(Rect(x: miter.x, y: miter.y, width: 0, height: 0)))
        var single = Path()
        single.addArc(center: .zero, radius: 20, startAngle: 0, endAngle: 1)
        let box = try #require(single.bounds)
        #expect(Node.shape(Shape(single, stroke: Stroke(.black, width: 10))).bounds == box.expanded(by: 5))
    }

    @Test(arguments: 0..<40) func groupBoundsAreTransformed(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(1300 + seed))
        let path = randomPath(&generator)
        let transform = AffineTransform.scale(generator.double(0.2...3))
            .then(.rotation(generator.double(-7...7)))
            .then(.translation(Point(generator.double(-99...99), generator.double(-99...99))))
        let clip = Path.circle(center: Point(generator.double(-30...30), 0), radius: generator.double(20...60))
        let group = Group(transform: transform, clip: clip, nodes: [.shape(Shape(path, fill: .black))])
        let points = polylines(of: path).flatMap { $0 }
        let open = try #require(Node.group(Group(transform: transform, nodes: group.nodes)).bounds)
        #expect(open.contains(try #require(Rect(enclosing: points.map(transform.apply))), tolerance: 1e-9))
        guard let clipped = Node.group(group).bounds, let center = clip.bounds?.center else { return }
        #expect(open.contains(clipped, tolerance: 1e-6))
        let radius = (clip.bounds?.width ?? 0) / 2
        let visible = points.filter { $0.distance(to: center) <= radius }.map(transform.apply)
        if let box = Rect(enclosing: visible) { #expect(clipped.contains(box, tolerance: 1e-9)) }
    }

    @Test func imagesAndTextsFillTheirFrames() throws {
        let frame = Rect(x: 1, y: 2, width: 3, height: 4)
        let bitmap = try #require(Bitmap(width: 1, height: 1, pixels: [0, 0, 0, 255]))
        #expect(Node.image(Image(bitmap, frame: frame)).bounds == frame)
        #expect(Node.text(Text("x", frame: frame, fontSize: 9, color: .black)).bounds == frame)
        let other = Rect(x: -5, y: 3, width: 1, height: 20)
        let scene = Scene(
            size: Size(9, 9), background: .white,
            nodes: [.image(Image(bitmap, frame: frame)), .image(Image(bitmap, frame: other))])
        #expect(scene.bounds == Rect(x: -5, y: 2, width: 9, height: 21))
    }
}
