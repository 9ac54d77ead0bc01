import Core
import Raster

/// A renderer that converts the contents of a shape layer at one frame to nodes.
///
/// Items are processed from top to bottom. A style paints all paths above it in its group,
/// including those in nested groups. A modifier changes the same paths, even if a style lies in
/// between. So the paths and the operations that paint them are collected first, and the nodes are
/// made after all modifiers have been applied.
struct ShapeRenderer {
    /// The contours of a shape item, in the coordinates of its group. Styles and modifiers refer to
    /// them by index.
    struct PathSet {
        var contours: [BezierContour] { didSet { isConstant = false } }
        /// True for the path of an item that never changes, until a modifier changes it.
        private(set) var isConstant = false

        init(contours: [BezierContour], isConstant: Bool = false) {
            self.contours = contours
            self.isConstant = isConstant
        }
    }

    /// A reference to a path set from a group that contains it.
    struct PathReference {
        /// The index in `pathSets`.
        var index: Int
        /// The transform from the path set's group to the group that refers to it.
        var transform: AffineTransform
        /// True if both groups are the same.
        var isInGroup = false

        /// Returns a reference to another path set, by the index of this one.
        func referring(to indices: [Int: Int]) -> PathReference {
            var reference = self
            reference.index = indices[index] ?? index
            return reference
        }
    }

    /// An operation that paints paths. In lists, the first operation is the topmost.
    private indirect enum PaintOperation {
        case style(ShapeStyle, [PathReference])
        case group([PaintOperation], AffineTransform, opacity: Double, BlendMode)

        /// Returns the operation with other path sets, by the indices of its own.
        func referring(to indices: [Int: Int]) -> PaintOperation {
            switch self {
            case .style(let style, let references):
                return .style(style, references.map { $0.referring(to: indices) })
            case .group(let operations, let matrix, let opacity, let blendMode):
                return .group(operations.map { $0.referring(to: indices) }, matrix, opacity: opacity, blendMode)
            }
        }
    }

    /// The operations that paint items, and references to all their paths.
    private typealias Contents = (operations: [PaintOperation], references: [PathReference])

    let frame: Double
    let context: FrameContext
    var pathSets: [PathSet] = []

    /// The remaining time for path operations, shared by all layers of the frame.
    var pathBudget: WorkBudget { context.pathBudget }

    init(at frame: Double, in context: FrameContext) {
        self.frame = frame
        self.context = context
    }

    func value<Value>(_ property: Property<Value>) -> Value { property.value(at: frame, in: context) }

    /// Returns the nodes of a layer's contents, back to front.
    mutating func nodes(of group: ShapeGroup) -> [Node] {
        let (operations, _) = collect(group.items[...])
        return nodes(of: operations)
    }

    /// Returns the paths of a group without styles, such as a glyph (`chars`).
    mutating func outline(of group: ShapeGroup) -> Path {
        let (_, references) = collect(group.items[...])
        return path(of: references)
    }

    private func path(of references: [PathReference]) -> Path {
        var path = Path()
        for reference in references {
            for contour in pathSets[reference.index].contours {
                contour.transformed(by: reference.transform).add(to: &path)
            }
        }
        return path
    }

    // MARK: Paths

    /// Returns the operations that paint the items, and references to all their paths.
    private mutating func collect(_ items: ArraySlice<ShapeItem>) -> Contents {
        var operations: [PaintOperation] = []
        var references: [PathReference] = []
        for (index, item) in zip(items.indices, items) {
            switch item {
            case .path(let path, let isReversed):
                add(context.watchingChanges { value(path) }, isReversed, to: &references)
            case .primitive(let shape, let isReversed):
                let contour = context.watchingChanges { shape.contour(at: frame, in: context) }
                add(contour, isReversed, to: &references)
            case .group(let group):
                let matrix = group.transform.matrix(at: frame, in: context)
                let opacity = group.transform.opacity(at: frame, in: context)
                add(collect(group.items[...]), matrix, opacity, group.blendMode, &operations, &references)
            case .style(let style): operations.append(.style(style, references))
            case .modifier(let modifier):
                apply(modifier, to: &references, isTrimmedLater: items[(index + 1)...].contains(where: \.isTrim))
            case .repeater(let repeater): (operations, references) = copies(of: (operations, references), by: repeater)
            }
        }
        return (operations, references)
    }

    private mutating func add(
        _ contour: (value: BezierContour, isConstant: Bool), _ isReversed: Bool, to references: inout [PathReference]
    ) {
        let path = isReversed ? contour.value.reversed : contour.value
        references.append(PathReference(index: pathSets.count, transform: .identity, isInGroup: true))
        pathSets.append(PathSet(contours: [path], isConstant: contour.isConstant))
    }

    private mutating func add(
        _ inner: Contents, _ matrix: AffineTransform, _ opacity: Double, _ blendMode: BlendMode,
        _ operations: inout [PaintOperation], _ references: inout [PathReference]
    ) {
        if !inner.operations.isEmpty {
            operations.append(.group(inner.operations, matrix, opacity: opacity, blendMode))
        }
        references += inner.references.map { PathReference(index: $0.index, transform: $0.transform.then(matrix)) }
    }

    /// Returns the copies that a repeater makes of the contents above it.
    private mutating func copies(of contents: Contents, by repeater: Repeater) -> Contents {
        var operations: [PaintOperation] = []
        var references: [PathReference] = []
        let count = Int(min(max(value(repeater.copies), 0), Double(LottieLimits.maxCopies)).rounded(.up))
        let startOpacity = value(repeater.startOpacity) / 100
        let endOpacity = value(repeater.endOpacity) / 100
        let offset = value(repeater.offset)
        for copy in repeater.isAbove ? Array((0..<count).reversed()) : Array(0..<count) {
            let matrix = repeater.transform.repeated(Double(copy) + offset, at: frame, in: context)
            // A negative power of a scale of 0 is infinite.
            guard matrix.isFinite else { continue }
            let opacity = lerp(startOpacity, endOpacity, count > 1 ? Double(copy) / Double(count - 1) : 0)
            add(copied(contents), matrix, clamp01(opacity), .normal, &operations, &references)
        }
        return (operations, references)
    }

    /// Returns contents with path sets of their own, since a later modifier changes them in place.
    private mutating func copied(_ contents: Contents) -> Contents {
        var indices: [Int: Int] = [:]
        for reference in contents.references where indices[reference.index] == nil {
            indices[reference.index] = pathSets.count
            pathSets.append(pathSets[reference.index])
        }
        return (
            contents.operations.map { $0.referring(to: indices) },
            contents.references.map { $0.referring(to: indices) }
        )
    }

    // MARK: Nodes

    private func nodes(of operations: [PaintOperation]) -> [Node] {
        operations.reversed().flatMap { operation -> [Node] in
            switch operation {
            case .style(let style, let references): node(of: style, references).map { [$0] } ?? []
            case .group(let operations, let matrix, let opacity, let blendMode):
                Group.nodes(
                    nodes(of: operations), transform: matrix, opacity: opacity, blendMode: blendMode)
            }
        }
    }

    private func node(of style: ShapeStyle, _ references: [PathReference]) -> Node? {
        let opacity = clamp01(value(style.opacity) / 100)
        guard opacity > 0 else { return nil }
        // The items above a style in its group are always the same ones.
        let isConstant = references.allSatisfy { $0.isInGroup && pathSets[$0.index].isConstant }
        let path = isConstant ? style.constantPath.path { self.path(of: references) } : self.path(of: references)
        guard !path.elements.isEmpty else { return nil }
        let paint = paint(style.paint, opacity)
        guard let strokeStyle = style.stroke else {
            return blended(Shape(path, fill: paint, fillRule: style.fillRule), style.blendMode)
        }
        let width = value(strokeStyle.width)
        guard width > 0 else { return nil }
        var stroke = Stroke(
            paint, width: width, cap: strokeStyle.cap, join: strokeStyle.join,
            miterLimit: max(1, value(strokeStyle.miterLimit)))
        if !strokeStyle.dashes.isEmpty {
            stroke.dash = Stroke.Dash(
                strokeStyle.dashes.map { max(0, value($0)) }, phase: value(strokeStyle.dashOffset))
        }
        return blended(Shape(path, stroke: stroke), style.blendMode)
    }

    private func paint(_ paint: ShapeStyle.PaintModel, _ opacity: Double) -> Paint {
        switch paint {
        case .color(let color):
            let components = value(color).map(clamp01)
            return .color(Color(red: components[0], green: components[1], blue: components[2], alpha: opacity))
        case .gradient(let gradient): return gradient.paint(at: frame, in: context, opacity: opacity)
        }
    }

    private func blended(_ shape: Shape, _ mode: BlendMode) -> Node {
        mode == .normal ? .shape(shape) : .group(Group(nodes: [.shape(shape)], blendMode: mode))
    }
}

extension LayerTransform {
    /// Returns a repeater's transform applied a number of times, which need not be whole.
    fileprivate func repeated(_ times: Double, at frame: Double, in context: FrameContext) -> AffineTransform {
        let anchor = anchor.value(at: frame, in: context)
        let scale = scale.value(at: frame, in: context)
        // A negative scale has no real power for fractions, so its sign changes at whole numbers.
        func power(_ base: Double) -> Double {
            base < 0 ? pow(-base, times) * (Int(times.rounded(.down)) % 2 == 0 ? 1 : -1) : pow(base, times)
        }
        let scaling = AffineTransform(a: power(scale.x / 100), b: 0, c: 0, d: power(scale.y / 100), tx: 0, ty: 0)
        let rotation = AffineTransform.rotation(rotation.value(at: frame, in: context) * .pi / 180 * times)
        return scaling.then(rotation).about(anchor).then(.translation(position(at: frame, in: context) * times))
    }
}

extension Group {
    /// Returns nodes with a common transform, opacity and blend mode, without a group if none is
    /// needed.
    static func nodes(
        _ nodes: [Node], transform: AffineTransform, opacity: Double, blendMode: BlendMode = .normal
    ) -> [Node] {
        guard opacity > 0, !nodes.isEmpty else { return [] }
        var nodes = nodes
        var opacity = opacity
        if opacity < 1, nodes.count == 1, case .shape(let shape) = nodes[0], shape.fill == nil || shape.stroke == nil {
            // A single fill or stroke fades by its colour, which gives the same pixels without an
            // intermediate surface.
            nodes = [.shape(shape.faded(by: opacity))]
            opacity = 1
        }
        if transform == .identity, opacity == 1, blendMode == .normal { return nodes }
        return [.group(Group(transform: transform, opacity: opacity, nodes: nodes, blendMode: blendMode))]
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
        case .conicGradient(var gradient):
            gradient.stops = faded(gradient.stops)
            return .conicGradient(gradient)
        }
    }
}
