/// Hue, saturation and lightness, as CSS defines them.
package struct HSL {
    /// The hue in turns, 0 for red.
    package var hue: Double
    package var saturation: Double
    package var lightness: Double

    package init(hue: Double, saturation: Double, lightness: Double) {
        self.hue = hue
        self.saturation = saturation
        self.lightness = lightness
    }

    /// Converts components in 0...1. The hue is in 0..<1, and 0 for greys.
    package init(red: Double, green: Double, blue: Double) {
        let low = min(red, green, blue)
        let high = max(red, green, blue)
        let chroma = high - low
        lightness = (high + low) / 2
        guard chroma > 0 else {
            hue = 0
            saturation = 0
            return
        }
        saturation = chroma / (1 - abs(2 * lightness - 1))
        var sector = (red - green) / chroma + 4
        if high == red {
            sector = (green - blue) / chroma + (green < blue ? 6 : 0)
        } else if high == green {
            sector = (blue - red) / chroma + 2
        }
        hue = sector / 6
    }

    /// Red, green and blue, by the formula of CSS Color 4, section 7.1.
    package var components: (red: Double, green: Double, blue: Double) {
        let chroma = saturation * min(lightness, 1 - lightness)
        let turn = hue - hue.rounded(.down)
        func component(_ offset: Double) -> Double {
            let sector = (offset + turn * 12).truncatingRemainder(dividingBy: 12)
            return lightness - chroma * max(-1, min(sector - 3, 9 - sector, 1))
        }
        return (component(0), component(8), component(4))
    }
}
