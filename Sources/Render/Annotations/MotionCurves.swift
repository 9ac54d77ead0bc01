import Animations
import Core

/// Sampled curves of the objects' positions, and of the size, opacity and angle of those that stay
/// where they are, over one period. They are split at jumps, without the times at which an object
/// is invisible.
package struct MotionCurves: Sendable {
    /// A sample of a curve.
    package struct Sample: Sendable {
        /// The model time in seconds.
        package let time: Double
        /// The object's position in points.
        package let position: Point
        /// The radius of the object's disc in points.
        let radius: Double
        let pose: MovingObject.Pose?
        /// The drawn part of a stroke that draws itself, in percent.
        let drawn: Double?
    }

    /// The continuous pieces of each object's curve.
    package let pieces: [[[Sample]]]
    /// The phases in order.
    let phases: [Phase]
    /// The period in seconds.
    let period: Rational
    /// The content of an axis's plot.
    private struct Content: Sendable {
        /// True if any object moves along the axis, or changes in its quantity.
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
        let pieces = Self.pieces(of: loader, objects: objects.count)
        self.pieces = pieces
        let minMotion = Self.minMotion * max(loader.canvas.width, loader.canvas.height)
        let movement = Self.movement(of: pieces, objects, minimum: max(Kinematics.minJump, minMotion))
        self.movement = movement
        contents = Dictionary(
            uniqueKeysWithValues: Axis.allCases.map { axis in
                (axis, Self.content(of: axis, objects: objects, pieces: pieces, movement: movement))
            })
    }

    /// Returns the distance in points between two samples above which an object jumps: a fifth of
    /// the canvas.
    static func jumpDistance(on canvas: Size) -> Double { 0.2 * max(canvas.width, canvas.height) }

    private static func pieces(of loader: any Loader, objects count: Int) -> [[[Sample]]] {
        let jumpDistance = jumpDistance(on: loader.canvas)
        var pieces: [[[Sample]]] = Array(repeating: [], count: count)
        let minSteps = max(4, min(Self.count.phase, 2 * Self.count.period / loader.phases.count))
        for phase in loader.phases {
            let steps = max(minSteps, (phase.duration / loader.period * Rational(Self.count.period)).rounded)
            var visible: [Bool] = []
            for step in 0...steps {
                let time = phase.start + phase.duration * Rational(Int128(step), Int128(steps))
                let last = phase.end - min(Kinematics.step, phase.duration / 8)
                let current = loader.objects(at: step < steps ? time : last)
                // What is visible just before the end of a phase is visible at its end.
                if step < steps { visible = current.map(\.isVisible) }
                let positions = step < steps ? current.map(\.position) : loader.positions(atEndOf: phase)
                for (index, position) in positions.enumerated() {
                    let sample = Sample(
                        time: time.double, position: position, radius: current[index].radius, pose: current[index].pose,
                        drawn: current[index].strokeTrim?.length)
                    add(
                        visible[index] ? sample : nil, to: &pieces[index], isFirst: step == 0,
                        maxDistance: step == 0 ? Kinematics.minJump : jumpDistance)
                }
            }
        }
        return pieces
    }

    /// Adds a sample to an object's curve; nil for an invisible object, whose next sample begins
    /// another piece.
    ///
    /// - Parameters:
    ///   - isFirst: true for the first sample of a phase.
    ///   - maxDistance: the distance in points above which the object has jumped.
    private static func add(
        _ sample: Sample?, to pieces: inout [[Sample]], isFirst: Bool, maxDistance: Double
    ) {
        guard let sample else {
            if pieces.last?.isEmpty == false { pieces.append([]) }
            return
        }
        let distance = pieces.last?.last?.position.distance(to: sample.position) ?? .infinity
        let jumps = distance > maxDistance
        if jumps, pieces.last?.isEmpty != true { pieces.append([]) }
        // Without a jump, the last sample of the previous phase already has this position.
        if isFirst, !jumps { return }
        pieces[pieces.count - 1].append(sample)
    }

    /// The largest motion that viewers do not see, relative to the canvas's longer side: one point
    /// of 480.
    private static let minMotion = 1.0 / 480

    private static func movement(
        of pieces: [[[Sample]]], _ objects: [MovingObject], minimum: Double
    ) -> [Axis: [Bool]] {
        func changes(_ pieces: [[Sample]], _ axis: Axis) -> Bool {
            let values = pieces.joined().map { axis.value(of: $0) }
            return (values.max() ?? 0) - (values.min() ?? 0) > axis.minChange(distance: minimum)
        }
        var movement: [Axis: [Bool]] = [:]
        for axis in Axis.allCases {
            let isStill = !Axis.positions.contains { movement[$0]?.contains(true) ?? false }
            movement[axis] = pieces.indices.map { index in
                let isMoving = Axis.positions.contains { movement[$0]?[index] ?? false }
                // The disc of a scaled object shows the same change as its scale, and discs without
                // a pose are secondary where others move.
                let isScaled = movement[.scale]?[index] ?? false
                let hasPose = pieces[index].joined().first?.pose != nil
                let isShown = axis != .radius || !isScaled && (hasPose || isStill)
                guard objects[index].hasPosition || !axis.isPosition && axis != .radius else { return false }
                return (axis.isPosition || !isMoving && isShown) && changes(pieces[index], axis)
            }
        }
        return movement
    }

    private static func content(
        of axis: Axis, objects: [MovingObject], pieces: [[[Sample]]], movement: [Axis: [Bool]]
    ) -> Content {
        func moves(_ object: Int, _ axis: Axis) -> Bool { movement[axis]?[object] ?? false }
        let moving = pieces.indices.filter { moves($0, axis) }
        let hasSteps = axis == .x && !moving.isEmpty && moving.allSatisfy { objects[$0].step != nil }
        let isStill = !pieces.indices.contains { index in Axis.positions.contains { moves(index, $0) } }
        let shown = pieces.indices.filter { index in
            let changes = isStill ? [] : Axis.allCases.filter { moves(index, $0) }
            return moves(index, axis)
                || axis.isPosition && objects[index].hasPosition && !hasSteps && changes.isEmpty
        }
        let values = shown.flatMap { pieces[$0].joined() }.map { axis.value(of: $0) }
        return Content(
            hasMotion: !moving.isEmpty, objects: shown, hasSteps: hasSteps,
            range: (values.min() ?? 0)...(values.max() ?? 0))
    }

    /// Returns the objects in the plot of an axis: those that move along it or change in its
    /// quantity and, for positions, those that never change. If all moving objects have steps,
    /// objects at rest are left out.
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
        let values = objects.flatMap { lines(ofObject: $0, on: axis, during: times).joined() }.map(\.value)
        guard let low = values.min(), let high = values.max() else { return nil }
        return low...high
    }

    /// Returns the continuous pieces of an object's curve in a range of time: times in seconds, and
    /// values relative to the axis's origin. At the ends of the range, values are interpolated.
    func lines(
        ofObject index: Int, on axis: Axis, during times: ClosedRange<Double>
    ) -> [[(time: Double, value: Double)]] {
        let origin = origin(of: axis)
        return pieces[index].map { piece in
            let points = piece.map { (time: $0.time, value: axis.value(of: $0) - origin) }
            return zip(points, points.dropFirst()).reduce(into: []) { line, segment in
                let (start, end) = segment
                guard start.time < times.upperBound, end.time > times.lowerBound else { return }
                func point(at time: Double) -> (time: Double, value: Double) {
                    (time, lerp(start.value, end.value, (time - start.time) / (end.time - start.time)))
                }
                if line.isEmpty {
                    line.append(start.time < times.lowerBound ? point(at: times.lowerBound) : start)
                }
                line.append(end.time > times.upperBound ? point(at: times.upperBound) : end)
            }
        }.filter { !$0.isEmpty }
    }

    /// Returns the title of an axis's plot.
    package func title(of axis: Axis, in language: Language) -> String {
        let title = hasSteps(axis) ? "x from the centre (pt)" : axis.title
        return Glossary.phrase(title, in: language)
    }

    /// Returns the farthest position of an object from its start in a phase, if it is at least
    /// `minimum` points away and the object comes back from there; nil otherwise.
    func turn(ofObject index: Int, in phase: Phase, from start: Point, to end: Point, minimum: Double) -> Point? {
        let first = phase.start.double
        let last = phase.end.double
        // A piece that begins at the end of the phase is after a jump.
        let inside = pieces[index].filter { $0.first.map { $0.time < last } ?? false }.flatMap { piece in
            piece[Self.index(in: piece, after: first)..<Self.index(in: piece, after: last)]
        }
        guard let far = inside.max(by: { $0.position.distance(to: start) < $1.position.distance(to: start) })
        else { return nil }
        let distance = far.position.distance(to: start)
        let isBack = end.distance(to: start) <= Self.returnShare * distance
        return distance >= minimum && isBack ? far.position : nil
    }

    /// Returns the index of the first sample after a time.
    private static func index(in piece: [Sample], after time: Double) -> Int {
        piece.indices.partitionPoint { piece[$0].time <= time }
    }

    /// An object has come back if the phase ends within this share of its farthest distance from
    /// the start.
    private static let returnShare = 0.1

    /// Returns true if an object moves along an axis, or changes in its quantity.
    package func moves(_ object: Int, along axis: Axis) -> Bool { movement[axis]?[object] ?? false }

    /// Returns true if an object moves along any axis.
    func moves(_ object: Int) -> Bool { Axis.positions.contains { moves(object, along: $0) } }

    /// The axes of plots: those along which any object moves, and the quantities in which objects
    /// change that stay where they are.
    var movingAxes: [Axis] { Axis.allCases.filter { contents[$0]?.hasMotion ?? false } }

    /// The axes of charts of positions: those along which any object moves. If none does, the drawn
    /// part of strokes that draw themselves, or else the horizontal axis.
    package var axes: [Axis] {
        let moving = movingAxes.filter(\.isPosition)
        guard moving.isEmpty else { return moving }
        return movingAxes.contains(.drawn) ? [.drawn] : [.x]
    }

    /// The axes of charts of everything that changes; the horizontal axis if nothing does.
    package var chartAxes: [Axis] { movingAxes.isEmpty ? [.x] : movingAxes }
}
