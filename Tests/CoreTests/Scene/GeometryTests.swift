import Core
import TestSupport
import Testing

@Suite struct RectTests {
    private func rect(_ generator: inout SeededGenerator) -> Rect {
        Rect(
            x: Double(generator.int(-20...20)), y: Double(generator.int(-20...20)),
            width: Double(generator.int(0...30)), height: Double(generator.int(0...30)))
    }

    @Test func unionAndIntersectionAgreeWithPointwiseMembership() {
        var generator = SeededGenerator(seed: 7)
        func contains(_ rect: Rect, _ p: Point) -> Bool {
            p.x >= rect.x && p.x <= rect.maxX && p.y >= rect.y && p.y <= rect.maxY
        }
        for _ in 0..<500 {
            let (a, b) = (rect(&generator), rect(&generator))
            let union = a.union(b)
            #expect(union.contains(a) && union.contains(b) && union == b.union(a))
            let p = Point(generator.double(-25...55), generator.double(-25...55))
            #expect((contains(a, p) && contains(b, p)) == (a.intersection(b).map { contains($0, p) } ?? false))
            #expect(a.intersection(b) == b.intersection(a))
        }
    }

    @Test func unionOfRectanglesIsTheBoundingBoxOfTheirCorners() {
        var generator = SeededGenerator(seed: 8)
        #expect(Rect.union(of: []) == nil)
        for count in 1...40 {
            let rects = (0..<count).map { _ in rect(&generator) }
            let union = Rect.union(of: rects)
            #expect(union == Rect(enclosing: rects.flatMap(\.corners)))
            #expect(Rect.union(of: rects.reversed()) == union)
            #expect(Rect.union(of: rects.lazy.map { $0 }.prefix(1)) == rects[0])
        }
    }

    @Test func edgesCornersAndMargins() {
        let rect = Rect(x: 1, y: 2, width: 10, height: 20)
        #expect(rect.maxX == 11 && rect.maxY == 22 && rect.center == Point(6, 12))
        #expect(rect.corners == [Point(1, 2), Point(11, 2), Point(11, 22), Point(1, 22)])
        #expect(rect.expanded(by: 3) == Rect(x: -2, y: -1, width: 16, height: 26))
        #expect(rect.expanded(by: 3).contains(rect) && !rect.contains(rect.expanded(by: 0.1)))
        #expect(rect.contains(rect.expanded(by: 0.1), tolerance: 0.11))
        #expect(Rect(size: Size(3, 4)) == Rect(x: 0, y: 0, width: 3, height: 4))
        #expect(rect.intersection(Rect(x: 12, y: 0, width: 1, height: 1)) == nil)
    }
}

@Suite struct AffineTransformTests {
    private func point(_ generator: inout SeededGenerator) -> Point {
        Point(generator.double(-50...50), generator.double(-50...50))
    }

    private func transform(_ generator: inout SeededGenerator) -> AffineTransform {
        AffineTransform(
            a: generator.double(-3...3), b: generator.double(-3...3), c: generator.double(-3...3),
            d: generator.double(-3...3), tx: generator.double(-50...50), ty: generator.double(-50...50))
    }

    @Test func thenAppliesTheReceiverFirst() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            let f = transform(&generator)
            let g = transform(&generator)
            let h = transform(&generator)
            let p = point(&generator)
            #expect(f.then(g).apply(p).distance(to: g.apply(f.apply(p))) < 1e-9)
            #expect(f.then(g).then(h).apply(p).distance(to: f.then(g.then(h)).apply(p)) < 1e-8)
            #expect(f.then(.identity) == f && AffineTransform.identity.then(f) == f)
        }
        let shiftAndDouble = AffineTransform.translation(Point(1, 2)).then(.scale(2))
        #expect(shiftAndDouble.apply(Point(10, 10)) == Point(22, 24))
    }

    @Test func rotationIsClockwiseWithTheYAxisDown() {
        let quarter = AffineTransform.rotation(.pi / 2)
        #expect(quarter.apply(Point(1, 0)).distance(to: Point(0, 1)) < 1e-15, "three o'clock goes to six o'clock")
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<300 {
            let p = point(&generator)
            let q = point(&generator)
            let angle = generator.double(-20...20)
            let rotation = AffineTransform.rotation(angle)
            #expect(abs(rotation.apply(p).distance(to: rotation.apply(q)) - p.distance(to: q)) < 1e-10)
            let back = rotation.then(.rotation(-angle)).apply(p)
            #expect(back.distance(to: p) < 1e-10)
            let turned = atan2(rotation.apply(p).y, rotation.apply(p).x) - atan2(p.y, p.x) - angle
            #expect(abs(remainder(turned, 2 * .pi)) < 1e-9)
        }
    }

    @Test func anchorsAreFixedPoints() {
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<300 {
            let anchor = point(&generator)
            let p = point(&generator)
            let angle = generator.double(-7...7)
            let factor = generator.double(0.1...5)
            let map = AffineTransform.scale(factor).then(.rotation(angle)).about(anchor)
            #expect(map.apply(anchor).distance(to: anchor) < 1e-9)
            #expect(abs(map.apply(p).distance(to: anchor) - factor * p.distance(to: anchor)) < 1e-9)
        }
    }

    @Test func transformedBoundsAreTight() {
        var generator = SeededGenerator(seed: 14)
        for _ in 0..<100 {
            let map = transform(&generator)
            let rect = Rect(x: generator.double(-9...9), y: 3, width: generator.double(0...9), height: 5)
            let bounds = map.bounds(of: rect)
            let inside = (0..<40).map { _ in
                map.apply(Point(generator.double(rect.x...rect.maxX), generator.double(rect.y...rect.maxY)))
            }
            let sampled = Rect(enclosing: inside) ?? bounds
            #expect(bounds.contains(sampled, tolerance: 1e-9))
            let corners = rect.corners.map(map.apply)
            #expect(bounds.x == corners.map(\.x).min() && bounds.y == corners.map(\.y).min())
            #expect(abs(bounds.maxX - (corners.map(\.x).max() ?? 0)) < 1e-9)
            #expect(abs(bounds.maxY - (corners.map(\.y).max() ?? 0)) < 1e-9)
        }
    }
}

@Suite struct PointTests {
    @Test func arithmeticAndPolarSteps() {
        #expect(Point(1, 2) + Point(3, 5) == Point(4, 7))
        #expect(Point(1, 2) - Point(3, 5) == Point(-2, -3))
        #expect(Point(1, 2) * -3 == Point(-3, -6))
        #expect(Point(1, 1).distance(to: Point(4, 5)) == 5)
        #expect(Point(1, 1).moved(by: 2, towards: .pi / 2).distance(to: Point(1, 3)) < 1e-15)
    }
}
