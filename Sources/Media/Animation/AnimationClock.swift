import Motion

/// How long an animated picture shows its pictures, as exactly as its format can say it.
///
/// GIF counts hundredths and WebP thousandths of a second: a frame begins at the nearest one to its exact time, so that
/// rounding never adds up. APNG says a fraction of 16 bits for each picture, which is exact.
struct AnimationClock {
    private let ticks: Rational?
    private let frameDuration: Rational

    /// The clock of a container for frames at a rate that it takes.
    init(_ container: Container, _ frameRate: FrameRate) {
        (ticks, frameDuration) = (container.ticksPerSecond.map { Rational($0) }, frameRate.frameDuration)
    }

    /// How long frames are shown together, in seconds.
    func delay(of frames: Range<Int>) -> Rational {
        guard let ticks else { return Rational(frames.count) * frameDuration }
        func start(_ frame: Int) -> Int { (Rational(frame) * frameDuration * ticks).rounded }
        return Rational(start(frames.upperBound) - start(frames.lowerBound)) / ticks
    }
}

extension Container {
    /// What an animated picture counts time in; nil if its times are exact.
    fileprivate var ticksPerSecond: Int? {
        switch self {
        case .gif: 100
        case .webp: 1000
        case .mp4, .mov, .m4v, .mkv, .webm, .apng: nil
        }
    }

    /// The most ticks, or parts of a fraction, that a format of animated pictures can say, less one for rounding.
    private var mostTicks: Int { (self == .webp ? 1 << 24 : 1 << 16) - 2 }

    /// The most frames a second of an animated picture; nil if there is no limit of its own.
    ///
    /// Browsers show what is shorter than 11 ms, of GIF than 2 hundredths of a second, for a tenth of a second.
    public var fastestRate: Rational? { self == .gif ? 50 : isAnimation ? Rational(1000, 11) : nil }

    /// Frames a second unless another rate is asked for: 60, in GIF 25.
    public var standardFrameRate: FrameRate { self == .gif ? .gif : .standard }

    /// Whether the times of frames at a rate can be said.
    public func takes(_ rate: FrameRate) -> Bool { nearestRate(to: rate) == rate.framesPerSecond }

    /// The nearest rate whose times can be said: itself if it can.
    public func nearestRate(to rate: FrameRate) -> Rational {
        let wanted = rate.framesPerSecond
        if let fastest = fastestRate, wanted > fastest { return Rational(fastest.floor) }
        func isExact(_ rate: Rational) -> Bool {
            self != .apng || max(rate.numerator, rate.denominator) <= Int128(mostTicks)
        }
        let decimals = [1000, 100, 10, 1].map { Rational((wanted * Rational($0)).rounded) / Rational($0) }
        return ([wanted] + decimals).first { isExact($0) && $0 > .zero } ?? 1
    }

    /// The most frames that one picture can stand for; nil if there is no limit.
    public func mostFramesTogether(at rate: FrameRate) -> Int? {
        guard isAnimation else { return nil }
        let seconds = Rational(mostTicks) / Rational(ticksPerSecond ?? Int(rate.framesPerSecond.numerator))
        return max(1, (seconds * rate.framesPerSecond).floor)
    }
}
