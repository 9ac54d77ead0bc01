import Core

@testable import Inspect

extension ReconstructedObject {
    /// Makes an opaque black object that rests, with lines 10 pixels wide and arcs of half a turn.
    init(resting kind: ShapeKind, at center: Point = Point(50, 50), size: Size) {
        func constant(_ value: Double) -> KeyframeCurve { KeyframeCurve(constant: value) }
        self.init(
            name: "", kind: kind, x: constant(center.x), y: constant(center.y), width: constant(size.width),
            height: constant(size.height), rotation: constant(0), lineWidth: constant(10), start: constant(0),
            end: constant(.pi), opacity: constant(1), red: constant(0), green: constant(0), blue: constant(0))
    }
}
