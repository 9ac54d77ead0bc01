import Loaders
import Timing

/// A phase table for programs: names of phases are in the language asked for, keys and names of objects in English.
public struct PhaseReport: Encodable, Sendable {
    /// A point of the canvas, in points.
    public struct Place: Encodable, Sendable {
        /// To the right.
        public var x: Double
        /// Downwards.
        public var y: Double
    }

    /// An object's way through a phase.
    public struct Course: Encodable, Sendable {
        /// The object's name.
        public var object: String
        /// The stage that it is in, counted from 0, if it has stages.
        public var stage: Int?
        /// Which way it moves in that stage: -1, 0 or +1.
        public var direction: Int?
        /// Where it is as the phase begins.
        public var from: Place
        /// Where it is as the phase ends.
        public var to: Place
    }

    /// A phase.
    public struct Row: Encodable, Sendable {
        /// Its number, counted from 0.
        public var phase: Int
        /// Its name.
        public var name: String
        /// When it begins, in seconds, for computing; `exactStart` and `exactDuration` are exact.
        public var start: Double
        /// Its length in seconds.
        public var duration: Double
        /// When it begins, in seconds as exact text.
        public var exactStart: String
        /// Its length in seconds as exact text.
        public var exactDuration: String
        /// What the objects do in it.
        public var objects: [Course]
    }

    /// The loader's id.
    public var loader: String
    /// The period in seconds.
    public var period: Double
    /// The period in seconds as exact text.
    public var exactPeriod: String
    /// The direction of each stage, if the objects have stages.
    public var table: [Int]?
    /// The stage in which each object begins.
    public var starts: [String: Int]?
    /// The phases in order.
    public var phases: [Row]

    /// The report of a loader's table.
    public init(_ id: String, _ table: PhaseTable, in language: Language) {
        loader = id
        (period, exactPeriod) = (table.period.double, "\(table.period)")
        self.table = table.displacements
        let starting = table.startingSteps
        starts = starting.isEmpty ? nil : Dictionary(uniqueKeysWithValues: starting.map { ($0.object, $0.step) })
        phases = table.rows.map { row in
            Row(
                phase: row.phase.index, name: row.phase.name.text(in: language), start: row.phase.start.double,
                duration: row.phase.duration.double, exactStart: "\(row.phase.start)",
                exactDuration: "\(row.phase.duration)",
                objects: row.courses.map {
                    Course(
                        object: $0.object, stage: $0.step, direction: $0.direction,
                        from: Place(x: $0.from.x, y: $0.from.y), to: Place(x: $0.to.x, y: $0.to.y))
                })
        }
    }

    /// One line per phase and object; times in seconds, positions in points.
    public static func csv(_ table: PhaseTable, in language: Language) -> String {
        let head = "phase,name,start,duration,object,stage,direction,from_x,from_y,to_x,to_y"
        let lines = table.rows.flatMap { row in
            row.courses.map { course in
                let phase = row.phase
                let cells: [String] = [
                    "\(phase.index)", CSV.quoted(phase.name.text(in: language)), CSV.number(phase.start.double),
                    CSV.number(phase.duration.double), CSV.quoted(course.object),
                    course.step.map { "\($0)" } ?? "", course.direction.map { "\($0)" } ?? "",
                    CSV.number(course.from.x), CSV.number(course.from.y), CSV.number(course.to.x),
                    CSV.number(course.to.y),
                ]
                return cells.joined(separator: ",")
            }
        }
        return ([head] + lines).joined(separator: "\n")
    }
}
