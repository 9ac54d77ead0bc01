// The changes from frame to frame that a loader has by design.
extension LoaderAlignmentCheck {
    /// The minimum interval between frames, in instants, at which the loader's own changes from
    /// frame to frame are known: two, but for rounding.
    static let minInterval = 1.9
    /// The number of frames before and after a finding's frame that may contain its cause.
    private static let framesBefore = 3
    private static let framesAfter = 5
    /// A change relative to the largest one nearby, below which a frame looks like the previous
    /// one: encoders leave out slower motion.
    private static let maxStill = 0.2
    /// The minimum change of a designed jump relative to the median change nearby, and relative to
    /// the clip's change there. One missing frame multiplies the squared change of even motion by
    /// four; the rounding to instants multiplies it by at most 1.6. If the frames around it keep
    /// their times, none is missing, so the designed change need not stand out.
    private static let minDesignedJump = 2.0
    /// The minimum change of the loader, relative to that of the clip, at each frame of a finding
    /// that the loader's own motion explains. Two steps of even motion differ by a half.
    private static let minDesignedStep = 0.75
    private static let minJumpPart = 0.5

    /// Returns true if the loader itself rests or jumps where a finding says that the clip does.
    func explains(_ finding: Finding) -> Bool {
        guard interval >= Self.minInterval, let frame = finding.frame,
            let index = samples.firstIndex(where: { $0.frame >= frame })
        else { return false }
        let pairs = max(0, index - Self.framesBefore)..<min(samples.count - 1, index + Self.framesAfter)
        guard pairs.count > 2 else { return false }
        let shown = pairs.map { SmallFrames.difference(samples[$0].pixels, samples[$0 + 1].pixels) }
        let designed = pairs.map { SmallFrames.difference(model.frames[instant($0)], model.frames[instant($0 + 1)]) }
        switch finding.id {
        case .pictureSwapped, .pictureTorn:
            // A frame out of order changes more than the loader, and not at another time.
            let near = zip(shown, designed).enumerated().filter { abs($0.offset + pairs.lowerBound - index) <= 1 }
            return near.allSatisfy { $0.element.1 >= Self.minDesignedStep * $0.element.0 }
        case .pictureFrozen, .pictureDoubled:
            let largest = max(designed.max() ?? 0, Double(motion))
            return zip(shown, designed).allSatisfy { shown, designed in
                shown > Self.maxStill * largest || designed <= Self.maxStill * largest
            }
        default:
            guard let largest = shown.indices.max(by: { shown[$0] < shown[$1] }) else { return false }
            let isRegular = Set(path[pairs.lowerBound...pairs.upperBound]).count == 1
            return designed[largest] >= Self.minJumpPart * shown[largest]
                && (isRegular || designed[largest] >= Self.minDesignedJump * (designed.median ?? 0))
        }
    }

    /// Returns the instant that a frame shows according to the alignment.
    private func instant(_ index: Int) -> Int { Self.wrapped(line[index] + path[index], model.frames.count) }
}
