import Core

/// The descriptions of all objects, and the groups with a common motion.
package struct MotionSummary: Sendable {
    package private(set) var descriptions: [MotionDescription]
    package private(set) var groups: [MotionGroup] = []

    /// The largest difference between equal delays in seconds: less than a frame at 60 fps.
    private static let delayTolerance = 0.012

    package init(_ clip: Reconstruction) {
        descriptions = clip.objects.map { object in
            MotionDescription(
                object, duration: clip.duration, step: 1 / clip.frameRate, isPeriodic: clip.period != nil)
        }
        let comparison = MotionComparison(
            duration: clip.duration, frame: 1 / clip.frameRate, isLoop: clip.isLoop)
        var isGrouped = [Bool](repeating: false, count: descriptions.count)
        for first in descriptions.indices where !isGrouped[first] {
            var members = [(index: first, delay: 0.0)]
            for other in descriptions.indices where other > first && !isGrouped[other] {
                if let delay = comparison.delay(of: clip.objects[other], after: clip.objects[first]) {
                    members.append((other, delay))
                }
            }
            guard members.count > 1 else { continue }
            for member in members { isGrouped[member.index] = true }
            add(members, clip)
        }
    }

    /// Adds a group, beginning with the member that follows the longest pause.
    private mutating func add(_ found: [(index: Int, delay: Double)], _ clip: Reconstruction) {
        var members = found.sorted { ($0.delay, $0.index) < ($1.delay, $1.index) }
        if clip.isLoop {
            var gaps = zip(members.dropFirst(), members).map { $0.delay - $1.delay }
            gaps.insert(members[0].delay + clip.duration - members[members.count - 1].delay, at: 0)
            let start = gaps.indices.max { (gaps[$0], $1) < (gaps[$1], $0) } ?? 0
            let origin = members[start].delay
            members = members.map { ($0.index, ($0.delay - origin + clip.duration).remainder(clip.duration)) }
            members.sort { ($0.delay, $0.index) < ($1.delay, $1.index) }
        }
        for member in members {
            descriptions[member.index].delay = member.delay - members[0].delay
            descriptions[member.index].group = groups.count
        }
        let steps = zip(members.dropFirst(), members).map { $0.delay - $1.delay }
        let mean = steps.reduce(0, +) / Double(steps.count)
        let isEven = steps.allSatisfy { abs($0 - mean) <= Self.delayTolerance }
        groups.append(MotionGroup(members: members.map(\.index), stagger: isEven ? mean : nil))
    }
}

extension Double {
    /// Returns the remainder after division by a positive number, never negative.
    fileprivate func remainder(_ divisor: Double) -> Double { self - (self / divisor).rounded(.down) * divisor }
}
