import Core

/// A text layer: the documents of its Source Text property, and its text animators.
struct TextModel: Sendable {
    /// The characters that end a line.
    static let lineBreaks: Set<Character> = ["\r", "\n", "\r\n", "\u{3}", "\u{2028}"]

    /// The text and its style from a frame on.
    struct Document: Sendable {
        /// The frame of the keyframe.
        var start: Double
        /// The text in the file.
        let source: String
        /// The text that is drawn.
        var text: String
        /// True to draw all characters as capitals.
        let isUppercase: Bool
        var glyphs: [Character: TextSource.FontGlyph]
        /// The font size in points.
        var size: Double
        /// The distance between baselines in points.
        var lineHeight: Double
        /// The distance of the characters above the baseline in points.
        var baselineShift: Double
        /// The space after each character in thousandths of the font size.
        var tracking: Double
        /// 0 for left, 1 for right, 2 for centred; 3 to 6 for justified with the last line left,
        /// right, centred or justified.
        var justification: Int
        var fill: [Double]?
        var stroke: [Double]?
        var strokeWidth: Double
        /// True if the stroke is drawn over the fill.
        var isStrokeOnTop: Bool
        /// The distance from the top of box text to the first baseline, in points.
        var ascent: Double
        /// The top left corner and the width of box text; nil for point text.
        var box: (origin: Point, width: Double)?
    }

    /// A text animator: the values that characters have at a selector's full factor.
    struct Animator: Sendable {
        var selector: TextSelector
        var position: Property<Point>?
        var anchor: Property<Point>?
        var scale: Property<Point>?
        var rotation: Property<Double>?
        var skew: Property<Double>?
        var skewAxis: Property<Double>?
        var opacity: Property<Double>?
        var fill: Property<[Double]>?
        var stroke: Property<[Double]>?
        /// The opacities of fill and stroke in percent.
        var fillOpacity: Property<Double>?
        var strokeOpacity: Property<Double>?
        var strokeWidth: Property<Double>?
        var tracking: Property<Double>?
        /// The changes of the fill's hue in degrees, and of its saturation and brightness in
        /// percent.
        var fillHue: Property<Double>?
        var fillSaturation: Property<Double>?
        var fillBrightness: Property<Double>?
    }

    /// The characters that share an anchor point ("Anchor Point Grouping"), with their numbers in
    /// the file.
    enum Grouping: Int, Sendable { case characters = 1, words, lines }

    let documents: [Document]
    /// The texts with an expression that computes them; nil without one.
    let computedText: Property<String>?
    let animators: [Animator]
    let path: TextPath?
    let grouping: Grouping
    /// The distance of the anchor points from the centres of the groups, in percent.
    let alignment: Property<[Double]>

    init(reading field: Field, _ source: TextSource) throws {
        guard let text = field["t"], var data = text["d"] else {
            throw field.error("the text layer has no text (t)")
        }
        if let slot = data.string("sid") {
            field.context.noteFeature("slots")
            let value = field.context.slots?[slot]?["p"]
            guard value != nil || data["k"] != nil else {
                throw data.error("the slot \(quoted(slot)) (sid) has no value")
            }
            data = value ?? data
        }
        documents = try Self.documents(data, of: field, source)
        animators = try (text["a"]?.items ?? []).map { try Animator(reading: $0) }
        path = try TextPath(reading: text["p"], of: field)
        // As in lottie-web, each character of the fourth grouping, All, has its own anchor point.
        grouping = Grouping(rawValue: try text["m"]?.integer("g") ?? 1) ?? .characters
        alignment = try text["m"]?.property("a") ?? Property([0, 0])
        computedText = try Self.computedText(data, documents)
        field.context.noteFeature("text")
    }

    private static func documents(_ data: Field, of field: Field, _ source: TextSource) throws -> [Document] {
        let program = data.string("x") ?? ""
        // Before version 4.4.14, a text had no keyframes.
        guard let keyframes = data["k"] else {
            return [try Document(reading: data, from: 0, program: program, source)]
        }
        guard !keyframes.items.isEmpty else { throw field.error("the text layer has no text (t)") }
        return try keyframes.items.map { keyframe in
            guard let document = keyframe["s"] else {
                throw keyframe.error("the text keyframe has no text (s)")
            }
            return try Document(reading: document, from: try keyframe.number("t", or: 0), program: program, source)
        }
    }

    /// An upper bound of the work for a frame, in the units of `StaticCost`.
    var staticCost: Int {
        documents.map { document in
            guard computedText != nil else { return staticCost(of: document) }
            let largest = document.glyphs.values.map(\.path.elements.count).max() ?? 0
            let computed = Self.maxComputedCharacters * (4 + 2 * animators.count + largest)
            return max(staticCost(of: document), computed + pathCost)
        }.max() ?? 0
    }

    /// Returns the work for the text at a frame.
    func staticCost(at frame: Double, in context: FrameContext) -> Int {
        staticCost(of: document(at: frame, in: context))
    }

    private func staticCost(of document: Document) -> Int {
        document.text.reduce(pathCost) { (count: Int, character: Character) -> Int in
            count + 4 + 2 * animators.count + (document.glyphs[character]?.path.elements.count ?? 0)
        }
    }

    private var pathCost: Int { path.map { Self.stepsPerVertex * StaticCost.maxVertexCount(of: $0.path) } ?? 0 }

    /// The work to measure the length of a curve of the text's path, in the units of `StaticCost`.
    private static let stepsPerVertex = 4

    /// Returns the nodes at a frame.
    func nodes(at frame: Double, in context: FrameContext) -> [Node] {
        TextLayout(document(at: frame, in: context), of: self, frame: frame, in: context).nodes()
    }
}

extension TextModel.Document {
    /// The maximum length of a text in characters, and in bytes of UTF-8, because a character can
    /// have any number of combining marks.
    private static let maxCharacters = 2000
    private static let maxBytes = 16_000

    /// - Parameter program: the expression that computes the text; empty without one.
    init(reading field: Field, from start: Double, program: String, _ fonts: TextSource) throws {
        self.start = start
        source = field.string("t") ?? ""
        text = source
        guard text.utf8.count <= Self.maxBytes, text.count <= Self.maxCharacters else {
            throw field.error(
                "the text has more than the maximum of \(Self.maxCharacters) characters or \(Self.maxBytes) bytes")
        }
        try field.context.countCharacters(text.count, at: field)
        let capitals = try field.integer("ca") ?? 0
        isUppercase = capitals == 1
        if isUppercase { text = text.uppercased() }
        let computable = try TextModel.computableCharacters(program, at: field)
        let others = isUppercase ? computable.uppercased() : computable
        let font = field.string("f") ?? ""
        try field.context.countGlyphs(of: text + others, font: font, at: field)
        glyphs = try fonts.glyphs(
            text, and: isUppercase ? others.uppercased() : others, font: font, hasSmallCapitals: capitals == 2,
            at: field)
        size = try field.number("s", or: 12)
        lineHeight = try field.number("lh", or: 1.2 * size)
        baselineShift = try field.number("ls", or: 0)
        tracking = try field.number("tr", or: 0)
        justification = try field.integer("j") ?? 0
        fill = try field["fc"]?.numbers()
        stroke = try field["sc"]?.numbers()
        for color in [fill, stroke].compactMap({ $0 }) where color.count < 3 {
            throw field.error("expected a colour of three numbers, found \(color.count)")
        }
        strokeWidth = stroke == nil ? 0 : try field.number("sw", or: 0)
        // As in lottie-web and ThorVG, the stroke is on top unless the file says otherwise.
        isStrokeOnTop = try field.flag("of", or: true)
        // As in lottie-web, a box without a position has its first baseline at its top.
        ascent = field["ps"] == nil ? 0 : (fonts.ascents[field.string("f") ?? ""] ?? 100) / 100 * size
        box = try field["sz"].map { try $0.point() }.map { (origin: try field["ps"]?.point() ?? .zero, width: $0.x) }
    }
}

extension TextModel.Animator {
    private static let known: Set = [
        "p", "a", "s", "r", "sk", "sa", "o", "fc", "fo", "fh", "fs", "fb", "sc", "so", "sw", "t",
    ]

    init(reading field: Field) throws {
        if let range = field["s"], try range.flag("t") { range.reportUnsupported("an expression selector") }
        selector = try TextSelector(reading: field["s"])
        guard let values = field["a"]?.withoutEmptyMembers else { return }
        position = try values.property("p")
        anchor = try values.property("a")
        scale = try values.property("s")
        rotation = try values.property("r")
        skew = try values.property("sk")
        skewAxis = try values.property("sa")
        opacity = try values.property("o")
        fill = try values.property("fc")
        fillHue = try values.property("fh")
        fillSaturation = try values.property("fs")
        fillBrightness = try values.property("fb")
        stroke = try values.property("sc")
        fillOpacity = try values.property("fo")
        strokeOpacity = try values.property("so")
        strokeWidth = try values.property("sw")
        tracking = try values.property("t")
        for color in [fill, stroke].compactMap({ $0 }) where color.keyValues.contains(where: { $0.count < 3 }) {
            throw values.error("expected a colour of three numbers")
        }
        for key in values.keys where !Self.known.contains(key) {
            // LottieFiles Creator writes 3D rotations, which it does not support.
            let isTurn = key == "rx" || key == "ry"
            if isTurn, let turn: Property<Double> = try values.property(key), turn.isConstant, turn.initial == 0 {
                continue
            }
            values[key]?.reportUnsupported("the text animator property \(quoted(key))")
        }
    }
}
