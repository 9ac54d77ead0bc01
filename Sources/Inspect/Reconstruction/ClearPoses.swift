import Core

extension ObjectBuilder {
    /// The maximum number of frames across which a motion is interpolated: a third of a second at
    /// 60 fps.
    private static let maxHidden = 20
    /// The difference in codes from the usual colour above which it is mixed with another object's.
    private static let maxMixture: Float = 24

    /// True if a frame shows an object at a point.
    func isOccupied(_ frame: Int, _ point: Point) -> Bool {
        seen[frame]?.contains { $0.box.contains(point) } ?? false
    }

    /// Returns the poses without those of frames in which others hide a part, if few are: mixed
    /// colours move the outline.
    func uncovered(_ poses: [ShapePose], _ shapes: [ObservedShape]) -> [ShapePose] {
        var covered = Set(shapes.filter(\.isPartlyHidden).map(\.frame))
        covered.formUnion(mixtures(shapes))
        let clear = poses.filter { !covered.contains($0.frame) }
        let gaps = zip(clear, clear.dropFirst()).map { $1.frame - $0.frame }
        guard 2 * clear.count > poses.count, let longest = gaps.max(), longest <= ObjectBuilder.maxHidden else {
            return poses
        }
        // A curve is constant beyond its samples, so the covered poses at the ends stay.
        let known = clear[0].frame...clear[clear.count - 1].frame
        return poses.filter { !known.contains($0.frame) || !covered.contains($0.frame) }
    }

    /// Returns the frames in which an object of one colour has another because it is seen through
    /// others: beside them, or between frames in which it is hidden or touches them.
    func mixtures(_ shapes: [ObservedShape]) -> Set<Int> {
        let usual = Channels(
            shapes.map(\.color.x).median ?? 0, shapes.map(\.color.y).median ?? 0, shapes.map(\.color.z).median ?? 0)
        let isOther = shapes.map { ($0.color - usual).largest > ObjectBuilder.maxMixture }
        guard isOther.count(where: { $0 }) * 5 < shapes.count else { return [] }
        var result: Set<Int> = []
        var first = 0
        while first < shapes.count {
            var end = first + 1
            while end < shapes.count, isOther[end] == isOther[first], shapes[end].frame == shapes[end - 1].frame + 1 {
                end += 1
            }
            let beside = max(0, first - 1)..<min(shapes.count, end + 1)
            let isBeside =
                shapes[beside].contains { !$0.isAlone }
                || zip(beside, beside.dropFirst()).contains { shapes[$1].frame > shapes[$0].frame + 1 }
            if isOther[first], isBeside { result.formUnion(shapes[first..<end].map(\.frame)) }
            first = end
        }
        return result
    }
}
