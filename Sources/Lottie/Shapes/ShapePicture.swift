import Motion
import PathOperations
import Platform
import Scene

/// The nodes of a shape layer at one frame.
///
/// Items go from the top to the bottom. A style paints all the paths above it in its group, those of groups in it included; a
/// modifier changes the same paths, whether a style stands between or not. So first the paths and who paints them are
/// collected, and drawn when all modifiers have had their turn.
struct ShapePicture {
    /// A path that styles and modifiers refer to, in the coordinates of its group.
    struct Outline {
        var contours: [Contour]
    }

    /// A path as a group above its own sees it.
    struct Placed {
        var outline: Int
        var transform: AffineTransform
    }

    /// What is to be drawn, first what is on top.
    private indirect enum Draft {
        case style(ShapeStyle, [Placed])
        case group([Draft], AffineTransform, opacity: Double, BlendMode)
    }

    let frame: Double
    let rate: Double
    var outlines: [Outline] = []

    /// What operations on its paths, and on those of other layers, may take.
    let effort: PathEffort

    init(at frame: Double, rate: Double, effort: PathEffort) {
        (self.frame, self.rate, self.effort) = (frame, rate, effort)
    }

    func value<Value>(_ property: Property<Value>) -> Value { property.value(at: frame, rate: rate) }

    /// What a layer's contents look like, back to front.
    mutating func nodes(of group: ShapeGroup) -> [Node] {
        let (drafts, _) = collect(group.items[...])
        return nodes(of: drafts)
    }

    /// The paths of items that nothing paints, as letters are.
    mutating func outline(of group: ShapeGroup) -> Path {
        let (_, placed) = collect(group.items[...])
        return path(of: placed)
    }

    private func path(of placed: [Placed]) -> Path {
        var path = Path()
        for place in placed {
            for contour in outlines[place.outline].contours {
                contour.transformed(by: place.transform).add(to: &path)
            }
        }
        return path
    }

    // MARK: Paths

    private mutating func collect(_ items: ArraySlice<ShapeItem>) -> (drafts: [Draft], placed: [Placed]) {
        var (drafts, placed): ([Draft], [Placed]) = ([], [])
        for (index, item) in zip(items.indices, items) {
            switch item {
            case .path(let path, let isReversed): add(value(path), isReversed, to: &placed)
            case .primitive(let shape, let isReversed):
                add(shape.contour(at: frame, rate: rate), isReversed, to: &placed)
            case .group(let group):
                let matrix = group.transform.matrix(at: frame, rate: rate)
                let opacity = group.transform.opacity(at: frame, rate: rate)
                add(group.items[...], matrix, opacity, group.blendMode, &drafts, &placed)
            case .style(let style): drafts.append(.style(style, placed))
            case .modifier(let modifier): apply(modifier, to: &placed)
            case .repeater(let repeater): (drafts, placed) = copies(of: items[..<index], by: repeater)
            }
        }
        return (drafts, placed)
    }

    private mutating func add(_ contour: Contour, _ isReversed: Bool, to placed: inout [Placed]) {
        placed.append(Placed(outline: outlines.count, transform: .identity))
        outlines.append(Outline(contours: [isReversed ? contour.reversed : contour]))
    }

    private mutating func add(
        _ items: ArraySlice<ShapeItem>, _ matrix: AffineTransform, _ opacity: Double, _ blendMode: BlendMode,
        _ drafts: inout [Draft], _ placed: inout [Placed]
    ) {
        let inner = collect(items)
        if !inner.drafts.isEmpty { drafts.append(.group(inner.drafts, matrix, opacity: opacity, blendMode)) }
        placed += inner.placed.map { Placed(outline: $0.outline, transform: $0.transform.then(matrix)) }
    }

    /// What a repeater makes of the items above it.
    private mutating func copies(
        of items: ArraySlice<ShapeItem>, by repeater: Repeater
    ) -> (drafts: [Draft], placed: [Placed]) {
        var (drafts, placed): ([Draft], [Placed]) = ([], [])
        let count = Int(min(max(value(repeater.copies), 0), Double(LottieLimits.mostCopies)).rounded(.up))
        let (first, last) = (value(repeater.startOpacity) / 100, value(repeater.endOpacity) / 100)
        let offset = value(repeater.offset)
        for copy in repeater.isAbove ? Array((0..<count).reversed()) : Array(0..<count) {
            let matrix = repeater.transform.repeated(Double(copy) + offset, at: frame, rate: rate)
            // A scale of nothing has no power below 0.
            guard matrix.isFinite else { continue }
            let opacity = lerp(first, last, count > 1 ? Double(copy) / Double(count - 1) : 0)
            add(items, matrix, clamp01(opacity), .normal, &drafts, &placed)
        }
        return (drafts, placed)
    }

    // MARK: Nodes

    private func nodes(of drafts: [Draft]) -> [Node] {
        drafts.reversed().flatMap { draft -> [Node] in
            switch draft {
            case .style(let style, let placed): node(of: style, placed).map { [$0] } ?? []
            case .group(let drafts, let matrix, let opacity, let blendMode):
                Group.nodes(
                    nodes(of: drafts), transform: matrix, opacity: opacity, blendMode: blendMode)
            }
        }
    }

    private func node(of style: ShapeStyle, _ placed: [Placed]) -> Node? {
        let opacity = clamp01(value(style.opacity) / 100)
        let path = path(of: placed)
        guard opacity > 0, !path.elements.isEmpty else { return nil }
        let paint = paint(style.paint, opacity)
        guard let line = style.line else {
            return blended(Shape(path, fill: paint, fillRule: style.fillRule), style.blendMode)
        }
        let width = value(line.width)
        guard width > 0 else { return nil }
        var stroke = Stroke(
            paint, width: width, cap: line.cap, join: line.join, miterLimit: max(1, value(line.miterLimit)))
        if !line.dashes.isEmpty {
            stroke.dash = Stroke.Dash(line.dashes.map { max(0, value($0)) }, phase: value(line.dashOffset))
        }
        return blended(Shape(path, stroke: stroke), style.blendMode)
    }

    private func paint(_ paint: ShapeStyle.Paint, _ opacity: Double) -> Paint {
        switch paint {
        case .color(let color):
            let parts = value(color).map(clamp01)
            return .color(Color(red: parts[0], green: parts[1], blue: parts[2], alpha: opacity))
        case .gradient(let gradient): return gradient.paint(at: frame, rate: rate, opacity: opacity)
        }
    }

    private func blended(_ shape: Shape, _ mode: BlendMode) -> Node {
        mode == .normal ? .shape(shape) : .group(Group(nodes: [.shape(shape)], blendMode: mode))
    }
}

extension LayerTransform {
    /// A repeater's transform carried out so many times, parts of a time included.
    fileprivate func repeated(_ times: Double, at frame: Double, rate: Double) -> AffineTransform {
        let anchor = anchor.value(at: frame, rate: rate)
        let scale = scale.value(at: frame, rate: rate)
        // A mirrored scale has no power between whole numbers: it is mirrored at odd ones.
        func power(_ base: Double) -> Double {
            base < 0 ? pow(-base, times) * (Int(times.rounded(.down)) % 2 == 0 ? 1 : -1) : pow(base, times)
        }
        let growth = AffineTransform(a: power(scale.x / 100), b: 0, c: 0, d: power(scale.y / 100), tx: 0, ty: 0)
        let turn = AffineTransform.rotation(rotation.value(at: frame, rate: rate) * .pi / 180 * times)
        return growth.then(turn).about(anchor).then(.translation(position(at: frame, rate: rate) * times))
    }
}

extension Group {
    /// Nodes placed and faded together, without a group where none is needed.
    static func nodes(
        _ nodes: [Node], transform: AffineTransform, opacity: Double, blendMode: BlendMode = .normal
    ) -> [Node] {
        guard opacity > 0, !nodes.isEmpty else { return [] }
        var group = Group(transform: transform, opacity: opacity, nodes: nodes, blendMode: blendMode)
        if opacity < 1, nodes.count == 1, case .shape(let shape) = nodes[0], shape.fill == nil || shape.stroke == nil {
            // One area or line fades by its colour: the same picture without a layer.
            group.nodes = [.shape(shape.faded(by: opacity))]
            group.opacity = 1
        }
        let isPlain = group.transform == .identity && group.opacity == 1 && blendMode == .normal
        return isPlain ? group.nodes : [.group(group)]
    }
}

extension Shape {
    fileprivate func faded(by opacity: Double) -> Shape {
        var shape = self
        shape.fill = fill?.faded(by: opacity)
        if let stroke { shape.stroke?.paint = stroke.paint.faded(by: opacity) }
        return shape
    }
}

extension Paint {
    fileprivate func faded(by opacity: Double) -> Paint {
        func faded(_ stops: [GradientStop]) -> [GradientStop] {
            stops.map { GradientStop($0.offset, $0.color.opacity($0.color.alpha * opacity)) }
        }
        switch self {
        case .color(let color): return .color(color.opacity(color.alpha * opacity))
        case .linearGradient(var gradient):
            gradient.stops = faded(gradient.stops)
            return .linearGradient(gradient)
        case .radialGradient(var gradient):
            gradient.stops = faded(gradient.stops)
            return .radialGradient(gradient)
        }
    }
}
