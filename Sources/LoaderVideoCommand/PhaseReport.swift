import PlatformFoundation
import Annotations
import Loaders
import Motion

/// A phase table for programs: names of phases are in the language asked for, keys and names of objects in English.
struct PhaseReport: Encodable {
    struct Place: Encodable {
        var x: Double
        var y: Double
    }
    struct Course: Encodable {
        var object: String
        var stage: Int?
        var direction: Int?
        var from: Place
        var to: Place
    }
    struct Row: Encodable {
        var phase: Int
        var name: String
        /// Seconds, for computing; `exactStart` and `exactDuration` hold the same as exact text.
        var start: Double
        var duration: Double
        var exactStart: String
        var exactDuration: String
        var objects: [Course]
    }

    var loader: String
    var period: Double
    var exactPeriod: String
    /// The direction of each stage, if the objects have stages.
    var table: [Int]?
    /// The stage in which each object begins.
    var starts: [String: Int]?
    var phases: [Row]

    init(_ id: String, _ table: PhaseTable, in language: Language) {
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

    func json() throws -> String {
        try jsonText(self)
    }

    /// One line per phase and object; times in seconds, positions in points.
    static func csv(_ table: PhaseTable, in language: Language) -> String {
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

/// Comma-separated values.
enum CSV {
    /// A text, in quotation marks if it needs them.
    static func quoted(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// A number with at most nine decimals.
    static func number(_ value: Double) -> String {
        guard abs(value) < 1e6 else { return "\(value)" }
        let scaled = Int((value * 1e9).rounded())
        let digits = String(scaled.magnitude)
        var text = String(repeating: "0", count: max(0, 10 - digits.count)) + digits
        text.insert(".", at: text.index(text.endIndex, offsetBy: -9))
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return (scaled < 0 ? "-" : "") + text
    }
}
