/// An sRGB colour with straight (not premultiplied) alpha; every component is in 0...1.
public struct Color: Sendable, Hashable {
    /// Red, 0...1.
    public var red: Double
    /// Green, 0...1.
    public var green: Double
    /// Blue, 0...1.
    public var blue: Double
    /// Opacity, 0...1.
    public var alpha: Double

    /// A colour from components in 0...1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// A colour from 8-bit components, as `rgb(64, 168, 59)` in CSS.
    public init(_ red: Int, _ green: Int, _ blue: Int, alpha: Double = 1) {
        self.init(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255, alpha: alpha)
    }

    /// Opaque white.
    public static let white = Color(255, 255, 255)
    /// Opaque black.
    public static let black = Color(0, 0, 0)

    /// The same colour with another opacity, 0...1.
    public func opacity(_ alpha: Double) -> Color { Color(red: red, green: green, blue: blue, alpha: alpha) }

    /// Reads a CSS colour: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `transparent` or one of CSS's 148 names,
    /// in any case. Anything else is nil.
    public init?(css text: String) {
        // Some letters beyond ASCII have an ASCII one as their small letter: they make no name.
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

    /// `#rrggbb`, with `aa` behind it unless opaque; components rounded to 8 bits.
    public var hexString: String {
        let components = alpha < 1 ? [red, green, blue, alpha] : [red, green, blue]
        return components.reduce("#") { text, component in
            let byte = Int((component * 255).rounded())
            return text + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}
