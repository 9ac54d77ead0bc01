import Core

// Effects at a frame, as filters of pixels or as changes of nodes.
extension LayerEffect.Values {
    /// Returns nodes with the effects of a layer.
    ///
    /// - Parameters:
    ///   - fromComposition: the transform from the composition to the layer.
    ///   - area: the area of the layer.
    static func apply(
        _ effects: [LayerEffect.Values], to nodes: [Node], fromComposition: AffineTransform, in area: Path
    ) -> [Node] {
        var nodes = nodes
        var filters: [Effect] = []
        func flush() {
            if !filters.isEmpty, !nodes.isEmpty { nodes = [.group(Group(nodes: nodes, effects: filters))] }
            filters = []
        }
        for effect in effects {
            let map = effect.effect.isInComposition ? fromComposition : .identity
            if let found = effect.filters(map) {
                filters += found
            } else {
                flush()
                nodes = effect.changed(nodes, map, area)
            }
        }
        flush()
        return nodes
    }

    /// The standard deviation in points for a blurriness of 1, as in other Lottie players.
    static let blurDeviation = 0.3
    /// The standard deviation in points for a shadow's softness of 1, as in other Lottie players.
    static let softnessDeviation = 0.25

    /// Returns the effect as filters; nil if it changes nodes.
    ///
    /// - Parameter map: the transform of points to the layer's coordinates.
    private func filters(_ map: AffineTransform) -> [Effect]? {
        switch effect.kind {
        case .fill: return fillOpacity == 1 ? [.fill(color(2), amount: 1)] : nil
        case .tint:
            return [.tint(black: color(0), white: color(1), amount: clamp01(number(2, or: 100) / 100))]
        case .tritone:
            return [
                .tritone(shadows: color(2), midtones: color(1), highlights: color(0), amount: 1 - share(3))
            ]
        case .dropShadow: return [shadow]
        case .gaussianBlur:
            let deviation = max(0, number(0)) * Self.blurDeviation
            return [.blur(directed(deviation, number(1, or: 1)))]
        case .boxBlur:
            let iterations = Int(min(max(number(1, or: 1), 1), 50).rounded())
            return [.boxBlur(radius: directed(max(0, number(0)), number(2, or: 1)), iterations: iterations)]
        case .ramp: return [.paint(ramp(map), opacity: 1 - share(6), .normal)]
        case .fourColors:
            let corners = stride(from: 1, through: 7, by: 2).map { index in
                FourColorGradient.Corner(map.apply(point(index)), color(index + 1))
            }
            let gradient = FourColorGradient(corners, blend: clamp01(number(10, or: 100) / 100))
            let mode = BlendMode(effectMode: number(13, or: 1))
            return [.fourColors(gradient, opacity: clamp01(number(12, or: 100) / 100), mode)]
        case .choker: return [.grow(-number(1))]
        case .matteChoker: return matteChokes
        case .levels, .channelLevels, .brightness, .invert: return [.curves(curves)]
        case .hueSaturation: return [.hueSaturation(hueSaturation)]
        case .bulge: return bulge(map).map { [.bulge($0)] } ?? []
        case .crossBlur: return crossBlur.map { [$0] } ?? []
        case .stroke, .radialWipe, .transform, .directionalBlur, .slant, .circle, .echo, .motionBlur:
            return nil
        }
    }

    /// Returns the dimensions of a blur: 1 for both, 2 for horizontal and 3 for vertical.
    private func directed(_ length: Double, _ dimensions: Double) -> Size {
        let kind = dimensions.rounded()
        return Size(kind == 3 ? 0 : length, kind == 2 ? 0 : length)
    }

    /// Drop Shadow: a colour, an opacity in 0...255, a direction in degrees clockwise from 12
    /// o'clock, and a distance and softness in points.
    private var shadow: Effect {
        let angle = (number(2) - 90) * .pi / 180
        let offset = Point.zero.moved(by: number(3), towards: angle)
        let alpha = clamp01(number(1, or: 255) / 255)
        return .shadow(
            color(0).opacity(alpha), offset: offset, radius: max(0, number(4)) * Self.softnessDeviation,
            isShadowOnly: number(5) != 0)
    }

    /// Gradient Ramp: from the first point to the second, or around the first through the second.
    private func ramp(_ map: AffineTransform) -> Paint {
        let start = map.apply(point(0))
        let end = map.apply(point(2))
        let stops = [GradientStop(0, color(1)), GradientStop(1, color(3))]
        guard number(4, or: 1) == 2 else { return .linearGradient(LinearGradient(from: start, to: end, stops: stops)) }
        return .radialGradient(RadialGradient(center: start, radius: start.distance(to: end), stops: stops))
    }

    /// Matte Choker: two passes that move the edge by a share of the geometric softness, of which
    /// 127 is all.
    private var matteChokes: [Effect] {
        let passes = [(softness: 0, choke: 1), (3, 4)].map { max(0, number($0.softness)) * number($0.choke) / 127 }
        let iterations = Int(min(max(number(6, or: 1), 1), 50).rounded())
        let total = passes.reduce(0, +) * Double(iterations)
        return total == 0 ? [] : [.grow(-total)]
    }

    private var hueSaturation: HueSaturation {
        let isColorized = number(7) != 0
        // Hues are in degrees, the others in percent.
        return HueSaturation(
            hue: (isColorized ? number(8) : number(4)) / 360,
            saturation: min(max((isColorized ? number(9, or: 25) : number(5)) / 100, -1), 1),
            lightness: min(max((isColorized ? number(10) : number(6)) / 100, -1), 1), isColorized: isColorized)
    }

    // MARK: Changes of nodes

    /// Returns nodes with an effect that is not a filter.
    private func changed(_ nodes: [Node], _ map: AffineTransform, _ area: Path) -> [Node] {
        switch effect.kind {
        case .fill: filled(nodes)
        case .transform: Group.nodes(nodes, transform: transform, opacity: clamp01(number(8, or: 100) / 100))
        case .radialWipe: wiped(nodes, map)
        case .stroke: stroked(nodes)
        case .directionalBlur: directionallyBlurred(nodes, map)
        case .slant: slanted(nodes, map)
        case .circle: circled(nodes, map, in: area)
        default: nodes
        }
    }

    private var fillOpacity: Double { clamp01(number(6, or: 1)) }

    /// Fill: replaces the colours. Its opacity makes the layer transparent, as in other players.
    private func filled(_ nodes: [Node]) -> [Node] {
        guard !nodes.isEmpty else { return [] }
        let group = Group(nodes: nodes, effects: [.fill(color(2), amount: 1)])
        return Group.nodes([.group(group)], transform: .identity, opacity: fillOpacity)
    }

    /// Transform: the anchor point, position, scale, skew and rotation of the layer's contents.
    private var transform: AffineTransform {
        let height = number(3, or: 100) / 100
        let width = number(2) == 1 ? height : number(4, or: 100) / 100
        // lottie-web skews after the rotation, along an axis a right angle further.
        return AffineTransform.translation(point(0) * -1)
            .then(AffineTransform(a: width, b: 0, c: 0, d: height, tx: 0, ty: 0))
            .then(.rotation(number(7) * .pi / 180))
            .skewed(by: number(5), axis: number(6) + 90)
            .then(.translation(point(1)))
    }

    /// Radial Wipe: removes a sector from a start angle clockwise (1), counterclockwise (2) or both
    /// (3).
    private func wiped(_ nodes: [Node], _ map: AffineTransform) -> [Node] {
        let completion = share(0)
        guard completion > 0, let bounds = Node.bounds(of: nodes) else { return nodes }
        guard completion < 1 else { return [] }
        let center = map.apply(point(2))
        let sector = completion * 2 * .pi
        let start = (number(1) - 90) * .pi / 180
        let kind = number(3, or: 1).rounded()
        let first = kind == 2 ? start : kind == 3 ? start + sector / 2 : start + sector
        let feather = max(0, number(4)) * Self.softnessDeviation
        let corners = bounds.expanded(by: 2 + Effect.cutoffInDeviations * feather).corners
        let radius = 2 * (corners.map { $0.distance(to: center) }.max() ?? 0)
        var outline = [center]
        // Chords of an eighth of a turn stay outside of half the radius.
        for step in 0...8 {
            let angle = first + (2 * .pi - sector) * Double(step) / 8
            let direction = Point.zero.moved(by: 1, towards: angle)
            let turned = map.apply(direction) - map.apply(.zero)
            let length = turned.distance(to: .zero)
            guard length > 0 else { return nodes }
            outline.append(center + turned * (radius / length))
        }
        let path = Path.polygon(outline)
        guard feather > 0 else { return [.group(Group(clip: path, nodes: nodes))] }
        let shape = Node.shape(Shape(path, fill: Color.black))
        let soft = Node.group(Group(nodes: [shape], effects: [.blur(Size(feather, feather))]))
        return [.group(Group(nodes: nodes, mask: Mask([soft])))]
    }

    /// The maximum spacing of a stroke's dabs that look like a line, in percent of its width.
    private static let maxLineSpacing = 25.0

    /// Stroke: a line along masks, over the layer (1), alone (2), or as its matte (3).
    private func stroked(_ nodes: [Node]) -> [Node] {
        // Brush Size is a radius.
        let width = 2 * number(4, or: 2)
        guard width > 0 else { return nodes }
        let isAlongAllMasks = number(1) == 1
        let chosen = paths(at: isAlongAllMasks ? nil : Int(min(max(number(0, or: 1), 0), 1e6)) - 1)
        let style = number(10, or: 1).rounded()
        let color = style == 3 ? Color.black : color(3)
        let limits = [number(7), number(8, or: 100)].map { clamp01($0 / 100) }.sorted()
        var stroke = Stroke(.color(color), width: width, cap: .round, join: .round)
        let spacing = number(9, or: 15)
        if spacing > Self.maxLineSpacing { stroke.dash = Stroke.Dash([1, width * spacing / 100]) }
        // Each path has a shape of its own: Cairo leaves holes where the outlines of two strokes
        // that run in opposite directions overlap.
        let shapes = zip(chosen, trims(chosen, limits, isSequential: number(2) == 1)).map { path, trim in
            stroke.start = trim.start
            stroke.end = trim.end
            return Node.shape(Shape(path, stroke: stroke))
        }
        let lines = Group.nodes(shapes, transform: .identity, opacity: share(6, or: 1))
        switch style {
        case 2: return lines
        case 3: return nodes.isEmpty ? [] : [.group(Group(nodes: nodes, mask: Mask(lines)))]
        default: return nodes + lines
        }
    }
}

extension LayerEffect.Values {
    /// Returns the parts of paths between two fractions of their length, of each one or of all
    /// paths one after the other.
    private func trims(_ paths: [Path], _ limits: [Double], isSequential: Bool) -> [(start: Double, end: Double)] {
        let isWhole = limits[0] == 0 && limits[1] == 1
        guard isSequential, !isWhole else { return paths.map { _ in (limits[0], limits[1]) } }
        let lengths = paths.map { PathMeasure($0).length }
        let total = lengths.reduce(0, +)
        var position = 0.0
        return lengths.map { length in
            defer { position += length }
            guard length > 0 else { return (0, 0) }
            return (clamp01((limits[0] * total - position) / length), clamp01((limits[1] * total - position) / length))
        }
    }
}

extension BlendMode {
    /// The mode with an index in the menu of an effect's Blending Mode; None and Normal are normal.
    init(effectMode index: Double) {
        let modes: [BlendMode] = [
            .normal, .normal, .add, .multiply, .screen, .overlay, .softLight, .hardLight, .colorDodge, .colorBurn,
            .darken, .lighten, .difference, .exclusion, .hue, .saturation, .color, .luminosity,
        ]
        self = modes[Int(min(max(index.rounded(), 1), Double(modes.count))) - 1]
    }
}
