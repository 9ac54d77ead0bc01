import Animations
import Core
import Render
import Testing

func loader(_ id: String, _ settings: String...) throws -> any Loader {
    let type = try LoaderCatalog.builtIn.definition(id)
    let noImages: ImageLoading = { path throws(ParameterError) in throw ParameterError(.data, path) }
    return try type.make(ParameterValues(settings, for: type, loadImage: noImages))
}

@Suite struct PhaseTableTests {
    /// The article's table, copied independently of the sources.
    private static let displacements = [-1, 1, 1, -1, 0, 0]
    /// The step in which each ball starts, from the article.
    private static let balls = [(name: "red", step: 1), (name: "yellow", step: 5), (name: "green", step: 3)]

    /// Returns the position of a ball at the start of a step, in multiples of the offset.
    private func entry(_ step: Int) -> Int { Self.displacements[..<step].reduce(0, +) }

    @Test(arguments: [("qq-mail", 60.0, 30.0, 6), ("qq", 120, 120, 12)])
    func ballsFollowTheArticlesTable(id: String, centerX: Double, y: Double, count: Int) throws {
        let table = PhaseTable(try loader(id))
        #expect(table.displacements == Self.displacements)
        #expect(table.startingSteps.map(\.object) == ["red", "yellow", "green"])
        #expect(table.startingSteps.map(\.step) == [1, 5, 3])
        #expect(table.rows.count == count && table.period == Rational(6, 25) * Rational(count))
        for (phase, row) in table.rows.enumerated() {
            #expect(row.phase.start == Rational(6, 25) * Rational(phase) && row.phase.duration == Rational(6, 25))
            for ball in Self.balls {
                let motion = try #require(row.motions.first { $0.object == ball.name })
                let step = (ball.step + phase) % 6
                #expect(motion.step == step && motion.direction == Self.displacements[step])
                let from = centerX + 30 * Double(entry(step))
                #expect(motion.from == Point(from, y))
                #expect(motion.to == Point(from + 30 * Double(Self.displacements[step]), y))
            }
        }
    }

    /// With timer steps, every phase starts after its first tick and ends after its last.
    @Test func timerStepsJumpAtTheBoundary() throws {
        let table = PhaseTable(try loader("qq-mail", "motion=ticks"))
        #expect(table.displacements == Self.displacements)
        let red = table.rows.map { $0.motions[0] }
        #expect(red[0].from == Point(31, 30) && red[0].to == Point(60, 30))
        #expect(red[1].from == Point(61, 30) && red[1].to == Point(90, 30))
    }

    @Test func otherLoadersHaveNoDisplacements() throws {
        for id in ["iqiyi", "qq-pull", "preloader", "jelly", "douyin", "oneloading"] {
            let table = PhaseTable(try loader(id))
            #expect(table.displacements == nil && table.startingSteps.isEmpty)
        }
    }

    @Test func endsBeforeJumpsAreLeftHandLimits() throws {
        let ring = PhaseTable(try loader("iqiyi"))
        func onRing(_ fraction: Double) -> Point {
            Point(60 + 35 * sin(2 * .pi * fraction), 60 - 35 * cos(2 * .pi * fraction))
        }
        let (tail, head, tip) = (ring.rows[1].motions[0], ring.rows[0].motions[1], ring.rows[1].motions[2])
        #expect(tail.from.distance(to: onRing(0.02)) < 1e-9 && tail.to.distance(to: onRing(0.98)) < 1e-5)
        #expect(head.from.distance(to: onRing(0.02)) < 1e-9 && head.to.distance(to: onRing(0.98)) < 1e-5)
        let turned = Point(60 + 20 * cos(4 * .pi / 3), 60 + 20 * sin(4 * .pi / 3))
        #expect(tip.from == Point(80, 60) && tip.to.distance(to: turned) < 1e-5)
        let notes = PhaseTable(try loader("douyin"))
        #expect(notes.rows[0].motions[0].from == Point(120, 170))
        #expect(
            notes.rows[2].motions[0].to.distance(to: Point(80, 70)) < 1e-5, "not the next start")
    }

    @Test func endsFollowTheArticles() throws {
        let drop = PhaseTable(try loader("qq-pull")).rows.map { $0.motions[1] }
        #expect(drop.map(\.from.y) == [40, 40, 100, 100, 40] && drop.map(\.to.y) == [40, 100, 100, 40, 40])
        let jelly = PhaseTable(try loader("jelly")).rows.map { $0.motions[0] }
        #expect(jelly.map(\.to) == [Point(160, 64), Point(210, 214), Point(210, 214), Point(160, 94), Point(160, 64)])
        let arc = PhaseTable(try loader("oneloading")).rows[0]
        #expect(arc.motions[0].from.distance(to: Point(60, 20)) < 1e-9)
        #expect(arc.motions[0].to.distance(to: Point(100, 60)) < 1e-5)
        #expect(arc.motions[1].to.distance(to: Point(100, 60)) < 1e-5)
    }

    /// Unless an object jumps, it starts a phase at the end of the previous one.
    @Test(arguments: LoaderCatalog.builtIn.ids) func phasesJoin(id: String) throws {
        let loader = try loader(id)
        let table = PhaseTable(loader)
        for (row, next) in zip(table.rows, table.rows.dropFirst() + table.rows.prefix(1)) {
            for (motion, after) in zip(row.motions, next.motions) {
                let gap = motion.to.distance(to: after.from)
                #expect(gap == 0 || gap > 1, "\(motion.object) in phase \(row.phase.index)")
            }
            #expect(row.motions.map(\.from) == loader.objects(at: row.phase.start).map(\.position))
        }
    }
}

@Suite struct TelemetryTests {
    private func telemetry(_ loader: any Loader, fps: Int, slowmo: Rational = 1) throws -> Telemetry {
        let rate = try #require(FrameRate(Rational(fps)))
        let map = TimeMap(period: loader.period, frameRate: rate, slowmo: slowmo, extent: .cycles(1))
        return Telemetry(loader, timeMap: map, frameRate: rate)
    }

    @Test(arguments: LoaderCatalog.builtIn.ids) func samplesMatchTheLoader(id: String) throws {
        let loader = try loader(id)
        let telemetry = try telemetry(loader, fps: 50, slowmo: 2)
        #expect(telemetry.frameCount == (loader.period * 100).rounded)
        for frame in stride(from: 0, to: telemetry.frameCount, by: 7) {
            let samples = telemetry.samples(ofFrame: frame)
            let time = loader.period * Rational(Int128(frame), Int128(telemetry.frameCount))
            let objects = loader.objects(at: time)
            #expect(samples.map(\.object) == objects.map(\.name) && samples.map(\.position) == objects.map(\.position))
            #expect(samples.map(\.radius) == objects.map(\.radius) && samples.map(\.depth) == objects.map(\.depth))
            #expect(samples.allSatisfy { $0.modelTime == time && $0.time == Rational(Int128(frame), 50) })
            let phase = loader.phases[samples[0].phase]
            #expect(phase.start <= time && time < phase.start + phase.duration)
        }
    }

    /// For smooth motion, the velocity matches finite differences within their error.
    @Test(arguments: LoaderCatalog.builtIn.ids) func velocityIsTheFiniteDifference(id: String) throws {
        let loader = try loader(id)
        let step = Rational(1, 20000)
        var checked = 0
        for index in 0..<211 {
            let time = loader.period * Rational(Int128(2 * index + 1), 422)
            func positions(_ time: Rational) -> [Point] {
                loader.objects(at: time.modulo(loader.period)).map(\.position)
            }
            let (before, now, after) = (positions(time - step), positions(time), positions(time + step))
            for (object, velocity) in loader.velocities(at: time).enumerated() {
                let left = (now[object] - before[object]) * (1 / step.double)
                let right = (after[object] - now[object]) * (1 / step.double)
                // At a corner, the two differences have no common limit.
                guard left.distance(to: right) < 2 + 0.01 * Point.zero.distance(to: right) else { continue }
                let middle = (left + right) * 0.5
                #expect(velocity.distance(to: middle) < 0.05, "object \(object) at \(time)")
                checked += 1
            }
        }
        #expect(checked > 200 * loader.objects(at: .zero).count * 9 / 10)
    }

    @Test(arguments: ["smooth", "ticks"]) func ballsHaveTheVelocityOfTheirStep(motion: String) throws {
        let loader = try loader("qq-mail", "motion=\(motion)")
        for frame in 0..<144 {
            let time = Rational(Int128(frame), 100)
            for (object, velocity) in zip(loader.objects(at: time), loader.velocities(at: time)) {
                #expect(velocity == Point(125 * Double(try #require(object.direction)), 0))
            }
        }
    }

    @Test func objectsAtRestHaveNoVelocity() throws {
        let loader = try loader("jelly")
        #expect(loader.velocities(at: Rational(1, 10)) == [.zero] && loader.velocities(at: Rational(8, 5)) == [.zero])
    }
}
