import Animations
import Core
import Media

/// The text format of a value on command lines and in presets.
package struct RequestValue<Value> {
    /// A description of the valid texts, to follow "give" in messages.
    package let expected: String
    /// True if a text may begin with a sign, such as a number.
    package let mayHaveSign: Bool
    /// The range of a whole number; nil for other values.
    var wholeRange: ClosedRange<Int>?
    /// A regular expression that all valid texts match, for editors; nil if there is none.
    var textPattern: String?
    /// Parses a text; nil if it is not valid.
    package let read: @Sendable (_ text: String) -> Value?
    /// The reason why a text is not a valid value, with the violated limit or the most similar
    /// name; nil if there is none.
    package let problem: @Sendable (_ text: String) -> String?

    init(
        expected: String, mayHaveSign: Bool = false, pattern: String? = nil,
        problem: @escaping @Sendable (String) -> String? = { _ in nil }, read: @escaping @Sendable (String) -> Value?
    ) {
        self.expected = expected
        self.mayHaveSign = mayHaveSign
        textPattern = pattern.map { "^(\($0))$" }
        self.problem = problem
        self.read = read
    }

    /// Returns the error message for an invalid text: the reason and the expected form.
    package func refusal(of text: String) -> String { Self.refusal(problem(text), expected) }

    /// Returns the error message from a reason, if there is one, and the expected form.
    static func refusal(_ problem: String?, _ expected: String) -> String {
        guard let problem else { return "give \(expected)" }
        return problem + (problem.hasSuffix("?") ? " Give " : "; give ") + expected
    }
}

/// Regular expressions of the texts from which values are parsed.
private enum Pattern {
    static let number = #"[0-9]*\.?[0-9]+|[0-9]+/[0-9]+"#
    static let size = "[0-9]+[xX][0-9]+"
}

extension RequestValue where Value == Rational {
    /// An exact number that is not negative.
    package static var number: Self {
        Self(
            expected: "a number such as 2, 0.25 or 1/3", mayHaveSign: true, pattern: Pattern.number,
            problem: { Rational.problem(in: $0) }
        ) { Rational(text: $0) }
    }
}

extension RequestValue where Value == FrameRate {
    /// A frame rate in frames per second.
    package static var frameRate: Self {
        Self(
            expected: "a frame rate in 0.1...1000 such as 60, 30000/1001 or 59.94", mayHaveSign: true,
            pattern: Pattern.number, problem: { FrameRate.problem(in: $0) }
        ) {
            FrameRate(text: $0)
        }
    }
}

extension RequestValue where Value == ModelTime {
    /// A model time in seconds, as a percentage of the period, or relative to a phase.
    package static var modelTime: Self {
        Self(
            expected: "seconds such as 1.5, a percentage such as 50%, or phase:N[+fraction] such as phase:2+1/2",
            mayHaveSign: true, pattern: "(\(Pattern.number))%?|phase:[0-9]+([+](\(Pattern.number)))?",
            problem: { ModelTime.problem(in: $0) }
        ) { ModelTime(text: $0) }
    }
}

extension RequestValue where Value == Color {
    /// A CSS colour.
    package static var color: Self {
        Self(expected: "a CSS colour such as #fff, #2f2e33, #ff000080 or tomato") { Color(css: $0) }
    }
}

extension RequestValue where Value == FrameSize {
    /// A size in pixels.
    package static var size: Self {
        Self(expected: "a size such as 1920x1080", mayHaveSign: true, pattern: Pattern.size) { text in
            FrameSize.sides(text: text).map { .pixels(width: $0.width, height: $0.height) }
        }
    }
}

extension RequestValue where Value == FrameShape {
    /// The shape of a frame.
    package static var shape: Self {
        Self(
            expected: "wide, square, vertical or a size such as 1280x800", mayHaveSign: true,
            pattern: "wide|square|vertical|\(Pattern.size)",
            problem: { NearestName.question($0, in: ["wide", "square", "vertical"]) }
        ) { FrameShape(text: $0) }
    }
}

extension RequestValue where Value == ClipFormat {
    /// The name of a container or of a format of vector graphics.
    package static var format: Self {
        Self(
            expected: ClipFormat.listed(),
            problem: { text in
                NearestName.question(text, in: ClipFormat.names)
            }
        ) { ClipFormat(name: $0.lowercased()) }
    }
}

extension RequestValue where Value == Int {
    /// A number of bytes with an optional unit, or FFmpeg's `k`, `M` or `G`, from 1 byte to 1 TB.
    static var bytes: Self {
        Self(
            expected: "bytes such as 500 kB, 2MB, 1.5 MiB or 2000000", mayHaveSign: true,
            pattern: "(\(Pattern.number)) *([kKmMgG]([iI]?[bB])?|[bB])?"
        ) { text in
            let number = text.prefix { "0123456789./".contains($0) }
            let units = ["": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000]
                .merging(["k": 1000, "m": 1_000_000, "g": 1_000_000_000]) { $1 }
                .merging(["kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30]) { $1 }
            let unit = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
            guard let factor = units[unit], let value = Rational(text: String(number)), value <= 1_000_000_000_000
            else { return nil }
            let bytes = value * Rational(factor)
            return bytes >= 1 && bytes <= 1_000_000_000_000 ? Int(bytes.floor) : nil
        }
    }
}
