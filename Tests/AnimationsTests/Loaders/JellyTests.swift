import Animations
import Core
import Testing

/// The article's helper point, rest height and circle at a time in seconds.
private struct Script {
    var helper: Point
    var height = 64.0
    /// The progress of the circle; 0 hides it.
    var progress = 0.0
    /// The rotation of the circle in radians.
    var turn = 0.0

    init(at time: Rational, cancels: Bool) {
        let (release, stop) = (Rational(9, 5), Rational(24, 5))
        let pulled = Point(210, cancels ? 100 : 214)
        let rest = Point(160, 64)
        if time < release {
            let f = easeInEaseOut((time.double - 0.3) / 1.2)
            helper = rest * (1 - f) + pulled * f
            progress = min(1, max(0, (helper.y - 64) / 60))
        } else if cancels {
            helper = Script.sprung(from: pulled, to: rest, (time - release).double)
        } else if time < stop {
            height = 94
            helper = Script.sprung(from: pulled, to: Point(160, 94), (time - release).double)
            (progress, turn) = (1, 2 * .pi * (time - release).double)
        } else {
            helper = Script.sprung(from: Point(160, 94), to: rest, (time - stop).double)
        }
    }

    private static func sprung(from start: Point, to target: Point, _ t: Double) -> Point {
        guard t < 1 else { return target }
        let (z, w) = (0.5, log(1000.0) / 0.5)
        let wd = w * (1 - z * z).squareRoot()
        return target + (start - target) * (exp(-z * w * t) * (cos(wd * t) + z * w / wd * sin(wd * t)))
    }

    /// The outline through l3, l1, r1 and r3.
    var outline: Path {
        let (x, y, h) = (helper.x, helper.y, height)
        let (m, q) = (h + (y - h) / 2, (y - h) / 4)
        let (l3, l2, l1) = (Point(0, m), Point(x / 3, m), Point(2 * x / 3, m + q))
        let r1 = Point(320.0 / 3 + 2 * x / 3, m + q)
        let (r2, r3) = (Point(640.0 / 3 + x / 3, m), Point(320, m))
        var path = Path()
        path.move(to: .zero)
        path.addLine(to: l3)
        path.addCurve(to: l1, control1: l3, control2: l2)
        path.addCurve(to: r1, control1: l1, control2: helper)
        path.addCurve(to: r3, control1: r1, control2: r2)
        path.addLine(to: Point(320, 0))
        path.close()
        return path
    }
}

@Suite struct JellyTests {
    private let keyTimes = [0, 3, 9, 15, 18, 28, 40, 48, 58].map { Rational($0, 10) }

    @Test(arguments: [false, true]) func followsTheScript(cancels: Bool) throws {
        let loader = try makeLoader("jelly", "outcome=\(cancels ? "cancel" : "load")")
        #expect(loader.period == 6)
        for time in instants(400, in: 6, seed: 80) + keyTimes {
            let expected = Script(at: time, cancels: cancels)
            let all = shapes(loader.scene(at: time).nodes)
            let jelly = try #require(all.first)
            #expect(jelly.shape.fill == .color(Color(255, 80, 80)) && jelly.shape.stroke == nil)
            #expect(isClose(jelly.shape.path, expected.outline, tolerance: 1e-7), "at \(time) s")
            try check(Array(all.dropFirst()), against: expected, at: time)
        }
    }

    /// Checks the progress circle: an arc that starts at 12 o'clock, rotated about its centre.
    private func check(_ circles: [PlacedShape], against expected: Script, at time: Rational) throws {
        guard expected.progress > 1e-9 else {
            #expect(circles.allSatisfy { PathMeasure($0.shape.path).length < 1e-6 }, "no circle at \(time) s")
            return
        }
        let circle = try #require(circles.first, "a circle at \(time) s")
        #expect(circles.count == 1 && circle.shape.fill == nil)
        #expect(circle.shape.stroke?.paint == .color(Color(0x55, 0x55, 0x55)) && circle.shape.stroke?.width == 1)
        let arc = circle.shape.path
        let sweep = 17 * .pi / 9 * expected.progress
        #expect(abs(PathMeasure(arc).length - 20 * sweep) < 1e-6, "at \(time) s")
        for (fraction, angle) in [(0.0, 0.0), (0.5, sweep / 2)] {
            guard case .move(let point)? = PathMeasure(arc).trimmed(from: fraction, to: 1).elements.first else {
                Issue.record("an arc at \(time) s")
                continue
            }
            let expectedPoint = Point(160, 60).moved(by: 20, towards: -.pi / 2 + angle + expected.turn)
            #expect(
                circle.transform.apply(point).distance(to: expectedPoint) < 1e-6, "clockwise from the top, at \(time) s"
            )
        }
    }

    @Test func phasesFollowTheArticle() throws {
        let loads = try makeLoader("jelly").phases
        #expect(loads.map(\.start) == [0, Rational(3, 10), Rational(3, 2), Rational(9, 5), Rational(24, 5)])
        #expect(loads.contains { $0.name.english == "loading" && $0.duration == 3 })
        let cancels = try makeLoader("jelly", "outcome=cancel").phases
        #expect(cancels.last?.name.english == "cancelled" && !cancels.contains { $0.name.english == "loading" })
        #expect(cancels.last?.start == Rational(9, 5))
    }

    @Test(arguments: ["pullBegin=1.5", "pullEnd=1.8", "pullEnd=0.2", "release=5", "stop=6", "duration=4.8", "stop=1"])
    func timesMustBeInOrder(setting: String) {
        #expect {
            _ = try makeLoader("jelly", setting)
        } throws: { error in
            let error = error as? ParameterError
            return error?.kind == .usage && error?.description.contains("is not later than") == true
        }
    }

    @Test func anEarlyStopContinuesFromTheCurrentPosition() throws {
        let loader = try makeLoader("jelly", "stop=2")
        func lowest(_ time: Rational) throws -> Double {
            let path = try #require(shapes(loader.scene(at: time).nodes).first).shape.path
            return try #require(
                path.elements.compactMap { element -> Double? in
                    if case .cubic(_, let helper, _) = element { helper.y } else { nil }
                }.dropFirst().first)
        }
        let (before, after) = (try lowest(Rational(1_999_999, 1_000_000)), try lowest(2))
        #expect(abs(before - after) < 0.01, "the helper point does not jump")
    }
}
