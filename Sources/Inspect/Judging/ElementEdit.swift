import Animations
import Core

/// A change of one element.
struct ElementEdit: Sendable {
    enum Change: Sendable {
        /// Moves it, in points.
        case move(Point)
        /// Scales it about the middle of its bounds.
        case resize(Double)
        /// Multiplies the width of its lines.
        case widen(Double)
        /// Multiplies its opacity.
        case fade(Double)
        /// Gives it one colour.
        case recolor(Color)
        /// Shows it as it was some seconds earlier.
        case delay(Double)
        /// Moves it by another timing function in every phase.
        case ease(EasingChange)
        /// Plays it backwards in a phase, given by its index.
        case reverse(phase: Int)
        /// Ends its lines in another shape.
        case cap(Stroke.Cap)
        /// Draws it below another element where it would cover that.
        case lower(under: Int)

        /// The kinds of deviation that describe it.
        var kinds: Set<Deviation.Kind> {
            switch self {
            case .move: [.elementPosition]
            case .resize: [.elementSize]
            case .widen: [.lineWidth]
            case .fade: [.missing, .opacity]
            case .recolor: [.color]
            case .delay: [.late]
            case .ease: [.easing]
            case .reverse: [.backwards]
            case .cap: [.lineCap]
            case .lower: [.order]
            }
        }
    }

    var element: Int
    var change: Change

    /// Returns the edit at a model time in seconds, at which another timing function or direction
    /// amounts to a delay.
    func at(_ time: Double, in loader: any Loader) -> ElementEdit {
        switch change {
        case .ease(let easing):
            ElementEdit(element: element, change: .delay(easing.delay(at: time, in: loader)))
        case .reverse(let phase):
            ElementEdit(element: element, change: .delay(Self.delay(at: time, in: loader, reversing: phase)))
        default: self
        }
    }

    /// Changes the nodes of the element. `earlier` returns the nodes some seconds earlier.
    /// `at(_:in:)` must have converted another timing function or direction to a delay.
    func apply(to nodes: inout [KeyedNode], of elements: LoaderElements, earlier: (Double) -> [KeyedNode]) {
        let own = nodes.indices.filter { elements.shows(nodes[$0], element) }
        switch change {
        case .delay(let delay):
            let replacements = earlier(delay).filter { elements.shows($0, element) }
            guard let first = own.first ?? (replacements.isEmpty ? nil : nodes.endIndex) else { return }
            for index in own.reversed() { nodes.remove(at: index) }
            nodes.insert(contentsOf: replacements, at: min(first, nodes.endIndex))
        case .lower(let other):
            guard let target = nodes.firstIndex(where: { elements.shows($0, other) }) else { return }
            let above = own.filter { $0 > target }
            let moved = above.map { nodes[$0] }
            for index in above.reversed() { nodes.remove(at: index) }
            nodes.insert(contentsOf: moved, at: target)
        case .move(let offset):
            for index in own { nodes[index].node = nodes[index].node.grouped(.translation(offset)) }
        case .resize(let factor):
            guard let bounds = Node.bounds(of: own.map { nodes[$0].node }) else { return }
            let transform = AffineTransform.scale(factor).about(bounds.center)
            for index in own { nodes[index].node = nodes[index].node.grouped(transform) }
        case .widen(let factor):
            for index in own { nodes[index].node = nodes[index].node.widened(by: factor) }
        case .fade(let factor):
            // In one group, upper nodes of the element still hide what they cover of lower ones.
            guard let first = own.first, own.count > 1, own == Array(first..<first + own.count) else {
                for index in own { nodes[index].node = nodes[index].node.faded(by: factor) }
                return
            }
            let whole = Node.group(Group(nodes: own.map { nodes[$0].node })).faded(by: factor)
            nodes[first].node = whole
            nodes.removeSubrange(first + 1..<first + own.count)
        case .recolor(let color):
            for index in own { nodes[index].node = nodes[index].node.recolored(color) }
        case .cap(let cap):
            for index in own { nodes[index].node = nodes[index].node.capped(cap) }
        case .ease, .reverse: break
        }
    }
}

extension Node {
    fileprivate func grouped(_ transform: AffineTransform) -> Node {
        .group(Group(transform: transform, nodes: [self]))
    }

    /// Returns the node with its opacity multiplied. A group's own opacity is changed, so that it
    /// can also increase; that of a group around the node could not exceed 1.
    fileprivate func faded(by factor: Double) -> Node {
        guard case .group(var group) = self else {
            return .group(Group(opacity: min(1, max(0, factor)), nodes: [self]))
        }
        group.opacity = min(1, max(0, group.opacity * factor))
        return .group(group)
    }

    fileprivate func widened(by factor: Double) -> Node {
        switch self {
        case .shape(var shape):
            shape.stroke?.width *= factor
            return .shape(shape)
        case .group(var group):
            group.nodes = group.nodes.map { $0.widened(by: factor) }
            return .group(group)
        case .image, .text: return self
        }
    }

    fileprivate func capped(_ cap: Stroke.Cap) -> Node {
        switch self {
        case .shape(var shape):
            shape.stroke?.cap = cap
            return .shape(shape)
        case .group(var group):
            group.nodes = group.nodes.map { $0.capped(cap) }
            return .group(group)
        case .image, .text: return self
        }
    }

    fileprivate func recolored(_ color: Color) -> Node {
        func paint(_ paint: Paint) -> Paint {
            guard case .color(let old) = paint else { return paint }
            return .color(color.opacity(old.alpha))
        }
        switch self {
        case .shape(var shape):
            shape.fill = shape.fill.map(paint)
            if let stroke = shape.stroke { shape.stroke?.paint = paint(stroke.paint) }
            return .shape(shape)
        case .group(var group):
            group.nodes = group.nodes.map { $0.recolored(color) }
            return .group(group)
        case .text(var text):
            text.color = color
            return .text(text)
        case .image: return self
        }
    }
}
