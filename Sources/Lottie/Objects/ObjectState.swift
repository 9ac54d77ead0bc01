import Animations
import Core

/// The visible state of an object at one instant.
struct ObjectState {
    /// The part of the canvas that it covers; nil if it is invisible.
    let bounds: Rect?
    let nodes: [Node]
    /// The position that telemetry reports.
    private(set) var position: Point
    private(set) var rotation: Double
    private(set) var scale: Point
    let opacity: Double
    let strokeTrim: MovingObject.StrokeTrim?

    init(_ layer: MovingLayer, in renderer: CompositionRenderer, on canvas: Rect) {
        let object = layer.object(in: renderer)
        nodes = renderer.only(layer.path).nodes().compactMap(\.visible)
        position = object.position
        rotation = object.pose?.rotation ?? 0
        scale = object.pose?.scale ?? Point(1, 1)
        opacity = object.pose?.opacity ?? 1
        strokeTrim = object.strokeTrim
        bounds = Node.bounds(of: nodes).flatMap { $0.corners.allSatisfy(\.isFinite) ? canvas.intersection($0) : nil }
    }

    /// Returns the state with another position, rotation and scale.
    func moved(to position: Point, rotation: Double, scale: Point) -> ObjectState {
        var state = self
        state.position = position
        state.rotation = rotation
        state.scale = scale
        return state
    }
}
