import Motion
import Scene

/// What is wrong with a parameter's name or value.
public struct ParameterError: Error, Hashable, CustomStringConvertible {
    /// Where the blame lies, which decides a command's exit code.
    public enum Kind: Sendable {
        /// The value makes no sense.
        case usage
        /// A file was read but is not right.
        case data
        /// A file is not there.
        case missingFile
        /// There was too little memory to read a file.
        case memory
        /// A file could not be read, whatever is in it.
        case inputOutput
    }

    /// Where the blame lies.
    public let kind: Kind
    /// One line: what, the value, the limit, and what to do.
    public let description: String

    /// What it is about, the likeliest first.
    public var about: [Topic]
    /// What else is wrong of the same kind, a line each.
    public var others: [String]

    /// A problem in words.
    public init(_ kind: Kind = .usage, _ description: String, about: [Topic] = [], others: [String] = []) {
        (self.kind, self.description, self.about, self.others) = (kind, description, about, others)
    }
}

/// A parameter of a loader, whatever the type of its value.
public protocol LoaderParameter: Sendable {
    /// The key in `key=value`, such as `ringWidth`.
    var name: String { get }
    /// What it changes, in one line.
    var summary: String { get }
    /// What values it takes, such as `0.5...30 pt`.
    var limits: String { get }
    /// The default, as one would type it.
    var defaultText: String { get }
    /// Whether a value other than the default is the path of a file. Paths in presets are relative to these, and records of
    /// batches go by the file's contents. False unless said otherwise.
    var takesPath: Bool { get }
    /// Reads a value; throws one line that names the parameter, the value and the limits.
    func parse(_ text: String, loadImage: ImageLoading) throws(ParameterError) -> any Sendable
}

extension LoaderParameter {
    public var takesPath: Bool { false }
}

/// Reads the picture file at a path. Loaders know no files: whoever builds one brings this along.
public typealias ImageLoading = @Sendable (_ path: String) throws(ParameterError) -> Bitmap

/// A named, documented and checked property of a loader.
public struct Parameter<Value: Sendable>: LoaderParameter {
    public let name: String
    public let summary: String
    public let limits: String
    public let defaultText: String
    public let takesPath: Bool
    /// The value unless another is asked for.
    public let defaultValue: Value
    private let read: @Sendable (String, ImageLoading) throws(ParameterError) -> Value?

    /// A parameter whose `read` gives nil for text that is not a value within the limits. One that reads the file of its text
    /// says so with `takesPath`.
    public init(
        _ name: String, _ defaultValue: Value, defaultText: String, limits: String, summary: String,
        takesPath: Bool = false,
        read: @escaping @Sendable (String, ImageLoading) throws(ParameterError) -> Value?
    ) {
        (self.name, self.defaultValue, self.defaultText) = (name, defaultValue, defaultText)
        (self.limits, self.summary, self.takesPath, self.read) = (limits, summary, takesPath, read)
    }

    public func parse(_ text: String, loadImage: ImageLoading) throws(ParameterError) -> any Sendable {
        if let value = try read(text, loadImage) { return value }
        throw ParameterError(
            .usage, "\(name)=\(text) is not possible: \(name) takes \(limits) (default \(defaultText))")
    }
}

extension Parameter where Value == Double {
    /// A length in points or, with another unit, any number within limits.
    public static func number(
        _ name: String, _ defaultValue: Double, _ range: ClosedRange<Double>, unit: String = "pt", _ summary: String
    ) -> Parameter {
        let limits = "\(plain(range.lowerBound))...\(plain(range.upperBound))" + (unit.isEmpty ? "" : " " + unit)
        return Parameter(name, defaultValue, defaultText: plain(defaultValue), limits: limits, summary: summary) {
            text, _ in
            // Plain decimals only: Swift would also read 0x10 and 1e1.
            guard text.utf8.allSatisfy({ "-.0123456789".utf8.contains($0) }) else { return nil }
            return Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Parameter where Value == Int {
    /// A whole number within limits.
    public static func count(_ name: String, _ defaultValue: Int, _ range: ClosedRange<Int>, _ summary: String)
        -> Parameter
    {
        let limits = "a whole number in \(range.lowerBound)...\(range.upperBound)"
        return Parameter(name, defaultValue, defaultText: String(defaultValue), limits: limits, summary: summary) {
            text, _ in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Parameter where Value == Rational {
    /// A time in seconds within limits, exact: `0.6`, `1/3`.
    public static func time(
        _ name: String, _ defaultValue: Rational, _ range: ClosedRange<Rational>, _ summary: String
    ) -> Parameter {
        let limits = "\(range.lowerBound)...\(range.upperBound) s"
        return Parameter(name, defaultValue, defaultText: "\(defaultValue)", limits: limits, summary: summary) {
            text, _ in
            Rational(text: text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Parameter where Value == Color {
    /// A CSS colour.
    public static func color(_ name: String, _ defaultValue: Color, _ summary: String) -> Parameter {
        let limits = "a CSS colour such as #40a83b, #f00 or tomato"
        return Parameter(name, defaultValue, defaultText: defaultValue.hexString, limits: limits, summary: summary) {
            text, _ in
            Color(css: text)
        }
    }
}

extension Parameter where Value == Gesture {
    /// A pull over time.
    public static func gesture(_ name: String, _ defaultValue: Gesture, _ summary: String) -> Parameter {
        let limits = "time:distance[:timing] pairs"
        return Parameter(name, defaultValue, defaultText: "\(defaultValue)", limits: limits, summary: summary) {
            (text, _) throws(ParameterError) in
            do throws(Gesture.Problem) { return try Gesture(text: text) } catch {
                throw ParameterError(.data, "\(name) \(error.message)")
            }
        }
    }
}

extension Parameter where Value == Bitmap? {
    /// A picture from a file, or the one the loader draws itself.
    public static func image(_ name: String, _ summary: String) -> Parameter {
        Parameter(
            name, nil, defaultText: "drawn", limits: "the path of a picture, or 'drawn'", summary: summary,
            takesPath: true
        ) {
            (text, loadImage) throws(ParameterError) in
            // The outer optional says "readable", the inner one "a picture of the user's".
            if text == "drawn" { return .some(nil) }
            return .some(try loadImage(text))
        }
    }
}

extension Parameter where Value: CaseIterable & RawRepresentable & Equatable, Value.RawValue == String {
    /// One of a few words.
    public static func choice(_ name: String, _ defaultValue: Value, _ summary: String) -> Parameter {
        let limits = Value.allCases.map(\.rawValue).joined(separator: " or ")
        return Parameter(name, defaultValue, defaultText: defaultValue.rawValue, limits: limits, summary: summary) {
            text, _ in
            Value(rawValue: text)
        }
    }
}

/// The values a user gave to some parameters of a loader; the others keep their defaults.
public struct ParameterValues: Sendable {
    private var given: [String: any Sendable] = [:]

    /// Defaults throughout.
    public init() {}

    /// Reads `key=value` settings for a loader. A key given twice takes its last value.
    ///
    /// Throws one line for a setting that is no `key=value`, an unknown key (with the known ones) or a bad value.
    public init(
        _ settings: [String], for loader: LoaderDefinition, loadImage: ImageLoading
    ) throws(ParameterError) {
        for setting in settings {
            guard let equals = setting.firstIndex(of: "=") else {
                throw ParameterError(.usage, "setting '\(setting)' is not of the form key=value")
            }
            let key = String(setting[..<equals])
            guard let parameter = loader.parameters.first(where: { $0.name == key }) else {
                let known = loader.parameters.map(\.name).joined(separator: ", ")
                throw ParameterError(
                    .usage, "\(loader.id) has no parameter '\(key)' (it has \(known))", about: .parameters(key))
            }
            do throws(ParameterError) {
                given[key] = try parameter.parse(
                    String(setting[setting.index(after: equals)...]), loadImage: loadImage)
            } catch {
                throw ParameterError(error.kind, error.description, about: .parameters(key) + error.about)
            }
        }
    }

    /// Sets a value directly, for use from Swift.
    public mutating func set<Value>(_ parameter: Parameter<Value>, to value: Value) { given[parameter.name] = value }

    /// The value of a parameter, or its default.
    public subscript<Value>(_ parameter: Parameter<Value>) -> Value {
        given[parameter.name] as? Value ?? parameter.defaultValue
    }
}

/// A number as one would write it: whole ones without decimals.
func plain(_ number: Double) -> String {
    abs(number) < 1e15 && number == number.rounded() ? String(Int(number)) : String(number)
}
