import Analysis
import Loaders
import Platform
import Scene

/// Says in terms of a loader how the motion of two clips differs, where both can be followed: which object, in which phase, and
/// by how much it is late, early or beside its course.
enum MotionDifference {
    /// Shifts of fewer pixels are within what following objects can tell.
    private static let least = 1.0

    /// How far an object of one clip is from where the other has it.
    private struct Shift {
        var (along, across): (Double, Double)
        var size: Double { (along * along + across * across).squareRoot() }
    }

    /// What can be said; nothing if one of the clips does not show a loader that is known and can be judged.
    static func lines(_ expected: String, _ actual: String, _ limits: ClipLimits) -> [String] {
        guard let a = try? ClipAnalysis(path: expected, limits: limits), let match = a.match,
            let loader = (try? LoaderCatalog.current.definition(match.loader).make()), ClipComparison.judges(loader),
            let b = try? ClipAnalysis(path: actual, limits: limits), b.objects.count == a.objects.count,
            b.width == a.width, b.height == a.height, let names = a.names(in: loader)
        else { return [] }
        var worst: [[String]: (Shift, phase: Int)] = [:]
        for (index, object) in a.objects.enumerated() {
            guard let other = twin(of: object, in: b) else { return [] }
            for k in a.times.indices.dropFirst().dropLast() where object.visibility[k] > 0.3 {
                guard let shift = shift(object, k, a.times, other, b.times), shift.size > least else { continue }
                let phase = phase(of: loader, at: match.start + match.speed * a.times[k])
                let key = ["\(phase)", names[index]]
                if shift.size > worst[key]?.0.size ?? 0 { worst[key] = (shift, phase) }
            }
        }
        return worst.sorted { ($0.value.phase, $0.key[1]) < ($1.value.phase, $1.key[1]) }.map { key, value in
            "phase \(value.phase): \(key[1]) is \(words(value.0))"
        }
    }

    private static func distance(_ a: Color, _ b: Color) -> Double {
        let (red, green, blue) = (a.red - b.red, a.green - b.green, a.blue - b.blue)
        return (red * red + green * green + blue * blue).squareRoot()
    }

    private static func twin(of object: TrackedObject, in other: ClipAnalysis) -> TrackedObject? {
        let found = other.objects.min { distance($0.color, object.color) < distance($1.color, object.color) }
        return found.flatMap { distance($0.color, object.color) < 0.25 ? $0 : nil }
    }

    /// Where the other clip has an object at the time of a picture, beside where this one has it; nil if it is hidden there or
    /// nothing is shown then.
    private static func shift(
        _ object: TrackedObject, _ k: Int, _ times: [Double], _ other: TrackedObject, _ otherTimes: [Double]
    ) -> Shift? {
        let half = (times[k + 1] - times[k - 1]) / 4
        guard let twin = otherTimes.firstIndex(where: { abs($0 - times[k]) <= half }), other.visibility[twin] > 0.3
        else {
            return nil
        }
        let course = object.positions[k + 1] - object.positions[k - 1]
        let speed = (course.x * course.x + course.y * course.y).squareRoot()
        let offset = other.positions[twin] - object.positions[k]
        // Where it turns nobody can say what late is.
        guard speed > 1 else { return nil }
        return Shift(
            along: (offset.x * course.x + offset.y * course.y) / speed,
            across: (offset.y * course.x - offset.x * course.y) / speed)
    }

    private static func phase(of loader: any Loader, at time: Double) -> Int {
        let period = loader.period.double
        let instant = time - (time / period).rounded(.down) * period
        return loader.phases.last { $0.start.double <= instant }?.index ?? 0
    }

    private static func words(_ shift: Shift) -> String {
        func pixels(_ value: Double) -> String { "\((abs(value) * 10).rounded() / 10) px" }
        if abs(shift.along) >= abs(shift.across) {
            return "\(pixels(shift.along)) \(shift.along < 0 ? "late" : "early")"
        }
        return "\(pixels(shift.across)) beside its course"
    }
}
