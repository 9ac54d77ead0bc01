import Loaders
import Motion
import Scene
import Timing

/// What every object does in every phase of a loader: exact.
public struct PhaseTable: Sendable, Hashable {
    /// The way of one object through one phase.
    public struct Course: Sendable, Hashable {
        /// The object's name.
        public let object: String
        /// What it is called in captions.
        public let title: LocalizedText
        /// The step of its own course that it is in, counted from 0, if it has steps.
        public let step: Int?
        /// Which way it moves in that step: -1, 0 or +1.
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
    /// The canvas's centre in points, from which objects with steps are measured in captions.
    public let center: Point
    /// Along which axes each object ever moves.
    private let movement: [Movement]

    /// Along which axes an object moves.
    private struct Movement: Sendable, Hashable {
        var alongX: Bool
        var alongY: Bool
    }

    /// The table of a loader.
    public init(_ loader: any Loader) { self.init(loader, MotionCurves(loader)) }

    init(_ loader: any Loader, _ curves: MotionCurves) {
        period = loader.period
        center = Rect(size: loader.canvas).center
        movement = curves.pieces.indices.map {
            Movement(alongX: curves.moves($0, along: .x), alongY: curves.moves($0, along: .y))
        }
        rows = loader.phases.map { phase in
            let ends = loader.positions(atEndOf: phase)
            let courses = zip(loader.objects(at: phase.start), ends).map { object, end in
                Course(
                    object: object.name, title: object.title, step: object.step, direction: object.direction,
                    from: object.position, to: end)
            }
            return Row(phase: phase, courses: courses)
        }
    }

    /// The direction of each step, if the objects have steps and all run through the same: the article's table.
    public var displacements: [Int]? {
        var directions: [Int: Int] = [:]
        for course in rows.flatMap(\.courses) {
            guard let step = course.step, let direction = course.direction else { continue }
            guard directions[step] ?? direction == direction else { return nil }
            directions[step] = direction
        }
        let table = (0..<directions.count).compactMap { directions[$0] }
        return table.isEmpty || table.count < directions.count ? nil : table
    }

    /// The objects that have steps, with the step in which each one begins.
    public var startingSteps: [(object: String, step: Int)] {
        rows.first?.courses.compactMap { course in course.step.map { (object: course.object, step: $0) } } ?? []
    }
}

extension PhaseTable {
    /// When an object begins a phase elsewhere than it ended the one before, in seconds.
    func jumps(ofObject index: Int) -> [Rational] {
        zip(rows, rows.suffix(1) + rows.dropLast()).compactMap { row, before in
            let gap = row.courses[index].from.distance(to: before.courses[index].to)
            return gap > Kinematics.smallestJump ? row.phase.start : nil
        }
    }

    /// An object's way through a phase as text, in points: `-30 → 0` from the centre for objects with steps, `x 10 → 20`
    /// or `y 10 → 20` for objects that only ever move along one axis, `(1, 2) → (3, 4)` for others.
    /// `isASCII` writes `->` and `-`.
    public func way(ofObject index: Int, inPhase row: Int, isASCII: Bool = false) -> String {
        let course = rows[row].courses[index]
        let (from, to) = (course.from, course.to)
        let (minus, arrow) = isASCII ? ("-", "->") : ("−", "→")
        func text(_ value: Double) -> String { NumberText.decimal(value, places: 1, minus: minus) }
        func way(_ start: String, _ end: String) -> String { start == end ? start : "\(start) \(arrow) \(end)" }
        if course.step != nil {
            let (start, end) = (from.x - center.x, to.x - center.x)
            return way(
                NumberText.signed(start, places: 1, minus: minus), NumberText.signed(end, places: 1, minus: minus))
        }
        let movement = movement[index]
        if movement.alongX, !movement.alongY { return "x " + way(text(from.x), text(to.x)) }
        if movement.alongY, !movement.alongX { return "y " + way(text(from.y), text(to.y)) }
        return way("(\(text(from.x)), \(text(from.y)))", "(\(text(to.x)), \(text(to.y)))")
    }
}
