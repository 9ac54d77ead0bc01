import Core
import Raster

/// A display list as a string of one-character opcodes and a list of their numeric operands.
///
/// Each opcode takes its operands in the order below:
///
///     p                   begins a path; m x y, l x y, q x y x y, c x y x y x y and z as in SVG
///     a, b                an arc, with increasing (a) or decreasing (b) angles: centre, radius,
///                         start and end angle
///     o, u                a full circle, drawn like a and b: centre, radius, start angle
///     F paint             fills the path by the nonzero rule; paint is one of
///                         0           a colour
///                         1 s... .    a linear gradient: start, end; an s for each stop
///                         2 s... .    a radial gradient: focus, centre, radius; an s for each stop
///                         3 s... .    a conic gradient: start angle, centre; an s for each stop
///     f paint             fills the path by the even-odd rule
///     S cap join [L] [d s... .] paint
///                         strokes the path: miter limit, dash lengths and phase, width, paint
///     G [t] [k path K] [b mode] [o|y [M|W ... E]] ... E
///                         a group: transform, clip, blend mode (a character), layer with an
///                         opacity (o) or opaque (y), mask (M) or inverted mask (W), contents
///     i, x                an image or a text: its index and frame; of a text also the font size
///                         and colour
struct SceneCode {
    /// An operand and the number of its significant fractional bits.
    struct Quantity {
        var value: Double
        var bits: Int
    }

    private(set) var opcodes: [UInt8] = []
    private(set) var quantities: [Quantity] = []

    /// The fractional bits of a length in points on the canvas: an error of at most 1/2048 point.
    private static let lengthBits = 10
    /// The fractional bits of the angle of a conic gradient in radians: an error of at most 1/128
    /// point at a distance of 256 points.
    private static let angleBits = 14

    /// Encodes a display list. Its bitmaps and texts are added to `assets`.
    init(_ nodes: [Node], assets: inout SceneAssets) {
        for node in nodes { add(node, scale: 1, &assets) }
    }

    private mutating func add(_ node: Node, scale: Double, _ assets: inout SceneAssets) {
        switch node {
        case .shape(let shape): add(shape, scale)
        case .group(let group): add(group, scale, &assets)
        case .image(let image):
            emit("i")
            add(Double(assets.index(of: image, scale: scale)), bits: 0)
            add(image.frame, scale)
        case .text(let text):
            emit("x")
            add(Double(assets.index(of: text)), bits: 0)
            add(text.frame, scale)
            length(text.fontSize, scale)
            add(text.color)
        }
    }

    private mutating func add(_ group: Group, _ scale: Double, _ assets: inout SceneAssets) {
        guard group.opacity > 0 else { return }
        emit("G")
        let transform = group.transform
        if transform != .identity {
            emit("t")
            // The error of a coefficient is multiplied by the distance from the origin.
            let reach = Node.bounds(of: group.nodes).map { $0.corners.reduce(0) { max($0, abs($1.x), abs($1.y)) } }
            let bits = Self.bits(scale * max(1, reach ?? 1))
            for coefficient in [transform.a, transform.b, transform.c, transform.d] { add(coefficient, bits: bits) }
            add(Point(transform.tx, transform.ty), scale)
        }
        let inner = scale * transform.scales.larger
        if let clip = group.clip {
            emit("k")
            add(clip, inner)
            emit("K")
        }
        if group.blendMode != .normal {
            emit("b")
            opcodes.append(UInt8(ascii: "a") + UInt8(BlendMode.allCases.firstIndex(of: group.blendMode) ?? 0))
        }
        if group.opacity < 1 {
            emit("o")
            add(group.opacity, bits: 12)
        } else if group.needsFlattening {
            emit("y")
        }
        if let mask = group.mask {
            emit(mask.isInverted ? "W" : "M")
            for node in mask.nodes { add(node, scale: inner, &assets) }
            emit("E")
        }
        for node in group.nodes { add(node, scale: inner, &assets) }
        emit("E")
    }

    private mutating func add(_ shape: Shape, _ scale: Double) {
        if let fill = shape.fill { add(shape.path, filledWith: fill, rule: shape.fillRule, scale) }
        guard let stroke = shape.stroke, let path = stroke.visiblePart(of: shape.path) else { return }
        // Fills the outline, as the rasterizer does: browsers leave streaks where the edges of a
        // curved stroke overlap.
        let dash = stroke.visibleDash
        if dash == nil, let outline = ArcOutline.stroke(along: path, width: stroke.width, cap: stroke.cap) {
            return add(outline, filledWith: stroke.paint, scale)
        }
        if stroke.isTrimmed || shape.fill == nil { add(path, scale) }
        emit("S")
        emit(stroke.cap == .butt ? "b" : stroke.cap == .round ? "r" : "s")
        emit(stroke.join == .miter ? "m" : stroke.join == .round ? "r" : "b")
        if stroke.miterLimit != 10 {
            emit("L")
            add(stroke.miterLimit, bits: 8)
        }
        if let dash {
            emit("d")
            for piece in dash.lengths {
                emit("s")
                length(piece, scale)
            }
            emit(".")
            length(dash.phase, scale)
        }
        length(stroke.width, scale)
        add(stroke.paint, scale)
    }

    private mutating func add(_ path: Path, filledWith paint: Paint, rule: FillRule = .nonZero, _ scale: Double) {
        add(path, scale)
        emit(rule == .evenOdd ? "f" : "F")
        add(paint, scale)
    }

    // MARK: Paths

    private mutating func add(_ path: Path, _ scale: Double) {
        emit("p")
        for element in path.elements {
            switch element {
            case .move(let point): add("m", [point], scale)
            case .line(let point): add("l", [point], scale)
            case .quadratic(let control, let end): add("q", [control, end], scale)
            case .cubic(let control1, let control2, let end): add("c", [control1, control2, end], scale)
            case .arc(let center, let radius, let start, let end):
                addArc(center, max(0, radius), from: start, to: end, scale)
            case .close: emit("z")
            }
        }
    }

    private mutating func add(_ opcode: Unicode.Scalar, _ points: [Point], _ scale: Double) {
        emit(opcode)
        for point in points { add(point, scale) }
    }

    private mutating func addArc(
        _ center: Point, _ radius: Double, from start: Double, to end: Double, _ scale: Double
    ) {
        let isWhole = abs(abs(end - start) - 2 * .pi) < 1e-9
        emit(end >= start ? (isWhole ? "o" : "a") : (isWhole ? "u" : "b"))
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
            emit("1")
            add(gradient.start, scale)
            add(gradient.end, scale)
            add(gradient.stops)
        case .radialGradient(let gradient):
            guard gradient.radius > 0 else { return addPlain(gradient.stops.last?.color) }
            emit("2")
            add(gradient.effectiveFocus, scale)
            add(gradient.center, scale)
            length(gradient.radius, scale)
            add(gradient.stops)
        case .conicGradient(let gradient):
            guard !gradient.stops.isEmpty else { return addPlain(nil) }
            emit("3")
            add(gradient.startAngle, bits: Self.angleBits)
            add(gradient.center, scale)
            add(gradient.stops)
        }
    }

    /// Adds a plain colour; nil is transparent.
    private mutating func addPlain(_ color: Color?) {
        emit("0")
        add(color ?? Color.black.opacity(0))
    }

    private mutating func add(_ stops: [GradientStop]) {
        for stop in stops.normalized {
            emit("s")
            add(stop.offset, bits: 16)
            add(stop.color)
        }
        emit(".")
    }

    // MARK: Numbers

    private mutating func emit(_ opcode: Unicode.Scalar) { opcodes.append(UInt8(ascii: opcode)) }

    private mutating func add(_ value: Double, bits: Int) { quantities.append(Quantity(value: value, bits: bits)) }

    private mutating func add(_ point: Point, _ scale: Double) {
        length(point.x, scale)
        length(point.y, scale)
    }

    private mutating func add(_ rect: Rect, _ scale: Double) {
        for side in [rect.x, rect.y, rect.width, rect.height] { length(side, scale) }
    }

    private mutating func length(_ value: Double, _ scale: Double) { add(value, bits: Self.bits(scale)) }

    /// Adds red, green and blue in 0...255, then alpha in 0...1.
    private mutating func add(_ color: Color) {
        for component in [color.red, color.green, color.blue] { add(component * 255, bits: 0) }
        add(color.alpha, bits: 12)
    }

    /// Returns the fractional bits of lengths inside transforms with a scale.
    private static func bits(_ scale: Double) -> Int {
        scale > 1 && scale.isFinite ? lengthBits + Int(log2(scale).rounded(.up)) : lengthBits
    }
}
