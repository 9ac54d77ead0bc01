import Animations
import Core
import Testing

@Suite struct IQIYITests {
    private let green = Color(64, 168, 59)

    /// Returns the ring's stroke, if any, and the triangle's corners on the canvas.
    private func parts(_ scene: Scene) throws -> (ring: Stroke?, corners: [Point]) {
        let all = shapes(scene.nodes)
        let triangle = try #require(all.first { $0.shape.fill != nil })
        let ring = all.first { $0.shape.fill == nil }
        if let ring {
            let (center, radius) = try #require(circle(ring.shape.path))
            #expect(center == Point(60, 60) && radius == 35 && ring.transform == .identity)
            let start = try #require(numbers(ring.shape.path).dropFirst(4).first)
            #expect(abs(start + .pi / 2) < 1e-12, "it begins at 12 o'clock")
        }
        let corners = triangle.shape.path.elements.compactMap { element -> Point? in
            switch element {
            case .move(let p), .line(let p): triangle.transform.apply(p)
            default: nil
            }
        }
        #expect(corners.count == 3 && triangle.shape.path.elements.last == .close)
        #expect(triangle.shape.fill == .color(green))
        #expect(triangle.shape.stroke == nil)
        return (ring?.shape.stroke, corners)
    }

    /// Returns the article's triangle with its outline, rotated clockwise about the centre. The
    /// sides are 10 points from the centre, and half of the line's 2 points is outside of them.
    private func corners(angle: Double) -> [Point] {
        let high = 11 / tan(Double.pi / 6)
        let (sine, cosine) = (sin(angle), cos(angle))
        return [Point(22, 0), Point(-11, high), Point(-11, -high)].map { corner in
            Point(60 + corner.x * cosine - corner.y * sine, 60 + corner.x * sine + corner.y * cosine)
        }
    }

    private func areSame(_ a: [Point], _ b: [Point]) -> Bool { zip(a, b).allSatisfy { $0.distance(to: $1) < 1e-9 } }

    @Test func ringDrawsAndErasesItself() throws {
        let loader = try makeLoader("iqiyi")
        for time in instants(400, in: loader.period, seed: 70) + [0, Rational(3, 5), Rational(3, 10), Rational(9, 10)] {
            let (ring, triangle) = try parts(loader.scene(at: time))
            let erases = time >= Rational(3, 5)
            let fraction = (time.double - (erases ? 0.6 : 0)) / 0.6
            let edge = 0.02 + 0.96 * easeInEaseOut(fraction)
            let stroke = try #require(ring)
            #expect(abs(stroke.start - (erases ? edge : 0.02)) < 1e-9, "at \(time) s")
            #expect(abs(stroke.end - (erases ? 0.98 : edge)) < 1e-9, "at \(time) s")
            #expect(stroke.width == 7 && stroke.cap == .round && stroke.paint == .color(green))
            #expect(areSame(triangle, corners(angle: erases ? 4 * .pi / 3 * fraction : 0)), "at \(time) s")
        }
    }

    @Test func phasesDrawThenErase() throws {
        let phases = try makeLoader("iqiyi").phases
        #expect(phases.map(\.name.english) == ["draw", "erase"])
        #expect(phases.map(\.duration) == [Rational(3, 5), Rational(3, 5)])
    }

    @Test func leadInShowsOnlyTheTriangle() throws {
        let (loader, plain) = (try makeLoader("iqiyi", "leadIn=1"), try makeLoader("iqiyi"))
        #expect(loader.period == Rational(11, 5) && loader.phases.map(\.duration).first == 1)
        for time in instants(30, in: 1, seed: 71) {
            let (ring, triangle) = try parts(loader.scene(at: time))
            #expect(ring == nil && areSame(triangle, corners(angle: 0)))
        }
        for time in instants(30, in: plain.period, seed: 72) {
            #expect(loader.scene(at: time + 1) == plain.scene(at: time))
        }
    }
}

@Suite struct OneLoadingTests {
    @Test func anglesFollowTheArticle() throws {
        let loader = try makeLoader("oneloading")
        for time in instants(300, in: loader.period, seed: 73) + [0, 1, Rational(1, 2)] {
            let all = shapes(loader.scene(at: time).nodes)
            #expect(all.count == 1 && all[0].shape.fill == nil && all[0].transform == .identity)
            let stroke = try #require(all[0].shape.stroke)
            #expect(stroke.paint == .color(Color(255, 0, 0)) && stroke.width == 2 && stroke.cap == .butt)
            #expect(stroke.start == 0 && stroke.end == 1)
            guard case .arc(let center, let radius, let from, let to)? = all[0].shape.path.elements.first else {
                Issue.record("an arc is expected at \(time) s")
                continue
            }
            let p = time.double / 2
            #expect(all[0].shape.path.elements.count == 1 && center == Point(60, 60) && radius == 40)
            #expect(abs(from - (7 * .pi / 2 - 3 * .pi / 2 * p)) < 1e-12)
            #expect(abs(to - (3 * .pi - 3 * .pi * p)) < 1e-12)
            #expect(to < from, "anticlockwise")
            #expect(abs(from - to - (.pi / 2 + 3 * .pi / 2 * p)) < 1e-12, "from a quarter to a full circle")
        }
    }

    @Test func oneSweepIsOnePhase() throws {
        #expect(try makeLoader("oneloading").phases.map(\.duration) == [2])
        #expect(try makeLoader("oneloading", "duration=4/3").period == Rational(4, 3))
    }
}
