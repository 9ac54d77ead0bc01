import Animations
import Core
import Testing

/// The article's table: the start and end of red, yellow and green in each phase, in points from
/// the centre.
private let table: [[(from: Double, to: Double)]] = [
    [(-30, 0), (0, 0), (30, 0)],
    [(0, 30), (0, -30), (0, 0)],
    [(30, 0), (-30, 0), (0, 0)],
    [(0, 0), (0, 30), (0, -30)],
    [(0, 0), (30, 0), (-30, 0)],
    [(0, -30), (0, 0), (0, 30)],
]

private let colors = [Color(255, 0, 0), Color(255, 255, 0), Color(0, 255, 0)]

/// The stacking order by phase, front to back: green over red over yellow, red over yellow over
/// green, yellow over green over red.
private let frontToBack = [[2, 0, 1], [2, 0, 1], [0, 1, 2], [0, 1, 2], [1, 2, 0], [1, 2, 0]]

private struct Ball {
    var x: Double
    var y: Double
    var index: Int
}

/// Returns the balls of a scene, front to back. Records an issue for a ball that differs from the
/// article, whose disc of radius 6 and outline of width 1 have one colour: a disc of radius 6.5.
private func balls(_ scene: Scene) -> [Ball] {
    shapes(scene.nodes).compactMap { placed in
        guard case .color(let color) = placed.shape.fill, let index = colors.firstIndex(of: color.opacity(1)),
            let (center, radius) = circle(placed.shape.path)
        else { return nil }
        #expect(radius == 6.5 && color.alpha == 0.8)
        #expect(placed.shape.stroke == nil && placed.opacity == 1 && placed.transform == .identity)
        return Ball(x: center.x, y: center.y, index: index)
    }.reversed()
}

@Suite struct QQMailTests {
    private let phase = Rational(6, 25)

    @Test func ballsFollowTheTable() throws {
        let loader = try makeLoader("qq-mail")
        let keyTimes = (0..<6).map { phase * Rational($0) }
        for time in instants(400, in: loader.period, seed: 50) + keyTimes {
            let index = (time / phase).floor
            let fraction = ((time - phase * Rational(index)) / phase).double
            let found = balls(loader.scene(at: time))
            #expect(found.map(\.index) == frontToBack[index], "depth at \(time) s")
            for ball in found {
                let (from, to) = table[index][ball.index]
                #expect(abs(ball.x - (60 + from + (to - from) * fraction)) < 1e-9, "at \(time) s")
                #expect(ball.y == 30)
            }
        }
    }

    /// Simulates the article's timer: every tick moves the balls by a point, and every thirtieth
    /// changes their steps.
    private func timerPositions(moves: Int) -> [Double] {
        let six = [-1.0, 1, 1, -1, 0, 0]
        var (positions, stages) = ([-30.0, 0, 30], [1, 5, 3])
        for move in 0..<moves {
            if move > 0, move % 30 == 0 { stages = stages.map { ($0 + 1) % 6 } }
            for ball in 0..<3 { positions[ball] += six[stages[ball]] }
        }
        return positions
    }

    @Test func ticksFollowTheArticlesTimer() throws {
        let loader = try makeLoader("qq-mail", "motion=ticks")
        #expect(loader.period == Rational(36, 25))
        let tick = Rational(1, 125)
        let exactTicks = (0..<180).map { tick * Rational($0) }
        for time in instants(200, in: loader.period, seed: 51) + exactTicks {
            let expected = timerPositions(moves: (time / tick).floor + 1)
            let found = balls(loader.scene(at: time))
            #expect(found.map(\.index) == frontToBack[(time / phase).floor])
            for ball in found { #expect(abs(ball.x - (60 + expected[ball.index])) < 1e-9, "at \(time) s") }
        }
        #expect(timerPositions(moves: 180) == [-30, 0, 30], "a cycle ends where it began")
    }

    @Test func smoothAndTicksNeverDifferByMoreThanOneMove() throws {
        let (smooth, ticks) = (try makeLoader("qq-mail"), try makeLoader("qq-mail", "motion=ticks"))
        for time in instants(200, in: smooth.period, seed: 52) {
            for (a, b) in zip(balls(smooth.scene(at: time)), balls(ticks.scene(at: time))) {
                #expect(a.index == b.index && abs(a.x - b.x) <= 1 + 1e-9)
            }
        }
    }

    @Test func tickIntervalScalesTheCycle() throws {
        let loader = try makeLoader("qq-mail", "tick=1/60", "ticksPerPhase=7", "offset=20")
        #expect(loader.period == Rational(42, 60))
        let half = balls(loader.scene(at: Rational(7, 120)))
        #expect(half.map(\.index) == [2, 0, 1])
        #expect(zip(half.map(\.x), [70, 50, 60]).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    @Test func sixPhasesHaveEqualDurations() throws {
        #expect(try makeLoader("qq-mail").phases.map(\.duration) == Array(repeating: phase, count: 6))
    }
}

@Suite struct QQTests {
    @Test func showsTheDropOverTwoCyclesOfTheBalls() throws {
        let (both, mail, pull) = (try makeLoader("qq"), try makeLoader("qq-mail"), try makeLoader("qq-pull"))
        #expect(both.phases.map(\.duration) == Array(repeating: Rational(6, 25), count: 12))
        for time in instants(150, in: both.period, seed: 53) {
            let found = balls(both.scene(at: time))
            let alone = balls(mail.scene(at: time))
            #expect(found.map(\.index) == alone.map(\.index))
            for (a, b) in zip(found, alone) { #expect(abs(a.x - (b.x + 60)) < 1e-9 && a.y == 120) }
            let drops = shapes(both.scene(at: time).nodes).filter { $0.shape.fill == .color(Color(101, 200, 250)) }
            let drop = try #require(drops.first)
            let original = try #require(shapes(pull.scene(at: time).nodes).first)
            #expect(drops.count == 1 && found.count == 3)
            let bounds = try #require(original.shape.path.bounds), moved = try #require(drop.shape.path.bounds)
            #expect(abs(moved.x - bounds.x - 60) < 1e-9 && abs(moved.y - bounds.y) < 1e-9)
            #expect(abs(moved.width - bounds.width) < 1e-9 && abs(moved.height - bounds.height) < 1e-9)
        }
    }

    @Test func periodContainsTheWholeGesture() throws {
        #expect(try makeLoader("qq", "gesture=0:0,1:20,1.44:0").period == Rational(36, 25))
        #expect(try makeLoader("qq", "gesture=0:0,1:20,1.45:0").period == Rational(72, 25))
        #expect(try makeLoader("qq", "gesture=0:0,1:20,2.89:0").period == Rational(108, 25))
    }
}
