/// A colour in CIE 1976 L\*a\*b\* for the white point D65.
package struct LabColor: Sendable, Hashable {
    /// The lightness, 0 for black to 100 for white.
    package var lightness: Double
    /// The position between green (negative) and red (positive).
    package var a: Double
    /// The position between blue (negative) and yellow (positive).
    package var b: Double

    /// Creates a colour from its coordinates.
    package init(lightness: Double, a: Double, b: Double) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    /// Converts an opaque sRGB colour (IEC 61966-2-1).
    ///
    /// - Parameters:
    ///   - red: the nonlinear red component in codes, 0...255.
    ///   - green: the nonlinear green component in codes, 0...255.
    ///   - blue: the nonlinear blue component in codes, 0...255.
    package init(red: Double, green: Double, blue: Double) {
        let linearRed = SRGB.linear(red / 255)
        let linearGreen = SRGB.linear(green / 255)
        let linearBlue = SRGB.linear(blue / 255)
        // The rows sum to the white point, so white has a = b = 0.
        let x = 0.4124564 * linearRed + 0.3575761 * linearGreen + 0.1804375 * linearBlue
        let y = 0.2126729 * linearRed + 0.7151522 * linearGreen + 0.0721750 * linearBlue
        let z = 0.0193339 * linearRed + 0.1191920 * linearGreen + 0.9503041 * linearBlue
        let rootX = Self.compressed(x / 0.9504700)
        let rootY = Self.compressed(y / 1.0000001)
        let rootZ = Self.compressed(z / 1.0888300)
        lightness = 116 * rootY - 16
        a = 500 * (rootX - rootY)
        b = 200 * (rootY - rootZ)
    }

    /// Returns the cube root, with the linear segment near black that CIE 15 defines.
    private static func compressed(_ value: Double) -> Double {
        value > 216.0 / 24_389 ? cbrt(value) : (24_389.0 / 27 * value + 16) / 116
    }

    /// The nearest sRGB colour with components in 0...1.
    package var color: Color {
        let rootY = (lightness + 16) / 116
        let x = 0.9504700 * Self.expanded(rootY + a / 500)
        let y = 1.0000001 * Self.expanded(rootY)
        let z = 1.0888300 * Self.expanded(rootY - b / 200)
        return Color(
            red: Self.encoded(3.2404542 * x - 1.5371385 * y - 0.4985314 * z),
            green: Self.encoded(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z),
            blue: Self.encoded(0.0556434 * x - 0.2040259 * y + 1.0572252 * z))
    }

    /// Returns the inverse of `compressed`.
    private static func expanded(_ root: Double) -> Double {
        let cube = root * root * root
        return cube > 216.0 / 24_389 ? cube : (116 * root - 16) * 27 / 24_389
    }

    /// Returns the sRGB component of linear light, clamped to 0...1.
    private static func encoded(_ light: Double) -> Double {
        min(max(SRGB.encoded(light), 0), 1)
    }

    /// The chroma: the distance from grey.
    private var chroma: Double { (a * a + b * b).squareRoot() }

    /// Returns the CIEDE2000 colour difference with unit weights. A difference of about 1 is just
    /// noticeable between large areas side by side.
    ///
    /// The formulas and their numbering follow Sharma, Wu and Dalal, "The CIEDE2000
    /// color-difference formula: implementation notes, supplementary test data, and mathematical
    /// observations", Color Research and Application 30 (2005).
    package func distance(to other: LabColor) -> Double {
        let mean7 = pow((chroma + other.chroma) / 2, 7)
        let neutralGain = 0.5 * (1 - (mean7 / (mean7 + Self.chromaConstant)).squareRoot())
        let first = Polar(self, neutralGain)
        let second = Polar(other, neutralGain)
        let terms = Terms(first, second)
        let lightness = (other.lightness - self.lightness) / Self.lightnessWeight(self, other)
        let chroma = (second.chroma - first.chroma) / (1 + 0.045 * terms.meanChroma)
        let hue = terms.hueDifference / (1 + 0.015 * terms.meanChroma * terms.hueWeight)
        let sum = lightness * lightness + chroma * chroma + hue * hue + terms.rotation * chroma * hue
        return max(0, sum).squareRoot()
    }

    /// 25 to the power of 7, as in equations 4 and 19.
    fileprivate static let chromaConstant = 6_103_515_625.0

    /// Equation 16.
    private static func lightnessWeight(_ first: LabColor, _ second: LabColor) -> Double {
        let deviation = (first.lightness + second.lightness) / 2 - 50
        let square = deviation * deviation
        return 1 + 0.015 * square / (20 + square).squareRoot()
    }

    /// The chroma and hue of a colour whose a-axis is stretched near grey (equations 5 to 7).
    fileprivate struct Polar {
        let chroma: Double
        /// The hue in degrees, 0..<360; 0 for grey.
        let hue: Double

        init(_ color: LabColor, _ neutralGain: Double) {
            let stretched = (1 + neutralGain) * color.a
            chroma = (stretched * stretched + color.b * color.b).squareRoot()
            let degrees = chroma == 0 ? 0 : atan2(color.b, stretched) * 180 / .pi
            hue = degrees < 0 ? degrees + 360 : degrees
        }
    }

    /// The terms of the distance that depend on both colours' chroma and hue.
    fileprivate struct Terms {
        let meanChroma: Double
        /// The hue difference as a length (equations 10 and 11).
        let hueDifference: Double
        /// The weight T (equation 15).
        let hueWeight: Double
        /// The rotation RT (equations 17 to 21).
        let rotation: Double

        init(_ first: Polar, _ second: Polar) {
            let isGray = first.chroma * second.chroma == 0
            meanChroma = (first.chroma + second.chroma) / 2
            var turn = second.hue - first.hue
            if turn > 180 { turn -= 360 }
            if turn < -180 { turn += 360 }
            if isGray { turn = 0 }
            hueDifference = 2 * (first.chroma * second.chroma).squareRoot() * Self.sine(turn / 2)
            let sum = first.hue + second.hue
            let isWide = abs(first.hue - second.hue) > 180
            let hue = isGray ? sum : !isWide ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2
            hueWeight =
                1 - 0.17 * Self.cosine(hue - 30) + 0.24 * Self.cosine(2 * hue)
                + 0.32 * Self.cosine(3 * hue + 6) - 0.20 * Self.cosine(4 * hue - 63)
            let bend = (hue - 275) / 25
            let angle = 30 * exp(-bend * bend)
            let mean7 = pow(meanChroma, 7)
            rotation = -2 * (mean7 / (mean7 + LabColor.chromaConstant)).squareRoot() * Self.sine(2 * angle)
        }

        private static func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
        private static func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    }
}

extension Color {
    /// The colour in L\*a\*b\*, without its alpha.
    package var lab: LabColor { LabColor(red: 255 * red, green: 255 * green, blue: 255 * blue) }

    /// Returns the CIEDE2000 distance of two colours, without their alpha.
    package func distance(to other: Color) -> Double { lab.distance(to: other.lab) }
}
