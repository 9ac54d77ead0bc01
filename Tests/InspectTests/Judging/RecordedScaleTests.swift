import Animations
import Core
import Testing

@testable import Inspect

/// The scales of loaders whose canvas is not in points.
@Suite struct RecordedScaleTests {
    /// A disc that grows and shrinks.
    private struct Pulse: KeyframedLoader {
        let id = "pulse"
        let canvas = Size(100, 60)
        let period: Rational = 1
        let curves: Set<TimingFunction> = []

        func eased(_ timing: TimingFunction) -> (any Loader)? { nil }

        func layers(at time: Rational) -> [(index: Int, nodes: [Node])] { [(0, nodes(at: time))] }

        func nodes(at time: Rational) -> [Node] {
            let radius = 10 + 5 * abs(2 * time.double - 1)
            return [.shape(Shape(.circle(center: Point(50, 30), radius: radius), fill: .black))]
        }
    }

    private func filling(_ frame: Size, scale: Double, shift: Point = .zero, options: JudgeOptions = JudgeOptions())
        -> Double?
    {
        let canvas = Pulse().canvas
        let centre = Point(frame.width / 2, frame.height / 2) + shift
        let origin = centre - Point(canvas.width, canvas.height) * (scale / 2)
        let pose = ModelPose(scale: scale, origin: origin, start: 0, speed: 1)
        return RecordedScale(Pulse(), options).filling(near: pose, frame: frame)
    }

    /// A larger loader in a frame of the canvas's size differs in its size.
    @Test func framesOfTheCanvasHaveItsScale() {
        #expect(filling(Size(200, 120), scale: 2.3) == 2)
        #expect(filling(Size(200, 120), scale: 1.7, shift: Point(4, 0)) == 2)
        #expect(filling(Size(250, 150), scale: 2.2) == 2.5)
        // Encoders of 4:2:0 need even sides.
        #expect(filling(Size(150, 90), scale: 1.4) == 1.5)
        #expect(filling(Size(102, 60), scale: 1.1) == nil)
    }

    /// The frame tells the scale even if the loader was found at one far away.
    @Test func framesOfTheCanvasHaveItsScaleWhereverTheLoaderIs() {
        #expect(RecordedScale(Pulse(), JudgeOptions()).filling(Size(200, 120)) == 2)
        #expect(RecordedScale(Pulse(), JudgeOptions()).filling(Size(250, 150)) == 2.5)
        #expect(RecordedScale(Pulse(), JudgeOptions()).filling(Size(200, 150)) == nil)
        var options = JudgeOptions()
        options.scale = 3
        #expect(RecordedScale(Pulse(), options).filling(Size(200, 120)) == nil)
    }

    /// Frames of another shape, or with the loader elsewhere, show more than the canvas.
    @Test func otherFramesHaveAnyScale() {
        #expect(filling(Size(300, 400), scale: 2.3) == nil)
        #expect(filling(Size(400, 240), scale: 2.3) == nil)
        #expect(filling(Size(200, 120), scale: 2.3, shift: Point(40, 0)) == nil)
        #expect(filling(Size(240, 144), scale: 2) == nil)
        var options = JudgeOptions()
        options.scale = 2.3
        #expect(filling(Size(200, 120), scale: 2.3, options: options) == nil)
    }
}
