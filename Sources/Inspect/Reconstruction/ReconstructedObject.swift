import Core

/// An outline at a time.
package struct OutlineKey: Hashable, Sendable {
    /// Seconds from the first frame.
    package var time: Double
    /// Closed polygons in pixels of the clip.
    package var contours: [[Point]]
    /// True if the outline stays until the next key.
    package var isHold = false
}

/// A shape that moves and changes. Lengths are in pixels of the clip, angles in radians, clockwise
/// from the x axis.
package struct ReconstructedObject: Sendable {
    /// A unique name, such as `circle 2`.
    package var name: String
    package var kind: ShapeKind
    /// The position of the centre.
    package var x: KeyframeCurve
    package var y: KeyframeCurve
    /// The width without rotation: of arcs and rings, the diameter of the centre line; of outlines,
    /// a factor.
    package var width: KeyframeCurve
    package var height: KeyframeCurve
    package var rotation: KeyframeCurve
    /// The radius of a rectangle's corners at its largest size.
    package var cornerRadius = 0.0
    /// True if the corners grow with the rectangle.
    var scalesCorners = false
    /// The width of the line of an arc or ring.
    package var lineWidth: KeyframeCurve
    /// The angles at which an arc begins and ends.
    package var start: KeyframeCurve
    package var end: KeyframeCurve
    package var opacity: KeyframeCurve
    package var red: KeyframeCurve
    package var green: KeyframeCurve
    package var blue: KeyframeCurve
    /// The closed polygons of an outline, relative to its centre.
    package var outline: [[Point]] = []
    /// The outlines of a shape that changes its form.
    package var morph: [OutlineKey] = []
    /// The times in seconds in which the object was not seen as a whole, so that its position is
    /// interpolated.
    package var guessed: [ClosedRange<Double>] = []
    /// The largest distance in pixels of the keyframes from the measured values, and its time.
    var deviation = (distance: 0.0, time: 0.0)
    /// The largest area in square pixels.
    var area = 0.0
    /// The share of the frames in which another object hides a part.
    var coveredShare = 0.0

    /// The radius of a rectangle's corners over time.
    var cornerRadii: KeyframeCurve {
        guard scalesCorners, cornerRadius > 0 else { return KeyframeCurve(constant: cornerRadius) }
        return width.map { $0 * cornerRadius / max(1e-6, width.range.upperBound) }
    }

    /// The colour in the first frame.
    package var color: Color {
        Color(red: red.value(at: 0), green: green.value(at: 0), blue: blue.value(at: 0))
    }

    /// Returns the outlines of a changing shape at a time, between those of two keys.
    func morphOutlines(at time: Double) -> [[Point]] {
        let index = morph.lastIndex { $0.time <= time + 1e-9 } ?? 0
        guard morph.indices.contains(index) else { return [] }
        let key = morph[index]
        guard !key.isHold, index + 1 < morph.count, time > key.time else { return key.contours }
        let next = morph[index + 1]
        let share = (time - key.time) / (next.time - key.time)
        return zip(key.contours, next.contours).map { contours in
            zip(contours.0, contours.1).map { $0 + ($1 - $0) * share }
        }
    }

    /// Returns the outlines of a changing shape with keys at the beginning and the end of a clip,
    /// which keep the nearest outline.
    func outlineKeys(until duration: Double) -> [OutlineKey] {
        guard var first = morph.first else { return [] }
        var last = morph.last { $0.time <= duration } ?? first
        first.time = 0
        last.time = duration
        return [first] + morph.filter { $0.time > 0 && $0.time < duration } + [last]
    }
}
