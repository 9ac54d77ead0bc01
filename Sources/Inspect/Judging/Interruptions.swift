/// Frames in which a recording shows something other than before and after them.
struct Interruption {
    let frames: Range<Int>
    /// True if they are blank.
    let isBlank: Bool
}

extension TimeFindings {
    /// The energy at the designed time, relative to the drawing's and to that of most frames, above
    /// which a frame shows something else: the limits of `JudgedRecording.transientDeviations`.
    private static let otherFit = (share: 0.06, ratio: 6.0)
    /// The maximum number of frames that show other content. More are a transient deviation, which
    /// has an explanation.
    private static let maxOtherFrames = 4
    /// The minimum change into and out of an interruption, and the minimum difference of its frames
    /// from the design, both relative to the usual change. Two frames that changed places have a
    /// difference of 1, and changes of 4, 1 and 4.
    private static let minCut = (change: 3.0, energy: 2.0)

    /// Returns the interruptions: frames between two that are right in time and content.
    func foundInterruptions() -> [Interruption] {
        let drawing = max(1, FrameEvidence.minDrawing * (frames.map(\.drawingEnergy).median ?? 0))
        let drawings = frames.map { max(drawing, $0.drawingEnergy) }
        let shares = frames.indices.map { frames[$0].energy / drawings[$0] }
        let limit = max(Self.otherFit.share, Self.otherFit.ratio * (shares.median ?? 0))
        var result: [Interruption] = []
        var index = body.lowerBound + 1
        while index < body.upperBound {
            let start = index
            while index < body.upperBound, shares[index] > limit { index += 1 }
            let run = start..<index
            if !run.isEmpty, index < body.upperBound, shares[start - 1] <= limit, isCut(run) {
                let isBlank = run.allSatisfy { evidence.isBlank[$0] }
                let showsOtherTime = run.allSatisfy { frames[$0].alignedEnergy < limit * drawings[$0] }
                if isBlank || showsOtherTime || run.count <= Self.maxOtherFrames {
                    result.append(Interruption(frames: run, isBlank: isBlank))
                }
            }
            index += 1
        }
        return result
    }

    /// True if the recording jumps into a range of frames and out of it, and differs from the
    /// design in each of them by more than it usually changes.
    private func isCut(_ range: Range<Int>) -> Bool {
        let near = (range.lowerBound - Self.skipReach..<range.upperBound + 1 + Self.skipReach).clamped(to: body)
        let outside = near.filter { $0 < range.lowerBound || $0 > range.upperBound }
        let usual = outside.filter { !evidence.isStill[$0] }.map { frames[$0].change }.median ?? 0
        let change = max(evidence.minMotion, Self.minCut.change * usual)
        return frames[range.lowerBound].change > change && frames[range.upperBound].change > change
            && range.allSatisfy { frames[$0].energy > Self.minCut.energy * usual }
    }

    /// Returns the deviations of the interruptions that no other finding in time explains.
    func interruptionDeviations(besides others: [Deviation]) -> [Deviation] {
        interruptions.filter { interruption in
            let times = time(interruption.frames.lowerBound - 1)...time(interruption.frames.upperBound)
            return interruption.isBlank || !others.contains { $0.time?.overlaps(times) ?? false }
        }.map { interruption in
            let from = time(interruption.frames.lowerBound)
            let until = time(interruption.frames.upperBound)
            let first = DeviationWriter.seconds(from)
            guard !interruption.isBlank else {
                return Deviation(
                    kind: .missing, time: from...until,
                    text: "the loader is missing from \(first) to \(DeviationWriter.seconds(until))")
            }
            let count = interruption.frames.count
            let words = count == 1 ? "1 frame at \(first) shows" : "\(count) frames from \(first) on show"
            return Deviation(
                kind: .unexplained, time: from...until,
                text: "\(words) something other than the loader at that time")
        }
    }
}
