import Animations
import Core

/// The difference between the motions of two clips, described in terms of a loader: the object, the
/// phase, and the distance by which it is late, early or off its path. Both clips must be
/// trackable.
enum MotionDifference {
    /// The minimum shift in pixels. Smaller ones are within the accuracy of tracking.
    private static let minShift = 1.0

    /// The maximum number of pixels of all frames of a clip. Tracking takes longer than comparing.
    static let maxPixels = 300_000_000

    /// The displacement of an object between two clips, along and across its path, in pixels.
    private struct Shift {
        var (along, across): (Double, Double)
        var size: Double { (along * along + across * across).squareRoot() }
    }

    /// Returns the descriptions; none if a clip does not show a known loader whose positions can be
    /// compared.
    ///
    /// - Parameter commonTimes: the times at which positions are compared; nil for all times.
    static func lines(
        _ expected: String, _ actual: String, _ limits: ClipLimits, _ commonTimes: CommonTimes?
    ) -> [String] {
        guard let a = try? ClipAnalysis(path: expected, limits: limits), let match = a.match,
            let loader = (try? LoaderCatalog.current.definition(match.loader).make()),
            LoaderAlignment.canCompare(loader),
            let b = try? ClipAnalysis(path: actual, limits: limits), b.objects.count == a.objects.count,
            b.width == a.width, b.height == a.height, let names = a.names(in: loader)
        else { return [] }
        var worst: [[String]: (Shift, phase: Int)] = [:]
        for (index, object) in a.objects.enumerated() {
            guard let other = counterpart(of: object, in: b) else { return [] }
            for k in a.times.indices.dropFirst().dropLast() where object.visibility[k] > 0.3 {
                guard let otherFrame = frame(of: b.times, at: k, of: a.times, commonTimes),
                    let shift = Self.shift(object, k, other, otherFrame), shift.size > minShift
                else { continue }
                let phase = loader.phase(atSeconds: match.start + match.speed * a.times[k])
                let key = ["\(phase)", names[index]]
                if shift.size > worst[key]?.0.size ?? 0 { worst[key] = (shift, phase) }
            }
        }
        return worst.sorted { ($0.value.phase, $0.key[1]) < ($1.value.phase, $1.key[1]) }.map { key, value in
            "phase \(value.phase): \(key[1]) is \(description(value.0))"
        }
    }

    private static func distance(_ a: Color, _ b: Color) -> Double {
        let red = a.red - b.red
        let green = a.green - b.green
        let blue = a.blue - b.blue
        return (red * red + green * green + blue * blue).squareRoot()
    }

    private static func counterpart(of object: TrackedObject, in other: ClipAnalysis) -> TrackedObject? {
        let found = other.objects.min { distance($0.color, object.color) < distance($1.color, object.color) }
        return found.flatMap { distance($0.color, object.color) < 0.25 ? $0 : nil }
    }

    /// Returns the index of the other clip's frame at a frame's time; nil if it has none.
    private static func frame(
        of otherTimes: [Double], at k: Int, of times: [Double], _ commonTimes: CommonTimes?
    ) -> Int? {
        let half = (times[k + 1] - times[k - 1]) / 4
        let nearest = otherTimes.indices.min { abs(otherTimes[$0] - times[k]) < abs(otherTimes[$1] - times[k]) }
        guard let nearest, abs(otherTimes[nearest] - times[k]) <= half else { return nil }
        return commonTimes?.areEqual(times[k], otherTimes[nearest]) ?? true ? nearest : nil
    }

    /// Returns the displacement of an object between a frame and the other clip's one; nil if the
    /// object is hidden or hardly moves.
    private static func shift(
        _ object: TrackedObject, _ k: Int, _ other: TrackedObject, _ otherFrame: Int
    ) -> Shift? {
        guard other.visibility[otherFrame] > 0.3 else { return nil }
        let velocity = object.positions[k + 1] - object.positions[k - 1]
        let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
        let offset = other.positions[otherFrame] - object.positions[k]
        // A lead or lag is undefined where the motion turns.
        guard speed > 1 else { return nil }
        return Shift(
            along: (offset.x * velocity.x + offset.y * velocity.y) / speed,
            across: (offset.y * velocity.x - offset.x * velocity.y) / speed)
    }

    private static func description(_ shift: Shift) -> String {
        func pixels(_ value: Double) -> String { "\((abs(value) * 10).rounded() / 10) px" }
        if abs(shift.along) >= abs(shift.across) {
            return "\(pixels(shift.along)) \(shift.along < 0 ? "late" : "early")"
        }
        return "\(pixels(shift.across)) off its path"
    }
}
