import Core

/// An error in a request for a loader: its name or file, a parameter, a file that a parameter
/// names, or a model time.
public struct ParameterError: Error, Hashable, CustomStringConvertible {
    /// The kind of error, which determines a command's exit code.
    public enum Kind: Sendable {
        /// The name or value is invalid.
        case usage
        /// A file, a gesture or a loader was read but is invalid.
        case data
        /// A file does not exist.
        case missingFile
        /// A file exists, but this process may not read it.
        case unreadableFile
        /// A file needs more memory than is available.
        case memory
        /// A file could not be read.
        case inputOutput
    }

    /// The kind of error.
    public let kind: Kind
    /// A one-line message with the subject, the value, the limit and a remedy.
    public let description: String

    /// The parameters, options or files that caused the error, the likeliest first.
    public var subjects: [ErrorSubject]
    /// Further errors of the same kind, one line each.
    public var related: [String]

    public init(_ kind: Kind = .usage, _ description: String, subjects: [ErrorSubject] = [], related: [String] = []) {
        self.kind = kind
        self.description = description
        self.subjects = subjects
        self.related = related
    }
}

/// A parameter of a loader, independent of the type of its value.
public protocol LoaderParameter: Sendable {
    /// The key in `key=value`, such as `ringWidth`.
    var name: String { get }
    /// A one-line description of the parameter's effect.
    var summary: String { get }
    /// The valid values, such as `0.5...30 pt`.
    var limits: String { get }
    /// The default value, as a user would type it.
    var defaultText: String { get }
    /// True if a value other than the default is the path of a file. Paths in presets are relative
    /// to the preset file, and batch records contain the file's hash. False by default.
    var takesPath: Bool { get }
    /// Parses a value. Throws `ParameterError`, with the parameter, the value and the limits, if
    /// the text is not valid.
    func parse(_ text: String, loadImage: ImageLoading) throws(ParameterError) -> any Sendable
}

extension LoaderParameter {
    public var takesPath: Bool { false }
}

/// Reads the image file at `path`. The caller that makes a loader supplies this function, because
/// loaders do not access files themselves.
public typealias ImageLoading = @Sendable (_ path: String) throws(ParameterError) -> Bitmap

/// A named, documented and validated property of a loader.
public struct Parameter<Value: Sendable>: LoaderParameter {
    public let name: String
    public let summary: String
    public let limits: String
    public let defaultText: String
    public let takesPath: Bool
    /// The default value.
    public let defaultValue: Value
    private let read: @Sendable (String, ImageLoading) throws(ParameterError) -> Value?

    /// A parameter with a function that parses its values.
    ///
    /// - Parameters:
    ///   - limits: the valid values in words, such as `0.5...30 pt`.
    ///   - summary: a one-line description of the parameter's effect.
    ///   - takesPath: true if `read` reads the file whose path is the text.
    ///   - read: returns nil if the text is not a value within the limits.
    public init(
        _ name: String, _ defaultValue: Value, defaultText: String, limits: String, summary: String,
        takesPath: Bool = false,
        read: @escaping @Sendable (String, ImageLoading) throws(ParameterError) -> Value?
    ) {
        self.name = name
        self.defaultValue = defaultValue
        self.defaultText = defaultText
        self.limits = limits
        self.summary = summary
        self.takesPath = takesPath
        self.read = read
    }

    public func parse(_ text: String, loadImage: ImageLoading) throws(ParameterError) -> any Sendable {
        if let value = try read(text, loadImage) { return value }
        throw ParameterError(
            .usage, "\(name)=\(text) is invalid; \(name) takes \(limits) (default \(defaultText))")
    }
}

extension Parameter where Value == Double {
    /// Returns a parameter for a number in a range: by default a length in points. `unit` is empty
    /// for a ratio.
    public static func number(
        _ name: String, _ defaultValue: Double, _ range: ClosedRange<Double>, unit: String = "pt", _ summary: String
    ) -> Parameter {
        let limits = "\(plain(range.lowerBound))...\(plain(range.upperBound))" + (unit.isEmpty ? "" : " " + unit)
        return Parameter(name, defaultValue, defaultText: plain(defaultValue), limits: limits, summary: summary) {
            text, _ in
            // Only decimals are allowed; Swift would also parse 0x10, 1e1, +1 and inf.
            guard text.utf8.allSatisfy({ "-.0123456789".utf8.contains($0) }) else { return nil }
            return Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Parameter where Value == Int {
    /// Returns a parameter for a whole number in a range.
    public static func count(_ name: String, _ defaultValue: Int, _ range: ClosedRange<Int>, _ summary: String)
        -> Parameter
    {
        let limits = "a whole number in \(range.lowerBound)...\(range.upperBound)"
        return Parameter(name, defaultValue, defaultText: String(defaultValue), limits: limits, summary: summary) {
            text, _ in
            // A sign that a decimal number does not take, either.
            guard !text.hasPrefix("+") else { return nil }
            return Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Parameter where Value == Rational {
    /// Returns a parameter for an exact time in seconds, such as `0.6` or `1/3`.
    public static func time(
        _ name: String, _ defaultValue: Rational, _ range: ClosedRange<Rational>, _ summary: String
    ) -> Parameter {
        let limits = "\(range.lowerBound)...\(range.upperBound) s"
        return Parameter(name, defaultValue, defaultText: "\(defaultValue)", limits: limits, summary: summary) {
            (text, _) throws(ParameterError) in
            if let problem = Rational.problem(in: text) {
                throw ParameterError(.usage, "\(name)=\(text) is invalid: \(problem); \(name) takes \(limits)")
            }
            return Rational(text: text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Parameter where Value == Color {
    /// Returns a parameter for a CSS colour.
    public static func color(_ name: String, _ defaultValue: Color, _ summary: String) -> Parameter {
        let limits = "a CSS colour such as #40a83b, #f00 or tomato"
        return Parameter(name, defaultValue, defaultText: defaultValue.hexString, limits: limits, summary: summary) {
            text, _ in
            Color(css: text)
        }
    }
}

extension Parameter where Value == Gesture {
    /// Returns a parameter for a pull gesture.
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
    /// Returns a parameter for an image file; by default the loader draws an image of its own.
    public static func image(_ name: String, _ summary: String) -> Parameter {
        Parameter(
            name, nil, defaultText: "drawn", limits: "the path of an image, or 'drawn'", summary: summary,
            takesPath: true
        ) {
            (text, loadImage) throws(ParameterError) in
            // The outer optional is nil for invalid text, the inner one if the loader draws the
            // image.
            if text == "drawn" { return .some(nil) }
            return .some(try loadImage(text))
        }
    }
}

extension Parameter where Value: CaseIterable & RawRepresentable & Equatable, Value.RawValue == String {
    /// Returns a parameter for one of a few words.
    public static func choice(_ name: String, _ defaultValue: Value, _ summary: String) -> Parameter {
        let limits = Value.allCases.map(\.rawValue).joined(separator: " or ")
        return Parameter(name, defaultValue, defaultText: defaultValue.rawValue, limits: limits, summary: summary) {
            text, _ in
            Value(rawValue: text)
        }
    }
}

/// The values that a user set for some of a loader's parameters; the others have their defaults.
public struct ParameterValues: Sendable {
    private var values: [String: any Sendable] = [:]

    /// Default values for all parameters.
    public init() {}

    /// Parses `key=value` settings for a loader. If a key occurs more than once, its last value
    /// counts.
    ///
    /// Throws `ParameterError` if a setting is not of the form `key=value`, a key is unknown or a
    /// value is not valid.
    public init(
        _ settings: [String], for loader: LoaderDefinition, loadImage: ImageLoading
    ) throws(ParameterError) {
        for setting in settings {
            guard let equals = setting.firstIndex(of: "=") else {
                throw ParameterError(.usage, "setting \(quoted(setting)) has no equals sign; write key=value")
            }
            let key = String(setting[..<equals])
            guard let parameter = loader.parameters.first(where: { $0.name == key }) else {
                let known = loader.parameters.map(\.name)
                let hint = NearestName.question(key, in: known).map { "\($0) It has" } ?? "it has"
                let names = known.isEmpty ? "none" : known.joined(separator: ", ")
                throw ParameterError(
                    .usage, "\(loader.id) has no parameter \(quoted(key)); \(hint) \(names)",
                    subjects: .parameters(key))
            }
            do throws(ParameterError) {
                values[key] = try parameter.parse(
                    String(setting[setting.index(after: equals)...]), loadImage: loadImage)
            } catch {
                var error = error
                error.subjects = .parameters(key) + error.subjects
                throw error
            }
        }
    }

    /// Sets the value of a parameter, for use from Swift.
    public mutating func set<Value>(_ parameter: Parameter<Value>, to value: Value) { values[parameter.name] = value }

    /// The value of a parameter, or its default.
    public subscript<Value>(_ parameter: Parameter<Value>) -> Value {
        values[parameter.name] as? Value ?? parameter.defaultValue
    }
}

/// Returns a number as text; whole numbers have no decimals.
func plain(_ number: Double) -> String {
    abs(number) < 1e15 && number == number.rounded() ? String(Int(number)) : String(number)
}
