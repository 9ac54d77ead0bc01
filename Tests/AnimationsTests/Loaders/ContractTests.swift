import Animations
import Core
import Dispatch
import Synchronization
import TestSupport
import Testing

@Suite struct ContractTests {
    @Test(arguments: allIDs) func sceneIsTheSameOnAnyThreadAndInAnyOrder(id: String) throws {
        let loader = try makeLoader(id)
        var generator = SeededGenerator(seed: 40)
        let times = instants(60, in: loader.period, seed: 41)
        let expected = times.map { loader.scene(at: $0) }
        let order = (0..<4 * times.count).map { $0 % times.count }.shuffled(using: &generator)
        let wrong = Mutex<[Rational]>([])
        DispatchQueue.concurrentPerform(iterations: order.count) { iteration in
            let index = order[iteration]
            if loader.scene(at: times[index]) != expected[index] { wrong.withLock { $0.append(times[index]) } }
        }
        #expect(wrong.withLock { $0 } == [])
    }

    @Test(arguments: allIDs) func twoLoadersWithTheSameValuesDrawTheSame(id: String) throws {
        let (one, other) = (try makeLoader(id), try makeLoader(id))
        for time in instants(20, in: one.period, seed: 42) { #expect(one.scene(at: time) == other.scene(at: time)) }
    }

    @Test(arguments: allIDs) func scenesRepeatExactly(id: String) throws {
        let loader = try makeLoader(id)
        for (index, time) in instants(80, in: loader.period, seed: 43).enumerated() {
            let scene = loader.scene(at: time)
            for cycles in [1, 2, -1, 1000 + index] {
                #expect(loader.scene(at: time + loader.period * Rational(cycles)) == scene)
            }
        }
    }

    @Test(arguments: allIDs) func somethingMoves(id: String) throws {
        let loader = try makeLoader(id)
        let scenes = (0..<12).map { loader.scene(at: loader.period * Rational(Int128($0), 12)) }
        #expect(scenes.dropFirst().contains { $0 != scenes[0] })
    }

    @Test(arguments: allIDs) func phasesFollowEachOtherAndFillThePeriod(id: String) throws {
        let loader = try makeLoader(id)
        let phases = loader.phases
        #expect(phases.first?.start == .zero)
        #expect(phases.map(\.index) == Array(phases.indices))
        for (phase, next) in zip(phases, phases.dropFirst()) { #expect(phase.start + phase.duration == next.start) }
        #expect(phases.allSatisfy { $0.duration > .zero && !$0.name.english.isEmpty })
        #expect(phases.map(\.duration).reduce(.zero, +) == loader.period)
    }

    @Test(arguments: [
        ("iqiyi", 120, 120, "6/5", "#ffffff"), ("qq", 240, 240, "2.88", "#ffffff"),
        ("qq-pull", 120, 140, "2.88", "#ffffff"), ("qq-mail", 120, 60, "1.44", "#ffffff"),
        ("preloader", 250, 250, "3.6", "#2f2e33"), ("jelly", 320, 280, "6", "#ffffff"),
        ("douyin", 160, 180, "3", "#161823"), ("oneloading", 120, 120, "2", "#ffffff"),
    ])
    func canvasPeriodAndBackground(id: String, width: Double, height: Double, period: String, background: String) throws
    {
        let loader = try makeLoader(id)
        let scene = loader.scene(at: .zero)
        #expect(loader.canvas == Size(width, height) && scene.size == loader.canvas)
        #expect(loader.period == Rational(text: period))
        #expect(scene.background.hexString == background && scene.background == loader.background)
    }

    /// A stroke that begins to draw itself appears somewhere else: it jumps, and has the speed of
    /// its motion after that.
    @Test func jumpsAreNotMotion() {
        let velocity = Appearing().velocities(at: 0)[0]
        #expect(abs(velocity.x - 20) < 0.01 && abs(velocity.y) < 0.01, "\(velocity)")
    }

    /// A jump after the first of the two steps that are compared does not count either.
    @Test func laterJumpsAreNotMotion() {
        let velocity = Appearing(delay: Kinematics.step * Rational(3, 2)).velocities(at: 0)[0]
        #expect(abs(velocity.x - 20) < 0.01 && abs(velocity.y) < 0.01, "\(velocity)")
    }

    private struct Appearing: Loader {
        /// The time up to which the object is elsewhere, in seconds.
        var delay = Rational.zero
        var canvas: Size { Size(100, 100) }
        var period: Rational { 1 }

        func nodes(at time: Rational) -> [Node] { [] }

        func objects(at time: Rational) -> [MovingObject] {
            let start = time <= delay ? Point(50, 50) : Point(10, 10)
            return [MovingObject("line", .black, at: start + Point(20 * time.double, 0))]
        }
    }

    @Test func eightLoadersAreBuiltIn() {
        #expect(
            allIDs.sorted() == ["douyin", "iqiyi", "jelly", "oneloading", "preloader", "qq", "qq-mail", "qq-pull"])
        #expect(LoaderCatalog.builtIn.definitions.allSatisfy { !$0.title.english.isEmpty })
    }

    /// The bounds of fills are accurate enough; those of strokes include the miter limit of ten
    /// half widths.
    @Test(arguments: allIDs) func scenesStayOnTheCanvas(id: String) throws {
        let loader = try makeLoader(id)
        let canvas = Rect(size: loader.canvas)
        for time in instants(200, in: loader.period, seed: 44) {
            guard let bounds = loader.scene(at: time).bounds else { continue }
            #expect(canvas.contains(bounds, tolerance: 1), "at \(time) s")
            #expect(bounds.width > 5 && bounds.height > 5, "at \(time) s")
        }
    }
}
