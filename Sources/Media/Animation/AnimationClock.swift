import Core

/// The frame delays of an animated image, in hundredths of a second in GIF, thousandths in APNG and
/// WebP. Each frame starts at the tick nearest to its exact time, so rounding errors do not
/// accumulate.
///
/// APNG supports any fraction of 16-bit numbers. However, Chromium and Firefox truncate each delay
/// to whole milliseconds, and would play 60 frames per second 4% too fast.
struct AnimationClock {
    private let ticksPerSecond: Rational
    private let frameDuration: Rational

    /// The clock of an animated image format at a frame rate that it supports.
    init(_ container: Container, _ frameRate: FrameRate) {
        ticksPerSecond = Rational(container.ticksPerSecond)
        frameDuration = frameRate.frameDuration
    }

    /// Returns the delay, in ticks, of a stored frame that represents a run of equal frames.
    func delay(of frames: Range<Int>) -> Int {
        func start(_ frame: Int) -> Int { (Rational(frame) * frameDuration * ticksPerSecond).rounded }
        return start(frames.upperBound) - start(frames.lowerBound)
    }
}

extension Container {
    /// Ticks per second of frame delays in an animated image format; not used for video.
    package var ticksPerSecond: Int { self == .gif ? 100 : 1000 }

    /// The maximum delay of a stored frame in ticks, less one because delays may be rounded up.
    private var maxTicks: Int { (self == .webp ? 1 << 24 : 1 << 16) - 2 }

    /// The maximum frame rate of an image format in frames per second; nil for video.
    ///
    /// Browsers replace delays below 11 ms, in GIF below 20 ms, by 100 ms.
    package var maxFrameRate: Rational? {
        self == .gif ? 50 : isAnimatedImage || self == .avif ? Rational(1000, 11) : nil
    }

    /// The default frame rate: 60 frames per second, 25 in GIF.
    package var defaultFrameRate: FrameRate { self == .gif ? .gif : .standard }

    /// Returns the maximum number of equal frames that one stored frame can represent; nil for
    /// video, which has no limit.
    package func maxFramesPerStoredFrame(at rate: FrameRate) -> Int? {
        guard isAnimatedImage else { return nil }
        return (Rational(maxTicks) / Rational(ticksPerSecond) * rate.framesPerSecond).floor
    }
}
