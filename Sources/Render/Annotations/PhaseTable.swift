import Animations
import Core

/// The exact motion of every object in every phase of a loader.
public struct PhaseTable: Sendable, Hashable {
    /// The motion of one object in one phase.
    public struct Motion: Sendable, Hashable {
        /// The object's name.
        public let object: String
        /// The object's name in captions.
        public let title: LocalizedText
        /// The index of the object's step, counted from 0; nil if it has no steps.
        public let step: Int?
        /// The direction in that step: -1, 0 or +1.
        public let direction: Int?
        /// The position at the start of the phase, in points.
        public let from: Point
        /// The position at the end of the phase, in points. If the object jumps there, the position
        /// before the jump.
        public let to: Point
        /// The farthest position between them, if the object goes there and comes back.
        public let turn: Point?
        /// A remark instead of positions: that a stroke draws or erases itself, or that the object
        /// is not visible in the whole phase; nil for positions.
        package let remark: String?
    }

    /// One phase.
    public struct Row: Sendable, Hashable {
        public let phase: Phase
        /// The motion of each object, in the order of `Loader.objects(at:)`.
        public let motions: [Motion]
    }

    /// The phases in order.
    public let rows: [Row]
    /// The loader's exact period in seconds.
    public let period: Rational
    /// The canvas's centre in points. In captions, positions of objects with steps are relative to
    /// it.
    public let center: Point
    /// The axes along which each object moves.
    private let movement: [Movement]

    /// The axes along which an object moves.
    private struct Movement: Sendable, Hashable {
        var alongX: Bool
        var alongY: Bool
    }

    /// The share of the canvas's longer side below which an object that comes back has not moved.
    private static let minTurn = 0.005

    /// The table of a loader.
    public init(_ loader: any Loader) { self.init(loader, MotionCurves(loader)) }

    /// The table of a loader whose motion curves the caller already has.
    package init(_ loader: any Loader, _ curves: MotionCurves) {
        period = loader.period
        center = Rect(size: loader.canvas).center
        movement = curves.pieces.indices.map {
            Movement(alongX: curves.moves($0, along: .x), alongY: curves.moves($0, along: .y))
        }
        let minTurn = Self.minTurn * max(loader.canvas.width, loader.canvas.height)
        rows = loader.phases.map { phase in
            let ends = loader.positions(atEndOf: phase)
            let starts = loader.objects(at: phase.start)
            let remarks = Self.remarks(loader, in: phase)
            let motions = zip(starts, ends).enumerated().map { index, motion in
                let (object, end) = motion
                return Motion(
                    object: object.name, title: object.title, step: object.step, direction: object.direction,
                    from: object.position, to: end,
                    turn: curves.turn(ofObject: index, in: phase, from: object.position, to: end, minimum: minTurn),
                    remark: remarks[index])
            }
            return Row(phase: phase, motions: motions)
        }
    }

    /// The number of instants of a phase at which objects are examined.
    private static let samples = 24

    /// Returns the text that replaces each object's positions in a phase; nil for positions.
    private static func remarks(_ loader: any Loader, in phase: Phase) -> [String?] {
        let first = loader.objects(at: phase.start)
        let states = (0..<samples).map { sample in
            loader.objects(at: phase.start + phase.duration * Rational(Int128(2 * sample + 1), Int128(2 * samples)))
        }
        guard states.joined().contains(where: { !$0.isVisible || !$0.hasPosition }) else {
            return first.map { _ in nil }
        }
        return first.indices.map { index in
            let seen = states.map { $0[index] }.filter(\.isVisible)
            guard let start = seen.first else { return "not visible" }
            guard !start.hasPosition else { return nil }
            return MovingObject.StrokeTrim.action(seen.compactMap(\.strokeTrim)).map { action in
                switch action {
                case .draws: "draws itself"
                case .erases: "erases itself"
                case .drawsAndErases: "draws and erases itself"
                case .travels: "moves along its path"
                }
            }
        }
    }

    /// The direction of each step, as in the article's table; nil unless all objects run through
    /// the same steps.
    public var displacements: [Int]? {
        var directions: [Int: Int] = [:]
        for motion in rows.flatMap(\.motions) {
            guard let step = motion.step, let direction = motion.direction else { continue }
            guard directions[step] ?? direction == direction else { return nil }
            directions[step] = direction
        }
        let table = (0..<directions.count).compactMap { directions[$0] }
        return table.isEmpty || table.count < directions.count ? nil : table
    }

    /// The objects with steps, and the step in which each one starts.
    public var startingSteps: [(object: String, step: Int)] {
        rows.first?.motions.compactMap { motion in motion.step.map { (object: motion.object, step: $0) } } ?? []
    }
}

extension PhaseTable {
    /// Returns the start times, in seconds, of the phases at which an object jumps.
    func jumps(ofObject index: Int) -> [Rational] {
        zip(rows, rows.suffix(1) + rows.dropLast()).compactMap { row, before in
            let gap = row.motions[index].from.distance(to: before.motions[index].to)
            return gap > Kinematics.minJump ? row.phase.start : nil
        }
    }

    /// Returns an object's motion in a phase as text, in points: `-30 → 0` relative to the centre
    /// for objects with steps, `x 10 → 20` or `y 10 → 20` for objects that move along one axis
    /// only, and `(1, 2) → (3, 4)` for others. For an object that comes back, the text has its
    /// turning point: `y 99.8 ↔ 60`. With `isASCII`, the text has `->` and `-`. For an object
    /// without positions, the text is its remark in the language.
    public func displacement(
        ofObject index: Int, inPhase row: Int, isASCII: Bool = false, language: Language = .en
    ) -> String {
        let motion = rows[row].motions[index]
        if let remark = motion.remark { return Glossary.phrase(remark, in: language) }
        let from = motion.from
        let to = motion.to
        let (minus, arrow) = isASCII ? ("-", "->") : ("−", "→")
        func text(_ value: Double) -> String { NumberText.decimal(value, places: 1, minus: minus) }
        func change(_ value: (Point) -> String) -> String {
            let start = value(from)
            if let turn = motion.turn, value(turn) != start {
                return "\(start) \(isASCII ? "<->" : "↔") \(value(turn))"
            }
            return start == value(to) ? start : "\(start) \(arrow) \(value(to))"
        }
        if motion.step != nil { return change { NumberText.signed($0.x - center.x, places: 1, minus: minus) } }
        let movement = movement[index]
        if movement.alongX, !movement.alongY { return "x " + change { text($0.x) } }
        if movement.alongY, !movement.alongX { return "y " + change { text($0.y) } }
        return change { "(\(text($0.x)), \(text($0.y)))" }
    }
}
