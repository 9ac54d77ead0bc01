import Core

/// The frames in which an object is not seen.
struct Gaps {
    struct Gap {
        var frames: Range<Int>
        /// The frame before and the one after it in which the object is seen.
        var before: Int?
        var after: Int?
    }

    /// The frames in which the object is invisible, rather than behind or beside another.
    var hidden: [Gap] = []
    private let limit: Int

    /// The number of frames for which an object may be behind another: a second at 60 fps.
    private static let maxCovered = 60
    /// That number at the ends of a clip, where it is not known whether the object comes back.
    private static let maxOpen = 8

    /// The share of a gap's frames in which another object must be where this one is expected.
    private static let minOccupied = 0.8

    /// - Parameter isOccupied: returns true if a frame shows an object at a point.
    init(_ shapes: [ObservedShape], merged: Set<Int>, limit: Int, isOccupied: (Int, Point) -> Bool) {
        self.limit = limit
        func isBehind(_ last: ObservedShape?, _ next: ObservedShape?) -> Bool {
            guard let last, let next, next.frame > last.frame + 1 else { return false }
            let frames = last.frame + 1..<next.frame
            let occupied = frames.count { isOccupied($0, last.centroid(towards: next, at: $0)) }
            return Double(occupied) >= Gaps.minOccupied * Double(frames.count)
        }
        var last: ObservedShape?
        func add(_ end: Int, _ next: ObservedShape?) {
            let start = (last?.frame ?? -1) + 1
            guard start < end else { return }
            // In merged frames, the object is a part of a larger shape, in which it may vanish.
            let apart = (start..<end).count { !merged.contains($0) }
            let isMerged = last != nil && next != nil && apart < end - start && apart <= Gaps.maxCovered
            guard !isMerged else { return }
            // An object that vanishes beside another goes behind it.
            let isOpen = last == nil || next == nil
            let isBrief = end - start <= (isOpen ? Gaps.maxOpen : Gaps.maxCovered)
            let isCovered =
                [last, next].compactMap { $0 }.contains(where: \.isPartlyHidden) || isBehind(last, next)
            guard !isCovered || !isBrief else { return }
            hidden.append(Gap(frames: start..<end, before: last?.frame, after: next?.frame))
        }
        for shape in shapes {
            add(shape.frame, shape)
            last = shape
        }
        add(limit, nil)
    }

    /// Returns the times between poses in which the object is visible but not measured.
    func guessed(_ poses: [ShapePose], _ times: [Double]) -> [ClosedRange<Double>] {
        let invisible = Set(hidden.flatMap(\.frames))
        let known = Set(poses.map(\.frame))
        var ranges: [ClosedRange<Double>] = []
        var first: Int?
        for frame in 0...limit {
            let isGuessed = frame < limit && !known.contains(frame) && !invisible.contains(frame)
            if isGuessed { first = first ?? frame }
            if !isGuessed, let start = first {
                ranges.append(times[start]...times[frame - 1])
                first = nil
            }
        }
        return ranges
    }
}
