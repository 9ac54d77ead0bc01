import Core

/// A value of an expression's program.
enum ExpressionValue {
    case undefined
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array(ExpressionArray)
    case object(ExpressionObject)
    /// A function that the program defines, with the variables around it.
    case function(ExpressionFunction, ExpressionScope)
    /// A function or a namespace of the language or of After Effects, such as `Math.sin`.
    case builtin(String)
    /// A composition, layer, group or property of the animation.
    case reference(ExpressionReference)
    case path(BezierContour)

    /// The text of `typeof`.
    var typeName: String {
        switch self {
        case .undefined: "undefined"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .function: "function"
        case .builtin(let name): name == "Math" ? "object" : "function"
        case .null, .array, .object, .reference, .path: "object"
        }
    }

    /// False for the values that conditions treat as false.
    var isTrue: Bool {
        switch self {
        case .undefined, .null: false
        case .bool(let flag): flag
        case .number(let number): number != 0 && !number.isNaN
        case .string(let text): !text.isEmpty
        case .array, .object, .function, .builtin, .reference, .path: true
        }
    }

    var isUndefined: Bool { if case .undefined = self { true } else { false } }

    /// The value as a number, as `Number(value)`. Properties must have been replaced by their
    /// values before.
    var number: Double {
        switch self {
        case .number(let number): return number
        case .bool(let flag): return flag ? 1 : 0
        case .null: return 0
        case .string(let text): return text.expressionNumber
        case .array(let array):
            guard array.items.count == 1 else { return array.items.isEmpty ? 0 : .nan }
            // An array in an array may be the array itself.
            if case .array = array.items[0] { return .nan }
            return array.items[0].number
        case .undefined, .object, .function, .builtin, .reference, .path: return .nan
        }
    }

    /// The work to read the value as a number, a string or a vector, in steps: a step for each
    /// element of an array and every `ExpressionInterpreter.bytesPerStep` bytes of a string.
    var size: Int {
        switch self {
        case .string(let text): text.utf8.count / ExpressionInterpreter.bytesPerStep
        case .array(let array):
            array.items.reduce(array.items.count) { size, item in
                if case .string = item { size + item.size } else { size }
            }
        default: 0
        }
    }

    /// The components, if the value is a number or an array: the numbers that operators of
    /// vectors work on.
    var components: [Double]? {
        switch self {
        case .array(let array): array.items.map(\.number)
        case .number, .bool, .string: [number]
        default: nil
        }
    }
}

/// An array or an object. Programs share and change it, so it is a class.
class ExpressionContainer {
    /// Removes the contents, which may refer to the container itself.
    func removeAll() {}
}

final class ExpressionArray: ExpressionContainer {
    var items: [ExpressionValue]

    init(_ items: [ExpressionValue]) { self.items = items }

    override func removeAll() { items = [] }
}

final class ExpressionObject: ExpressionContainer {
    var members: [String: ExpressionValue]
    /// The keys in the order in which they were added.
    var keys: [String]

    init(_ members: KeyValuePairs<String, ExpressionValue> = [:]) {
        self.members = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        keys = members.map(\.key)
    }

    func set(_ key: String, to value: ExpressionValue) {
        if members.updateValue(value, forKey: key) == nil { keys.append(key) }
    }

    override func removeAll() {
        members = [:]
        keys = []
    }
}

/// The variables of a function call or of a block.
final class ExpressionScope: ExpressionContainer {
    private var names: [String] = []
    private var values: [ExpressionValue] = []
    /// The positions of the variables; nil while there are few, which are found faster one by one.
    private var positions: [String: Int]?
    /// The variables that `const` declares.
    private var constants: Set<String> = []
    let parent: ExpressionScope?
    private let isFunction: Bool

    /// The maximum number of variables without a dictionary. From about twelve on, computing a hash
    /// takes less time than comparing names.
    private static let maxListed = 12

    /// An empty scope within `parent`.
    ///
    /// - Parameter isFunction: true for the scope of a function call, in which `var` declares.
    init(parent: ExpressionScope?, isFunction: Bool) {
        self.parent = parent
        self.isFunction = isFunction
    }

    /// The innermost scope of a function call, or the outermost scope.
    var function: ExpressionScope {
        var scope = self
        while !scope.isFunction, let parent = scope.parent { scope = parent }
        return scope
    }

    private func position(of name: String) -> Int? {
        if let positions { return positions[name] }
        return names.firstIndex(of: name)
    }

    func declares(_ name: String) -> Bool { position(of: name) != nil }

    func declare(_ name: String, _ value: ExpressionValue, isConstant: Bool = false) {
        if isConstant { constants.insert(name) }
        if let position = position(of: name) {
            values[position] = value
            return
        }
        names.append(name)
        values.append(value)
        if positions != nil {
            positions?[name] = names.count - 1
        } else if names.count > Self.maxListed {
            positions = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
        }
    }

    /// Returns the innermost variable of a name in the scope and those around it.
    private func variable(_ name: String) -> (scope: ExpressionScope, position: Int)? {
        var scope: ExpressionScope? = self
        while let current = scope {
            if let position = current.position(of: name) { return (current, position) }
            scope = current.parent
        }
        return nil
    }

    /// Returns true if the scope, or one around it, has a variable.
    func has(_ name: String) -> Bool { variable(name) != nil }

    func value(_ name: String) -> ExpressionValue? { variable(name).map { $0.scope.values[$0.position] } }

    /// Assigns to the innermost variable of a name, or to a new one in the outermost scope. Throws
    /// `EvaluationError` if the variable is a constant.
    func assign(_ name: String, _ value: ExpressionValue) throws {
        var scope = self
        while let parent = scope.parent, !scope.declares(name) { scope = parent }
        guard !scope.constants.contains(name) else {
            throw EvaluationError("assigns to the constant \(quoted(name.singleLine(atMost: 40)))")
        }
        scope.declare(name, value)
    }

    override func removeAll() {
        names = []
        values = []
        positions = nil
        constants = []
    }
}

/// The reason why an expression has no value.
struct EvaluationError: Error {
    enum Kind {
        /// A JavaScript exception, which the program can catch.
        case exception
        /// A name that the evaluator does not know. The program can catch it, as an exception.
        case unsupported
        /// A limit that the program exceeds, or a reference cycle.
        case limit
    }

    var kind: Kind
    /// The problem as a predicate, such as `has no layer 'a'`.
    var message: String
    /// The number of the value that `throw` was given, in the program's interpreter; nil for other
    /// errors.
    var thrownID: Int?

    init(_ message: String, kind: Kind = .exception, thrownID: Int? = nil) {
        self.message = message
        self.kind = kind
        self.thrownID = thrownID
    }

    static func unsupported(_ name: String) -> EvaluationError {
        EvaluationError("uses \(quoted(name.singleLine(atMost: 40)))", kind: .unsupported)
    }
}

extension String {
    /// The number that JavaScript's `Number` reads; not a number if the text has anything else.
    var expressionNumber: Double {
        let text = trimmed
        if text.isEmpty { return 0 }
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            // Swift also reads a sign.
            let digits = text.dropFirst(2)
            guard digits.first?.isHexDigit ?? false else { return .nan }
            return UInt64(digits, radix: 16).map { Double($0) } ?? .nan
        }
        // Swift also reads other spellings, such as `nan` and `0x1p3`.
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else {
            switch text {
            case "Infinity", "+Infinity": return .infinity
            case "-Infinity": return -.infinity
            default: return .nan
            }
        }
        if let number = Double(text) { return number }
        return text.hasSuffix(".") ? Double(text.dropLast()) ?? .nan : .nan
    }

    /// The text without spaces at its ends.
    var trimmed: String {
        var rest = self[...]
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}

extension Double {
    /// The number as JavaScript writes it.
    var expressionText: String {
        if isNaN { return "NaN" }
        if isInfinite { return self > 0 ? "Infinity" : "-Infinity" }
        if self == 0 { return "0" }
        if self == rounded(), abs(self) < 1e15 { return "\(Int64(self))" }
        // Swift writes the same shortest digits, but changes to exponents at other magnitudes.
        let parts = "\(magnitude)".split(separator: "e")
        let digits = parts[0].split(separator: ".")
        let fraction = digits.count > 1 && digits[1] != "0" ? digits[1] : ""
        var exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + digits[0].count
        var all = digits[0] + fraction
        while all.hasPrefix("0"), all.count > 1 {
            all.removeFirst()
            exponent -= 1
        }
        return (self < 0 ? "-" : "") + Double.layout(digits: String(all), exponent: exponent)
    }

    /// Returns the text of `0.digits * 10^exponent` (ECMAScript, Number::toString).
    private static func layout(digits: String, exponent: Int) -> String {
        let count = digits.count
        if count <= exponent, exponent <= 21 { return digits + String(repeating: "0", count: exponent - count) }
        if 0 < exponent, exponent <= 21 { return digits.prefix(exponent) + "." + digits.dropFirst(exponent) }
        if -6 < exponent, exponent <= 0 { return "0." + String(repeating: "0", count: -exponent) + digits }
        let sign = exponent > 0 ? "+" : "-"
        let mantissa = count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst()
        return "\(mantissa)e\(sign)\(abs(exponent - 1))"
    }
}
