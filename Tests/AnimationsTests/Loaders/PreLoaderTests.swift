import Animations
import Core
import Testing

private let keyTimes: [Double] = [0, 0.25, 0.35, 0.38, 0.41, 0.75, 0.85, 0.88, 0.91, 1]
private let positions: [Double] = [62.5, 62.5, 187.5, 207.5, 187.5, 187.5, 62.5, 42.5, 62.5, 62.5]
private let ti = 0.03

/// The article's shapes at the fraction `p` of the cycle.
private struct Expected {
    var discs: [(x: Double, radius: Double)] = []
    var shapes: [Path] = []
    var fronts = 0
    var rears = 0
    /// True if a spot touches the edge of a fixed one, where rounding determines the result.
    var isTie = false

    init(at p: Double) {
        func frac(_ value: Double) -> Double { value - floor(value) }
        let left = through(
            [
                0, 0.01, 0.01 + ti, 0.25, 0.25 + ti, 0.33, 0.33 + ti, 0.41, 0.41 + ti, 0.85, 0.85 + ti, 0.93, 0.93 + ti,
                1,
            ],
            [3, 3, 4, 4, 3, 3, 2, 2, 1, 1, 2, 2, 3, 3], at: p)
        let right = through(
            [
                0, 0.25, 0.25 + ti, 0.33, 0.33 + ti, 0.41, 0.41 + ti, 0.65, 0.65 + ti, 0.73, 0.73 + ti, 0.81, 0.81 + ti,
                1,
            ],
            [1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 2, 2, 1, 1], at: frac(p - 0.1))
        discs = [(62.5, 4.5 * left), (187.5, 4.5 * right)]
        for i in 0..<3 {
            let x = through(keyTimes, positions, at: frac(p - 0.08 * Double(i)))
            add(spotAt: x, left: left, right: right)
        }
    }

    private mutating func add(spotAt x: Double, left: Double, right: Double) {
        let isOutside = abs(x - 62.5) >= 5 * left - 5 && abs(x - 187.5) >= 5 * right - 5
        let margins = [abs(x - 62.5) - 5 * left + 5, abs(x - 187.5) - 5 * right + 5]
        isTie = isTie || margins.contains { $0 != 0 && abs($0) < 1e-9 }
        var isHidden = false
        for (s, k, o) in [(62.5, left, -1.0), (187.5, right, 1.0)] where isOutside {
            let beyond = (x - s) * o
            if beyond > 0 {
                isHidden = true
                rears += 1
                shapes.append(Expected.rear(spot: x, fixed: s, scale: k, o: o))
            } else if beyond < 0, abs(x - s) - 5 * k - 5 < 20 {
                fronts += 1
                shapes.append(Expected.front(spot: x, fixed: s, scale: k, o: o))
            }
        }
        if !isHidden { discs.append((x, 4.5)) }
    }

    private static func front(spot x: Double, fixed s: Double, scale k: Double, o: Double) -> Path {
        var path = Path()
        path.move(to: Point(s, 125 - 5 * k + 2.2))
        path.addQuadCurve(to: Point(x, 120), control: Point((s + x) / 2, 120))
        // The arc is on the far side of the spot, away from the fixed one.
        path.addArc(center: Point(x, 125), radius: 5, startAngle: -.pi / 2, endAngle: -.pi / 2 - o * .pi)
        path.addQuadCurve(to: Point(s, 125 + 5 * k - 2.2), control: Point((s + x) / 2, 130))
        path.close()
        return path
    }

    private static func rear(spot x: Double, fixed s: Double, scale k: Double, o: Double) -> Path {
        let v = x - o * through([1, 2, 3, 4], [5, 6, 0, -4], at: k)
        let (dx, dy) = (5 * sin(35 * Double.pi / 180), 5 * cos(35 * Double.pi / 180))
        var path = Path()
        path.move(to: Point(s, 125 - 5 * k + 2.2))
        path.addLine(to: Point(v + o * dx, 125 - dy))
        path.addArc(center: Point(v, 125), radius: 5, startAngle: -.pi / 2, endAngle: -.pi / 2 + o * .pi)
        path.addLine(to: Point(v + o * dx, 125 + dy))
        path.addLine(to: Point(s, 125 + 5 * k - 2.2))
        path.close()
        return path
    }
}

@Suite struct PreLoaderTests {
    @Test func shapesFollowTheArticle() throws {
        let loader = try makeLoader("preloader")
        var (fronts, rears) = (0, 0)
        for time in instants(600, in: loader.period, seed: 90) {
            let expected = Expected(at: time.double / 3.6)
            guard !expected.isTie else { continue }
            let all = shapes(loader.scene(at: time).nodes)
            #expect(all.allSatisfy { $0.shape.fill == .color(Color(235, 77, 138)) && $0.shape.stroke == nil })
            #expect(all.allSatisfy { $0.transform == .identity && $0.opacity == 1 })
            let discs = all.compactMap { circle($0.shape.path) }
            #expect(discs.count == expected.discs.count, "discs at \(time) s")
            for wanted in expected.discs {
                let isThere = discs.contains {
                    abs($0.center.x - wanted.x) < 1e-9 && $0.center.y == 125 && abs($0.radius - wanted.radius) < 1e-9
                }
                #expect(isThere, "a disc of radius \(wanted.radius) at \(wanted.x), at \(time) s")
            }
            let sticky = all.map(\.shape.path).filter { circle($0) == nil }
            #expect(sticky.count == expected.shapes.count, "sticky shapes at \(time) s")
            #expect(expected.shapes.allSatisfy { path in sticky.contains { isClose($0, path) } }, "at \(time) s")
            (fronts, rears) = (fronts + expected.fronts, rears + expected.rears)
        }
        #expect(fronts > 50 && rears > 50, "both cases occur")
    }

    @Test(arguments: [
        // The fraction of the cycle, the left scale, the right scale, and x of the moving spots.
        (0.0, 3.0, 1.0, [62.5, 62.5, 75]), (0.1, 4, 1, [62.5, 62.5, 62.5]),
        (0.3, 3, 1, [125, 62.5, 62.5]), (0.38, 2, 2, [207.5, 125, 62.5]), (0.6, 1, 4, [187.5, 187.5, 187.5]),
        (0.8, 1, 3, [125, 187.5, 187.5]), (0.88, 2, 2, [42.5, 125, 187.5]),
    ])
    func keyTimesByHand(p: Double, left: Double, right: Double, spots: [Double]) throws {
        let loader = try makeLoader("preloader")
        let time = Rational(Int128((p * 1000).rounded()), 1000) * loader.period
        let discs = shapes(loader.scene(at: time).nodes).compactMap { circle($0.shape.path) }
        #expect(discs.contains { $0.center.x == 62.5 && abs($0.radius - 4.5 * left) < 1e-9 })
        #expect(discs.contains { $0.center.x == 187.5 && abs($0.radius - 4.5 * right) < 1e-9 })
        // A spot beyond a fixed one is drawn as a rear shape instead of a disc.
        for x in spots where (62.5...187.5).contains(x) {
            #expect(discs.contains { abs($0.center.x - x) < 1e-9 && $0.radius == 4.5 }, "a spot at \(x)")
        }
        #expect(discs.count == 2 + spots.count { (62.5...187.5).contains($0) })
    }

    @Test func phasesFollowTheArticle() throws {
        let phases = try makeLoader("preloader").phases
        #expect(phases.map(\.name.english) == ["rest left", "eject right", "rest right", "eject left"])
        #expect(phases.map(\.start) == [0, 25, 51, 75].map { Rational($0, 100) * Rational(18, 5) })
    }

    /// The path's upper ends are not below its lower ends, even at a spot that is smaller than the
    /// correction.
    @Test func stickyPathsDoNotCrossThemselves() throws {
        let loader = try makeLoader("preloader", "unitRadius=1", "pathCorrection=5")
        var count = 0
        for time in instants(300, in: loader.period, seed: 92) {
            for path in shapes(loader.scene(at: time).nodes).map(\.shape.path) where circle(path) == nil {
                guard case .move(let top)? = path.elements.first else { continue }
                count += 1
                #expect(top.y <= 125, "at \(time) s")
            }
        }
        #expect(count > 20)
    }

    @Test func extremeDelaysGiveValidTracks() throws {
        for delay in ["0.075", "0.08", "0.1", "0.12"] {
            for grow in ["0.001", "0.02", "0.03"] {
                let loader = try makeLoader("preloader", "delayRatio=\(delay)", "growRatio=\(grow)")
                for time in instants(20, in: loader.period, seed: 91) { #expect(loader.scene(at: time).bounds != nil) }
            }
        }
    }
}
