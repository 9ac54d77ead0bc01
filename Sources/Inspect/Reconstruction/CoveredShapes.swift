import Core

/// The restoration of still shapes that others always cover in part, such as the track of a
/// progress bar.
///
/// Their visible parts change, and may be in pieces. But all outlines that border the background,
/// in all frames, belong to one shape.
struct CoveredShapes {
    /// Pixels of the clip per pixel of the view.
    let pixel: Double

    /// The share of a track's shapes that must touch another object.
    private static let minTouching = 0.5
    /// The maximum rms distance of the outlines from the shape, in pixels of the view.
    private static let maxResidual = 0.5
    /// The difference of positions and sizes within which two shapes have one outline, in pixels of
    /// the view: both outlines have errors where they touch.
    private static let maxDistance = 3.0
    /// The approximate maximum number of outline points in a fit.
    private static let maxPoints = 400

    /// Returns the tracks, with one for each restored shape in place of those that show it.
    func restored(_ tracks: [ClassifiedTrack]) -> [ClassifiedTrack] {
        // Pieces of a still shape differ no more in colour than the pixels of one area.
        let groups = tracks.filter(isTouching).grouped {
            ($0.track.shapes[0].color - $1.track.shapes[0].color).largest <= ForegroundComponent.sameColor
        }
        let shapes = groups.map(shape)
        return tracks.filter { !isTouching($0) }
            + groups.indices.flatMap { index in
                shapes[index].map { isPath($0, ofPartOf: shapes) ? groups[index] : [$0] } ?? groups[index]
            }
    }

    /// Returns true if a shape is the path of a smaller object along another shape, such as that of
    /// an arc on its track: the parts that it covers one after the other have the same outline.
    private func isPath(_ shape: ClassifiedTrack, ofPartOf others: [ClassifiedTrack?]) -> Bool {
        guard let pose = shape.poses.first else { return false }
        func visibleArea(_ track: ClassifiedTrack) -> Double {
            track.track.shapes.reduce(0) { $0 + $1.area } / Double(track.track.shapes.count)
        }
        return others.compactMap { $0 }.contains { other in
            guard let larger = other.poses.first, other.kind == shape.kind else { return false }
            let distance = max(
                pose.center.distance(to: larger.center), abs(pose.width - larger.width),
                abs(pose.height - larger.height))
            return distance <= Self.maxDistance * pixel && visibleArea(other) > visibleArea(shape)
        }
    }

    private func isTouching(_ track: ClassifiedTrack) -> Bool {
        let touching = track.track.shapes.count { !$0.isAlone && !$0.isCut }
        return Double(touching) >= CoveredShapes.minTouching * Double(track.track.shapes.count)
    }

    /// Returns the one shape whose outline is seen in pieces; nil if there is none, or if a track
    /// already has its form.
    private func shape(of group: [ClassifiedTrack]) -> ClassifiedTrack? {
        if group.count == 1, [.circle, .rectangle, .ring].contains(group[0].kind) { return nil }
        let all = group.flatMap { $0.track.shapes }.flatMap { shape in
            shape.contours.flatMap { zip($0.points, $0.isFree).filter(\.1).map(\.0) }
        }
        let step = max(1, all.count / CoveredShapes.maxPoints)
        let points = stride(from: 0, to: all.count, by: step).map { all[$0] }
        guard points.count >= 24, let box = Rect(enclosing: points) else { return nil }
        let contour = Contour(points: points, isFree: points.map { _ in true })
        let outline = ObservedShape(
            frame: 0, color: group[0].track.shapes[0].color, area: box.width * box.height, centroid: box.center,
            box: box, contours: [contour], isCut: false, isAlone: true, isPlain: true)
        let fits: [(ShapeKind, ShapePose?)] = [
            (.ring, CoveredShapes.ring(points, box)), (.rectangle, PrimitiveFit.rectangle(outline)),
        ]
        guard
            let (kind, pose) = fits.first(where: {
                $0.1.map { $0.residual <= CoveredShapes.maxResidual * pixel } ?? false
            }),
            var pose
        else { return nil }
        pose.isCovered = true
        var largest: [Int: ObservedShape] = [:]
        for shape in group.flatMap({ $0.track.shapes }) where shape.area > largest[shape.frame]?.area ?? 0 {
            largest[shape.frame] = shape
        }
        let shapes = largest.values.sorted { $0.frame < $1.frame }
        var track = ShapeTrack(shapes[0])
        for shape in shapes.dropFirst() { track.append(shape) }
        let poses = shapes.map { shape in
            var own = pose
            own.frame = shape.frame
            return own
        }
        return ClassifiedTrack(kind: kind, poses: poses, track: track)
    }

    /// Returns the ring nearest to the points of its two circles.
    private static func ring(_ points: [Point], _ box: Rect) -> ShapePose? {
        let distances = points.map { $0.distance(to: box.center) }.sorted()
        let inner = distances[distances.count / 10]
        let outer = distances[distances.count * 9 / 10]
        guard outer - inner > 1, inner > 2 else { return nil }
        let fit = LeastSquares.fit(
            [box.center.x, box.center.y, inner, outer], steps: [1e-3, 1e-3, 1e-3, 1e-3]
        ) { values in
            points.map { point in
                let distance = point.distance(to: Point(values[0], values[1]))
                let a = distance - values[2]
                let b = distance - values[3]
                return abs(a) < abs(b) ? a : b
            }
        }
        let small = fit.parameters[2]
        let large = fit.parameters[3]
        guard small > 1, large > small + 0.5 else { return nil }
        var pose = ShapePose(
            frame: 0, center: Point(fit.parameters[0], fit.parameters[1]), width: small + large, height: small + large)
        pose.lineWidth = large - small
        pose.residual = fit.rms
        return pose
    }
}
