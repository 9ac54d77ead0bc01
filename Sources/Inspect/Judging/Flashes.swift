/// A run of frames that shows other content than the frames before and after it.
struct Flash {
    let frames: Range<Int>
    /// True if they are blank.
    let isBlank: Bool
    /// True if they show the loader at another time.
    let showsOtherTime: Bool
}

extension AlignedFrame {
    /// The energy, relative to the drawing's, above which a frame shows something else, and its
    /// minimum ratio to the energy of most frames. Single frames before a keyframe reach three
    /// times the median.
    private static let otherContent = (energy: 0.06, medianRatio: 6.0)

    /// Returns the energies of the frames' drawings, with a minimum: in nearly empty frames, coding
    /// errors are large compared with the drawing.
    static func drawings(_ frames: [AlignedFrame]) -> [Double] {
        let drawing = max(1, FrameEvidence.minDrawing * (frames.map(\.drawingEnergy).median ?? 0))
        return frames.map { max(drawing, $0.drawingEnergy) }
    }

    /// Returns the energy, relative to the drawing's, above which a frame shows something else.
    ///
    /// - Parameter shares: the energies of all frames relative to their drawings'.
    static func otherContentLimit(_ shares: [Double]) -> Double {
        max(otherContent.energy, otherContent.medianRatio * (shares.median ?? 0))
    }
}

extension TimeFindings {
    /// The maximum number of frames of a flash with other content. More are judged as a transient
    /// difference.
    static let maxOtherFrames = 4
    /// The minimum change into and out of a flash, and the minimum difference of its frames from
    /// the design, both relative to the usual change. Two frames that were swapped have a
    /// difference of 1, and changes of 4, 1 and 4.
    private static let minCut = (change: 3.0, energy: 2.0)
    /// The energy of frames with other content that appears and disappears at once, relative to
    /// their drawing's, and its minimum ratio to the energy of most frames.
    private static let inserted = (energy: 0.025, medianRatio: 10.0)
    /// The minimum change into and out of frames with other content, beyond the usual one, relative
    /// to their difference from the design. It is 1 without noise, whatever else moves.
    private static let minInsertion = 0.6
    /// The maximum distance, in intervals of the recording, of a frame from its time at which it is
    /// not a flash. Where the design jumps, rounding decides which side of the jump a frame shows.
    private static let maxRounding = 1.5

    /// Returns the flashes: frames between two that are right in time and content.
    func foundFlashes() -> [Flash] {
        let drawings = AlignedFrame.drawings(frames)
        let shares = zip(frames, drawings).map { $0.energy / $1 }
        let limit = AlignedFrame.otherContentLimit(shares)
        var result: [Flash] = []
        var index = body.lowerBound + 1
        while index < body.upperBound {
            let start = index
            while index < body.upperBound, shares[index] > limit { index += 1 }
            let run = start..<index
            if !run.isEmpty, index < body.upperBound, shares[start - 1] <= limit, isCut(run) {
                let flash = Flash(
                    frames: run, isBlank: run.allSatisfy { evidence.isBlank[$0] },
                    showsOtherTime: run.allSatisfy { frames[$0].alignedEnergy < limit * drawings[$0] })
                let isOther = flash.showsOtherTime ? !isRounded(run) : run.count <= Self.maxOtherFrames
                if flash.isBlank || isOther { result.append(flash) }
            }
            index += 1
        }
        let parts = insertions.filter { part in
            part.count <= Self.maxOtherFrames && !result.contains { $0.frames.overlaps(part) }
        }
        return result + parts.map { Flash(frames: $0, isBlank: false, showsOtherTime: false) }
    }

    /// The runs of frames with a part that the loader never draws and that appears and disappears
    /// at once, such as another colour of one object.
    ///
    /// Beside fast motion, such a part does not change enough for a cut. If an encoder does not
    /// update a part of some frames, the first of these frames changes less than usual.
    var insertions: [Range<Int>] {
        let shares = zip(frames, AlignedFrame.drawings(frames)).map { $0.alignedEnergy / $1 }
        let limit = max(Self.inserted.energy, Self.inserted.medianRatio * (shares.median ?? 0))
        var result: [Range<Int>] = []
        var index = body.lowerBound + 1
        while index < body.upperBound {
            let start = index
            while index < body.upperBound, shares[index] > limit { index += 1 }
            if index > start, index < body.upperBound, shares[start - 1] <= limit, isInserted(start..<index) {
                result.append(start..<index)
            }
            index += 1
        }
        return result
    }

    /// Returns true if the content of frames that the loader does not draw appears and disappears
    /// at once.
    private func isInserted(_ range: Range<Int>) -> Bool {
        let usual = usualChange(around: range)
        let appearing = frames[range.lowerBound].change - usual
        let disappearing = frames[range.upperBound].change - usual
        return appearing > Self.minInsertion * frames[range.lowerBound].alignedEnergy
            && disappearing > Self.minInsertion * frames[range.upperBound - 1].alignedEnergy
    }

    /// Returns true if a range is a single frame that shows the loader just before or after its
    /// time.
    private func isRounded(_ range: Range<Int>) -> Bool {
        let frame = frames[range.lowerBound]
        let interval = abs(frames[range.upperBound].expected - frame.expected)
        let distance = abs(frame.modelTime - frame.expected)
        return range.count == 1 && distance > 0 && distance <= Self.maxRounding * interval
    }

    /// Returns the usual change of the frames around a range.
    private func usualChange(around range: Range<Int>) -> Double {
        let near = (range.lowerBound - Self.skipReach..<range.upperBound + 1 + Self.skipReach).clamped(to: body)
        let outside = near.filter { $0 < range.lowerBound || $0 > range.upperBound }
        return outside.filter { !evidence.isStill[$0] }.map { frames[$0].change }.median ?? 0
    }

    /// Returns true if the recording jumps into a range of frames and out of it, and differs from
    /// the design in each of them by more than it usually changes.
    private func isCut(_ range: Range<Int>) -> Bool {
        let usual = usualChange(around: range)
        let change = max(evidence.minMotion, Self.minCut.change * usual)
        return frames[range.lowerBound].change > change && frames[range.upperBound].change > change
            && range.allSatisfy { frames[$0].energy > Self.minCut.energy * usual }
    }

    /// Returns the deviations of the flashes. A blank one is always reported, another only if no
    /// other finding is at its time.
    func flashDeviations(besides others: [Deviation]) -> [Deviation] {
        flashes.filter { flash in
            let times = time(flash.frames.lowerBound - 1)...time(flash.frames.upperBound)
            return flash.isBlank || !others.contains { $0.time?.overlaps(times) ?? false }
        }.map { flash in
            let from = time(flash.frames.lowerBound)
            let until = time(flash.frames.upperBound)
            let first = DeviationWriter.seconds(from)
            let last = DeviationWriter.seconds(until)
            guard !flash.isBlank else {
                return Deviation(
                    kind: .missing, time: from...until, text: "the loader is missing from \(first) to \(last)")
            }
            let count = flash.frames.count
            let words = count == 1 ? "1 frame at \(first) shows" : "\(count) frames from \(first) to \(last) show"
            let content = flash.showsOtherTime ? "the loader at another time" : "something other than the loader"
            return Deviation(
                kind: .unexplained, time: from...until, size: Double(count), unit: "frames",
                text: "\(words) \(content)")
        }
    }
}
