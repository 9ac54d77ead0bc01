import Scene

/// A value with its place in the file, so that what is wrong with it can be said with where it is.
struct Field {
    /// A chain of keys and indices, written out only for messages.
    fileprivate final class Place: Sendable {
        enum Step: Sendable {
            case root
            case key(String)
            case index(Int)
        }

        let parent: Place?
        let step: Step

        init(_ parent: Place?, _ step: Step) { (self.parent, self.step) = (parent, step) }

        var path: String {
            var steps: [String] = []
            var place: Place? = self
            while let current = place {
                switch current.step {
                case .root: break
                case .key(let key): steps.append("." + key)
                case .index(let index): steps.append("[\(index)]")
                }
                place = current.parent
            }
            let text = steps.reversed().joined()
            return text.hasPrefix(".") ? String(text.dropFirst()) : text
        }
    }

    let json: JSON
    fileprivate let place: Place
    /// What is told of while reading.
    let log: ReadingLog

    private init(_ json: JSON, _ place: Place, _ log: ReadingLog) {
        (self.json, self.place, self.log) = (json, place, log)
    }

    /// A file's root.
    init(_ json: JSON, log: ReadingLog) { self.init(json, Place(nil, .root), log) }

    /// The place as `layers[0].ks.p`.
    var path: String { place.path }

    /// The member of a key; nil if there is none, or null.
    subscript(key: String) -> Field? {
        guard case .object(let members) = json, let member = members[key], member != .null else { return nil }
        return Field(member, Place(place, .key(key)), log)
    }

    /// The items; none if this is no list.
    var items: [Field] {
        guard case .array(let items) = json else { return [] }
        return items.enumerated().map { Field($1, Place(place, .index($0)), log) }
    }

    /// The keys, sorted; none if this is no object.
    var keys: [String] { if case .object(let members) = json { members.keys.sorted() } else { [] } }

    var isObject: Bool { if case .object = json { true } else { false } }
    var isArray: Bool { if case .array = json { true } else { false } }

    func error(_ what: String) -> LottieError { LottieError(what, at: path) }

    /// Says that this is not drawn.
    func refuse(_ what: String) { log.refuse(UnsupportedFeature(path: path, what: what)) }

    /// The number that this is.
    func number() throws -> Double {
        switch json {
        case .number(let number):
            guard number.isFinite, abs(number) <= LottieLimits.largestNumber else {
                throw error("the number \(number) is too large: numbers are at most \(LottieLimits.largestNumber)")
            }
            return number
        case .bool(let flag): return flag ? 1 : 0
        default: throw error("a number is expected")
        }
    }

    /// The number of a key, or another if there is none.
    func number(_ key: String, or fallback: Double) throws -> Double { try self[key]?.number() ?? fallback }

    /// The whole number of a key.
    func integer(_ key: String) throws -> Int? { try self[key].map { Int(try $0.number().rounded()) } }

    /// Whether a flag is set: 1 or true.
    func flag(_ key: String) throws -> Bool { try number(key, or: 0) != 0 }

    /// The text of a key.
    func string(_ key: String) -> String? {
        guard let field = self[key], case .string(let text) = field.json else { return nil }
        return text
    }

    /// The name that the designer gave, quoted, or nothing.
    var name: String { string("nm").map { " '\($0.prefix(60))'" } ?? "" }

    /// The numbers that this is: one, or a list.
    func numbers() throws -> [Double] {
        guard case .array(let list) = json else { return [try number()] }
        var numbers: [Double] = []
        numbers.reserveCapacity(list.count)
        for (index, item) in list.enumerated() {
            if case .number(let number) = item, abs(number) <= LottieLimits.largestNumber {
                numbers.append(number)
            } else {
                numbers.append(try Field(item, Place(place, .index(index)), log).number())
            }
        }
        return numbers
    }

    /// The point that this is, in a list of at least two numbers.
    func point() throws -> Point {
        let numbers = try numbers()
        guard numbers.count >= 2 else { throw error("a list of two numbers is expected") }
        return Point(numbers[0], numbers[1])
    }
}

/// What is found while a file is read.
final class ReadingLog {
    private(set) var unsupported: [UnsupportedFeature] = []
    private var known: Set<UnsupportedFeature> = []
    /// What is used, as lists show it.
    private(set) var features: Set<String> = []
    private(set) var keyframes = 0
    /// Values that properties name instead of having them (`slots`).
    var slots: Field?
    /// Whether a property of a slot is read, which names no other.
    var isInSlot = false
    /// Whether colours are 0...255, as before version 4.1.9 of the format.
    var hasByteColors = false
    /// Whether the paths that are read are closed, where something beside them says so.
    var isClosed: Bool?
    /// Whether jumps within a frame are played as jumps.
    var subframes = Subframes.auto

    func refuse(_ feature: UnsupportedFeature) {
        if known.insert(feature).inserted { unsupported.append(feature) }
    }

    func use(_ feature: String) { features.insert(feature) }

    private var (curves, letters) = (0, 0)

    /// Letters are looked up in fonts.
    func countLetters(_ count: Int, at field: Field) throws {
        letters += count
        guard letters <= LottieLimits.mostLetters else {
            throw field.error("more than \(LottieLimits.mostLetters) letters in all, which is more than can be read")
        }
    }

    /// Curved ways keep their lengths.
    func countCurve(at field: Field) throws {
        curves += 1
        guard curves <= LottieLimits.mostCurves else {
            throw field.error("more than \(LottieLimits.mostCurves) curved ways, which is more than can be read")
        }
    }

    func countKeyframes(_ count: Int, at field: Field) throws {
        keyframes += count
        guard keyframes <= LottieLimits.mostKeyframes else {
            throw field.error("more than \(LottieLimits.mostKeyframes) keyframes, which is more than can be read")
        }
    }
}

/// How what lies between two frames is shown.
public enum Subframes: String, CaseIterable, Sendable {
    /// Smoothly, but what jumps from one frame to the next jumps.
    case auto
    /// All of it smoothly.
    case on
    /// As the frame before.
    case off
}
