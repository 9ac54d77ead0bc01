import Core
import Media

/// Quality steps with their expected sizes, ordered from the requested clip to the smallest file.
struct QualityLadder {
    /// A step and the natural logarithm of its expected size relative to the first one.
    struct ExpectedStep {
        var step = QualityStep()
        var expected = 0.0
    }

    private(set) var steps = [ExpectedStep()]

    /// Changes of the logarithm of the size, measured on clips of all loaders in H.264, GIF, APNG
    /// and WebP. They only determine the first trials: measured sizes replace them
    /// (`LadderSearch`).
    private enum Expected {
        /// The change for a thirteenth of an encoder's quality scale, which is four steps of x264's
        /// crf.
        static let qualityStep = -0.46
        /// The change per logarithm of the frame rate: frames further apart differ more.
        static let rate = 0.9
        /// The change per logarithm of the sides: edges grow linearly, areas quadratically.
        static let side = 1.3
    }

    /// The number of parts of a quality scale; one part is four steps of crf. Video still looks
    /// fair after five parts.
    private static let qualityParts = 13
    private static let maxQualitySteps = 5.0
    /// Sides shrink by fortieths of the requested size, which is about 3% of the file each, down to
    /// three tenths.
    private static let sideParts = 40
    private static let minSideParts = 12
    /// If a rate is below this share of the previous one, as in GIF with its ticks of a hundredth
    /// of a second, steps between the two rates reduce the frame size by up to 15%. Otherwise up to
    /// a third of the limit would stay unused.
    private static let maxRatioOfRates = 0.87
    private static let minSidePartsBetweenRates = 34
    /// Below 12 frames per second motion no longer looks continuous.
    private static let minRate = Rational(12)
    /// The minimum ratio of the frame durations of two rates, so that each step is worth a
    /// rendering.
    private static let rateStep = Rational(11, 10)

    /// The ladder of a plan: first lower quality; then, for animated images, whose frames are
    /// large, lower frame rates; then smaller frames. Each step keeps the changes of the steps
    /// before it.
    ///
    /// - Parameter keepsQuality: true to keep the requested quality.
    init(_ plan: RenderPlan, keepsQuality: Bool = false) {
        if !keepsQuality { addQualities(of: plan) }
        let rates = plan.mayChangeRate ? plan.lowerRates(from: Self.minRate, step: Self.rateStep) : []
        var current = plan.encoder.frameRate
        for rate in rates {
            let ratio = log(rate.framesPerSecond.double / current.framesPerSecond.double)
            if ratio < log(Self.maxRatioOfRates) {
                addSizes(of: plan, downTo: Self.minSidePartsBetweenRates, above: Expected.rate * ratio)
            }
            add(Expected.rate * ratio) { $0.frameRate = rate }
            current = rate
        }
        addSizes(of: plan, downTo: Self.minSideParts)
    }

    /// The last step with full-size frames, to which size changes are added.
    private var base = ExpectedStep()

    private mutating func add(_ change: Double, _ body: (inout QualityStep) -> Void) {
        base.expected += change
        body(&base.step)
        steps.append(base)
    }

    private mutating func addQualities(of plan: RenderPlan) {
        guard let (setting, text) = plan.quality else { return }
        let value = text.flatMap { Double($0) }
        if let values = setting.smallerValues {
            // Five points of WebP's scale of 100 change the size like a quarter of a part, which is
            // one step of crf.
            for other in values where value.map({ (Double(other) ?? .infinity) < $0 }) ?? true {
                add(Expected.qualityStep / 4) { $0.quality = other }
            }
            return
        }
        guard let range = setting.range, let value else { return }
        let part = Double(max(1, range.count / Self.qualityParts))
        let step = setting.takesDecimals ? 0.5 : 1
        for number in 1...Int(part * Self.maxQualitySteps / step) {
            let next = value + Double(number) * step
            guard next <= Double(range.upperBound) else { break }
            let words = next == next.rounded() ? "\(Int(next))" : "\(next)"
            add(Expected.qualityStep * step / part) { $0.quality = words }
        }
    }

    /// Adds steps with smaller frames, while their expected change of the size's logarithm is above
    /// `limit`.
    private mutating func addSizes(of plan: RenderPlan, downTo minParts: Int, above limit: Double = -.infinity) {
        var last: FrameSize = .pixels(width: plan.width, height: plan.height)
        for parts in (minParts..<Self.sideParts).reversed() {
            let change = Expected.side * log(Double(parts) / Double(Self.sideParts))
            guard change > limit, let size = plan.size(parts, of: Self.sideParts) else { return }
            guard size != last else { continue }
            last = size
            var smaller = base
            smaller.step.size = size
            smaller.expected += change
            steps.append(smaller)
        }
    }
}

extension RenderPlan {
    /// The steps of lower quality, frame rate and size that a file size limit may lead to, from the
    /// requested clip to the smallest file.
    package var qualitySteps: [QualityStep] { QualityLadder(self).steps.map(\.step) }

    /// The encoder's quality setting and its value, which is nil for lossless; nil if the encoder
    /// has none.
    var quality: (setting: CodecProfile.Setting, value: String?)? {
        CodecProfile.find(encoder.encoder)?.quality.map { ($0, encoder.options[$0.option] ?? $0.defaultValue) }
    }

    /// True if the requested encoding is lossless. A lossy one of most drawings is larger.
    var isLossless: Bool { quality.map { $0.value == nil } ?? false }

    /// Returns the lower frame rates of an animated image. Each of their frames lasts a whole
    /// number of the container's ticks, so all frames last equally long. Empty for video, whose
    /// rate has little influence on its size.
    fileprivate func lowerRates(from minRate: Rational, step: Rational) -> [FrameRate] {
        guard container.isAnimatedImage else { return [] }
        let ticksPerSecond = Rational(container.ticksPerSecond)
        var rates: [FrameRate] = []
        var ticks = ticksPerSecond / encoder.frameRate.framesPerSecond
        while true {
            // At least one more tick, because ticks are whole numbers from here on.
            ticks = Rational(max((ticks * step).ceiling, ticks.floor + 1))
            guard ticksPerSecond / ticks >= minRate, let rate = FrameRate(ticksPerSecond / ticks) else { return rates }
            rates.append(rate)
        }
    }

    /// Returns the frame size scaled by `parts / all`; nil if it is below the minimum.
    fileprivate func size(_ parts: Int, of all: Int) -> FrameSize? {
        let format = encoder.pixelFormat
        func side(_ side: Int, _ step: Int) -> Int { (2 * side * parts + all * step) / (2 * all * step) * step }
        let width = side(self.width, format.horizontalStep)
        let height = side(self.height, format.verticalStep)
        guard min(width, height) >= FrameSize.minSide else { return nil }
        return .pixels(width: width, height: height)
    }
}
