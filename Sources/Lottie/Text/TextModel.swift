import Motion
import Scene

/// A text layer: texts that follow one another, and animators that change their letters.
struct TextModel: Sendable {
    /// What ends a line.
    static let breaks: Set<Character> = ["\r", "\n", "\r\n", "\u{3}", "\u{2028}"]

    /// A text from a frame on.
    struct Document: Sendable {
        var start: Double
        var text: String
        var letters: [Character: TextSource.Letter]
        /// Points of the em, from line to line, and above the line.
        var size: Double
        var lineHeight: Double
        var shift: Double
        /// Thousandths of the em between letters.
        var tracking: Double
        /// 0 left, 1 right, 2 centred.
        var justification: Int
        var fill: [Double]?
        var line: [Double]?
        var lineWidth: Double
        var isLineOnTop: Bool
        /// Where text of a box begins, and how wide it is.
        var box: (origin: Point, width: Double)?
    }

    /// What letters are changed to.
    struct Animator: Sendable {
        var selector: TextSelector
        var position: Property<Point>?
        var anchor: Property<Point>?
        var scale: Property<Point>?
        var rotation: Property<Double>?
        var opacity: Property<Double>?
        var fill: Property<[Double]>?
        var line: Property<[Double]>?
        var lineWidth: Property<Double>?
        var tracking: Property<Double>?
    }

    let documents: [Document]
    let animators: [Animator]

    init(reading field: Field, _ source: TextSource) throws {
        guard let text = field["t"], let keyframes = text["d"]?["k"]?.items, !keyframes.isEmpty else {
            throw field.error("a text layer without a text (t)")
        }
        documents = try keyframes.map { try Document(reading: $0, source) }
        animators = try (text["a"]?.items ?? []).map { try Animator(reading: $0) }
        if let path = text["p"], path["m"] != nil { path.refuse("a text along a path") }
        try text["m"].map { try Self.refuseGrouping($0, animators) }
        if text["d"]?["x"] != nil { text["d"]?["x"]?.refuse("an expression for a text") }
        field.log.use("text")
    }

    /// Says that letters that turn or grow in groups, or about another place than the middle of their baseline, are not drawn.
    private static func refuseGrouping(_ field: Field, _ animators: [Animator]) throws {
        guard animators.contains(where: { $0.rotation != nil || $0.scale != nil }) else { return }
        if try field.number("g", or: 1) != 1 { field.refuse("letters that are animated in groups") }
        let alignment: Property<[Double]> = try field.property("a", or: [0, 0])
        if !alignment.isConstant || alignment.initial.contains(where: { $0 != 0 }) {
            field["a"]?.refuse("an alignment of animated letters")
        }
    }

    /// How much there is to draw.
    var work: Int {
        documents.map { document in
            document.text.reduce(0) {
                $0 + 4 + 2 * animators.count + (document.letters[$1]?.path.elements.count ?? 0)
            }
        }.max() ?? 0
    }

    func nodes(at frame: Double, rate: Double) -> [Node] {
        let document = documents.last { $0.start <= frame } ?? documents[0]
        return TextLayout(document, animators, frame: frame, rate: rate).nodes()
    }
}

extension TextModel.Document {
    init(reading keyframe: Field, _ source: TextSource) throws {
        guard let field = keyframe["s"] else { throw keyframe.error("a text's keyframe without a text (s)") }
        start = try keyframe.number("t", or: 0)
        text = field.string("t") ?? ""
        // Bytes first: what looks like one letter may be put together from any number of marks.
        guard text.utf8.count <= 16_000, text.count <= 2000 else {
            throw field.error("a text of more than 2000 letters")
        }
        try field.log.countLetters(text.count, at: field)
        if try field.integer("ca") == 2 { field["ca"]?.refuse("small capitals") }
        if try field.integer("ca") == 1 { text = text.uppercased() }
        letters = try source.letters(text, font: field.string("f") ?? "", at: field)
        size = try field.number("s", or: 12)
        lineHeight = try field.number("lh", or: 1.2 * size)
        shift = try field.number("ls", or: 0)
        tracking = try field.number("tr", or: 0)
        justification = try field.integer("j") ?? 0
        if justification > 2 { field["j"]?.refuse("justified text") }
        fill = try field["fc"]?.numbers()
        line = try field["sc"]?.numbers()
        for color in [fill, line].compactMap({ $0 }) where color.count < 3 {
            throw field.error("a text's colour of \(color.count) numbers; it takes three")
        }
        lineWidth = line == nil ? 0 : try field.number("sw", or: 0)
        isLineOnTop = try field.flag("of")
        box = try field["sz"].map { try $0.point() }.map { (origin: try field["ps"]?.point() ?? .zero, width: $0.x) }
    }
}

extension TextModel.Animator {
    private static let known: Set = ["p", "a", "s", "r", "o", "fc", "sc", "sw", "t"]

    init(reading field: Field) throws {
        if let range = field["s"], try range.flag("t") { range.refuse("a selector of letters by an expression") }
        selector = try TextSelector(reading: field["s"])
        guard let values = field["a"] else { return }
        position = try values.property("p")
        anchor = try values.property("a")
        scale = try values.property("s")
        rotation = try values.property("r")
        opacity = try values.property("o")
        fill = try values.property("fc")
        line = try values.property("sc")
        lineWidth = try values.property("sw")
        tracking = try values.property("t")
        for color in [fill, line].compactMap({ $0 }) where color.keyValues.contains(where: { $0.count < 3 }) {
            throw values.error("a colour of three numbers is expected")
        }
        for key in values.keys where !Self.known.contains(key) { values[key]?.refuse("a text animator of '\(key)'") }
    }
}
