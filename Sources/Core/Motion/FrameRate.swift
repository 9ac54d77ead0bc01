/// An exact number of frames per second.
public struct FrameRate: Sendable, Hashable, CustomStringConvertible {
    /// Frames per second; positive.
    public let framesPerSecond: Rational

    /// The valid rates: from one frame in ten seconds to 1000 frames per second.
    public static let limits = Rational(1, 10)...Rational(1000)

    /// 60 frames per second, the default.
    public static let standard = FrameRate(known: 60)

    /// 25 frames per second. GIF stores delays in hundredths of a second, which represent this rate
    /// exactly.
    public static let gif = FrameRate(known: 25)

    private init(known framesPerSecond: Rational) { self.framesPerSecond = framesPerSecond }

    /// The maximum denominator; the time bases of containers allow no larger one.
    private static let maxDenominator: Int128 = 100_000

    /// Returns the reason why a text is not a valid rate, with the limit that its fraction exceeds;
    /// nil if the text is a valid rate, is outside `limits`, or is not a number.
    public static func problem(in text: String) -> String? {
        guard let value = Rational(text: text) else { return Rational.problem(in: text) }
        guard FrameRate(text: text) == nil, value.denominator > maxDenominator else { return nil }
        return "the denominator \(value.denominator) is above the maximum of \(maxDenominator)"
    }

    /// Returns nil if the rate is outside `limits` or its denominator is above 100,000.
    public init?(_ framesPerSecond: Rational) {
        guard FrameRate.limits.contains(framesPerSecond), framesPerSecond.denominator <= FrameRate.maxDenominator
        else { return nil }
        self.framesPerSecond = framesPerSecond
    }

    /// Parses `60`, `12.5` or `30000/1001`. The decimal names of the NTSC rates (23.976, 23.98,
    /// 29.97, 47.952, 59.94, 119.88) mean the exact fractions, such as 24000/1001.
    public init?(text: String) {
        guard let value = Rational(text: text) else { return nil }
        let nearest = value.rounded
        let broadcast = Rational(Int128(nearest) * 1000, 1001)
        // Names with two decimals differ from the exact rate by at most 0.005.
        let difference = abs(value.double - broadcast.double)
        let isBroadcast = text.contains(".") && [24, 30, 48, 60, 120].contains(nearest) && difference < 0.006
        self.init(isBroadcast ? broadcast : value)
    }

    /// The duration of one frame in seconds.
    public var frameDuration: Rational { 1 / framesPerSecond }

    /// The rate in the form that `init(text:)` parses, such as `60` or `30000/1001`.
    public var description: String { framesPerSecond.description }
}
