import Loaders
import Motion
import Scene

/// A Lottie animation as a loader. Its points are the animation's own.
struct LottieLoader: Loader {
    let id: String
    let title: LocalizedText
    let period: Rational
    let phaseDurations: [(name: LocalizedText, duration: Rational)]
    private let animation: Animation
    private let subframes: Subframes
    private let moving: [MovingLayer]
    /// The ids of all animations of the archive that it is of.
    private let archive: [String]

    init(_ animation: Animation, id: String, title: String, subframes: Subframes, archive: [String] = []) {
        (self.id, self.animation, self.subframes, self.archive) = (id, animation, subframes, archive)
        // Names in files are mostly what a composition is called before anybody names it.
        self.title = LocalizedText(title)
        period = animation.period
        phaseDurations = AnimationPhases.durations(of: animation)
        moving = MovingLayer.all(in: animation)
    }

    var canvas: Size { animation.size }

    var omissions: [String] { animation.unsupported.map { "\(id): without \($0)" } }

    var details: [(name: String, text: String)] {
        let rate = animation.rate
        let decimal = rate.denominator == 1 ? "" : " (\(rate.double.thousandths))"
        let objects = moving.map(\.name)
        return [
            ("frame rate", "\(rate)\(decimal) frames/s"), ("frames", "\(animation.start)...\(animation.end)"),
            ("phases from", AnimationPhases.areMarked(animation) ? "markers" : "keyframes"),
            ("objects", objects.isEmpty ? "none" : objects.joined(separator: ", ")),
            ("features", animation.features.isEmpty ? "none" : animation.features.joined(separator: ", ")),
        ] + (archive.isEmpty ? [] : [("animations", archive.joined(separator: ", "))])
    }

    /// Designs are as large as they are meant to be seen; icons are shown larger, in whole steps.
    var preferredScale: Rational? {
        let side = max(animation.size.width, animation.size.height)
        return Rational(min(4, max(1, Int(512 / side))))
    }

    /// The animation's frame at a time.
    private func frame(at time: Rational) -> Double {
        guard subframes == .off else { return animation.frame(at: time) }
        return (animation.start + Rational((time * animation.rate).floor)).double
    }

    private func drawing(at time: Rational) -> LayerDrawing {
        LayerDrawing(composition: animation.composition, frame: frame(at: time), rate: animation.rate.double)
    }

    /// Throws if a picture takes too long, as far as a few of them show it.
    func checkWork() throws {
        for step in 0..<8 {
            let drawing = drawing(at: period * Rational(Int128(step), 8))
            let nodes = drawing.nodes()
            let frame = "frame \(drawing.frame.thousandths)"
            guard !drawing.effort.isSpent else {
                throw LottieError("\(frame) has paths to merge or to offset that are too many, or cross too often")
            }
            guard PictureWork.work(of: nodes, on: canvas) <= PictureWork.most else {
                throw LottieError("\(frame) takes too long to draw: it has too much in it, or it is too large")
            }
        }
    }

    func nodes(at time: Rational) -> [Node] {
        PictureWork.affordable(drawing(at: time).nodes(), on: canvas)
    }

    func objects(at time: Rational) -> [MovingObject] {
        let drawing = drawing(at: time)
        return moving.map { $0.object(in: drawing) }
    }
}
