import Motion

/// How long an animated picture shows its pictures: GIF counts hundredths of a second, APNG and WebP thousandths. A frame
/// begins at the nearest one to its exact time, so that rounding never adds up.
///
/// APNG could say any fraction of 16 bits. But Chromium and Firefox cut each down to whole milliseconds, and would play 60
/// frames a second 4% too fast.
struct AnimationClock {
    private let ticks: Rational
    private let frameDuration: Rational

    /// The clock of an animated picture for frames at a rate that it takes.
    init(_ container: Container, _ frameRate: FrameRate) {
        (ticks, frameDuration) = (Rational(container.ticksPerSecond), frameRate.frameDuration)
    }

    /// How long frames are shown together, in ticks.
    func delay(of frames: Range<Int>) -> Int {
        func start(_ frame: Int) -> Int { (Rational(frame) * frameDuration * ticks).rounded }
        return start(frames.upperBound) - start(frames.lowerBound)
    }
}

extension Container {
    /// What an animated picture counts time in.
    var ticksPerSecond: Int { self == .gif ? 100 : 1000 }

    /// The most ticks that one picture can last, less one for rounding.
    private var mostTicks: Int { (self == .webp ? 1 << 24 : 1 << 16) - 2 }

    /// The most frames a second of an animated picture; nil if there is no limit of its own.
    ///
    /// Browsers show what is shorter than 11 ms, of GIF than 2 hundredths of a second, for a tenth of a second.
    public var fastestRate: Rational? { self == .gif ? 50 : isAnimation ? Rational(1000, 11) : nil }

    /// Frames a second unless another rate is asked for: 60, in GIF 25.
    public var standardFrameRate: FrameRate { self == .gif ? .gif : .standard }

    /// The most frames that one picture can stand for; nil if there is no limit.
    public func mostFramesTogether(at rate: FrameRate) -> Int? {
        guard isAnimation else { return nil }
        return max(1, (Rational(mostTicks) / Rational(ticksPerSecond) * rate.framesPerSecond).floor)
    }
}
