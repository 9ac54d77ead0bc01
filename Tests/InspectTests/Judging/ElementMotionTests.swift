import Animations
import Core
import Media
import Render
import TestSupport
import Testing

@testable import Inspect

/// Recordings in which single elements move otherwise than designed.
@Suite struct ElementMotionTests {
    /// Three discs that move from side to side, each later than the one above it.
    private struct Discs: Loader {
        static let lag = Parameter.time("lag", Rational(1, 10), 0...Rational(1, 2), "The delay between discs")

        let id = "discs"
        let canvas = Size(100, 100)
        let period: Rational = 2
        var lag = Discs.lag.defaultValue
        /// The timing function of the middle disc. The others move linearly.
        var middle = TimingFunction.linear

        var phaseDurations: [(name: LocalizedText, duration: Rational)] { [("right", 1), ("left", 1)] }

        private func center(_ index: Int, at time: Rational) -> Point {
            let cycle = (time - lag * Rational(index)).modulo(period).double
            let progress = (index == 1 ? middle : .linear)(cycle.truncatingRemainder(dividingBy: 1))
            return Point(20 + 60 * (cycle < 1 ? progress : 1 - progress), 20 + 30 * Double(index))
        }

        private static let colors = [Color(220, 20, 20), Color(20, 150, 40), Color(20, 60, 220)]
        private static let names = ["top", "middle", "bottom"]

        func nodes(at time: Rational) -> [Node] {
            Self.colors.indices.map { index in
                .shape(Shape(.circle(center: center(index, at: time), radius: 10), fill: Self.colors[index]))
            }
        }

        func objects(at time: Rational) -> [MovingObject] {
            Self.colors.indices.map { index in
                MovingObject(Self.names[index], Self.colors[index], at: center(index, at: time), radius: 10)
            }
        }
    }

    /// Records discs, and returns the findings about them as a design.
    private func findings(in recorded: Discs, as design: LoaderDefinition) throws -> [Deviation] {
        let scratch = try TemporaryDirectory()
        let path = scratch.file("discs.mp4")
        var loader = LoaderRequest(LoaderDefinition(recorded))
        loader.size = .scale(2)
        var request = RenderRequest(loader: loader, container: .mp4)
        request.extent = .cycles(2)
        _ = try RenderPipeline([RenderPlan(request)], jobs: 1, memory: 1 << 30)
            .run(to: .file(try OutputFile(path: path, overwrites: true)))
        let judge = try Judge(LoaderRequest(design), name: "discs", options: JudgeOptions())
        let verdict = try judge.verdict(of: path)
        #expect(verdict.outcome == .differs)
        return verdict.deviations
    }

    @Test(.slow) func theTimingFunctionOfOneElementIsNamed() throws {
        let design = LoaderDefinition(Discs(lag: 0))
        let found = try findings(in: Discs(lag: 0, middle: .easeIn), as: design)
        let first = try #require(found.first)
        #expect(first.kind == .easing && first.object == "middle", "\(found)")
        #expect(first.expected == "linear" && first.actual == "easeIn", "\(found)")
    }

    /// A longer delay between discs makes two of them late.
    @Test(.slow) func oneParameterExplainsSeveralElements() throws {
        let design = LoaderDefinition(id: "discs", title: "Discs", parameters: [Discs.lag]) { values in
            Discs(lag: values[Discs.lag])
        }
        let found = try findings(in: Discs(lag: Rational(3, 20)), as: design)
        #expect(found.map(\.kind) == [.parameter] && found.first?.object == "lag", "\(found)")
        #expect(abs((found.first?.size ?? 0) - 0.05) < 0.005, "\(found)")
    }
}
