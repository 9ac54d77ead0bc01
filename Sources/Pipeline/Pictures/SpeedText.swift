import Motion
import Timing

/// How fast something runs, as players write it.
package enum SpeedText {
    /// The speed of slow motion: `1×`, `1/6×`, `2×`.
    package static func text(slowmo: Rational) -> String {
        let speed = 1 / slowmo
        let isShort = speed.numerator < 100 && speed.denominator < 10_000
        if !isShort { return NumberText.decimal(speed.double, places: 4) + "×" }
        return (speed.denominator == 1 ? "\(speed.numerator)" : "\(speed.numerator)/\(speed.denominator)") + "×"
    }
}

extension RenderRequest {
    /// How fast the clip runs, if that is not how fast the loader does; nil for one that shows instants only.
    var speedText: String? {
        guard !isStepped, slowmo > .zero, ramp > .zero, slowmo != 1 || ramp != 1 else { return nil }
        let usual = SpeedText.text(slowmo: slowmo)
        return ramp == 1 ? usual : "\(SpeedText.text(slowmo: slowmo * ramp).dropLast())–\(usual)"
    }
}
