import Core

// Colour corrections of single pixels.
extension Pixel {
    /// The straight colour components in 0...1; nil for a transparent pixel.
    private var straight: Color? {
        guard alpha > 0 else { return nil }
        return Color(red: red / alpha, green: green / alpha, blue: blue / alpha, alpha: alpha)
    }

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
        var (hue, saturation, lightness) = color.hueSaturationLightness
        if change.isColorized {
            hue = change.hue
            saturation = change.saturation
        } else {
            hue += change.hue
            saturation *= 1 + change.saturation
        }
        let goal = change.lightness < 0 ? 0.0 : 1
        lightness = lerp(lightness, goal, abs(change.lightness))
        return Pixel(Color(hue: hue, saturation: clamp01(saturation), lightness: lightness, alpha: alpha))
    }
}

extension Color {
    /// Hue in turns, saturation and lightness in 0...1, as CSS defines them.
    fileprivate var hueSaturationLightness: (Double, Double, Double) {
        let (low, high) = (min(red, green, blue), max(red, green, blue))
        let lightness = (low + high) / 2
        let range = high - low
        guard range > 0 else { return (0, 0, lightness) }
        let saturation = range / max(1 - abs(2 * lightness - 1), 1e-9)
        let sector =
            high == red ? (green - blue) / range : high == green ? (blue - red) / range + 2 : (red - green) / range + 4
        return (sector / 6, saturation, lightness)
    }

    fileprivate init(hue: Double, saturation: Double, lightness: Double, alpha: Double) {
        let chroma = saturation * min(lightness, 1 - lightness)
        // The formula of CSS Color 4, section 7.1.
        func component(_ offset: Double) -> Double {
            let position = (offset + hue * 12).truncatingRemainder(dividingBy: 12)
            let sector = position < 0 ? position + 12 : position
            return lightness - chroma * max(-1, min(sector - 3, 9 - sector, 1))
        }
        self.init(red: component(0), green: component(8), blue: component(4), alpha: alpha)
    }
}
