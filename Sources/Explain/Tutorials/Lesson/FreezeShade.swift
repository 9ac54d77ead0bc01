import Animations
import Core
import Render

/// The shade over everything but the subject: in a freeze, the targets of callouts and measures,
/// and in a close-up without them, the object.
extension PlacedView {
    /// The opacity of the shade over everything except the targets of callouts and measures.
    private static let shadeOpacity = 0.6
    /// The speed at which the copies above the shade fade in, relative to that of the shade.
    private static let coverRate = 8.0
    /// The number of times that a translucent target is drawn for its hole: at an opacity of 0.4,
    /// eight times leave 2% of the shade.
    private static let holeLayers = 8
    /// The space around a target without shade, in points of the frame.
    private static let spotMargin = 9.0
    /// The radius of a target whose size is unknown, as a share of the board's shorter side.
    private static let spotShare = 0.1

    /// Returns a shade over the board, with the targets of callouts and measures above it or
    /// visible through holes in it; nothing if all objects are targets.
    ///
    /// A hole has the shape of a target whose copy would look different, and is round where the
    /// loader does not know the drawing. If it knows that of no target, what joins them, for
    /// example a bridge between two, lies above the shade as well.
    func shade(at time: Rational, _ annotator: Annotator, opacity: Double) -> [Node] {
        let time = time.modulo(view.loader.period)
        let objects = view.loader.objects(at: time)
        let targets = Set(callouts.map(\.target) + view.measured.map(\.text) + (view.focus.map { [$0] } ?? []))
        guard opacity > 0, !targets.isEmpty, !objects.allSatisfy({ targets.contains($0.name) }) else { return [] }
        let panel = annotator.panelFrame
        let fill = annotator.theme.backdrop.opacity((view.isAlone ? 1 : Self.shadeOpacity) * opacity)
        let drawings = targets.sorted().map { (name: $0, nodes: annotator.drawing(ofObject: $0, at: time)) }
        let open = Set(callouts.filter(\.needsHole).map(\.target))
        let holes = drawings.filter { open.contains($0.name) }.flatMap { $0.nodes ?? [] }
        let layers = Array(repeating: holes, count: Self.holeLayers).flatMap(\.self)
        let mask = holes.isEmpty ? nil : Mask(layers, isInverted: true)
        let plain = Node.shape(Shape(.rectangle(panel), fill: fill))
        let shade = mask.map { Node.group(Group(nodes: [plain], mask: $0)) } ?? plain
        let unknown = Self.spotShare * min(panel.width, panel.height)
        let ghosts = view.show.contains(.ghosts) ? targets.flatMap { annotator.ghosts(ofObject: $0, at: time) } : []
        // What lies above the shade covers its own copy below it. It appears almost at once: at the
        // shade's opacity, the targets would turn pale while the shade enters and leaves.
        let cover = min(1, Self.coverRate * opacity)
        let bridges = drawings.allSatisfy { $0.nodes == nil } ? joints(of: targets, at: time) : []
        let copies = drawings.filter { !open.contains($0.name) }.flatMap { $0.nodes ?? [] }
        let above = (ghosts + copies).faded(cover)
        return drawings.filter { $0.nodes == nil }.compactMap { annotator.target($0.name, at: time) }
            .reduce([shade]) { nodes, target in
                let radius = (target.radius > 0 ? target.radius : unknown) + Self.spotMargin
                var clip = Path.rectangle(panel)
                clip.move(to: target.center.moved(by: radius, towards: 0))
                // The opposite direction of the rectangle's makes a hole.
                clip.addArc(center: target.center, radius: radius, startAngle: 0, endAngle: -2 * .pi)
                clip.close()
                return [.group(Group(clip: clip, nodes: nodes))]
            } + annotator.drawing(of: bridges).faded(cover) + above
    }

    /// Returns the nodes that join targets: those that reach from one target's centre to another's.
    private func joints(of targets: Set<String>, at time: Rational) -> [Node] {
        let objects = view.loader.objects(at: time)
        let discs = objects.filter { targets.contains($0.name) }
        let points = view.loader.landmarks(at: time).filter { point in
            targets.contains(point.name) && !discs.contains { $0.name == point.name }
        }
        let ends = discs.map(\.discCenter) + points.map(\.position)
        // Drawn above the shade, a shape that lies behind other objects would hide them.
        let others = objects.filter { !targets.contains($0.name) }.map(\.discCenter).filter { center in
            !discs.contains { $0.discCenter.distance(to: center) < $0.radius }
        }
        return view.loader.nodes(at: time).flatMap { $0.joining(ends, besides: others) }
    }
}

extension LoaderView {
    /// The object of a close-up without callouts and measures, if the loader knows its drawing; nil
    /// in other views.
    var focus: String? {
        guard targets.isEmpty, case .object(let name) = frame, loader.drawing(ofObject: name, at: .zero) != nil
        else { return nil }
        return name
    }

    /// The annotations below the shade: all, but no ghosts if an object is in focus. Its ghosts lie
    /// above the shade, and the other objects have none.
    var kindsBelowShade: Set<AnnotationKind> {
        let hasShade = focus != nil && loader.objects(at: .zero).count > 1
        return hasShade ? show.subtracting([.ghosts]) : show
    }
}

extension Node {
    /// Returns the parts of the node that contain at least two of some points.
    ///
    /// - Parameter others: points that no filled part may contain.
    fileprivate func joining(_ ends: [Point], besides others: [Point]) -> [Node] {
        if case .group(var group) = self {
            let back = group.transform.inverse
            guard let back else { return [] }
            group.nodes = group.nodes.flatMap { $0.joining(ends.map(back.apply), besides: others.map(back.apply)) }
            return group.nodes.isEmpty ? [] : [.group(group)]
        }
        guard let bounds else { return [] }
        func contains(_ point: Point) -> Bool { bounds.nearest(to: point).distance(to: point) < 1e-6 }
        var isFilled = true
        if case .shape(let shape) = self { isFilled = shape.fill != nil }
        guard ends.count(where: contains) > 1, !isFilled || !others.contains(where: contains) else { return [] }
        return [self]
    }
}
