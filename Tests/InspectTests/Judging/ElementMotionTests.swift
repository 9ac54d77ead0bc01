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

    /// A square that makes a quarter turn, and a disc that then moves to the right.
    private struct Turn: Loader {
        let id = "turn"
        let canvas = Size(100, 100)
        let period: Rational = 2
        /// The angle in radians by which the square turns.
        var angle = Double.pi / 2

        var phaseDurations: [(name: LocalizedText, duration: Rational)] { [("turn", 1), ("move", 1)] }

        func nodes(at time: Rational) -> [Node] {
            let cycle = time.modulo(period).double
            let center = Point(50, 35)
            let square = Path.rectangle(Rect(x: 30, y: 15, width: 40, height: 40))
            let turned = AffineTransform.rotation(angle * min(1, cycle)).about(center)
            let disc = Path.circle(center: Point(20 + 60 * max(0, cycle - 1), 80), radius: 10)
            return [
                .group(Group(transform: turned, nodes: [.shape(Shape(square, fill: Color(220, 20, 20)))])),
                .shape(Shape(disc, fill: Color(20, 60, 220))),
            ]
        }

        func objects(at time: Rational) -> [MovingObject] {
            let cycle = time.modulo(period).double
            return [
                MovingObject("square", Color(220, 20, 20), at: Point(50, 35), radius: 20),
                MovingObject("disc", Color(20, 60, 220), at: Point(20 + 60 * max(0, cycle - 1), 80), radius: 10),
            ]
        }
    }

    /// Records a loader, and returns the findings about it as a design.
    private func findings(in recorded: some Loader, as design: LoaderDefinition) throws -> [Deviation] {
        let scratch = try TemporaryDirectory()
        let path = scratch.file("\(recorded.id).mp4")
        var loader = LoaderRequest(LoaderDefinition(recorded))
        loader.size = .scale(2)
        var request = RenderRequest(loader: loader, container: .mp4)
        request.extent = .cycles(2)
        _ = try RenderPipeline([RenderPlan(request)], jobs: 1, memory: 1 << 30)
            .run(to: .file(try OutputFile(path: path, overwrites: true)))
        let judge = try Judge(LoaderRequest(design), name: recorded.id, options: JudgeOptions())
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

    @Test(.slow) func anElementThatTurnsTheOtherWayPlaysBackwards() throws {
        let found = try findings(in: Turn(angle: -.pi / 2), as: LoaderDefinition(Turn()))
        let first = try #require(found.first)
        #expect(first.kind == .backwards && first.object == "square" && first.phase == "turn", "\(found)")
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
