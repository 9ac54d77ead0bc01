import Core

/// The state of the parser while it reads a file.
final class ParseContext {
    /// The unsupported features, in the order of the file and without duplicates.
    private(set) var unsupported: [UnsupportedFeature] = []
    private var reported: Set<UnsupportedFeature> = []
    /// The names of the supported features that the file uses, as `list` shows them.
    private(set) var features: Set<String> = []
    /// The number of keyframes read so far.
    private(set) var keyframes = 0
    /// The settings with which properties are read.
    struct Settings: Sendable {
        /// The interpolation between frames.
        var subframes = Subframes.auto
        /// The values that properties refer to by a slot ID (`slots`).
        var slots: JSON?
    }

    var settings = Settings()
    /// The values of slots as fields.
    var slots: Field? { settings.slots.map { Field($0, path: "slots", context: self) } }
    /// The whole file, to look for expressions.
    var root: JSON?
    /// The quoted strings in all expressions of the file; nil until they are needed.
    private var quotedNames: Set<String>?
    /// True while a slot's property is read. Slots cannot refer to other slots.
    var isInSlot = false
    /// The version of the format that the file has.
    var version = FormatVersion("")
    /// True if the file was saved after lottie-web converted its values (`__complete`).
    var isConverted = false
    /// True if the tangents of paths are points, not offsets from their vertices.
    var hasAbsoluteTangents = false
    /// True if colour components are 0...255, as before version 4.1.9 of the format.
    var hasByteColors = false
    /// True if the path being read is closed and false if it is open, according to its shape item
    /// (`closed` in older files); nil if the path itself says so.
    var isClosed: Bool?
    /// The family for text whose own font is not installed; empty for none.
    var font = ""
    /// True if fonts that are not installed must not be replaced by similar ones.
    var hasStrictFonts = false
    /// The timing function that replaces those of keyframes; nil for none.
    var easing: EasingOverride?
    /// The timing functions of keyframes in the file except the linear one.
    private(set) var timings: Set<TimingFunction> = []
    /// The maximum number of recorded timing functions. A file with more has no common one.
    private static let maxTimings = 16

    /// Records a timing function of the file. Returns the one with which the file is read.
    func used(_ timing: TimingFunction) -> TimingFunction {
        if timing != .linear, timings.count < Self.maxTimings { timings.insert(timing) }
        guard let easing, timing != .linear || easing.replacesLinear else { return timing }
        return easing.timing
    }

    /// Notes about how the file is drawn, in the order of the file and without duplicates. The last
    /// one counts those above the maximum.
    var notes: [String] {
        let hidden = noted.count - firstNotes.count
        return hidden > 0 ? firstNotes + ["and \(hidden) more"] : firstNotes
    }
    private var firstNotes: [String] = []
    private var noted: Set<String> = []
    /// True while a layer is read that no frame shows. Neither its unsupported features nor its
    /// notes matter.
    var isUnseen = false
    /// The layer being read, for expressions; nil outside of layers.
    var owner: ExpressionOwner?
    /// The programs of expressions by their text. Files repeat the same ones.
    private var programs: [String: ExpressionFunction] = [:]
    private var programBytes = 0
    /// True if the file has an expression other than a single loop.
    private(set) var hasPrograms = false

    /// Returns the expression with a text; nil outside of layers. Throws `ExpressionError` if its
    /// syntax is not supported.
    func expression(_ text: String, path: String) throws -> Expression? {
        // Glyphs (`chars`) belong to no layer, and After Effects gives them no expressions.
        guard let owner else { return nil }
        var program = programs[text]
        if program == nil {
            programBytes += text.utf8.count
            guard programBytes <= LottieLimits.maxExpressionBytes else {
                throw ExpressionError(
                    "and the others have more than the maximum of \(LottieLimits.maxExpressionBytes) bytes")
            }
            program = try ExpressionParser.program(text)
            programs[text] = program
        }
        guard let program else { throw ExpressionError("is empty") }
        let expression = Expression(text, program, path: path, owner: owner)
        if expression.loopExpression == nil { hasPrograms = true }
        return expression
    }

    /// Returns true if an expression of the file names an effect.
    func isReadByExpressions(effect name: String) -> Bool {
        let names = quotedNames ?? Self.quotedNames(in: root?.expressions ?? [])
        quotedNames = names
        return names.contains(name)
    }

    /// Returns everything between two quotes in texts. Texts beyond the limit of all expressions
    /// are left out.
    private static func quotedNames(in texts: [String]) -> Set<String> {
        var names: Set<String> = []
        var bytes = 0
        // Texts that are too long are dropped before sorting, which would compare them.
        for text in Set(texts.filter { $0.utf8.count <= LottieLimits.maxExpressionBytes }).sorted() {
            bytes += text.utf8.count
            guard bytes <= LottieLimits.maxExpressionBytes else { break }
            for quote: Character in ["'", "\""] {
                let parts = text.split(separator: quote, omittingEmptySubsequences: false)
                for part in parts.dropFirst().dropLast() where !part.isEmpty { names.insert(String(part)) }
            }
        }
        return names
    }

    /// Records an unsupported feature, unless it has been recorded before.
    func reportUnsupported(_ feature: UnsupportedFeature) {
        guard !isUnseen else { return }
        if reported.insert(feature).inserted { unsupported.append(feature) }
    }

    /// Records a note, unless it has been recorded before.
    func note(_ text: String) {
        guard !isUnseen else { return }
        let line = text.singleLine(atMost: 400)
        let isNew = noted.insert(line).inserted
        if isNew, firstNotes.count < LottieLimits.maxNotes { firstNotes.append(line) }
    }

    /// Records that the file uses a supported feature.
    func noteFeature(_ feature: String) { features.insert(feature) }

    /// The number of spatial curves read so far.
    private var curves = 0
    /// The number of text characters read so far.
    private var characters = 0

    /// The different characters read so far, by font.
    private var glyphs: [String: Set<Character>] = [:]
    private var glyphCount = 0

    /// Throws `LottieError` if the file has too many characters.
    func countCharacters(_ count: Int, at field: Field) throws {
        characters += count
        guard characters <= LottieLimits.maxCharacters else {
            throw field.error("the text layers have more than the maximum of \(LottieLimits.maxCharacters) characters")
        }
    }

    /// Throws `LottieError` if the file has too many different characters. Each is looked up in its
    /// font once.
    func countGlyphs(of text: String, font: String, at field: Field) throws {
        for character in text where glyphs[font, default: []].insert(character).inserted { glyphCount += 1 }
        guard glyphCount <= LottieLimits.maxGlyphs else {
            throw field.error(
                "the text layers have more than the maximum of \(LottieLimits.maxGlyphs) different characters")
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

/// A version of the format, such as `5.9.0`.
struct FormatVersion {
    private let numbers: [Int]

    init(_ text: String) { numbers = text.split(separator: ".").map { Int($0) ?? 0 } }

    /// Returns true if the version is older than another one. A file without a valid version counts
    /// as a new one.
    func isOlder(than other: [Int]) -> Bool { numbers.count == 3 && numbers.lexicographicallyPrecedes(other) }
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

extension JSON {
    /// The texts of all expressions (`x`) in the value.
    fileprivate var expressions: [String] {
        switch self {
        case .array(let items): return items.flatMap(\.expressions)
        case .object(let members):
            return members.flatMap { key, member in
                if key == "x", case .string(let text) = member { [text] } else { member.expressions }
            }
        default: return []
        }
    }
}

/// A timing function that replaces those of all keyframes that do not hold.
struct EasingOverride: Hashable {
    var timing: TimingFunction
    /// True to replace linear ones, too. Rotation is often linear by design beside eased motion.
    var replacesLinear: Bool
}
