import Core

/// The valid range of a number in a request.
struct RequestLimit {
    let range: ClosedRange<Rational>
    /// The unit for messages, with a leading space; empty for factors.
    var unit = ""
    /// The remedy for a value outside the range; nil if the range says enough.
    var remedy: @Sendable (Rational) -> String? = { _ in nil }

    static let slowmo = RequestLimit(range: RenderRequest.slowmoLimits)
    static let ramp = RequestLimit(range: 1...Rational(1000))
    static let hold = RequestLimit(range: 0...Rational(3600), unit: " seconds")
    /// After Effects and cameras give the shutter as an angle, of which 360 degrees are a frame.
    static let shutter = RequestLimit(range: 0...1, unit: " of a frame") { value in
        value <= 360 ? "for a shutter angle of \(value) degrees, use \(value / 360)" : nil
    }
}
