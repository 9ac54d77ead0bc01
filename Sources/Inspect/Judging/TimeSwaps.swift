extension TimeFindings {
    /// The maximum distance between two exchanged frames, in frames.
    private static let maxSwap = 6
    /// The number of frames on each side that tell the usual change. A motion that is about to rest
    /// changes less from frame to frame.
    private static let swapReach = 3

    /// Returns true if two frames together show other times than the designed ones.
    private func areCertain(_ first: Int, _ second: Int) -> Bool {
        let aligned = frames[first].alignedEnergy + frames[second].alignedEnergy
        return frames[first].energy + frames[second].energy > FrameEvidence.minTimeGain * aligned
    }

    /// Returns the frames whose order was exchanged: one leads by as much as one soon after it
    /// lags.
    func swaps() -> [Deviation] {
        let limit = 0.6 * abs(speed) * step
        let certain = body.filter { evidence.isLikely[$0] }
        let direction: Double = speed < 0 ? -1 : 1
        let leads = certain.indices.map { position -> Double in
            let near = certain[max(0, position - 4)..<min(certain.count, position + 5)].map(lead)
            return direction * (lead(certain[position]) - (near.median ?? 0))
        }
        var result: [Deviation] = []
        var position = 1
        while position + 1 < certain.count {
            let later = (position + 1..<min(certain.count, position + Self.maxSwap + 1)).first { later in
                let distance = abs(speed) * (time(certain[later]) - time(certain[position]))
                return abs(leads[position] - distance) < limit && abs(leads[later] + distance) < limit
            }
            guard let later, leads[position] > limit, leads[later] < -limit,
                areCertain(certain[position], certain[later]),
                isVisibleSkip(
                    from: certain[position - 1], to: min(frames.count - 1, certain[later] + 1),
                    reach: Self.swapReach)
            else {
                position += 1
                continue
            }
            let at = time(certain[position])
            result.append(
                Deviation(
                    kind: .swappedFrames, time: at...time(certain[later]), size: 1, unit: "frames",
                    text: "frames swapped at \(DeviationWriter.decimal(at)) s"))
            position = later + 1
        }
        return result
    }
}
