import Animations
import Core

/// The panel of an annotated frame: the canvas with the overlays below and above it.
extension Annotator {
    /// Returns the layers of the panel at a model time in seconds.
    ///
    /// - Parameters:
    ///   - points: the construction points to show; nil shows all. If there are any, other objects
    ///     have no names.
    ///   - hasLines: true to show the lines between these points.
    package func panelLayers(at modelTime: Rational, points: ShownPoints?, hasLines: Bool) -> PanelLayers {
        layers(at: moment(at: modelTime, points: points, hasLines: hasLines))
    }

    func panel(at moment: AnnotatedMoment) -> [Node] { layers(at: moment).nodes }

    private func layers(at moment: AnnotatedMoment) -> PanelLayers {
        let trails = kinds.contains(.trail) ? trails(at: moment) : []
        let beneath =
            (kinds.contains(.ghosts) ? ghosts(at: moment) : [])
            + (kinds.contains(.labels) ? outsideRings(trails, at: moment) : trails)
        let above = (kinds.contains(.grid) ? grid : []) + above(at: moment)
        let panel = Path.rectangle(layout.panel)
        // Without bands, the scene's background fills the panel, including a letterbox around it.
        let background = layout.hasSurround ? [Node.shape(Shape(panel, fill: theme.background))] : []
        return PanelLayers(
            background: background, beneath: clipped(beneath, to: panel), canvas: canvasNodes(at: moment.time),
            above: clipped(above, to: panel), border: border)
    }

    /// Returns the overlays: construction, marks, arrows and names.
    private func above(at moment: AnnotatedMoment) -> [Node] {
        (kinds.contains(.labels) ? construction(at: moment) + marks(at: moment) : [])
            + (kinds.contains(.vectors) ? vectors(at: moment) : [])
            + (kinds.contains(.labels) ? labels(at: moment) : [])
    }

    /// Returns the bounds of the names, marks, arrows and construction lines over a panel at a
    /// model time in seconds. The parameters are those of `panelLayers`.
    package func notes(at modelTime: Rational, points: ShownPoints?, hasLines: Bool) -> [Rect] {
        above(at: moment(at: modelTime, points: points, hasLines: hasLines)).compactMap(\.bounds)
    }

    /// Returns the loader's nodes. Only nodes that extend beyond the canvas are clipped, so that
    /// all others keep their exact pixels.
    private func canvasNodes(at time: Rational) -> [Node] {
        let frame = Rect(size: loader.canvas)
        let nodes = loader.nodes(at: time).map { node in
            guard let bounds = node.bounds, !frame.contains(bounds) else { return node }
            return .group(Group(clip: .rectangle(frame), nodes: [node]))
        }
        let canvas = Node.group(Group(transform: canvasTransform, nodes: nodes))
        // A lesson may show a part of the canvas only.
        guard layout.clipsCanvas, let bounds = canvas.bounds, !layout.panel.contains(bounds) else { return [canvas] }
        return [.group(Group(clip: .rectangle(layout.panel), nodes: [canvas]))]
    }

    /// Returns an object as the panel shows it; nil if the loader does not know its drawing.
    package func drawing(ofObject name: String, at time: Rational) -> [Node]? {
        loader.drawing(ofObject: name, at: time).map(drawing(of:))
    }

    /// Returns nodes of the loader as the panel shows them.
    package func drawing(of nodes: [Node]) -> [Node] {
        guard let visible = layout.panel.intersection(layout.canvas), !nodes.isEmpty else { return [] }
        let placed = Node.group(Group(transform: canvasTransform, nodes: nodes))
        return [.group(Group(clip: .rectangle(visible), nodes: [placed]))]
    }

    /// The transform from points of the canvas to points of the annotated frame.
    var canvasTransform: AffineTransform {
        AffineTransform.scale(layout.scale).then(.translation(Point(layout.canvas.x, layout.canvas.y)))
    }

    private func clipped(_ nodes: [Node], to path: Path) -> [Node] {
        guard hasFixedAspect else { return nodes.isEmpty ? [] : [.group(Group(clip: path, nodes: nodes))] }
        // Only nodes that extend beyond the panel are clipped, because each clip needs a layer.
        return nodes.map { node in
            node.bounds.map { layout.panel.contains($0) } ?? true ? node : .group(Group(clip: path, nodes: [node]))
        }
    }

    /// A line around the panel if there are bands beside it.
    private var border: [Node] {
        guard layout.hasSurround else { return [] }
        let line = Stroke(surround.hairline, width: 1)
        return [.shape(Shape(.rectangle(layout.panel.expanded(by: 0.5)), stroke: line))]
    }
}
