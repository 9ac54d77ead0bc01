import Animations
import Core
import Render

/// Close-ups whose edges cut nothing in two.
extension LessonCamera {
    /// The factor by which a close-up shows more, until it cuts no object.
    private static let widening = 1.05
    /// The factors by which a close-up shows less, to leave out shapes that its edges would cut.
    /// Below the last one, viewers lose sight of where the close-up is.
    private static let narrowing = stride(from: 1, through: 0.6, by: -0.05)
    /// The space between an object and the edge of a close-up, as a share of its shorter side.
    static let edgeMargin = 0.03

    private static func margin(_ visible: Rect) -> Double { edgeMargin * min(visible.width, visible.height) }

    /// Returns true if the edges of a visible part of the canvas cut an object, or if an object of
    /// `whole` is not entirely visible. The parameters are those of `sparing`.
    func cuts(_ objects: [String: Rect], whole: Set<String>, _ visible: Rect) -> Bool {
        let inner = visible.expanded(by: -Self.margin(visible))
        return objects.contains { name, covered in
            guard !inner.contains(covered) else { return false }
            return whole.contains(name) || visible.intersection(covered) != nil
        }
    }

    /// Returns a visible part of the canvas that is moved to centre the drawing, along each axis on
    /// which all of it fits; nil if that changes nothing.
    func centered(_ visible: Rect) -> Rect? {
        let used = survey.used
        var centered = visible
        if used.width <= visible.width { centered.x = used.center.x - visible.width / 2 }
        if used.height <= visible.height { centered.y = used.center.y - visible.height / 2 }
        return centered == visible ? nil : centered
    }

    /// Returns the annotator of a close-up whose edges cut no object: each is wholly visible or not
    /// at all. If showing a little less, or a part beside it, suffices, the edges cut no other
    /// shape either.
    ///
    /// - Parameters:
    ///   - objects: the parts of the canvas that objects cover.
    ///   - shapes: the parts of the canvas that other shapes cover.
    ///   - whole: the objects that must be visible.
    ///   - part: the part of the canvas to show. The close-up shows less of it, another part beside
    ///     it or more around it if its edges would cut objects or shapes.
    ///   - annotator: returns the annotator that shows a part of the canvas.
    func sparing(
        _ objects: [String: Rect], shapes: [Rect] = [], whole: Set<String>, around part: Rect,
        _ annotator: (Rect) -> Annotator
    ) -> Annotator {
        func cutsObject(_ candidate: Annotator) -> Bool { cuts(objects, whole: whole, candidate.visibleCanvas) }
        func cutShape(_ candidate: Annotator) -> Rect? {
            let visible = candidate.visibleCanvas
            return shapes.first { visible.intersection($0) != nil && !visible.contains($0) }
        }
        func found(_ parts: [Rect]) -> Annotator? {
            for part in parts {
                let candidate = annotator(part)
                if !cutsObject(candidate), cutShape(candidate) == nil { return candidate }
            }
            return nil
        }
        let parts = Self.narrowing.map { factor in
            part.expanded(by: (factor - 1) / 2 * min(part.width, part.height))
        }
        if let found = found(parts) { return found }
        for part in parts {
            let candidate = annotator(part)
            guard let shape = cutShape(candidate) else { continue }
            let visible = candidate.visibleCanvas
            let offsets = visible.expanded(by: Self.margin(visible)).offsets(leavingOut: shape)
            if let found = found(offsets.map { part.moved(by: $0) }) { return found }
        }
        let all = objects.values.reduce(part) { $0.union($1) }
        return Self.widened(part, upTo: all, annotator) { !cutsObject($0) } ?? annotator(part)
    }

    /// Returns the first accepted annotator of the part and of ever larger ones around it; nil if
    /// none is accepted until all objects are shown.
    private static func widened(
        _ part: Rect, upTo all: Rect, _ annotator: (Rect) -> Annotator, isAccepted: (Annotator) -> Bool
    ) -> Annotator? {
        var shown = part
        while true {
            let candidate = annotator(shown)
            if isAccepted(candidate) { return candidate }
            if shown.contains(all) { return nil }
            shown = shown.expanded(by: (widening - 1) / 2 * max(shown.width, shown.height))
        }
    }

    /// The parts of the canvas that the objects cover in the range, by name.
    var coveredByObjects: [String: Rect] {
        var covered: [String: Rect] = [:]
        for time in instants {
            for object in loader.objects(at: time) {
                guard let bounds = loader.bounds(ofObject: object.name, at: time), bounds.width > 0 else { continue }
                covered[object.name] = covered[object.name]?.union(bounds) ?? bounds
            }
        }
        return covered
    }

    /// Returns the parts of the canvas that shapes cover in the range, without the shapes in which
    /// one of some objects lies.
    func coveredByShapes(without names: Set<String>) -> [Rect] {
        instants.reduce(into: [Rect]()) { rects, time in
            let centers = loader.objects(at: time).filter { names.contains($0.name) }.map(\.discCenter)
            rects += loader.nodes(at: time).compactMap(\.outline).filter { bounds in
                !rects.contains(bounds) && !centers.contains { bounds.nearest(to: $0) == $0 }
            }
        }
    }
}

extension Rect {
    fileprivate func moved(by offset: Point) -> Rect {
        Rect(x: x + offset.x, y: y + offset.y, width: width, height: height)
    }

    /// Returns the offsets up, down, left and right by which the rectangle leaves out another one,
    /// the shortest first.
    fileprivate func offsets(leavingOut other: Rect) -> [Point] {
        [
            Point(0, other.y - maxY), Point(0, other.maxY - y), Point(other.x - maxX, 0), Point(other.maxX - x, 0),
        ].sorted { $0.distance(to: .zero) < $1.distance(to: .zero) }
    }
}

extension Node {
    /// The bounds with room for mitered corners of 60 degrees. `bounds` is larger, since it has
    /// room for the sharpest corner.
    fileprivate var outline: Rect? {
        switch self {
        case .shape(let shape):
            return shape.path.bounds?.expanded(by: shape.stroke?.width ?? 0)
        case .group(let group):
            return Rect.union(of: group.nodes.compactMap(\.outline)).map(group.transform.bounds)
        case .image, .text: return bounds
        }
    }
}
