/// Frames a second, exactly.
public struct FrameRate: Sendable, Hashable, CustomStringConvertible {
    /// Frames a second, positive.
    public let framesPerSecond: Rational

    /// The rates that can be asked for: one frame in ten seconds to a thousand a second.
    public static let limits = Rational(1, 10)...Rational(1000)

    /// 60 frames a second.
    public static let standard = FrameRate(known: 60)

    /// 25 frames a second, which GIF's clock can say exactly.
    public static let gif = FrameRate(known: 25)

    private init(known framesPerSecond: Rational) { self.framesPerSecond = framesPerSecond }

    /// A rate; nil outside `limits` or if the denominator is above 100 000 (no container's clock takes those).
    public init?(_ framesPerSecond: Rational) {
        guard FrameRate.limits.contains(framesPerSecond), framesPerSecond.denominator <= 100_000 else { return nil }
        self.framesPerSecond = framesPerSecond
    }

    /// Reads `60`, `12.5` or `30000/1001`. The decimal names of the NTSC family (23.976, 23.98, 29.97, 47.952,
    /// 59.94, 119.88) mean the exact 24000/1001 and so on.
    public init?(text: String) {
        guard let value = Rational(text: text) else { return nil }
        let nearest = value.rounded
        let broadcast = Rational(Int128(nearest) * 1000, 1001)
        let difference = abs(value.double - broadcast.double)
        let isBroadcast = text.contains(".") && [24, 30, 48, 60, 120].contains(nearest) && difference < 0.006
        self.init(isBroadcast ? broadcast : value)
    }

    /// The time between two frames, in seconds.
    public var frameDuration: Rational { 1 / framesPerSecond }

    /// As it was asked for: `60` or `30000/1001`.
    public var description: String { framesPerSecond.description }
}
