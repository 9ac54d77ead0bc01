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

    /// The object without members that are empty objects, which some tools write for missing ones.
    var withoutEmptyMembers: Field {
        guard case .object(let members) = json else { return self }
        return Field(.object(members.filter { $0.value != .object([:]) }), location, context)
    }

    var isObject: Bool { if case .object = json { true } else { false } }
    var isArray: Bool { if case .array = json { true } else { false } }

    /// Returns an error about this value.
    func error(_ problem: String) -> LottieError { LottieError(problem, at: path) }

    /// Records that this value is an unsupported feature.
    func reportUnsupported(_ feature: String) {
        context.reportUnsupported(UnsupportedFeature(path: path, feature: feature))
    }

    /// Records a note about how this value is drawn.
    func note(_ text: String) { context.note("\(path): \(text)") }

    /// Returns the value as a number; true is 1 and false is 0. Throws `LottieError` if it is not a
    /// number or is above the limit.
    func number() throws -> Double {
        switch json {
        case .number(let number):
            guard number.isFinite, abs(number) <= LottieLimits.maxNumber else {
                throw error("the number \(number) is above the maximum of \(Int(LottieLimits.maxNumber))")
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
    func flag(_ key: String, or defaultValue: Bool = false) throws -> Bool {
        try number(key, or: defaultValue ? 1 : 0) != 0
    }

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

    /// Returns the first two elements of an array as a point. A missing second one is 0, as in
    /// lottie-ios.
    func point() throws -> Point {
        let numbers = try numbers()
        guard isArray, let first = numbers.first else { throw error("expected an array of two numbers") }
        return Point(first, numbers.dropFirst().first ?? 0)
    }
}
