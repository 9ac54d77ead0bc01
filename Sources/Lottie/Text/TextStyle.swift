import Core

/// The style of a character after all animators.
struct TextStyle {
    var anchor = Point.zero
    var position = Point.zero
    /// All scales, then all skews and rotations, as in lottie-web.
    private var scaling = AffineTransform.identity
    private var turning = AffineTransform.identity
    private(set) var opacity = 1.0
    private(set) var fill: [Double]?
    private(set) var stroke: [Double]?
    private(set) var fillOpacity = 1.0
    private(set) var strokeOpacity = 1.0
    private(set) var strokeWidth: Double
    /// The animators' tracking in points, before the character. The document's tracking comes after
    /// each character.
    private(set) var tracking = 0.0

    init(fill: [Double]?, stroke: [Double]?, strokeWidth: Double) {
        self.fill = fill
        self.stroke = stroke
        self.strokeWidth = strokeWidth
    }

    /// Returns the transform about the character's anchor point.
    func matrix(position: Point) -> AffineTransform {
        AffineTransform.translation(anchor * -1).then(scaling).then(turning).then(.translation(position))
    }

    /// Applies an animator by a selector's factor.
    mutating func apply(_ animator: TextModel.Animator, _ factor: Double, at frame: Double, in context: FrameContext) {
        func value<Value>(_ property: Property<Value>?) -> Value? { property?.value(at: frame, in: context) }
        func interpolated(_ color: [Double]?, _ other: [Double]?) -> [Double]? {
            guard let color, let other else { return color }
            return zip(color, other).map { lerp($0, $1, factor) }
        }
        anchor = anchor + (value(animator.anchor) ?? .zero) * factor
        position = position + (value(animator.position) ?? .zero) * factor
        let scale = value(animator.scale) ?? Point(100, 100)
        scaling = scaling.then(
            AffineTransform(
                a: 1 + (scale.x / 100 - 1) * factor, b: 0, c: 0, d: 1 + (scale.y / 100 - 1) * factor, tx: 0, ty: 0))
        if let skew = value(animator.skew) {
            turning = turning.skewed(by: skew * factor, axis: (value(animator.skewAxis) ?? 0) * factor)
        }
        turning = turning.then(.rotation((value(animator.rotation) ?? 0) * factor * .pi / 180))
        // After Effects' presets hide a text with one animator and show it again with the next.
        func interpolated(_ opacity: Double, _ other: Property<Double>?) -> Double {
            value(other).map { clamp01(lerp(opacity, $0 / 100, factor)) } ?? opacity
        }
        opacity = interpolated(opacity, animator.opacity)
        fillOpacity = interpolated(fillOpacity, animator.fillOpacity)
        strokeOpacity = interpolated(strokeOpacity, animator.strokeOpacity)
        fill = interpolated(fill, value(animator.fill))
        let shift = HueShift(
            hue: (value(animator.fillHue) ?? 0) * factor / 360,
            saturation: (value(animator.fillSaturation) ?? 0) * factor / 100,
            brightness: (value(animator.fillBrightness) ?? 0) * factor / 100)
        fill = fill.map(shift.applied)
        stroke = interpolated(stroke, value(animator.stroke))
        if let width = value(animator.strokeWidth) { strokeWidth += (width - strokeWidth) * factor }
        tracking += (value(animator.tracking) ?? 0) * factor
    }
}

/// A change of a colour's hue, saturation and brightness.
private struct HueShift {
    /// The change of the hue in turns.
    var hue: Double
    var saturation: Double
    var brightness: Double

    func applied(to color: [Double]) -> [Double] {
        guard color.count >= 3, hue != 0 || saturation != 0 || brightness != 0 else { return color }
        let red = clamp01(color[0])
        let green = clamp01(color[1])
        let blue = clamp01(color[2])
        let high = max(red, green, blue)
        let span = high - min(red, green, blue)
        let newHue = HSL(red: red, green: green, blue: blue).hue + hue
        let newSaturation = clamp01((high > 0 ? span / high : 0) + saturation)
        let newBrightness = clamp01(high + brightness)
        // Each component falls off with the distance of the hue from its own.
        return [5.0, 3, 1].map { offset in
            let step = (offset + newHue * 6).truncatingRemainder(dividingBy: 6)
            let distance = step < 0 ? step + 6 : step
            return newBrightness * (1 - newSaturation * clamp01(min(distance, 4 - distance)))
        }
    }
}
