import Core

/// The kind of an object's shape and its pose in each frame.
struct ClassifiedTrack {
    let kind: ShapeKind
    /// In the order of frames. Frames in which the pose is unknown are missing.
    let poses: [ShapePose]
    /// The outline of a traced shape.
    var template: OutlineTemplate?
    let track: ShapeTrack
}

/// A classifier that finds the simplest kind of shape that fits an object in all frames.
struct ShapeClassifier {
    /// Pixels of the clip per pixel of the view.
    let pixel: Double

    /// The number of frames in which a kind is tried before all frames are fitted.
    private static let maxSamples = 20
    /// The share of the tried frames that a kind must fit. Less than 1, because objects that touch
    /// each other are misread in some.
    private static let minShare = 0.9
    /// The number of tolerances by which the visible outline of a covered circle may miss it. Where
    /// several objects meet, their mixed colours leave outlines of other forms.
    private static let maxCovered = 1.3
    /// The number of tolerances by which an outline beside other objects, and one towards the
    /// background, may miss the fit of a frame. Their mixed colours move the outline.
    private static let maxResidual = (beside: 2.5, free: 3.0)
    /// The share of an outline that must border the background to be fitted.
    private static let minFreeShare = 0.9
    /// The factor by which an arc grows from a dot.
    private static let minGrowth = 5.0
    /// The number of frames in which an object is seen alone that are enough to know its shape.
    private static let minWhole = 3

    /// Returns the maximum rms distance of an outline from a fitted shape. It allows for encoding
    /// errors and antialiasing.
    func tolerance(_ shape: ObservedShape) -> Double { 0.32 * pixel + 0.004 * shape.diameter }

    /// Returns the classified track. Every track has a kind: the last is a traced outline.
    func classified(_ track: ShapeTrack) -> ClassifiedTrack {
        let samples = samples(track)
        func fits(_ fit: (ObservedShape) -> ShapePose?) -> Bool {
            let good = samples.count { shape in
                fit(shape.asSeen).map { $0.residual <= tolerance(shape) } ?? false
            }
            return !samples.isEmpty && Double(good) >= ShapeClassifier.minShare * Double(samples.count)
        }
        if fits({ PrimitiveFit.circle($0) }) { return circle(track) }
        if fits(PrimitiveFit.ellipse), samples.allSatisfy(isRound) { return circle(track) }
        if fits(PrimitiveFit.ellipse) {
            let found = tracked(.ellipse, track, symmetry: .pi, PrimitiveFit.ellipse)
            return ClassifiedTrack(kind: .ellipse, poses: unturned(found.poses, .ellipse), track: track)
        }
        if fits(PrimitiveFit.rectangle) {
            let found = tracked(.rectangle, track, symmetry: .pi / 2, PrimitiveFit.rectangle)
            let poses = unturned(rigid(found.poses, track), .rectangle)
            return ClassifiedTrack(kind: .rectangle, poses: poses, track: track)
        }
        if fits(ArcFit.ring) { return tracked(.ring, track, symmetry: 0, ArcFit.ring) }
        if let arc = arc(track, samples, fits) { return arc }
        return outline(track, samples) ?? morph(track)
    }

    /// Returns a track as traced outlines.
    func morph(_ track: ShapeTrack) -> ClassifiedTrack {
        let poses = track.shapes.map { ShapePose(frame: $0.frame, center: $0.centroid, width: 1, height: 1) }
        return ClassifiedTrack(kind: .morph, poses: poses, track: track)
    }

    /// Returns true if a shape is as wide as it is high. Blurred chroma may add most of a pixel.
    private func isRound(_ shape: ObservedShape) -> Bool {
        guard let pose = PrimitiveFit.ellipse(shape) else { return false }
        return pose.width - pose.height <= 0.8 * pixel + 0.01 * pose.width
    }

    /// Returns frames, spread over the track, in which the object's own shape is seen.
    private func samples(_ track: ShapeTrack) -> [ObservedShape] {
        let whole = track.shapes.filter { !$0.isCut && $0.isAlone }
        let candidates = whole.count < ShapeClassifier.minWhole ? track.shapes : whole
        let largest = candidates.map(\.diameter).max() ?? 0
        // Small shapes are blurred to discs.
        let clear = candidates.filter { $0.diameter >= min(6 * pixel, 0.7 * largest) }
        let step = max(1, clear.count / ShapeClassifier.maxSamples)
        return stride(from: 0, to: clear.count, by: step).map { clear[$0] }
    }

    private func circle(_ track: ShapeTrack) -> ClassifiedTrack {
        var diameter = track.shapes.first { $0.isAlone && !$0.isCut }?.diameter
        var poses: [ShapePose] = []
        for shape in track.shapes {
            let seen = shape.isCut ? nil : PrimitiveFit.circle(shape.asSeen)
            if let seen, seen.residual <= tolerance(shape) {
                diameter = seen.width
                poses.append(seen)
            } else if var pose = PrimitiveFit.circle(shape, diameter: diameter, pixel: pixel),
                shape.isCut || pose.residual <= ShapeClassifier.maxCovered * tolerance(shape)
            {
                pose.isCovered = true
                poses.append(pose)
            }
        }
        return ClassifiedTrack(kind: .circle, poses: steadied(poses, track), track: track)
    }

    /// Returns the poses of a circle of constant size, with that size where objects of other
    /// colours confused its outline. Other circles are returned as they are.
    private func steadied(_ poses: [ShapePose], _ track: ShapeTrack) -> [ShapePose] {
        guard let median = poses.map(\.width).median else { return poses }
        func isOutlier(_ pose: ShapePose) -> Bool { abs(pose.width - median) > pixel }
        guard poses.count(where: isOutlier) * 10 <= 3 * poses.count else { return poses }
        return poses.compactMap { pose in
            guard isOutlier(pose), let shape = track.shapes.first(where: { $0.frame == pose.frame }) else {
                return pose
            }
            guard !shape.isAlone else { return nil }
            var fixed = PrimitiveFit.circle(shape, diameter: median, pixel: pixel)
            fixed?.isCovered = true
            return fixed.flatMap { isOutlier($0) ? nil : $0 }
        }
    }

    /// Fits every frame. A shape looks the same after a rotation by `symmetry`, where width and
    /// height are swapped if it is a quarter turn.
    private func tracked(
        _ kind: ShapeKind, _ track: ShapeTrack, symmetry: Double, _ fit: (ObservedShape) -> ShapePose?
    ) -> ClassifiedTrack {
        var poses: [ShapePose] = []
        for shape in track.shapes where !shape.isCut {
            guard let pose = accepted(shape, fit) else { continue }
            poses.append(symmetry > 0 ? RotationTracking.continued(pose, after: poses, symmetry: symmetry) : pose)
        }
        return ClassifiedTrack(kind: kind, poses: poses, track: track)
    }

    private func outline(_ track: ShapeTrack, _ samples: [ObservedShape]) -> ClassifiedTrack? {
        guard let model = samples.max(by: { $0.area < $1.area }) else { return nil }
        let template = OutlineTemplate(model, tolerance: 0.1 * pixel)
        let good = samples.count { shape in
            (template.pose(of: shape.asSeen, expectedRotation: 0, tolerance: 0)?.residual ?? .infinity)
                <= tolerance(shape)
        }
        guard Double(good) >= ShapeClassifier.minShare * Double(samples.count) else { return nil }
        var poses: [ShapePose] = []
        for shape in track.shapes where !shape.isCut {
            let expected = RotationTracking.expected(after: poses, at: shape.frame)
            if let pose = accepted(
                shape,
                {
                    template.pose(of: $0, expectedRotation: expected, tolerance: tolerance(shape))
                })
            {
                poses.append(pose)
            }
        }
        return ClassifiedTrack(kind: .outline, poses: poses, template: template, track: track)
    }

    /// Returns the pose of a shape: from its whole outline if that fits, also beside other objects,
    /// or else from the outline towards the background; nil if neither fits.
    private func accepted(_ shape: ObservedShape, _ fit: (ObservedShape) -> ShapePose?) -> ShapePose? {
        if !shape.isAlone, let pose = fit(shape.asSeen), pose.residual <= Self.maxResidual.beside * tolerance(shape) {
            return pose
        }
        guard shape.freeShare > Self.minFreeShare, var pose = fit(shape),
            pose.residual <= Self.maxResidual.free * tolerance(shape)
        else { return nil }
        pose.isCovered = !shape.isAlone
        return pose
    }

    // MARK: Arcs

    private func arc(
        _ track: ShapeTrack, _ samples: [ObservedShape], _ fits: ((ObservedShape) -> ShapePose?) -> Bool
    ) -> ClassifiedTrack? {
        for isRound in [true, false] {
            guard let circle = commonCircle(samples, isRound: isRound) else { continue }
            func fit(_ shape: ObservedShape) -> ShapePose? {
                if let ring = ArcFit.ring(shape) {
                    let isSame = abs(ring.width - circle.width) < 2 * pixel && ring.residual < 3 * tolerance(shape)
                    return isSame ? ring : nil
                }
                return ArcFit.arc(shape, isRound: isRound, reference: circle)
            }
            guard fits(fit), !isRound || hasRoundCaps(track, circle) else { continue }
            let longest = samples.compactMap(fit).map(\.extent).max() ?? 0
            var poses: [ShapePose] = []
            for shape in track.shapes where !shape.isCut {
                guard let pose = accepted(shape, fit), isRound || isLong(pose, longest) else { continue }
                poses.append(RotationTracking.continuedArc(pose, after: poses, isRing: shape.contours.count == 2))
            }
            return ClassifiedTrack(kind: isRound ? .roundArc : .arc, poses: poses, track: track)
        }
        return nil
    }

    /// Returns true if the ends of an arc are known. Those of one that covers less than two pixels
    /// are blurred to a dot, which counts only for an arc that is never longer.
    private func isLong(_ pose: ShapePose, _ longest: Double) -> Bool {
        pose.extent * pose.width / 2 >= 2 * pixel || longest < ShapeClassifier.minGrowth * pose.extent
    }

    /// Returns true if round caps fit the open arcs of a track better than butt caps.
    private func hasRoundCaps(_ track: ShapeTrack, _ circle: ShapePose) -> Bool {
        let open = track.shapes.filter { $0.contours.count == 1 && !$0.isCut }.map(\.asSeen)
        var advantage = 0.0
        for shape in stride(from: 0, to: open.count, by: max(1, open.count / ShapeClassifier.maxSamples)).map({
            open[$0]
        }) {
            guard let round = ArcFit.arc(shape, isRound: true, reference: circle),
                let butt = ArcFit.arc(shape, isRound: false, reference: circle)
            else { continue }
            advantage += butt.residual - round.residual
        }
        return advantage > 0
    }

    /// Returns the circle that the arcs of all frames lie on: the median of the fits of long arcs.
    private func commonCircle(_ samples: [ObservedShape], isRound: Bool) -> ShapePose? {
        var fits = samples.compactMap { ArcFit.ring($0) ?? ArcFit.arc($0, isRound: isRound) }
        // The centre of a short arc is uncertain.
        let longest = fits.map(\.extent).max() ?? 0
        fits = fits.filter { $0.extent > min(longest * 0.7, 1.5 * .pi) }
        guard let first = fits.first else { return nil }
        func median(_ value: (ShapePose) -> Double) -> Double { fits.map(value).median ?? 0 }
        var circle = first
        circle.center = Point(median(\.center.x), median(\.center.y))
        circle.width = median(\.width)
        circle.height = circle.width
        circle.lineWidth = median(\.lineWidth)
        return circle
    }
}

/// Angles that continue from frame to frame, although shapes look the same after some rotations.
enum RotationTracking {
    /// Returns the angle in radians that is nearest to another one, by whole turns from the given
    /// one.
    static func nearest(_ angle: Double, to expected: Double) -> Double {
        angle + ((expected - angle) / (2 * .pi)).rounded() * 2 * .pi
    }

    /// Returns the rotation expected from the last two poses.
    static func expected(after poses: [ShapePose], at frame: Int) -> Double {
        guard let last = poses.last else { return 0 }
        return last.rotation + step(poses, \.rotation) * Double(frame - last.frame)
    }

    /// Returns the median change per frame of the last poses, so that one wrong pose does no harm.
    private static func step(_ poses: [ShapePose], _ angle: (ShapePose) -> Double) -> Double {
        guard poses.count > 1 else { return 0 }
        let recent = poses.suffix(4)
        let steps = zip(recent.dropFirst(), recent).map { (angle($0) - angle($1)) / Double($0.frame - $1.frame) }
        return steps.median ?? 0
    }

    static func continued(_ pose: ShapePose, after poses: [ShapePose], symmetry: Double) -> ShapePose {
        guard let last = poses.last else { return pose }
        let expected = expected(after: poses, at: pose.frame)
        func change(_ turns: Double) -> (pose: ShapePose, size: Double) {
            var turned = pose
            turned.rotation += turns * symmetry
            if symmetry < .pi, turns.truncatingRemainder(dividingBy: 2) != 0 {
                turned.width = pose.height
                turned.height = pose.width
            }
            return (turned, abs(turned.width - last.width) + abs(turned.height - last.height))
        }
        let nearest = ((expected - pose.rotation) / symmetry).rounded()
        let candidates = [nearest, nearest + 1, nearest - 1].map(change)
        let smallest = candidates.map(\.size).min() ?? 0
        // A pixel is more than sizes change between frames unless width and height are confused.
        return candidates.first { $0.size <= smallest + 1 }?.pose ?? pose
    }

    /// Returns an arc with its beginning near the expected one. A closed ring keeps the last
    /// beginning.
    static func continuedArc(_ pose: ShapePose, after poses: [ShapePose], isRing: Bool) -> ShapePose {
        guard let last = poses.last else { return pose }
        var result = pose
        guard !isRing else {
            result.start = last.start
            return result
        }
        let expected = last.start + step(poses, \.start) * Double(pose.frame - last.frame)
        result.start = nearest(pose.start, to: expected)
        return result
    }
}
