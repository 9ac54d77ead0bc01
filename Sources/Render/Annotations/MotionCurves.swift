import Animations
import Core

/// Sampled curves of the objects' positions over one period, split at jumps and without the times
/// at which an object is invisible.
package struct MotionCurves: Sendable {
    /// A coordinate axis of the canvas.
    package enum Axis: Sendable {
        /// The horizontal axis; positive is to the right.
        case x
        /// The vertical axis; positive is down.
        case y

        package func value(of point: Point) -> Double { self == .x ? point.x : point.y }
    }

    /// A sample of a curve.
    package struct Sample: Sendable {
        /// The model time in seconds.
        package let time: Double
        /// The object's position in points.
        package let position: Point
    }

    /// The continuous pieces of each object's curve.
    package let pieces: [[[Sample]]]
    /// The phases in order.
    let phases: [Phase]
    /// The period in seconds.
    let period: Rational
    /// The content of an axis's plot.
    private struct Content: Sendable {
        /// True if any object moves along the axis.
        var hasMotion: Bool
        /// The indices of the objects in the plot.
        var objects: [Int]
        /// True if all objects that move along the axis have steps.
        var hasSteps: Bool
        /// The minimum and maximum position of the objects.
        var range: ClosedRange<Double>
    }

    /// The content of each axis's plot.
    private let contents: [Axis: Content]
    /// For each axis and object, true if the object moves along the axis.
    private let movement: [Axis: [Bool]]
    /// The horizontal position of the canvas's centre in points.
    private let middle: Double

    /// The number of samples in a period, and the minimum in a phase. With more than 60 phases, the
    /// minimum decreases to 4.
    private static let count = (period: 720, phase: 24)

    /// The curves of a loader.
    package init(_ loader: any Loader) {
        phases = loader.phases
        period = loader.period
        let objects = loader.objects(at: .zero)
        middle = loader.canvas.width / 2
        let jumpDistance = 0.2 * max(loader.canvas.width, loader.canvas.height)
        var pieces: [[[Sample]]] = Array(repeating: [], count: objects.count)
        let minSteps = max(4, min(Self.count.phase, 2 * Self.count.period / phases.count))
        for phase in phases {
            let steps = max(minSteps, (phase.duration / loader.period * Rational(Self.count.period)).rounded)
            var isFirst = true
            var visible: [Bool] = []
            for step in 0...steps {
                let time = phase.start + phase.duration * Rational(Int128(step), Int128(steps))
                let current = step < steps ? loader.objects(at: time) : []
                // What is visible just before the end of a phase is visible at its end.
                if step < steps { visible = current.map(\.isVisible) }
                let positions = step < steps ? current.map(\.position) : loader.positions(atEndOf: phase)
                for (index, position) in positions.enumerated() {
                    guard visible[index] else {
                        // The next visible sample begins another piece.
                        if pieces[index].last?.isEmpty == false { pieces[index].append([]) }
                        continue
                    }
                    let distance = pieces[index].last?.last?.position.distance(to: position) ?? .infinity
                    let jumps = distance > (isFirst ? Kinematics.minJump : jumpDistance)
                    if jumps, pieces[index].last?.isEmpty != true { pieces[index].append([]) }
                    // Without a jump, the last sample of the previous phase already has this
                    // position.
                    if isFirst, !jumps { continue }
                    pieces[index][pieces[index].count - 1].append(Sample(time: time.double, position: position))
                }
                isFirst = false
            }
        }
        self.pieces = pieces
        let minMotion = Self.minMotion * max(loader.canvas.width, loader.canvas.height)
        let movement = Self.movement(of: pieces, minimum: max(Kinematics.minJump, minMotion))
        self.movement = movement
        contents = Dictionary(
            uniqueKeysWithValues: [Axis.x, .y].map { axis in
                (axis, Self.content(of: axis, objects: objects, pieces: pieces, movement: movement))
            })
    }

    /// The share of the canvas's longer side up to which viewers see no motion: a point of a frame
    /// of 480.
    private static let minMotion = 1.0 / 480

    private static func movement(of pieces: [[[Sample]]], minimum: Double) -> [Axis: [Bool]] {
        func moves(_ pieces: [[Sample]], _ axis: Axis) -> Bool {
            let values = pieces.joined().map { axis.value(of: $0.position) }
            return (values.max() ?? 0) - (values.min() ?? 0) > minimum
        }
        return [.x: pieces.map { moves($0, .x) }, .y: pieces.map { moves($0, .y) }]
    }

    private static func content(
        of axis: Axis, objects: [MovingObject], pieces: [[[Sample]]], movement: [Axis: [Bool]]
    ) -> Content {
        func moves(_ object: Int, _ axis: Axis) -> Bool { movement[axis]?[object] ?? false }
        let moving = pieces.indices.filter { moves($0, axis) }
        let hasSteps = axis == .x && !moving.isEmpty && moving.allSatisfy { objects[$0].step != nil }
        let shown = pieces.indices.filter {
            moves($0, axis) || !hasSteps && !moves($0, .x) && !moves($0, .y)
        }
        let values = shown.flatMap { pieces[$0].joined() }.map { axis.value(of: $0.position) }
        return Content(
            hasMotion: !moving.isEmpty, objects: shown, hasSteps: hasSteps,
            range: (values.min() ?? 0)...(values.max() ?? 0))
    }

    /// Returns the objects in the plot of an axis: those that move along it and those that never
    /// move. If all moving objects have steps, objects at rest are left out.
    package func objects(on axis: Axis) -> [Int] { contents[axis]?.objects ?? [] }

    /// Returns true if all objects that move along an axis have steps. Their positions are relative
    /// to the canvas's centre, as in tables.
    package func hasSteps(_ axis: Axis) -> Bool { contents[axis]?.hasSteps ?? false }

    /// Returns the origin of an axis's plot, in points of the canvas.
    package func origin(of axis: Axis) -> Double { hasSteps(axis) ? middle : 0 }

    /// Returns the minimum and maximum value in an axis's plot, relative to its origin.
    package func range(of axis: Axis) -> ClosedRange<Double> {
        let range = contents[axis]?.range ?? 0...0
        let origin = origin(of: axis)
        return (range.lowerBound - origin)...(range.upperBound - origin)
    }

    /// Returns the minimum and maximum value of some objects in a range of time, relative to the
    /// axis's origin; nil if they have no samples there.
    package func range(
        of axis: Axis, objects: [Int], during times: ClosedRange<Double>
    ) -> ClosedRange<Double>? {
        let samples = objects.flatMap { pieces[$0].joined() }.filter { times.contains($0.time) }
        let values = samples.map { axis.value(of: $0.position) - origin(of: axis) }
        guard let low = values.min(), let high = values.max() else { return nil }
        return low...high
    }

    /// Returns the title of an axis's plot.
    package func title(of axis: Axis, in language: Language) -> String {
        let title = hasSteps(axis) ? "x from the centre (pt)" : axis == .x ? "x (pt)" : "y (pt)"
        return Glossary.phrase(title, in: language)
    }

    /// Returns the farthest position of an object from its start in a phase, if it is at least
    /// `minimum` points away and the object comes back from there; nil otherwise.
    func turn(ofObject index: Int, in phase: Phase, from start: Point, to end: Point, minimum: Double) -> Point? {
        let first = phase.start.double
        let last = phase.end.double
        let inside = pieces[index].flatMap { piece in
            piece[Self.index(in: piece, after: first)..<Self.index(in: piece, after: last)]
        }
        guard let far = inside.max(by: { $0.position.distance(to: start) < $1.position.distance(to: start) })
        else { return nil }
        let way = far.position.distance(to: start)
        return way >= minimum && end.distance(to: start) <= Self.returnShare * way ? far.position : nil
    }

    /// Returns the index of the first sample after a time.
    private static func index(in piece: [Sample], after time: Double) -> Int {
        var (low, high) = (0, piece.count)
        while low < high {
            let middle = (low + high) / 2
            if piece[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The share of the way out that may remain for an object to have come back.
    private static let returnShare = 0.1

    /// Returns true if an object moves along an axis.
    package func moves(_ object: Int, along axis: Axis) -> Bool { movement[axis]?[object] ?? false }

    /// The axes along which any object moves.
    var movingAxes: [Axis] { [Axis.x, .y].filter { contents[$0]?.hasMotion ?? false } }

    /// The axes of charts: those along which any object moves; the horizontal axis if none does.
    package var axes: [Axis] { movingAxes.isEmpty ? [.x] : movingAxes }
}
