import Core

extension ObjectBuilder {
    /// The maximum number of frames across which a motion is interpolated: a third of a second at
    /// 60 fps.
    private static let maxHidden = 20
    /// The number of frames in which a sliver beside another object is too small to be seen as an
    /// object, and the distance in pixels at which it is found.
    private static let sliverFrames = 6
    private static let sliverMargin = 4.0
    /// The maximum motion of a resting object in pixels of the view.
    private static let maxRest = 1.0
    /// The difference in codes from the usual colour above which it is mixed with another object's.
    private static let maxMixture: Float = 24

    /// The minimum width of a ring's line and of its hole, in pixels of the view, at which both can
    /// be measured. Smaller rings are blurred to discs, and lines lose their colour.
    private static let minRing = 3.0

    /// The measurements of a track's object before a frame.
    struct ClearMeasurements {
        /// The poses whose size can be measured.
        var poses: [ShapePose]
        /// The poses whose line can be measured, too.
        var linePoses: [ShapePose]
        /// The shapes that show the object's colour.
        var colored: [ObservedShape]
    }

    /// Returns the measurements of a track before a frame. If most poses of a ring have a line and
    /// a hole that are wide enough, only poses with a wide hole give its size, and only those with
    /// a wide line, too, give its line and colour.
    func clearlyMeasured(
        _ track: ClassifiedTrack, _ shapes: [ObservedShape], before limit: Int
    ) -> ClearMeasurements {
        let poses = track.poses.filter { $0.frame < limit }
        let all = ClearMeasurements(poses: poses, linePoses: poses, colored: shapes)
        guard track.kind == .ring else { return all }
        let sized = poses.filter { $0.width - $0.lineWidth >= ObjectBuilder.minRing * pixel }
        let linePoses = sized.filter { $0.lineWidth >= ObjectBuilder.minRing * pixel }
        guard linePoses.count < poses.count, 2 * linePoses.count > poses.count else { return all }
        let frames = Set(linePoses.map(\.frame))
        return ClearMeasurements(
            poses: sized, linePoses: linePoses, colored: shapes.filter { frames.contains($0.frame) })
    }

    /// Returns true if a frame shows an object at a point.
    func isOccupied(_ frame: Int, _ point: Point) -> Bool {
        seen[frame]?.contains { $0.box.contains(point) } ?? false
    }

    /// Returns the poses without those of frames in which others hide a part, because mixed colours
    /// move the outline; all poses if the remaining ones do not determine the motion.
    func uncovered(_ poses: [ShapePose], _ shapes: [ObservedShape]) -> [ShapePose] {
        var covered = Set(shapes.filter(\.isPartlyHidden).map(\.frame))
        covered.formUnion(mixtures(shapes))
        covered.formUnion(shapes.filter(hasSliver).map(\.frame))
        let clear = poses.filter { !covered.contains($0.frame) }
        let gaps = zip(clear, clear.dropFirst()).map { $1.frame - $0.frame }
        guard 2 * clear.count > poses.count, let longest = gaps.max(),
            longest <= ObjectBuilder.maxHidden || rests(clear)
        else { return poses }
        // A curve is constant beyond its samples, so the covered poses at the ends stay.
        let known = clear[0].frame...clear[clear.count - 1].frame
        return poses.filter { !known.contains($0.frame) || !covered.contains($0.frame) }
    }

    private func rests(_ poses: [ShapePose]) -> Bool {
        Rect(enclosing: poses.map(\.center)).map { max($0.width, $0.height) < ObjectBuilder.maxRest * pixel } ?? false
    }

    private func hasSliver(_ shape: ObservedShape) -> Bool {
        let reach = shape.box.expanded(by: ObjectBuilder.sliverMargin)
        return slivers[shape.frame]?.contains(where: reach.contains) ?? false
    }

    /// Returns the positions by frame at which an object of a track has just vanished beside
    /// another, or is about to appear beside it.
    static func slivers(of tracks: [ShapeTrack]) -> [Int: [Point]] {
        var result: [Int: [Point]] = [:]
        for track in tracks {
            for (last, next) in zip(track.shapes, track.shapes.dropFirst())
            where next.frame > last.frame + 1 && !(last.isAlone && next.isAlone) {
                for frame in last.frame + 1..<next.frame {
                    if frame - last.frame <= sliverFrames { result[frame, default: []].append(last.centroid) }
                    if next.frame - frame <= sliverFrames { result[frame, default: []].append(next.centroid) }
                }
            }
        }
        return result
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
