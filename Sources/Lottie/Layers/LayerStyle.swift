import Core

/// A layer style, as in Photoshop: a shadow, a glow, an outline or an overlay.
struct LayerStyle: Sendable {
    /// The kinds by their type (`ty`).
    enum Kind: Int, Sendable {
        case stroke = 0
        case dropShadow = 1
        case innerShadow = 2
        case outerGlow = 3
        case innerGlow = 4
        case colorOverlay = 7
        case gradientOverlay = 8
    }

    let kind: Kind
    fileprivate let blendMode: BlendMode
    fileprivate let color: Property<[Double]>
    /// The opacity in percent.
    fileprivate let opacity: Property<Double>
    /// The direction that light comes from, or the direction of a gradient, in degrees
    /// anticlockwise from the x axis.
    fileprivate let angle: Property<Double>
    fileprivate let distance: Property<Double>
    fileprivate let size: Property<Double>
    /// The share of the size that is solid, in percent.
    fileprivate let choke: Property<Double>
    fileprivate let gradient: GradientOverlay?

    /// The stops and the shape of a Gradient Overlay.
    fileprivate struct GradientOverlay: Sendable {
        var stops: Property<[Double]>
        var colorCount: Int
        var isRadial: Bool
        var isReversed: Property<Double>
        /// The length in percent of the contents' size.
        var scale: Property<Double>
        /// The offset in percent of the contents' size.
        var offset: Property<Point>
    }

    /// The stops of a Gradient Overlay; nil for other styles.
    var stops: Property<[Double]>? { gradient?.stops }

    /// True if the style draws the contents a second time.
    var drawsContents: Bool { kind != .colorOverlay && kind != .gradientOverlay }

    /// The values of a style at a frame.
    struct Values {
        fileprivate let style: LayerStyle
        fileprivate let frame: Double
        fileprivate let context: FrameContext

        fileprivate func number(_ property: Property<Double>) -> Double { property.value(at: frame, in: context) }
    }

    func values(at frame: Double, in context: FrameContext) -> Values {
        Values(style: self, frame: frame, context: context)
    }
}

extension LayerStyle {
    /// Reads the styles of a layer. Reports other styles and settings as unsupported.
    static func all(reading layer: Field) throws -> [LayerStyle] {
        var styles: [LayerStyle] = []
        for field in layer["sy"]?.items ?? [] where try field.number("en", or: 1) != 0 {
            guard let kind = Kind(rawValue: try field.integer("ty") ?? -1) else {
                field.reportUnsupported("a layer style\(field.name)")
                continue
            }
            styles.append(try LayerStyle(kind, reading: field))
            layer.context.noteFeature("layer styles")
        }
        return styles
    }

    private init(_ kind: Kind, reading field: Field) throws {
        self.kind = kind
        let isOverlay = kind == .colorOverlay
        color = try field.property("c", or: [0, 0, 0])
        guard color.keyValues.allSatisfy({ $0.count >= 3 }) else {
            throw field.error("expected a colour of three numbers (c)")
        }
        opacity = try field.property(isOverlay ? "so" : "o", or: 100)
        angle = try field.property("a", or: kind == .gradientOverlay ? 90 : 120)
        distance = try field.property("d", or: 0)
        size = try field.property("s", or: 0)
        choke = try field.property("ch", or: 0)
        let mode: Property<Double> = try field.property("bm", or: 1)
        blendMode = BlendMode(styleMode: mode.initial) ?? .normal
        if BlendMode(styleMode: mode.initial) == nil || !mode.isConstant {
            field["bm"]?.reportUnsupported("the blend mode of a layer style\(field.name)")
        }
        let noise: Property<Double> = try field.property("no", or: 0)
        if !noise.isConstant || noise.initial != 0 {
            field["no"]?.reportUnsupported("the noise of a layer style\(field.name)")
        }
        gradient = try kind == .gradientOverlay ? GradientOverlay(reading: field) : nil
    }
}

extension LayerStyle.GradientOverlay {
    fileprivate init(reading field: Field) throws {
        (stops, colorCount) = try GradientModel.stops(reading: field, "gf")
        let type: Property<Double> = try field.property("gt", or: 1)
        let kind = type.initial.rounded()
        isRadial = kind == 2
        if !type.isConstant || !(1...2).contains(kind) {
            field["gt"]?.reportUnsupported("a gradient overlay that is neither linear nor radial")
        }
        isReversed = try field.property("re", or: 0)
        scale = try field.property("s", or: 100)
        offset = try field.property("of", or: .zero)
    }
}

// Drawing.
extension LayerStyle.Values {
    /// Returns nodes with the styles of a layer, in Photoshop's order from back to front.
    static func apply(_ styles: [LayerStyle.Values], to nodes: [Node]) -> [Node] {
        guard !nodes.isEmpty else { return [] }
        func all(_ kind: LayerStyle.Kind) -> [LayerStyle.Values] { styles.filter { $0.style.kind == kind } }
        let back = [LayerStyle.Kind.dropShadow, .outerGlow, .stroke].flatMap(all)
        let overlays = [LayerStyle.Kind.gradientOverlay, .colorOverlay].flatMap(all)
        let front = [LayerStyle.Kind.innerGlow, .innerShadow].flatMap(all)
        let filters = overlays.compactMap { $0.overlay(of: nodes) }
        let contents = filters.isEmpty ? nodes : [.group(Group(nodes: nodes, effects: filters))]
        return back.map { $0.outside(of: nodes) } + contents + front.map { $0.inside(of: nodes) }
    }

    private var color: Color {
        let components = style.color.value(at: frame, in: context).map(clamp01)
        return Color(red: components[0], green: components[1], blue: components[2])
            .opacity(clamp01(number(style.opacity) / 100))
    }

    /// The size is the width of the blurred edge, two standard deviations.
    private var size: (choke: Double, radius: Double) {
        let size = max(0, number(style.size))
        let choke = clamp01(number(style.choke) / 100)
        return (size * choke, size * (1 - choke) / 2)
    }

    /// The offset of a shadow, away from the light.
    private var offset: Point {
        guard style.kind == .dropShadow || style.kind == .innerShadow else { return .zero }
        let angle = number(style.angle) * .pi / 180
        let distance = number(style.distance)
        return Point(-cos(angle) * distance, sin(angle) * distance)
    }

    private func outside(of nodes: [Node]) -> Node {
        guard style.kind != .stroke else {
            let width = max(0, number(style.size))
            let effects: [Effect] = [.grow(width), .fill(color.opacity(1), amount: 1)]
            let outline = Node.group(Group(nodes: nodes, effects: effects))
            return .group(Group(opacity: color.alpha, nodes: [outline], blendMode: style.blendMode))
        }
        let (choke, radius) = size
        let shadow = Effect.shadow(color, offset: offset, radius: radius, isShadowOnly: true)
        let effects = choke > 0 ? [.grow(choke), shadow] : [shadow]
        return .group(Group(nodes: nodes, blendMode: style.blendMode, effects: effects))
    }

    private func inside(of nodes: [Node]) -> Node {
        let (choke, radius) = size
        let shade = Effect.innerShadow(color, offset: offset, choke: choke, radius: radius)
        return .group(Group(nodes: nodes, blendMode: style.blendMode, effects: [shade]))
    }

    private func overlay(of nodes: [Node]) -> Effect? {
        guard let gradient = style.gradient else {
            return .paint(.color(color.opacity(1)), opacity: color.alpha, style.blendMode)
        }
        guard let bounds = Node.tightBounds(of: nodes) else { return nil }
        var stops = GradientModel.stops(
            gradient.stops.value(at: frame, in: context), colorCount: gradient.colorCount, opacity: 1)
        if number(gradient.isReversed) != 0 {
            stops = stops.reversed().map { GradientStop(1 - $0.offset, $0.color) }
        }
        let angle = number(style.angle) * .pi / 180
        let direction = Point(cos(angle), -sin(angle))
        let scale = number(gradient.scale) / 100
        let offset = gradient.offset.value(at: frame, in: context)
        let center = bounds.center + Point(offset.x * bounds.width / 100, offset.y * bounds.height / 100)
        // The gradient spans the contents along its direction.
        let length = (abs(direction.x) * bounds.width + abs(direction.y) * bounds.height) * scale
        let half = direction * (length / 2)
        let paint: Paint =
            gradient.isRadial
            ? .radialGradient(RadialGradient(center: center, radius: abs(length) / 2, stops: stops))
            : .linearGradient(LinearGradient(from: center - half, to: center + half, stops: stops))
        return .paint(paint, opacity: color.alpha, style.blendMode)
    }
}

extension BlendMode {
    /// The mode with an index in the menu of a layer style, in which lines separate groups; nil for
    /// modes that are not drawn.
    fileprivate init?(styleMode index: Double) {
        let modes: [Int: BlendMode] = [
            1: .normal, 4: .darken, 5: .multiply, 6: .colorBurn, 10: .lighten, 11: .screen, 12: .colorDodge, 13: .add,
            16: .overlay, 17: .softLight, 18: .hardLight, 24: .difference, 25: .exclusion, 27: .hue, 28: .saturation,
            29: .color, 30: .luminosity,
        ]
        guard let mode = modes[Int(index.rounded())] else { return nil }
        self = mode
    }
}
