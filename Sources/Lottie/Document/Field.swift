import Core

/// A JSON value with its path in the file, for error messages.
struct Field {
    /// A linked list of keys and indices, from the innermost to the root. The path is only built
    /// for messages.
    fileprivate final class Location: Sendable {
        enum Step: Sendable {
            case root
            case key(String)
            case index(Int)
        }

        let parent: Location?
        let step: Step

        init(_ parent: Location?, _ step: Step) {
            self.parent = parent
            self.step = step
        }

        var path: String {
            var steps: [String] = []
            var location: Location? = self
            while let current = location {
                switch current.step {
                case .root: break
                case .key(let key): steps.append("." + key)
                case .index(let index): steps.append("[\(index)]")
                }
                location = current.parent
            }
            let text = steps.reversed().joined()
            return text.hasPrefix(".") ? String(text.dropFirst()) : text
        }
    }

    let json: JSON
    fileprivate let location: Location
    /// The state shared by all fields of a file.
    let context: ParseContext

    private init(_ json: JSON, _ location: Location, _ context: ParseContext) {
        self.json = json
        self.location = location
        self.context = context
    }

    /// Creates the field of a file's root value.
    init(_ json: JSON, context: ParseContext) { self.init(json, Location(nil, .root), context) }

    /// Creates a field at a path of a file.
    init(_ json: JSON, path: String, context: ParseContext) {
        self.init(json, Location(Location(nil, .root), .key(path)), context)
    }

    /// The path, for example `layers[0].ks.p`.
    var path: String { location.path }

    /// The member with a key; nil if it is missing or null.
    subscript(key: String) -> Field? {
        guard case .object(let members) = json, let member = members[key], member != .null else { return nil }
        return Field(member, Location(location, .key(key)), context)
    }

    /// The elements of an array; empty for any other value.
    var items: [Field] {
        guard case .array(let items) = json else { return [] }
        return items.enumerated().map { Field($1, Location(location, .index($0)), context) }
    }

    /// The keys of an object, sorted; empty for any other value.
    var keys: [String] { if case .object(let members) = json { members.keys.sorted() } else { [] } }

    var isObject: Bool { if case .object = json { true } else { false } }
    var isArray: Bool { if case .array = json { true } else { false } }

    /// Returns an error about this value.
    func error(_ problem: String) -> LottieError { LottieError(problem, at: path) }

    /// Records that this value is an unsupported feature.
    func reportUnsupported(_ feature: String) {
        context.reportUnsupported(UnsupportedFeature(path: path, feature: feature))
    }

    /// Returns the value as a number; true is 1 and false is 0. Throws `LottieError` if it is not a
    /// number or is above the limit.
    func number() throws -> Double {
        switch json {
        case .number(let number):
            guard number.isFinite, abs(number) <= LottieLimits.maxNumber else {
                throw error("the number \(number) is too large; the maximum is \(LottieLimits.maxNumber)")
            }
            return number
        case .bool(let flag): return flag ? 1 : 0
        default: throw error("expected a number")
        }
    }

    /// Returns the number at a key, or `defaultValue` if the key is missing.
    func number(_ key: String, or defaultValue: Double) throws -> Double { try self[key]?.number() ?? defaultValue }

    /// Returns the number at a key, rounded; nil if the key is missing.
    func integer(_ key: String) throws -> Int? { try self[key].map { Int(try $0.number().rounded()) } }

    /// Returns true if the value at a key is true or not 0.
    func flag(_ key: String) throws -> Bool { try number(key, or: 0) != 0 }

    /// Returns the string at a key; nil for any other value.
    func string(_ key: String) -> String? {
        guard let field = self[key], case .string(let text) = field.json else { return nil }
        return text
    }

    /// A space and the quoted name (`nm`), to append to a message; empty if there is no name.
    var name: String { string("nm").map { " \(quoted($0))" } ?? "" }

    /// Returns the elements of an array of numbers, or a single number as an array.
    func numbers() throws -> [Double] {
        guard case .array(let list) = json else { return [try number()] }
        var numbers: [Double] = []
        numbers.reserveCapacity(list.count)
        for (index, item) in list.enumerated() {
            if case .number(let number) = item, abs(number) <= LottieLimits.maxNumber {
                numbers.append(number)
            } else {
                numbers.append(try Field(item, Location(location, .index(index)), context).number())
            }
        }
        return numbers
    }

    /// Returns the first two elements of an array as a point.
    func point() throws -> Point {
        let numbers = try numbers()
        guard numbers.count >= 2 else { throw error("expected an array of two numbers") }
        return Point(numbers[0], numbers[1])
    }
}

/// The state of the parser while it reads a file.
final class ParseContext {
    /// The unsupported features, in the order of the file and without duplicates.
    private(set) var unsupported: [UnsupportedFeature] = []
    private var reported: Set<UnsupportedFeature> = []
    /// The names of the supported features that the file uses, as `list` shows them.
    private(set) var features: Set<String> = []
    /// The number of keyframes read so far.
    private(set) var keyframes = 0
    /// The values that properties refer to by a slot ID (`slots`).
    var slots: Field?
    /// The whole file, to look for expressions.
    var root: JSON?
    /// The text of all expressions in the file, joined; nil if it has not been needed.
    private var expressionText: String?
    /// True while a slot's property is read. Slots cannot refer to other slots.
    var isInSlot = false
    /// True if colour components are 0...255, as before version 4.1.9 of the format.
    var hasByteColors = false
    /// True if the path being read is closed and false if it is open, according to its shape item
    /// (`closed` in older files); nil if the path itself says so.
    var isClosed: Bool?
    /// The interpolation between frames.
    var subframes = Subframes.auto
    /// The family for text whose own font is not installed; empty for none.
    var font = ""
    /// The layer being read, for expressions; nil outside of layers.
    var owner: ExpressionOwner?
    /// The programs of expressions by their text. Files repeat the same ones.
    private var programs: [String: ScriptFunction] = [:]
    private var programBytes = 0
    /// True if the file has an expression other than a single loop.
    private(set) var hasPrograms = false

    /// Returns the expression with a text. Throws `ExpressionError` if its syntax is not supported.
    func expression(_ text: String, path: String) throws -> Expression {
        var program = programs[text]
        if program == nil {
            programBytes += text.utf8.count
            guard programBytes <= LottieLimits.maxExpressionBytes else {
                throw ExpressionError(
                    "and the others have more than the maximum of \(LottieLimits.maxExpressionBytes) bytes")
            }
            program = try ScriptParser.program(text)
            programs[text] = program
        }
        guard let program else { throw ExpressionError("is empty") }
        let expression = Expression(text, program, path: path, owner: owner)
        if expression.loopExpression == nil { hasPrograms = true }
        return expression
    }

    /// Returns true if an expression of the file names an effect.
    func isReadByExpressions(effect name: String) -> Bool {
        let text = expressionText ?? root?.expressions.joined(separator: "\n") ?? ""
        expressionText = text
        return !name.isEmpty && (text.contains("'\(name)'") || text.contains("\"\(name)\""))
    }

    /// Records an unsupported feature, unless it has been recorded before.
    func reportUnsupported(_ feature: UnsupportedFeature) {
        if reported.insert(feature).inserted { unsupported.append(feature) }
    }

    /// Records that the file uses a supported feature.
    func noteFeature(_ feature: String) { features.insert(feature) }

    /// The number of spatial curves read so far.
    private var curves = 0
    /// The number of text characters read so far.
    private var characters = 0

    /// Throws `LottieError` if the file has too many characters. Each is looked up in a font.
    func countCharacters(_ count: Int, at field: Field) throws {
        characters += count
        guard characters <= LottieLimits.maxCharacters else {
            throw field.error("the text layers have more than the maximum of \(LottieLimits.maxCharacters) characters")
        }
    }

    /// Throws `LottieError` if the file has too many spatial curves. Each holds a table of lengths.
    func countCurve(at field: Field) throws {
        curves += 1
        guard curves <= LottieLimits.maxCurves else {
            throw field.error(
                "the file has more than the maximum of \(LottieLimits.maxCurves) keyframes with spatial tangents")
        }
    }

    /// Throws `LottieError` if the file has too many keyframes.
    func countKeyframes(_ count: Int, at field: Field) throws {
        keyframes += count
        guard keyframes <= LottieLimits.maxKeyframes else {
            throw field.error("the file has more than the maximum of \(LottieLimits.maxKeyframes) keyframes")
        }
    }
}

extension JSON {
    /// The texts of all expressions (`x`) in the value.
    fileprivate var expressions: [String] {
        switch self {
        case .array(let items): return items.flatMap(\.expressions)
        case .object(let members):
            var own: [String] = []
            for key in members.keys.sorted() {
                guard let member = members[key] else { continue }
                if key == "x", case .string(let text) = member { own.append(text) } else { own += member.expressions }
            }
            return own
        default: return []
        }
    }
}

/// The interpolation between the frames of an animation.
package enum Subframes: String, CaseIterable, Sendable {
    /// Smooth motion, but a jump from one frame to the next stays a jump.
    case auto
    /// Smooth motion everywhere.
    case on
    /// No interpolation: each frame is held until the next.
    case off
}
