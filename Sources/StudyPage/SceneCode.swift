import Platform
import Raster
import Scene

/// A display list as a text that says what is drawn, and the numbers that say where.
///
/// The text has a letter for each thing, which takes its numbers in the order in which they are listed:
///
///     p                   begins a path; m, l x y  q x y x y  c x y x y x y  z as in SVG
///     a, b                an arc, clockwise or not: centre, radius, first and last angle
///     o, u                a whole circle, clockwise or not: centre, radius, first angle
///     F paint             fills the path; paint is 0 colour, 1 line s... or 2 circle s... with an s and a dot after the stops
///     f paint             likewise by the even-odd rule
///     S cap join [L] [d s... .] paint     strokes the path: miter limit, dashes and phase, width, then the paint
///     G [t] [k path K] [b mode] [o|y [M|W ... E]] ... E    a group: transform, clip, blend mode by its letter, a layer of an
///                         opacity or of 1, a mask, inverted with W, and what is in it
///     i, x                a picture or a text: its number, frame; of a text size and colour too
struct SceneCode {
    /// A number and how many of its binary places count.
    struct Quantity {
        var value: Double
        var bits: Int
    }

    private(set) var letters: [UInt8] = []
    private(set) var quantities: [Quantity] = []

    /// Lengths are kept to this many binary places of a point as it is seen, so to half a thousandth.
    private static let lengthBits = 10

    /// Writes a display list, whose bitmaps and texts go into `assets`.
    init(_ nodes: [Node], assets: inout SceneAssets) {
        for node in nodes { add(node, scale: 1, &assets) }
    }

    private mutating func add(_ node: Node, scale: Double, _ assets: inout SceneAssets) {
        switch node {
        case .shape(let shape): add(shape, scale)
        case .group(let group): add(group, scale, &assets)
        case .image(let image):
            letter("i")
            add(Double(assets.index(of: image, scale: scale)), bits: 0)
            add(image.frame, scale)
        case .text(let text):
            letter("x")
            add(Double(assets.index(of: text)), bits: 0)
            add(text.frame, scale)
            length(text.fontSize, scale)
            add(text.color)
        }
    }

    private mutating func add(_ group: Group, _ scale: Double, _ assets: inout SceneAssets) {
        guard group.opacity > 0 else { return }
        letter("G")
        let transform = group.transform
        if transform != .identity {
            letter("t")
            // An error of a coefficient grows with the distance from the origin.
            let reach = Node.bounds(of: group.nodes).map { $0.corners.reduce(0) { max($0, abs($1.x), abs($1.y)) } }
            let bits = Self.bits(scale * max(1, reach ?? 1))
            for coefficient in [transform.a, transform.b, transform.c, transform.d] { add(coefficient, bits: bits) }
            add(Point(transform.tx, transform.ty), scale)
        }
        let inner = scale * max(hypot(transform.a, transform.b), hypot(transform.c, transform.d))
        if let clip = group.clip {
            letter("k")
            add(clip, inner)
            letter("K")
        }
        if group.blendMode != .normal {
            letter("b")
            letters.append(UInt8(ascii: "a") + UInt8(BlendMode.allCases.firstIndex(of: group.blendMode) ?? 0))
        }
        if group.opacity < 1 {
            letter("o")
            add(group.opacity, bits: 12)
        } else if group.isLayer {
            letter("y")
        }
        if let mask = group.mask {
            letter(mask.isInverted ? "W" : "M")
            for node in mask.nodes { add(node, scale: inner, &assets) }
            letter("E")
        }
        for node in group.nodes { add(node, scale: inner, &assets) }
        letter("E")
    }

    private mutating func add(_ shape: Shape, _ scale: Double) {
        if let fill = shape.fill { add(shape.path, filledWith: fill, rule: shape.fillRule, scale) }
        guard let stroke = shape.stroke, stroke.start < stroke.end else { return }
        let isTrimmed = stroke.start > 0 || stroke.end < 1
        let path = isTrimmed ? PathMeasure(shape.path).trimmed(from: stroke.start, to: stroke.end) : shape.path
        // As the rasterizer does it, and since browsers leave streaks where a line's own edges overlap in its bends.
        let dash = stroke.visibleDash
        if dash == nil, let outline = ArcOutline.stroke(along: path, width: stroke.width, cap: stroke.cap) {
            return add(outline, filledWith: stroke.paint, scale)
        }
        if isTrimmed || shape.fill == nil { add(path, scale) }
        letter("S")
        letter(stroke.cap == .butt ? "b" : stroke.cap == .round ? "r" : "s")
        letter(stroke.join == .miter ? "m" : stroke.join == .round ? "r" : "b")
        if stroke.miterLimit != 10 {
            letter("L")
            add(stroke.miterLimit, bits: 8)
        }
        if let dash {
            letter("d")
            for piece in dash.lengths {
                letter("s")
                length(piece, scale)
            }
            letter(".")
            length(dash.phase, scale)
        }
        length(stroke.width, scale)
        add(stroke.paint, scale)
    }

    private mutating func add(_ path: Path, filledWith paint: Paint, rule: FillRule = .nonZero, _ scale: Double) {
        add(path, scale)
        letter(rule == .evenOdd ? "f" : "F")
        add(paint, scale)
    }

    // MARK: Paths

    private mutating func add(_ path: Path, _ scale: Double) {
        letter("p")
        for element in path.elements {
            switch element {
            case .move(let point): add("m", [point], scale)
            case .line(let point): add("l", [point], scale)
            case .quadratic(let control, let end): add("q", [control, end], scale)
            case .cubic(let control1, let control2, let end): add("c", [control1, control2, end], scale)
            case .arc(let center, let radius, let start, let end):
                addArc(center, max(0, radius), from: start, to: end, scale)
            case .close: letter("z")
            }
        }
    }

    private mutating func add(_ name: Unicode.Scalar, _ points: [Point], _ scale: Double) {
        letter(name)
        for point in points { add(point, scale) }
    }

    private mutating func addArc(
        _ center: Point, _ radius: Double, from start: Double, to end: Double, _ scale: Double
    ) {
        let isWhole = abs(abs(end - start) - 2 * .pi) < 1e-9
        letter(end >= start ? (isWhole ? "o" : "a") : (isWhole ? "u" : "b"))
        add(center, scale)
        length(radius, scale)
        let bits = Self.bits(scale * max(1, radius))
        add(start, bits: bits)
        if !isWhole { add(end, bits: bits) }
    }

    // MARK: Paint

    private mutating func add(_ paint: Paint, _ scale: Double) {
        switch paint {
        case .color(let color): addPlain(color)
        case .linearGradient(let gradient):
            guard gradient.start != gradient.end else { return addPlain(gradient.stops.last?.color) }
            letter("1")
            add(gradient.start, scale)
            add(gradient.end, scale)
            add(gradient.stops)
        case .radialGradient(let gradient):
            guard gradient.radius > 0 else { return addPlain(gradient.stops.last?.color) }
            letter("2")
            add(gradient.reachableFocus, scale)
            add(gradient.center, scale)
            length(gradient.radius, scale)
            add(gradient.stops)
        }
    }

    /// One colour; without one nothing is seen.
    private mutating func addPlain(_ color: Color?) {
        letter("0")
        add(color ?? Color.black.opacity(0))
    }

    private mutating func add(_ stops: [GradientStop]) {
        for stop in stops.placed {
            letter("s")
            add(stop.offset, bits: 16)
            add(stop.color)
        }
        letter(".")
    }

    // MARK: Numbers

    private mutating func letter(_ letter: Unicode.Scalar) { letters.append(UInt8(ascii: letter)) }

    private mutating func add(_ value: Double, bits: Int) { quantities.append(Quantity(value: value, bits: bits)) }

    private mutating func add(_ point: Point, _ scale: Double) {
        length(point.x, scale)
        length(point.y, scale)
    }

    private mutating func add(_ rect: Rect, _ scale: Double) {
        for side in [rect.x, rect.y, rect.width, rect.height] { length(side, scale) }
    }

    private mutating func length(_ value: Double, _ scale: Double) { add(value, bits: Self.bits(scale)) }

    /// Red, green and blue in 0...255, then alpha in 0...1.
    private mutating func add(_ color: Color) {
        for component in [color.red, color.green, color.blue] { add(component * 255, bits: 0) }
        add(color.alpha, bits: 12)
    }

    /// The places for lengths of which one is seen so many points long.
    private static func bits(_ scale: Double) -> Int {
        scale > 1 && scale.isFinite ? lengthBits + Int(log2(scale).rounded(.up)) : lengthBits
    }
}
