// Restarts and rests that occur elsewhere in a clip, too, as designed ones do.
extension MotionCheck {
    /// The maximum difference of frames that look the same, relative to the larger of the steps
    /// beside the seam. It is not 0, because encoders draw equal frames differently.
    private static let maxSame = 0.1
    /// The minimum number of regular intervals for which a designed rest shows a frame, and the
    /// maximum change during a rest, relative to the mean step.
    private static let minRestIntervals = 1.5
    private static let maxRestChange = 0.04

    /// True if the last two frames and the first two also follow each other within the clip. They
    /// do in an animation of a few frames that is repeated, such as a shake.
    var isSeamShown: Bool {
        let samples = timeline.samples
        let count = samples.count
        guard count > 4 else { return false }
        func difference(_ a: Int, _ b: Int) -> Double { SmallFrames.difference(samples[a].pixels, samples[b].pixels) }
        let around = [count - 2, count - 1, 0, 1]
        // The step at the seam may be larger because frames are missing.
        let limit = Self.maxSame * max(difference(count - 2, count - 1), difference(0, 1))
        return (0...count - around.count).contains { first in
            around.indices.allSatisfy { difference(first + $0, around[$0]) <= limit }
        }
    }

    /// Changes errors about frozen frames, and about frames that are shown longer, to warnings if
    /// the clip rests at the same image at another time: then its design has pauses.
    mutating func explainRests() {
        for index in findings.indices {
            let finding = findings[index]
            guard finding.severity == .error, [.pictureFrozen, .timeGap].contains(finding.id),
                let frame = finding.frame, restsElsewhere(frame)
            else { continue }
            findings[index].severity = .warning
            findings[index].message += " unless this is intended"
        }
    }

    /// Returns true if the clip shows the image of a frame for several intervals at another time.
    private func restsElsewhere(_ frame: Int) -> Bool {
        let samples = timeline.samples
        guard let index = samples.firstIndex(where: { $0.frame == frame }), samples.count > 2 else { return false }
        let steps = zip(samples, samples.dropFirst()).map { SmallFrames.difference($0.pixels, $1.pixels) }
        let limit = Self.maxRestChange * steps.reduce(0, +) / Double(steps.count)
        let intervals = zip(samples, samples.dropFirst()).map { $1.time - $0.time }
        let longInterval = Self.minRestIntervals * (intervals.median ?? 0)
        let isSame = samples.map { SmallFrames.difference($0.pixels, samples[index].pixels) <= limit }
        let first = isSame[..<index].lastIndex(of: false) ?? 0
        let last = isSame[index...].firstIndex(of: false) ?? samples.count
        return steps.indices.contains { other in
            isSame[other] && !(first...last).contains(other)
                && (isSame[other + 1] && steps[other] <= limit || intervals[other] > longInterval)
        }
    }
}
