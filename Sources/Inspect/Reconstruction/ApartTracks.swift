import Core

/// The tracks of objects of different colours, found in the frames in which they touch no others.
///
/// The mixed colours of translucent objects that overlap have outlines of their own. If each object
/// is also seen alone, its motion in between is interpolated.
struct ApartTracks {
    let background: Channels

    /// The maximum number of colours, mixtures included.
    private static let maxColors = 32
    /// The share of the frames of the object that is seen most often below which a colour is a
    /// mixture. An object that overlaps others half of the time is still alone in half of its
    /// frames.
    private static let minShare = 0.25
    /// The share of the largest shape's area and the contrast in codes below which a colour is a
    /// fringe of blurred chroma. At a CRF of 28, fringes beside yellow have up to 4.3% of the area
    /// and a contrast of 40.
    private static let maxFringe = (share: 0.05, contrast: Float(60))
    /// The maximum ratio of the diameters of an object in successive frames in which it is alone.
    private static let maxGrowth = 1.2
    /// The minimum number of successive frames in which an object may have another diameter than
    /// usual. A mixture with the colour of the topmost object has it for fewer.
    private static let minRun = 4
    /// The maximum distance of a mixture or a fringe from an object, as a share of the diameter.
    private static let maxDistance = 0.75
    /// The maximum number of fringes that are near no object, as a share of the frames. At a CRF of
    /// 28, it is 0.3. A faint object is seen in more frames.
    private static let maxStray = 0.35

    /// Returns one track for each object; nil if there are fewer than two, if colours do not tell
    /// them apart, or if a shape without a track belongs to none of them.
    func tracks(_ all: [ShapeTrack]) -> [ShapeTrack]? {
        let shapes = all.flatMap(\.shapes).sorted { $0.frame < $1.frame }
        let alone = shapes.filter { $0.isAlone && !$0.isCut }
        let largest = alone.map(\.area).max() ?? 0
        let (clear, fringes) = alone.separated { shape in
            shape.area >= Self.maxFringe.share * largest
                || (shape.color - background).largest >= Self.maxFringe.contrast
        }
        let groups = clear.grouped(limit: Self.maxColors) {
            ($0.color - $1.color).largest <= Channels.maxObjectDifference
        }
        let most = groups.map(\.count).max() ?? 0
        let (frequent, rare) = groups.separated { Double($0.count) >= Self.minShare * Double(most) }
        let objects = frequent.map(Self.withoutMixtures).filter { !$0.isEmpty }
        guard objects.count > 1, objects.count == frequent.count else { return nil }
        let frames = Dictionary(grouping: shapes, by: \.frame)
        guard objects.allSatisfy({ isOneObject($0, frames) }),
            rare.joined().allSatisfy({ belongs($0, to: objects) })
        else { return nil }
        let kept = Set(objects.joined().map(\.frame))
        let strays = fringes.count { !belongs($0, to: objects) }
        return Double(strays) <= Self.maxStray * Double(kept.count) ? objects.map(Self.track) : nil
    }

    /// Returns the shapes of one colour without those of a few frames that have another size.
    private static func withoutMixtures(_ group: [ObservedShape]) -> [ObservedShape] {
        let usual = group.map(\.diameter).median ?? 0
        var runs: [[ObservedShape]] = []
        for shape in group {
            if let last = runs.last?.last, last.frame + 1 == shape.frame {
                runs[runs.count - 1].append(shape)
            } else {
                runs.append([shape])
            }
        }
        return runs.filter { run in run.count >= minRun || run.allSatisfy { isAlike($0.diameter, usual) } }
            .flatMap { $0 }
    }

    private static func isAlike(_ a: Double, _ b: Double) -> Bool { max(a, b) <= maxGrowth * min(a, b) }

    /// Returns true if shapes of one colour show one object, which other shapes hide in between.
    private func isOneObject(_ group: [ObservedShape], _ frames: [Int: [ObservedShape]]) -> Bool {
        zip(group, group.dropFirst()).allSatisfy { last, next in
            guard last.frame < next.frame, Self.isAlike(last.diameter, next.diameter) else { return false }
            return (last.frame + 1..<next.frame).allSatisfy { frame in
                let center = last.centroid(towards: next, at: frame)
                return frames[frame]?.contains { $0.box.expanded(by: last.diameter).contains(center) } ?? false
            }
        }
    }

    /// Returns true if a shape is near one of the objects, seen or interpolated.
    private func belongs(_ shape: ObservedShape, to objects: [[ObservedShape]]) -> Bool {
        objects.contains { object in
            let index = object.indices.partitionPoint { object[$0].frame < shape.frame }
            guard index < object.count, index > 0 || object[index].frame == shape.frame else { return false }
            let next = object[index]
            let last = next.frame == shape.frame ? next : object[index - 1]
            let center = last.centroid(towards: next, at: shape.frame)
            return center.distance(to: shape.centroid) <= Self.maxDistance * max(last.diameter, next.diameter)
        }
    }

    /// Returns the track of shapes in the order of their frames. Between these, the object is a
    /// part of larger shapes.
    private static func track(_ shapes: [ObservedShape]) -> ShapeTrack {
        let seen = Set(shapes.map(\.frame))
        let hidden = (shapes[0].frame...shapes[shapes.count - 1].frame).filter { !seen.contains($0) }
        return ShapeTrack(shapes, merged: hidden)
    }
}

extension Array {
    /// Returns the elements that satisfy a condition, and the others, in their order.
    fileprivate func separated(_ isIncluded: (Element) -> Bool) -> (included: [Element], others: [Element]) {
        (filter(isIncluded), filter { !isIncluded($0) })
    }
}

extension Reconstruction {
    /// The loss in dB that fewer objects may cause. Additional ones follow errors of the encoder,
    /// which improved the agreement by 0.02 dB.
    private static let maxLoss = 0.1

    /// Returns the objects that are found in the frames in which they touch no others, if only
    /// those are understood, or if they are fewer and agree as well with the clip; nil otherwise.
    func apart(
        _ reader: ClipReader, _ survey: ClipSurvey, _ scan: ClipScan, _ timing: ClipTiming
    ) throws -> Self? {
        // There are at least two.
        guard isMisunderstood || objects.count > 2,
            let tracks = ApartTracks(background: scan.background).tracks(timing.tracks),
            isMisunderstood || tracks.count < objects.count
        else { return nil }
        let classified = tracks.map(ShapeClassifier(pixel: 1 / scan.view.scale).classified)
        func found(_ model: MotionModel) throws -> Self? {
            try Self(classified, reader, survey, scan, timing, model: model)
        }
        guard let best = Self.better(try found(.eased), try found(.linear)) else { return nil }
        return isMisunderstood || best.decibels ?? 0 >= (decibels ?? 0) - Self.maxLoss ? best : nil
    }

    /// Returns lines if they agree better than timing functions and do not need far more keyframes.
    private static func better(_ eased: Self?, _ lines: Self?) -> Self? {
        guard let eased, let lines else { return eased ?? lines }
        func keyCount(_ found: Self) -> Int { found.objects.reduce(0) { $0 + $1.positionKeyCount } }
        let isBetter =
            keyCount(lines) <= ObjectBuilder.maxKeyRatio * keyCount(eased)
            && lines.decibels ?? 0 > eased.decibels ?? 0
        return isBetter ? lines : eased
    }

    /// Finds the motion of shapes in the frames in which they touch no others; nil if they differ
    /// from the clip.
    ///
    /// - Parameters:
    ///   - classified: the tracks that `ApartTracks` returns, with the kinds of their shapes.
    ///   - model: timing functions or straight lines.
    private init?(
        _ classified: [ClassifiedTrack], _ reader: ClipReader, _ survey: ClipSurvey, _ scan: ClipScan,
        _ timing: ClipTiming, model: MotionModel
    ) throws {
        let tracks = classified.map(\.track)
        let shapes = tracks.flatMap(\.shapes)
        let builder = ObjectBuilder(
            background: scan.background, times: timing.times, duration: timing.duration, pixel: 1 / scan.view.scale,
            seen: Dictionary(grouping: shapes, by: \.frame), isPeriodic: timing.period != nil, model: model)
        let objects = classified.compactMap(builder.object)
        guard objects.count == tracks.count else { return nil }
        let image = shapes.filter { !$0.isPlain }.map(\.frame).min()
        try self.init(
            objects, shownBy: tracks, imageTime: image.map { timing.times[$0] }, reader, survey, scan, timing)
        guard !isMisunderstood else { return nil }
    }
}
