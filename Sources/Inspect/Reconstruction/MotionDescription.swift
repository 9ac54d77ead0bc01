import Core

/// An object's shape and motion in figures and words.
package struct MotionDescription: Sendable {
    package let object: ReconstructedObject
    package let path: MotionPath
    /// The lag behind the first object of its group in seconds; 0 for an object without a group.
    package internal(set) var delay = 0.0
    /// The index of its group; nil without one.
    package internal(set) var group: Int?
    /// The timing functions of its motion, the most frequent first.
    package let easings: [String]

    /// The maximum distance of a path from a line or circle, in pixels and as a share of the path's
    /// extent. It allows for tracking errors of about half a pixel.
    private static let tolerance = (pixels: 0.7, share: 0.02)
    /// The change of a value that counts as rest, as a share of its range.
    private static let maxRest = 0.01
    /// The number of instants at which a path is examined.
    private static let instants = 96

    /// - Parameters:
    ///   - step: the time between frames in seconds.
    ///   - isPeriodic: true if the motion repeats after the duration.
    init(_ object: ReconstructedObject, duration: Double, step: Double, isPeriodic: Bool) {
        self.object = object
        let points = (0..<Self.instants).map { index -> Point in
            let time = duration * Double(index) / Double(Self.instants)
            return Point(object.x.value(at: time), object.y.value(at: time))
        }
        path = Self.path(points)
        var curves = object.animatedCurves
        if case .circle(let center, let radius) = path {
            let angle = Self.angle(of: object, around: center, radius: radius, duration, step, isPeriodic: isPeriodic)
            curves = [angle] + object.animatedCurves(besides: [\.x, \.y])
        }
        var counts: [String: Int] = [:]
        for curve in curves {
            let rest = Self.maxRest * (curve.range.upperBound - curve.range.lowerBound)
            for (key, next) in zip(curve.keys, curve.keys.dropFirst()) where abs(next.value - key.value) > rest {
                counts[key.easing.name, default: 0] += 1
            }
        }
        easings = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    /// The maximum number of instants in a period, and the error of a position in pixels.
    private static let turn = (instants: 500, error: 0.3)

    /// Returns the angle over time of an object that moves on a circle. Its timing functions are
    /// those of the motion; those of the coordinates approximate sines.
    private static func angle(
        of object: ReconstructedObject, around center: Point, radius: Double, _ duration: Double, _ step: Double,
        isPeriodic: Bool
    ) -> KeyframeCurve {
        let step = max(step, duration / Double(turn.instants))
        let count = Int((duration * (isPeriodic ? 2 : 1) / step).rounded()) + 1
        let times = (0..<count).map { Double($0) * step }
        var angles: [Double] = []
        for time in times {
            let own = isPeriodic ? time - (time / duration + 1e-9).rounded(.down) * duration : time
            let angle = atan2(object.y.value(at: own) - center.y, object.x.value(at: own) - center.x)
            angles.append(RotationTracking.nearest(angle, to: angles.last ?? angle))
        }
        let builder = ObjectBuilder(
            background: Channels(), times: times, duration: duration, pixel: 1, isPeriodic: isPeriodic)
        let tolerance = max(ObjectBuilder.tolerances.angle, turn.error / radius)
        return builder.curve(ValueSamples(times: times, values: angles), tolerance, accumulates: true)
    }

    private static func path(_ points: [Point]) -> MotionPath {
        guard let box = Rect(enclosing: points) else { return .still(at: .zero) }
        let extent = Point(box.width, box.height).distance(to: .zero)
        let limit = max(tolerance.pixels, tolerance.share * extent)
        if extent <= 2 * tolerance.pixels { return .still(at: box.center) }
        // The two points that are farthest apart.
        let first = points.max { $0.distance(to: box.center) < $1.distance(to: box.center) } ?? points[0]
        let last = points.max { $0.distance(to: first) < $1.distance(to: first) } ?? points[0]
        if points.allSatisfy({ squaredDistance($0, first, last) <= limit * limit }) {
            let isForward = points[0].distance(to: first) <= points[0].distance(to: last)
            return .straight(from: isForward ? first : last, to: isForward ? last : first)
        }
        if let circle = circle(points),
            points.allSatisfy({
                abs($0.distance(to: circle.center) - circle.radius) <= limit
            }), circle.radius < 2 * extent
        {
            return .circle(center: circle.center, radius: circle.radius)
        }
        return .curve(box: box)
    }

    private static func circle(_ points: [Point]) -> (center: Point, radius: Double)? {
        let origin = points[0]
        guard let circle = LeastSquares.circle(points.map { $0 - origin }), circle.squaredRadius > 0 else { return nil }
        return (origin + circle.center, circle.squaredRadius.squareRoot())
    }
}

extension ReconstructedObject {
    /// The curves that change.
    var animatedCurves: [KeyframeCurve] { animatedCurves(besides: []) }

    /// Returns the curves that change, without some of them.
    func animatedCurves(besides others: Set<KeyPath<ReconstructedObject, KeyframeCurve>>) -> [KeyframeCurve] {
        let all: [KeyPath<ReconstructedObject, KeyframeCurve>] = [
            \.x, \.y, \.width, \.height, \.rotation, \.lineWidth, \.start, \.end, \.opacity, \.red, \.green, \.blue,
        ]
        return all.filter { !others.contains($0) }.map { self[keyPath: $0] }.filter { !$0.isConstant }
    }
}
