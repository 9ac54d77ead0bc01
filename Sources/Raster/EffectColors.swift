import Core

// Colour corrections, which change each pixel independently.
extension Pixel {
    /// The straight colour components in 0...1; nil for a transparent pixel.
    private var straight: Color? {
        guard alpha > 0 else { return nil }
        return Color(red: red / alpha, green: green / alpha, blue: blue / alpha, alpha: alpha)
    }

    /// The pixel with alpha 1 and the same straight colour; a transparent pixel is unchanged.
    var opaque: Pixel { straight.map { Pixel($0.opacity(1)) } ?? self }

    /// Returns the pixel with its luminance mapped to three colours, mixed with the original.
    func tritone(_ shadows: Color, _ midtones: Color, _ highlights: Color, _ amount: Double) -> Pixel {
        guard alpha > 0 else { return self }
        let light = luma / alpha
        let (low, high) = light < 0.5 ? (shadows, midtones) : (midtones, highlights)
        let part = light < 0.5 ? 2 * light : 2 * light - 1
        let color = Color(
            red: lerp(low.red, high.red, part), green: lerp(low.green, high.green, part),
            blue: lerp(low.blue, high.blue, part), alpha: alpha)
        return mixed(with: Pixel(color), amount)
    }

    /// Returns the pixel with its channels replaced by the values in tables.
    func mapped(by curves: ChannelCurves) -> Pixel {
        func value(_ table: [UInt8], _ component: Double) -> Double {
            Double(table[Int((min(max(component, 0), 1) * 255).rounded())]) / 255
        }
        let color = straight ?? Color(red: 0, green: 0, blue: 0, alpha: 0)
        return Pixel(
            Color(
                red: value(curves.red, color.red), green: value(curves.green, color.green),
                blue: value(curves.blue, color.blue), alpha: value(curves.alpha, alpha)))
    }

    /// Returns the pixel with its hue, saturation and lightness changed.
    func changed(by change: HueSaturation) -> Pixel {
        guard let color = straight else { return self }
        var hsl = HSL(red: color.red, green: color.green, blue: color.blue)
        if change.isColorized {
            hsl.hue = change.hue
            hsl.saturation = change.saturation
        } else {
            hsl.hue += change.hue
            hsl.saturation *= 1 + change.saturation
        }
        hsl.saturation = clamp01(hsl.saturation)
        let goal = change.lightness < 0 ? 0.0 : 1
        hsl.lightness = lerp(hsl.lightness, goal, abs(change.lightness))
        let (red, green, blue) = hsl.components
        return Pixel(Color(red: red, green: green, blue: blue, alpha: alpha))
    }
}
