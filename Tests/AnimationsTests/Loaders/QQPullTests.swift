import Animations
import Core
import TestSupport
import Testing

/// Returns the drop's outline according to the article, for a pull of `s` points from a circle
/// around `top`.
private func outline(pull s: Double, top: Point) -> Path {
    var path = Path()
    guard s > 0 else { return .circle(center: top, radius: 15) }
    let (r1, r2) = (15 - s / 6, 12 - s / 6)
    let bottom = Point(top.x, top.y + s)
    let (right, left) = (Point(top.x + r2, top.y + s / 2), Point(top.x - r2, top.y + s / 2))
    path.addArc(center: top, radius: r1, startAngle: .pi, endAngle: 2 * .pi)
    path.addQuadCurve(to: Point(top.x + r2, top.y + s), control: right)
    path.addArc(center: bottom, radius: r2, startAngle: 2 * .pi, endAngle: 3 * .pi)
    path.addQuadCurve(to: Point(top.x - r1, top.y), control: left)
    path.close()
    return path
}

/// Returns the distance of the default gesture at a time in seconds.
private func defaultPull(at t: Double) -> Double {
    switch t {
    case ..<0.36: 0
    case ..<1.44: 60 * easeInEaseOut((t - 0.36) / 1.08)
    case ..<1.80: 60
    case ..<2.34: 60 * (1 - easeOut((t - 1.80) / 0.54))
    default: 0
    }
}

@Suite struct QQPullTests {
    @Test func outlineFollowsTheArticle() throws {
        for pull in ["0", "0.001", "1", "10", "33.3", "60", "65.999999", "66"] {
            let loader = try makeLoader("qq-pull", "gesture=0:\(pull),1:\(pull)")
            let drawn = shapes(loader.scene(at: Rational(1, 3)).nodes)
            let distance = try #require(Double(pull))
            #expect(drawn.count == 1)
            #expect(isClose(drawn[0].shape.path, outline(pull: distance, top: Point(60, 40))), "pull \(pull)")
        }
    }

    @Test func defaultGestureFollowsItsKeyframes() throws {
        let loader = try makeLoader("qq-pull")
        let keyTimes = [0, 36, 144, 180, 234].map { Rational($0, 100) }
        for time in instants(300, in: loader.period, seed: 60) + keyTimes {
            let drawn = try #require(shapes(loader.scene(at: time).nodes).first).shape.path
            let expected = outline(pull: defaultPull(at: time.double), top: Point(60, 40))
            // An eased pull of a few 1e-12 points is zero in one computation and tiny in the other.
            if numbers(drawn).count != numbers(expected).count {
                #expect(defaultPull(at: time.double) < 1e-6)
            } else {
                #expect(isClose(drawn, expected, tolerance: 1e-7), "at \(time) s")
            }
        }
    }

    @Test func fillAndOutlineHaveTheSameColour() throws {
        let loader = try makeLoader("qq-pull")
        for time in instants(50, in: loader.period, seed: 61) {
            let drawn = shapes(loader.scene(at: time).nodes)
            #expect(drawn.count == 1 && drawn[0].opacity == 1)
            #expect(drawn[0].shape.fill == .color(Color(101, 200, 250)))
            #expect(drawn[0].shape.stroke == Stroke(Color(101, 200, 250), width: 1))
        }
    }

    @Test(arguments: ["qq-pull", "qq"]) func excessivePullsAreRejectedAsBadData(id: String) throws {
        for pull in ["66.000001", "67", "72", "1000"] {
            #expect {
                _ = try makeLoader(id, "gesture=0:0,1:\(pull),2:0")
            } throws: { error in
                guard let error = error as? ParameterError else { return false }
                return error.kind == .data && error.description.contains("66") && error.description.contains("gesture")
                    && !error.description.contains("\n")
            }
        }
        #expect(throws: Never.self) { try makeLoader(id, "gesture=0:0,1:66,2:0") }
    }

    @Test func radiiLimitThePull() throws {
        #expect(throws: ParameterError.self) { try makeLoader("qq-pull", "bottomRadius=10") }
        #expect(throws: Never.self) { try makeLoader("qq-pull", "bottomRadius=11") }
        #expect(throws: ParameterError.self) { try makeLoader("qq-pull", "bottomRadius=16") }
        #expect(throws: Never.self) { try makeLoader("qq-pull", "topRadius=20", "bottomRadius=20") }
    }

    @Test func phasesAreTheIntervalsOfTheGesture() throws {
        let phases = try makeLoader("qq-pull").phases
        #expect(phases.map(\.name.english) == ["rest", "pull", "hold", "release", "rest"])
        #expect(phases.map(\.start) == [0, 36, 144, 180, 234].map { Rational($0, 100) })
        let own = try makeLoader("qq-pull", "gesture=0:0,1/3:30:easeOut,2/3:0")
        #expect(own.period == Rational(2, 3) && own.phases.map(\.name.english) == ["pull", "release"])
    }
}
