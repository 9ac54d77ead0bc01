import Animations
import Core

/// Speeds as text, in the format of video players.
package enum SpeedText {
    /// Formats the speed of a slow motion factor: `1×`, `1/6×`, `2×`.
    package static func text(slowmo: Rational) -> String {
        let speed = 1 / slowmo
        let isShort = speed.numerator < 100 && speed.denominator < 10_000
        return (isShort ? speed.exactText : NumberText.decimal(speed.double, places: 4)) + "×"
    }
}

extension RenderRequest {
    /// The clip's speed or range of speeds; nil at normal speed and for stepped clips.
    var speedText: String? {
        guard !isStepped, slowmo > .zero, ramp > .zero, slowmo != 1 || ramp != 1 else { return nil }
        let baseSpeed = SpeedText.text(slowmo: slowmo)
        return ramp == 1 ? baseSpeed : "\(SpeedText.text(slowmo: slowmo * ramp).dropLast())–\(baseSpeed)"
    }
}
