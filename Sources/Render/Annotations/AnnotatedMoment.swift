import Animations
import Core

/// The nodes of a panel in layers, back to front.
package struct PanelLayers {
    package var background: [Node]
    /// The overlays below the loader: ghosts and trails.
    package var beneath: [Node]
    package var canvas: [Node]
    /// The overlays above the loader: construction, marks, arrows and names.
    package var above: [Node]
    package var border: [Node]

    package var nodes: [Node] { background + beneath + canvas + above + border }
}

/// The points of a construction that a panel shows.
package struct ShownPoints: Sendable, Hashable {
    package var names: Set<String>
    /// Points that appear later. The names of other points leave room for the names of these, so
    /// that no name moves when they appear.
    package var upcoming: Set<String> = []

    package init(_ names: Set<String>) { self.names = names }

    /// No points: the objects have names.
    package static let empty = ShownPoints([])
    package var isEmpty: Bool { names.isEmpty }
}

/// The state of a loader at one instant, as overlays show it.
struct AnnotatedMoment {
    /// The model time in 0..<period, in seconds.
    let time: Rational
    let phase: Phase
    private(set) var objects: [MovingObject]
    let velocities: [Point]
    /// The drawing of each object; nil if the loader does not know it.
    let drawings: [[Node]?]
    /// The part of the canvas that each object covers; nil for an invisible object.
    let extents: [Rect?]
    /// The visible points of objects at which the leaders to their names beside the drawing end, in
    /// points of the frame.
    var leaderEnds: [Int: Point] = [:]
    /// The loader's drawing, if any leader ends at a visible point.
    var bitmap: CanvasBitmap?
    private(set) var landmarks: [Landmark]
    private(set) var construction: [ConstructionLine]

    /// The state of a loader at a time in 0..<period.
    ///
    /// - Parameter measuresObjects: false to leave out the drawings and extents of objects.
    init(_ loader: any Loader, at time: Rational, measuresObjects: Bool = true) {
        self.time = time
        phase = loader.phase(at: time)
        objects = loader.objects(at: time)
        named = Set(objects.indices)
        velocities = loader.velocities(at: time)
        drawings = objects.map { measuresObjects ? loader.drawing(ofObject: $0.name, at: time) : nil }
        extents =
            measuresObjects
            ? zip(objects, drawings).map { loader.extent(of: $0, drawing: $1) } : objects.map { _ in nil }
        landmarks = loader.landmarks(at: time)
        construction = loader.construction(at: time)
    }

    /// The indices of the objects that have names and marks.
    private(set) var named: Set<Int>

    /// The points of the construction whose names have positions but are not drawn yet.
    private(set) var hidden: Set<String> = []

    /// Removes all points of the construction except those with the given names.
    mutating func keep(_ points: ShownPoints, hasLines: Bool) {
        let names = points.names.union(points.upcoming)
        hidden = points.upcoming.subtracting(points.names)
        if !hasLines || names.isEmpty { construction = [] }
        if !names.isEmpty {
            named = named.filter { index in
                landmarks.contains { names.contains($0.name) && $0.object == objects[index].name }
            }
        }
        landmarks.removeAll { !names.contains($0.name) }
    }

    /// The points of the construction that are not objects.
    var bareLandmarks: [Landmark] {
        landmarks.filter { $0.object == nil }
    }

    /// Returns true if a point of the construction with the name of an object is drawn later.
    func hides(objectAt index: Int) -> Bool {
        landmarks.contains { hidden.contains($0.name) && $0.object == objects[index].name }
    }
}
