import Motion
import Scene

/// The letters of a text at one frame.
struct TextLayout {
    /// A letter and where it is counted.
    private struct Place {
        var character: Character
        /// Numbers among letters, letters without spaces, words and lines.
        var numbers: [TextSelector.Basis: Int]
    }

    /// What animators make of a letter.
    private struct Style {
        var matrix = AffineTransform.identity
        var opacity = 1.0
        var fill: [Double]?
        var line: [Double]?
        var lineWidth: Double
        /// Points before the letter, besides those of the text behind every letter.
        var tracking = 0.0
    }

    private let document: TextModel.Document
    private let animators: [TextModel.Animator]
    private let frame: Double
    private let rate: Double

    init(_ document: TextModel.Document, _ animators: [TextModel.Animator], frame: Double, rate: Double) {
        (self.document, self.animators, self.frame, self.rate) = (document, animators, frame, rate)
    }

    func nodes() -> [Node] {
        let lines = places()
        let counts = lines.joined().reduce(into: [TextSelector.Basis: Int]()) { counts, place in
            for (basis, number) in place.numbers { counts[basis] = max(counts[basis] ?? 0, number + 1) }
        }
        return lines.enumerated().flatMap { index, line in
            nodes(of: line, top: Double(index) * document.lineHeight, counts)
        }
    }

    // MARK: Lines

    /// The letters, broken into lines.
    private func places() -> [[Place]] {
        var lines: [[Place]] = []
        var (characters, plain, words, isInWord) = (0, 0, -1, false)
        for (number, line) in brokenText().enumerated() {
            lines.append(
                line.map { character in
                    let isSpace = character.isWhitespace
                    if !isSpace, !isInWord { words += 1 }
                    isInWord = !isSpace
                    defer {
                        characters += 1
                        plain += isSpace ? 0 : 1
                    }
                    return Place(
                        character: character,
                        numbers: [
                            .characters: characters, .charactersWithoutSpaces: plain, .words: max(0, words),
                            .lines: number,
                        ])
                })
            isInWord = false
        }
        return lines
    }

    private func brokenText() -> [[Character]] {
        let lines = document.text.split(omittingEmptySubsequences: false) { TextModel.breaks.contains($0) }
        guard let box = document.box, box.width > 0 else { return lines.map(Array.init) }
        return lines.flatMap { line -> [[Character]] in
            var (result, current): ([[Character]], [Character]) = ([], [])
            for word in line.split(separator: " ", omittingEmptySubsequences: false) {
                let longer = current.isEmpty ? Array(word) : current + " " + word
                if !current.isEmpty, width(of: longer) > box.width {
                    result.append(current)
                    current = Array(word)
                } else {
                    current = longer
                }
            }
            return result + [current]
        }
    }

    /// Points behind every letter.
    private var tracking: Double { document.tracking / 1000 * document.size }

    private func advance(of character: Character) -> Double {
        (document.letters[character]?.advance ?? 0) / 100 * document.size + tracking
    }

    /// How wide letters are one behind the other, the tracking of the last one with them.
    private func width(of line: [Character]) -> Double { line.reduce(0) { $0 + advance(of: $1) } }

    /// How wide a line is to the eye: spaces at its end and the tracking behind its last letter do not count.
    private func visibleWidth(of line: [Character]) -> Double {
        let end = line.lastIndex { !$0.isWhitespace } ?? -1
        return end < 0 ? 0 : width(of: Array(line[...end])) - tracking
    }

    /// How far animators that track letters shift a line that is not on the left, so that its middle or its end stays. Lottie's
    /// players take an animator's tracking in points, and put it before a letter, the first one too; in a centred line they
    /// take back half of that first one whole, whatever part of it the letter has.
    private func shift(of styles: [Style]) -> Double {
        let sum = styles.reduce(0) { $0 + $1.tracking }
        guard document.justification > 0, sum != 0 else { return 0 }
        let whole = animators.reduce(0) { $0 + ($1.tracking?.value(at: frame, rate: rate) ?? 0) }
        return document.justification == 2 ? (sum + whole) / -2 : -sum
    }

    // MARK: Letters

    private func nodes(of line: [Place], top: Double, _ counts: [TextSelector.Basis: Int]) -> [Node] {
        let styles = line.map { style(of: $0, counts) }
        let advances = line.map { advance(of: $0.character) }
        let width = visibleWidth(of: line.map(\.character))
        let room = document.box?.width ?? 0
        var x = (document.box?.origin.x ?? 0) + shift(of: styles)
        switch document.justification {
        case 1: x += room - width
        case 2: x += (room - width) / 2
        default: break
        }
        // Text of a box hangs from its upper edge, by the size as After Effects' first line does.
        let baseline = top - document.shift + (document.box.map { $0.origin.y + document.size } ?? 0)
        return line.indices.flatMap { index -> [Node] in
            if index > 0 || document.justification > 0 { x += styles[index].tracking }
            defer { x += advances[index] }
            return nodes(of: line[index].character, styles[index], at: Point(x, baseline), advances[index])
        }
    }

    private func nodes(of character: Character, _ style: Style, at origin: Point, _ advance: Double) -> [Node] {
        guard let letter = document.letters[character], !letter.path.elements.isEmpty, style.opacity > 0 else {
            return []
        }
        // Letters turn and grow about the middle of their baseline.
        let middle = Point(advance / 2, 0)
        let matrix = AffineTransform.scale(document.size / 100).then(.translation(middle * -1)).then(style.matrix)
            .then(.translation(middle + origin))
        func color(_ parts: [Double]) -> Color {
            Color(red: clamp01(parts[0]), green: clamp01(parts[1]), blue: clamp01(parts[2]))
        }
        var nodes: [Node] = []
        if let fill = style.fill { nodes.append(.shape(Shape(letter.path, fill: color(fill)))) }
        if let line = style.line, style.lineWidth > 0 {
            let stroke = Stroke(color(line), width: style.lineWidth * 100 / max(document.size, 1e-6), join: .round)
            nodes.insert(.shape(Shape(letter.path, stroke: stroke)), at: document.isLineOnTop ? nodes.count : 0)
        }
        return Group.nodes(nodes, transform: matrix, opacity: style.opacity)
    }

    private func style(of place: Place, _ counts: [TextSelector.Basis: Int]) -> Style {
        var style = Style(fill: document.fill, line: document.line, lineWidth: document.lineWidth)
        for animator in animators {
            let basis = animator.selector.basis
            let factor = animator.selector.factor(
                place.numbers[basis] ?? 0, of: counts[basis] ?? 1, at: frame, rate: rate)
            guard factor != 0 else { continue }
            apply(animator, factor, to: &style)
        }
        return style
    }

    private func apply(_ animator: TextModel.Animator, _ factor: Double, to style: inout Style) {
        func value<Value>(_ property: Property<Value>?) -> Value? { property?.value(at: frame, rate: rate) }
        func mixed(_ color: [Double]?, _ other: [Double]?) -> [Double]? {
            guard let color, let other else { return color }
            return zip(color, other).map { lerp($0, $1, factor) }
        }
        let anchor = (value(animator.anchor) ?? .zero) * factor
        let scale = value(animator.scale) ?? Point(100, 100)
        let growth = AffineTransform(
            a: 1 + (scale.x / 100 - 1) * factor, b: 0, c: 0, d: 1 + (scale.y / 100 - 1) * factor, tx: 0, ty: 0)
        let turn = AffineTransform.rotation((value(animator.rotation) ?? 0) * factor * .pi / 180)
        let move = (value(animator.position) ?? .zero) * factor
        style.matrix = AffineTransform.translation(anchor * -1).then(growth).then(turn).then(.translation(move))
            .then(style.matrix)
        if let opacity = value(animator.opacity) { style.opacity *= clamp01(1 + (opacity / 100 - 1) * factor) }
        style.fill = mixed(style.fill, value(animator.fill))
        style.line = mixed(style.line, value(animator.line))
        if let width = value(animator.lineWidth) { style.lineWidth += (width - style.lineWidth) * factor }
        style.tracking += (value(animator.tracking) ?? 0) * factor
    }
}
