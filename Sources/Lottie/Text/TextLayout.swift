import Core

/// The layout of a text layer's document at one frame.
struct TextLayout {
    private let document: TextModel.Document
    private let model: TextModel
    private let frame: Double
    private let context: FrameContext
    private let lines: TextLines
    /// The anchor point's distance from the centre of its group's baseline, in percent.
    private let alignment: [Double]

    init(_ document: TextModel.Document, of model: TextModel, frame: Double, in context: FrameContext) {
        self.document = document
        self.model = model
        self.frame = frame
        self.context = context
        lines = TextLines(document)
        alignment = model.alignment.value(at: frame, in: context)
    }

    /// Returns the nodes of all characters.
    func nodes() -> [Node] {
        let wrapped = lines.wrapped
        let characters = lines.characters(of: wrapped, grouping: model.grouping)
        let counts = characters.joined().reduce(into: [TextSelector.Basis: Int]()) { counts, character in
            for (basis, index) in character.indices {
                // A space has the index of the next character.
                if basis == .charactersWithoutSpaces, character.character.isWhitespace { continue }
                counts[basis] = max(counts[basis] ?? 0, index + 1)
            }
        }
        let path = model.path?.measured(at: frame, in: context)
        return zip(wrapped, characters).enumerated().flatMap { index, line in
            let top = Double(index) * document.lineHeight - document.baselineShift
            let styles = line.1.map { style(of: $0, counts) }
            if let path { return nodes(of: line.1, styles, along: path, top: top) }
            return nodes(of: line.1, styles, top: top, endsParagraph: line.0.endsParagraph)
        }
    }

    // MARK: Lines

    /// Returns the offset that keeps the centre of a centred line, or the end of a right-aligned
    /// line, in place despite the animators' tracking. Lottie players take an animator's tracking
    /// in points and add it before each character, including the first one. In a centred line, they
    /// subtract half of the animator's full tracking, regardless of the first character's factor.
    private func shift(of styles: [TextStyle], _ side: Side) -> Double {
        let sum = styles.reduce(0) { $0 + $1.tracking }
        guard side != .left, sum != 0 else { return 0 }
        let fullTracking = model.animators.reduce(0) { $0 + ($1.tracking?.value(at: frame, in: context) ?? 0) }
        return side == .center ? (sum + fullTracking) / -2 : -sum
    }

    /// The side of the box or of the origin at which a line is.
    private enum Side { case left, right, center }

    /// Returns the side of a line. Justified text ends with a line on one of the sides.
    private func side(endsParagraph: Bool) -> Side {
        switch document.justification {
        case 1: .right
        case 2: .center
        case 4 where endsParagraph: .right
        case 5 where endsParagraph: .center
        default: .left
        }
    }

    /// Returns the width that each space of a justified line gains, so that the line fills the box.
    private func stretch(of line: [TextCharacter], endsParagraph: Bool) -> Double {
        guard document.justification > 2, !endsParagraph || document.justification == 6, let box = document.box else {
            return 0
        }
        let end = line.lastIndex { !$0.character.isWhitespace } ?? 0
        let spaces = line.prefix(end).filter { $0.character == " " }.count
        return spaces == 0 ? 0 : max(0, box.width - lines.visibleWidth(of: line.map(\.character))) / Double(spaces)
    }

    private func nodes(of line: [TextCharacter], _ styles: [TextStyle], top: Double, endsParagraph: Bool) -> [Node] {
        let width = lines.visibleWidth(of: line.map(\.character))
        let boxWidth = document.box?.width ?? 0
        let side = side(endsParagraph: endsParagraph)
        let stretch = stretch(of: line, endsParagraph: endsParagraph)
        var x = (document.box?.origin.x ?? 0) + shift(of: styles, side)
        switch side {
        case .left: break
        case .right: x += boxWidth - width
        case .center: x += (boxWidth - width) / 2
        }
        let baseline = top + (document.box.map { $0.origin.y + document.ascent } ?? 0)
        return line.indices.flatMap { index -> [Node] in
            let character = line[index]
            if index > 0 || side != .left { x += styles[index].tracking }
            defer { x += character.width + lines.tracking + (character.character == " " ? stretch : 0) }
            let anchor = anchor(of: character)
            let matrix = AffineTransform.scale(document.size / 100).then(.translation(anchor * -1))
                .then(styles[index].matrix(position: styles[index].position))
                .then(.translation(anchor + Point(x, baseline)))
            return nodes(of: character.character, styles[index], matrix)
        }
    }

    /// Returns the anchor point of a character, from the start of its baseline: the centre of the
    /// baseline of its group, moved by the alignment.
    private func anchor(of character: TextCharacter) -> Point {
        let x = character.groupWidth / 2 - character.groupOffset + (alignment.first ?? 0) / 200 * character.groupWidth
        return Point(x, anchorHeight)
    }

    /// The distance of anchor points below the baseline in points: the alignment's part of 0.714 of
    /// a line, which is the height of capitals in lottie-web.
    private var anchorHeight: Double { (alignment.dropFirst().first ?? 0) / 100 * document.size * 1.2 * 0.714 }

    // MARK: Along a path

    private func nodes(
        of line: [TextCharacter], _ styles: [TextStyle], along path: TextPath.Measured, top: Double
    ) -> [Node] {
        let width = lines.visibleWidth(of: line.map(\.character))
        var x = path.firstMargin
        if document.justification == 1 { x += path.length - width }
        if document.justification == 2 { x += (path.length - width) / 2 }
        var groupStart = x
        return line.indices.flatMap { index -> [Node] in
            let character = line[index]
            let style = styles[index]
            if index == 0 || line[index - 1].group != character.group { groupStart = x }
            if index > 0 || document.justification != 0 {
                x += style.tracking
                groupStart += style.tracking
            }
            defer { x += character.width + lines.tracking }
            var center = groupStart + character.groupWidth / 2
            if path.isForced, let first = line.first, let last = line.last, line.count > 1 {
                let start = path.firstMargin + first.width / 2
                let end = path.length + path.lastMargin - last.width / 2
                center = lerp(start, end, Double(index) / Double(line.count - 1))
            }
            // Horizontal positions and anchors move characters along the path.
            let offset = (alignment.first ?? 0) / 200 * character.groupWidth + style.position.x + style.anchor.x
            let (point, direction) = path.point(at: center + offset)
            let turn = path.isPerpendicular ? AffineTransform.rotation(atan2(direction.y, direction.x)) : .identity
            let matrix = AffineTransform.scale(document.size / 100).then(.translation(anchor(of: character) * -1))
                .then(style.matrix(position: Point(0, style.position.y)))
                .then(.translation(Point(0, top + anchorHeight))).then(turn).then(.translation(point))
            return nodes(of: character.character, style, matrix)
        }
    }

    // MARK: Characters

    private func nodes(of character: Character, _ style: TextStyle, _ matrix: AffineTransform) -> [Node] {
        guard let glyph = document.glyphs[character], !glyph.path.elements.isEmpty, style.opacity > 0 else {
            return []
        }
        func color(_ components: [Double], _ opacity: Double) -> Color {
            Color(red: clamp01(components[0]), green: clamp01(components[1]), blue: clamp01(components[2]))
                .opacity(opacity)
        }
        var nodes: [Node] = []
        if let fill = style.fill { nodes.append(.shape(Shape(glyph.path, fill: color(fill, style.fillOpacity)))) }
        if let strokeColor = style.stroke, style.strokeWidth > 0 {
            let stroke = Stroke(
                color(strokeColor, style.strokeOpacity), width: style.strokeWidth * 100 / max(document.size, 1e-6),
                join: .round)
            nodes.insert(.shape(Shape(glyph.path, stroke: stroke)), at: document.isStrokeOnTop ? nodes.count : 0)
        }
        return Group.nodes(nodes, transform: matrix, opacity: style.opacity)
    }

    private func style(of character: TextCharacter, _ counts: [TextSelector.Basis: Int]) -> TextStyle {
        var style = TextStyle(fill: document.fill, stroke: document.stroke, strokeWidth: document.strokeWidth)
        for animator in model.animators {
            let basis = animator.selector.basis
            let factor = animator.selector.factor(
                character.indices[basis] ?? 0, of: counts[basis] ?? 1, at: frame, in: context)
            if factor != 0 { style.apply(animator, factor, at: frame, in: context) }
        }
        return style
    }
}
