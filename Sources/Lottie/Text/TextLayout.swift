import Core

/// The layout of a text layer's document at one frame.
struct TextLayout {
    /// A character with its indices for range selectors.
    private struct IndexedCharacter {
        var character: Character
        /// For each unit of range selectors, the index of the unit that contains the character.
        var indices: [TextSelector.Basis: Int]
    }

    /// The style of a character after all animators.
    private struct Style {
        var matrix = AffineTransform.identity
        var opacity = 1.0
        var fill: [Double]?
        var stroke: [Double]?
        var strokeWidth: Double
        /// The animators' tracking in points, before the character. The document's tracking comes
        /// after each character.
        var tracking = 0.0
    }

    private let document: TextModel.Document
    private let animators: [TextModel.Animator]
    private let frame: Double
    private let context: FrameContext

    init(_ document: TextModel.Document, _ animators: [TextModel.Animator], frame: Double, in context: FrameContext) {
        self.document = document
        self.animators = animators
        self.frame = frame
        self.context = context
    }

    /// Returns the nodes of all characters.
    func nodes() -> [Node] {
        let lines = indexedLines()
        let counts = lines.joined().reduce(into: [TextSelector.Basis: Int]()) { counts, character in
            for (basis, index) in character.indices {
                // A space has the index of the next character.
                if basis == .charactersWithoutSpaces, character.character.isWhitespace { continue }
                counts[basis] = max(counts[basis] ?? 0, index + 1)
            }
        }
        return lines.enumerated().flatMap { index, line in
            nodes(of: line, top: Double(index) * document.lineHeight, counts)
        }
    }

    // MARK: Lines

    /// Returns the characters of the lines with their indices.
    private func indexedLines() -> [[IndexedCharacter]] {
        var lines: [[IndexedCharacter]] = []
        var characters = 0
        var nonspaces = 0
        var words = -1
        var isInWord = false
        for (lineIndex, line) in wrappedLines().enumerated() {
            lines.append(
                line.map { character in
                    let isSpace = character.isWhitespace
                    if !isSpace, !isInWord { words += 1 }
                    isInWord = !isSpace
                    defer {
                        characters += 1
                        nonspaces += isSpace ? 0 : 1
                    }
                    return IndexedCharacter(
                        character: character,
                        indices: [
                            .characters: characters, .charactersWithoutSpaces: nonspaces, .words: max(0, words),
                            .lines: lineIndex,
                        ])
                })
            isInWord = false
        }
        return lines
    }

    /// Returns the lines of the text. Box text is also wrapped, at the last space that fits or, in
    /// a word that is wider than the box, between characters. Spaces and the tracking after the
    /// last character do not count, as in lottie-web.
    private func wrappedLines() -> [[Character]] {
        let lines = document.text.split(omittingEmptySubsequences: false) { TextModel.lineBreaks.contains($0) }
        guard let box = document.box, box.width > 0 else { return lines.map(Array.init) }
        return lines.flatMap { line -> [[Character]] in
            var result: [[Character]] = []
            var current: [Character] = []
            var currentWidth = 0.0
            for character in line {
                let isTooWide = currentWidth + advance(of: character) - tracking > box.width
                if isTooWide, character != " ", !current.isEmpty {
                    let space = current.lastIndex(of: " ")
                    result.append(Array(current[..<(space ?? current.endIndex)]))
                    current = space.map { Array(current[($0 + 1)...]) } ?? []
                    currentWidth = width(of: current)
                }
                current.append(character)
                currentWidth += advance(of: character)
            }
            return result + [current]
        }
    }

    /// The document's tracking in points, after each character.
    private var tracking: Double { document.tracking / 1000 * document.size }

    private func advance(of character: Character) -> Double {
        (document.glyphs[character]?.advance ?? 0) / 100 * document.size + tracking
    }

    /// Returns the sum of the characters' advances, including the tracking after the last one.
    private func width(of line: [Character]) -> Double { line.reduce(0) { $0 + advance(of: $1) } }

    /// Returns the width of a line without trailing spaces and the tracking after the last
    /// character.
    private func visibleWidth(of line: [Character]) -> Double {
        let end = line.lastIndex { !$0.isWhitespace } ?? -1
        return end < 0 ? 0 : width(of: Array(line[...end])) - tracking
    }

    /// Returns the offset that keeps the centre of a centred line, or the end of a right-aligned
    /// line, in place despite the animators' tracking. Lottie players take an animator's tracking
    /// in points and add it before each character, including the first one. In a centred line, they
    /// subtract half of the animator's full tracking, regardless of the first character's factor.
    private func shift(of styles: [Style]) -> Double {
        let sum = styles.reduce(0) { $0 + $1.tracking }
        guard document.justification > 0, sum != 0 else { return 0 }
        let fullTracking = animators.reduce(0) { $0 + ($1.tracking?.value(at: frame, in: context) ?? 0) }
        return document.justification == 2 ? (sum + fullTracking) / -2 : -sum
    }

    // MARK: Characters

    private func nodes(of line: [IndexedCharacter], top: Double, _ counts: [TextSelector.Basis: Int]) -> [Node] {
        let styles = line.map { style(of: $0, counts) }
        let advances = line.map { advance(of: $0.character) }
        let width = visibleWidth(of: line.map(\.character))
        let boxWidth = document.box?.width ?? 0
        var x = (document.box?.origin.x ?? 0) + shift(of: styles)
        switch document.justification {
        case 1: x += boxWidth - width
        case 2: x += (boxWidth - width) / 2
        default: break
        }
        // The first baseline of box text is one font size below the top edge, as in After Effects.
        let baseline = top - document.baselineShift + (document.box.map { $0.origin.y + document.size } ?? 0)
        return line.indices.flatMap { index -> [Node] in
            if index > 0 || document.justification > 0 { x += styles[index].tracking }
            defer { x += advances[index] }
            return nodes(of: line[index].character, styles[index], at: Point(x, baseline), advances[index])
        }
    }

    private func nodes(of character: Character, _ style: Style, at origin: Point, _ advance: Double) -> [Node] {
        guard let glyph = document.glyphs[character], !glyph.path.elements.isEmpty, style.opacity > 0 else {
            return []
        }
        // The anchor point of a character is the centre of its baseline.
        let anchor = Point(advance / 2, 0)
        let matrix = AffineTransform.scale(document.size / 100).then(.translation(anchor * -1)).then(style.matrix)
            .then(.translation(anchor + origin))
        func color(_ components: [Double]) -> Color {
            Color(red: clamp01(components[0]), green: clamp01(components[1]), blue: clamp01(components[2]))
        }
        var nodes: [Node] = []
        if let fill = style.fill { nodes.append(.shape(Shape(glyph.path, fill: color(fill)))) }
        if let strokeColor = style.stroke, style.strokeWidth > 0 {
            let stroke = Stroke(
                color(strokeColor), width: style.strokeWidth * 100 / max(document.size, 1e-6), join: .round)
            nodes.insert(.shape(Shape(glyph.path, stroke: stroke)), at: document.isStrokeOnTop ? nodes.count : 0)
        }
        return Group.nodes(nodes, transform: matrix, opacity: style.opacity)
    }

    private func style(of character: IndexedCharacter, _ counts: [TextSelector.Basis: Int]) -> Style {
        var style = Style(fill: document.fill, stroke: document.stroke, strokeWidth: document.strokeWidth)
        for animator in animators {
            let basis = animator.selector.basis
            let factor = animator.selector.factor(
                character.indices[basis] ?? 0, of: counts[basis] ?? 1, at: frame, in: context)
            guard factor != 0 else { continue }
            apply(animator, factor, to: &style)
        }
        return style
    }

    private func apply(_ animator: TextModel.Animator, _ factor: Double, to style: inout Style) {
        func value<Value>(_ property: Property<Value>?) -> Value? { property?.value(at: frame, in: context) }
        func interpolated(_ color: [Double]?, _ other: [Double]?) -> [Double]? {
            guard let color, let other else { return color }
            return zip(color, other).map { lerp($0, $1, factor) }
        }
        let anchor = (value(animator.anchor) ?? .zero) * factor
        let scale = value(animator.scale) ?? Point(100, 100)
        let scaling = AffineTransform(
            a: 1 + (scale.x / 100 - 1) * factor, b: 0, c: 0, d: 1 + (scale.y / 100 - 1) * factor, tx: 0, ty: 0)
        let rotation = AffineTransform.rotation((value(animator.rotation) ?? 0) * factor * .pi / 180)
        let offset = (value(animator.position) ?? .zero) * factor
        style.matrix = AffineTransform.translation(anchor * -1).then(scaling).then(rotation).then(.translation(offset))
            .then(style.matrix)
        if let opacity = value(animator.opacity) { style.opacity *= clamp01(1 + (opacity / 100 - 1) * factor) }
        style.fill = interpolated(style.fill, value(animator.fill))
        style.stroke = interpolated(style.stroke, value(animator.stroke))
        if let width = value(animator.strokeWidth) { style.strokeWidth += (width - style.strokeWidth) * factor }
        style.tracking += (value(animator.tracking) ?? 0) * factor
    }
}
