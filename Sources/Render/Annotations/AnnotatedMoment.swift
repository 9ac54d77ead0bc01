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

/// The state of a loader at one instant, from which overlays are drawn.
struct AnnotatedMoment {
    /// The model time in 0..<period, in seconds.
    let time: Rational
    let phase: Phase
    private(set) var objects: [MovingObject]
    let velocities: [Point]
    /// The part of the canvas that each object covers; nil for an invisible object.
    let extents: [Rect?]
    private(set) var landmarks: [Landmark]
    private(set) var construction: [ConstructionLine]

    /// The state of a loader at a time in 0..<period.
    ///
    /// - Parameter measuresObjects: false to leave out the extents of objects.
    init(_ loader: any Loader, at time: Rational, measuresObjects: Bool = true) {
        self.time = time
        phase = loader.phase(at: time)
        objects = loader.objects(at: time)
        named = Set(objects.indices)
        velocities = loader.velocities(at: time)
        extents = measuresObjects ? objects.map { loader.extent(of: $0, at: time) } : objects.map { _ in nil }
        landmarks = loader.landmarks(at: time)
        construction = loader.construction(at: time)
    }

    /// The indices of the objects that have names and marks.
    private(set) var named: Set<Int>

    /// Removes all points of the construction except those with the given names.
    mutating func keep(_ names: Set<String>, hasLines: Bool) {
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
}
