import Loaders
import Motion
import Scene

/// What every object does in every phase of a loader: exact.
public struct PhaseTable: Sendable, Hashable {
    /// The way of one object through one phase.
    public struct Course: Sendable, Hashable {
        /// The object's name.
        public let object: String
        /// The stage of its own course that it is in, counted from 0, if it has stages.
        public let stage: Int?
        /// Which way it moves in that stage: -1, 0 or +1.
        public let direction: Int?
        /// Where it is as the phase begins, in points.
        public let from: Point
        /// Where it is as the phase ends, in points. If it jumps there, this is where it jumps from.
        public let to: Point
    }

    /// One phase.
    public struct Row: Sendable, Hashable {
        /// The phase.
        public let phase: Phase
        /// The objects' ways, in the order of `Loader.objects(at:)`.
        public let courses: [Course]
    }

    /// The phases in order.
    public let rows: [Row]
    /// The loader's period in seconds; exact.
    public let period: Rational
    /// The stage's centre in points, from which objects with stages are measured in captions.
    public let center: Point

    /// The table of a loader.
    public init(_ loader: any Loader) {
        period = loader.period
        center = Rect(size: loader.stage).center
        rows = loader.phases.map { phase in
            let ends = loader.positions(atEndOf: phase)
            let courses = zip(loader.objects(at: phase.start), ends).map { object, end in
                Course(
                    object: object.name, stage: object.stage, direction: object.direction, from: object.position,
                    to: end)
            }
            return Row(phase: phase, courses: courses)
        }
    }

    /// The direction of each stage, if the objects have stages and all run through the same: the article's table.
    public var displacements: [Int]? {
        var directions: [Int: Int] = [:]
        for course in rows.flatMap(\.courses) {
            guard let stage = course.stage, let direction = course.direction else { continue }
            guard directions[stage] ?? direction == direction else { return nil }
            directions[stage] = direction
        }
        let table = (0..<directions.count).compactMap { directions[$0] }
        return table.isEmpty || table.count < directions.count ? nil : table
    }

    /// The objects that have stages, with the stage in which each one begins.
    public var startingStages: [(object: String, stage: Int)] {
        rows.first?.courses.compactMap { course in course.stage.map { (object: course.object, stage: $0) } } ?? []
    }
}

extension PhaseTable {
    /// An object's way through a phase as text, in points: `-30 → 0` from the centre for objects with stages, `x 10 → 20`
    /// or `y 10 → 20` for objects that only ever move along one axis, `(1, 2) → (3, 4)` for others.
    func way(ofObject index: Int, inPhase row: Int) -> String {
        let course = rows[row].courses[index]
        let (from, to) = (course.from, course.to)
        func text(_ value: Double) -> String { NumberText.decimal(value, places: 1, minus: "−") }
        if course.stage != nil {
            let (start, end) = (from.x - center.x, to.x - center.x)
            let (first, last) = (NumberText.signed(start, places: 1), NumberText.signed(end, places: 1))
            return first == last ? first : "\(first) → \(last)"
        }
        func way(_ start: String, _ end: String) -> String { start == end ? start : "\(start) → \(end)" }
        let points = rows.flatMap { [$0.courses[index].from, $0.courses[index].to] }
        let isLevel = points.allSatisfy { abs($0.y - from.y) < 1e-6 }
        let isUpright = points.allSatisfy { abs($0.x - from.x) < 1e-6 }
        if isLevel, !isUpright { return "x " + way(text(from.x), text(to.x)) }
        if isUpright, !isLevel { return "y " + way(text(from.y), text(to.y)) }
        return way("(\(text(from.x)), \(text(from.y)))", "(\(text(to.x)), \(text(to.y)))")
    }
}
