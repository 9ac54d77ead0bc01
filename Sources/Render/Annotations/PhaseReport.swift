import Animations
import Core

/// A machine-readable phase table. The names of phases are in the requested language, keys and the
/// names of objects are in English.
public struct PhaseReport: Encodable, Sendable {
    /// A point of the canvas, in points.
    public struct Position: Encodable, Sendable {
        /// The distance from the left edge.
        public var x: Double
        /// The distance from the top edge.
        public var y: Double
    }

    /// The motion of an object in a phase.
    public struct Motion: Encodable, Sendable {
        /// The object's name.
        public var object: String
        /// The index of the object's step, counted from 0; nil if it has no steps.
        public var stage: Int?
        /// The direction in that step: -1, 0 or +1.
        public var direction: Int?
        /// The position at the start of the phase.
        public var from: Position
        /// The position at the end of the phase.
        public var to: Position
        /// The farthest position between them, if the object goes there and comes back.
        public var turn: Position?
    }

    /// A phase.
    public struct Row: Encodable, Sendable {
        /// The index of the phase, counted from 0.
        public var phase: Int
        /// The name of the phase.
        public var name: String
        /// The start time in seconds, for computations; `exactStart` is exact.
        public var start: Double
        /// The duration in seconds, for computations; `exactDuration` is exact.
        public var duration: Double
        /// The start time in seconds as an exact fraction or decimal.
        public var exactStart: String
        /// The duration in seconds as an exact fraction or decimal.
        public var exactDuration: String
        /// The motion of each object.
        public var objects: [Motion]
    }

    /// The loader's id.
    public var loader: String
    /// The period in seconds.
    public var period: Double
    /// The period in seconds as an exact fraction or decimal.
    public var exactPeriod: String
    /// The direction of each step, if the objects have steps.
    public var table: [Int]?
    /// The step in which each object starts.
    public var starts: [String: Int]?
    /// The phases in order.
    public var phases: [Row]

    /// The report of the phase table of the loader `id`.
    public init(_ id: String, _ table: PhaseTable, in language: Language) {
        loader = id
        period = table.period.double
        exactPeriod = "\(table.period)"
        self.table = table.displacements
        let starting = table.startingSteps
        starts = starting.isEmpty ? nil : Dictionary(uniqueKeysWithValues: starting.map { ($0.object, $0.step) })
        phases = table.rows.map { row in
            Row(
                phase: row.phase.index, name: row.phase.name.text(in: language), start: row.phase.start.double,
                duration: row.phase.duration.double, exactStart: "\(row.phase.start)",
                exactDuration: "\(row.phase.duration)",
                objects: row.motions.map {
                    Motion(
                        object: $0.object, stage: $0.step, direction: $0.direction,
                        from: Position(x: $0.from.x, y: $0.from.y), to: Position(x: $0.to.x, y: $0.to.y),
                        turn: $0.turn.map { Position(x: $0.x, y: $0.y) })
                })
        }
    }

    /// Returns the table as CSV, with one line per phase and object. Times are in seconds,
    /// positions in points.
    public static func csv(_ table: PhaseTable, in language: Language) -> String {
        let head = "phase,name,start,duration,object,stage,direction,from_x,from_y,to_x,to_y"
        let lines = table.rows.flatMap { row in
            row.motions.map { motion in
                let phase = row.phase
                let cells: [String] = [
                    "\(phase.index)", CSV.cell(phase.name.text(in: language).visible), CSV.number(phase.start.double),
                    CSV.number(phase.duration.double), CSV.cell(motion.object.visible),
                    motion.step.map { "\($0)" } ?? "", motion.direction.map { "\($0)" } ?? "",
                    CSV.number(motion.from.x), CSV.number(motion.from.y), CSV.number(motion.to.x),
                    CSV.number(motion.to.y),
                ]
                return cells.joined(separator: ",")
            }
        }
        return ([head] + lines).joined(separator: "\n")
    }
}
