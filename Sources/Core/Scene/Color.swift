/// An sRGB colour with straight (not premultiplied) alpha and components in 0...1.
public struct Color: Sendable, Hashable {
    /// Red, 0...1.
    public var red: Double
    /// Green, 0...1.
    public var green: Double
    /// Blue, 0...1.
    public var blue: Double
    /// Opacity, 0...1.
    public var alpha: Double

    /// A colour with components in 0...1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// A colour with 8-bit components, like `rgb(64, 168, 59)` in CSS.
    public init(_ red: Int, _ green: Int, _ blue: Int, alpha: Double = 1) {
        self.init(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255, alpha: alpha)
    }

    /// Opaque white.
    public static let white = Color(255, 255, 255)
    /// Opaque black.
    public static let black = Color(0, 0, 0)

    /// Returns the colour with another opacity in 0...1.
    public func opacity(_ alpha: Double) -> Color { Color(red: red, green: green, blue: blue, alpha: alpha) }

    /// Returns the mix of this colour and another one, whose share is `fraction`. Components are
    /// mixed without premultiplication.
    package func mixed(with other: Color, _ fraction: Double) -> Color {
        Color(
            red: lerp(red, other.red, fraction), green: lerp(green, other.green, fraction),
            blue: lerp(blue, other.blue, fraction), alpha: lerp(alpha, other.alpha, fraction))
    }

    /// Parses a CSS colour: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `transparent` or one of CSS's
    /// 148 named colours, in any case. Returns nil for any other text.
    public init?(css text: String) {
        // The Kelvin sign, for example, has the lowercase form k, but does not belong in a colour
        // name.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let word = text.lowercased()
        if word == "transparent" {
            self = Color.black.opacity(0)
        } else if word.first == "#" {
            guard let color = Color(hex: word.dropFirst()) else { return nil }
            self = color
        } else {
            guard let hex = Color.names[word], let color = Color(hex: hex) else { return nil }
            self = color
        }
    }

    private init?(hex: Substring) {
        var digits: [Int] = []
        for character in hex {
            guard character.isASCII, let digit = character.hexDigitValue else { return nil }
            digits.append(digit)
        }
        let bytes: [Int]
        switch digits.count {
        case 3, 4: bytes = digits.map { $0 * 17 }
        case 6, 8: bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
        default: return nil
        }
        self.init(bytes[0], bytes[1], bytes[2], alpha: bytes.count == 4 ? Double(bytes[3]) / 255 : 1)
    }

    /// The colour as `#rrggbb`, or as `#rrggbbaa` if it is not opaque, rounded to 8 bits per
    /// component.
    public var hexString: String {
        let components = alpha < 1 ? [red, green, blue, alpha] : [red, green, blue]
        return components.reduce("#") { text, component in
            let byte = Int((component * 255).rounded())
            return text + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}
