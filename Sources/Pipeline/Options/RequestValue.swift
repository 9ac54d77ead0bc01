import Annotations
import Loaders
import Media
import Motion
import Scene

/// How a value of a request is written, wherever a user writes it: on a command line or in a preset.
public struct RequestValue<Value> {
    /// What is taken, in words that follow "give".
    public let expected: String
    /// Whether a text that is meant may begin with a sign, as numbers do.
    public let mayHaveSign: Bool
    /// The value of a text, or nil.
    public let read: @Sendable (String) -> Value?

    init(expected: String, mayHaveSign: Bool = false, read: @escaping @Sendable (String) -> Value?) {
        (self.expected, self.mayHaveSign, self.read) = (expected, mayHaveSign, read)
    }
}

extension RequestValue where Value == Rational {
    /// A number that is not negative, exactly.
    public static var number: Self {
        Self(expected: "a number such as 2, 0.25 or 1/3", mayHaveSign: true) { Rational(text: $0) }
    }
}

extension RequestValue where Value == FrameRate {
    /// Frames a second.
    public static var frameRate: Self {
        Self(expected: "a frame rate in 0.1...1000 such as 60, 30000/1001 or 59.94", mayHaveSign: true) {
            FrameRate(text: $0)
        }
    }
}

extension RequestValue where Value == ModelTime {
    /// A moment of model time.
    public static var modelTime: Self {
        Self(
            expected: "seconds such as 1.5, or phase:N[+fraction] such as phase:2+1/2, the fraction in 0...1",
            mayHaveSign: true
        ) { ModelTime(text: $0) }
    }
}

extension RequestValue where Value == Color {
    /// A CSS colour.
    public static var color: Self {
        Self(expected: "a CSS colour such as #fff, #2f2e33, #ff000080 or tomato") { Color(css: $0) }
    }
}

extension RequestValue where Value == PictureSize {
    /// A size in pixels.
    public static var size: Self {
        Self(expected: "a size such as 1920x1080", mayHaveSign: true) { text in
            let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
            return .pixels(width: width, height: height)
        }
    }
}

extension RequestValue where Value == PictureShape {
    /// A picture's shape.
    public static var shape: Self {
        Self(expected: "wide, square, vertical or a size such as 1280x800", mayHaveSign: true) {
            PictureShape(text: $0)
        }
    }
}

extension RequestValue where Value == Container {
    /// A container's name.
    public static var container: Self {
        Self(expected: Container.listed()) { Container(rawValue: $0.lowercased()) }
    }
}

extension RequestValue where Value == Int {
    /// A number of bytes, with a unit or without.
    static var bytes: Self {
        Self(expected: "bytes such as 500 kB, 2MB, 1.5 MiB or 2000000", mayHaveSign: true) { text in
            let number = text.prefix { "0123456789./".contains($0) }
            let units = ["": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000]
                .merging(["kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30]) { $1 }
            let unit = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
            guard let factor = units[unit], let value = Rational(text: String(number)), value <= 1_000_000_000_000
            else { return nil }
            let bytes = value * Rational(factor)
            return bytes >= 1 && bytes <= 1_000_000_000_000 ? Int(bytes.floor) : nil
        }
    }
}
