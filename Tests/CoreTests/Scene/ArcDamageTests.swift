import Core
import Testing

/// Damage of stroked arcs whose ends move.
@Suite struct ArcDamageTests {
    private let tolerance = 0.01

    private func damage(_ old: Node, _ new: Node) throws -> [Rect] {
        func scene(_ node: Node) -> Scene { Scene(size: Size(200, 200), background: .white, nodes: [node]) }
        return try #require(scene(new).damage(since: scene(old), sharing: 0, tolerance: tolerance))
    }

    private func arc(
        _ start: Double, _ end: Double, radius: Double = 80, _ stroke: Stroke = Stroke(.black, width: 4)
    ) -> Node {
        var path = Path()
        path.addArc(center: Point(100, 100), radius: radius, startAngle: start, endAngle: end)
        return .shape(Shape(path, stroke: stroke))
    }

    /// Only rows near a moving end are damaged, but over the whole width.
    @Test func endsAreDamaged() throws {
        let rects = try damage(arc(0, 2), arc(0, 2.1))
        #expect(rects.count == 1)
        let rect = try #require(rects.first)
        let moved = [2, 2.1].map { 100 + 80 * sin($0) }
        #expect(rect.y < moved[1] - 2 && rect.maxY > moved[0] + 2 && rect.height < 40)
        let whole = try #require(Node.bounds(of: [arc(0, 2), arc(0, 2.1)]))
        #expect((rect.x, rect.width) == (whole.x, whole.width))
        #expect(try damage(arc(0, 2), arc(0.1, 2.1)).count == 2)
        #expect(try damage(arc(0, 2), arc(0, 2)).isEmpty)
    }

    @Test func endsOfTrimmedCirclesAreDamaged() throws {
        func ring(_ end: Double) -> Node {
            let circle = Path.circle(center: Point(100, 100), radius: 50)
            return .shape(Shape(circle, stroke: Stroke(.black, width: 8, cap: .round, start: 0.02, end: end)))
        }
        let rects = try damage(ring(0.4), ring(0.41))
        #expect(rects.count == 1 && rects.allSatisfy { $0.height < 40 })
    }

    /// Everything else is damaged as a whole: other radii, colours and directions, full circles,
    /// dashes, square caps, lines as wide as the circle, and arcs in a scaled group.
    @Test func otherChangesAreDamagedAsAWhole() throws {
        let thin = Stroke(.black, width: 4)
        let dashed = Stroke(.black, width: 4, dash: Stroke.Dash([5, 2]))
        let square = Stroke(.black, width: 4, cap: .square)
        let pairs = [
            (arc(0, 2), arc(0, 2.1, radius: 81)), (arc(0, 2), arc(0, 2.1, Stroke(.white, width: 4))),
            (arc(0, 2), arc(0, -2)), (arc(0, 2), arc(0, 2 * .pi)),
            (arc(0, 2, dashed), arc(0, 2.1, dashed)), (arc(0, 2, square), arc(0, 2.1, square)),
            (arc(0, 2, radius: 2, thin), arc(0, 2.1, radius: 2, thin)),
        ]
        for (old, new) in pairs {
            #expect(try Set(damage(old, new)) == Set([old, new].compactMap(\.bounds)))
        }
        func scaled(_ node: Node) -> Node { .group(Group(transform: .scale(0.5), nodes: [node])) }
        let rects = try damage(scaled(arc(0, 2)), scaled(arc(0, 2.1)))
        #expect(rects.map(\.height).max() == scaled(arc(0, 2.1)).bounds?.height)
        // Without a tolerance, nothing is known about the polygons.
        let scenes = [arc(0, 2), arc(0, 2.1)].map { Scene(size: Size(9, 9), background: .white, nodes: [$0]) }
        #expect(scenes[1].damage(since: scenes[0])?.count == 2)
    }
}
