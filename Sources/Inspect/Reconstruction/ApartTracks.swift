import Core

/// Tracks of objects of different colours, from the frames in which they touch no others.
///
/// The mixed colours of translucent objects that overlap have outlines of their own. If each object
/// is also seen alone, its motion goes on between those frames.
struct ApartTracks {
    /// One track for each object; empty if colours do not tell the objects apart.
    let tracks: [ShapeTrack]

    /// The difference of colours in codes within which shapes show one object.
    private static let sameColor: Float = 24
    /// The share of the frames of the object that is seen most often below which a colour is a
    /// mixture. Objects that overlap half of the time have at least half of them.
    private static let minShare = 0.25
    /// The share of the largest shape's area and the contrast in codes below which a colour is a
    /// fringe of blurred chroma. At a CRF of 28, fringes beside yellow have 0.043 and 40.
    private static let maxFringe = (share: 0.05, contrast: Float(60))

    init(_ all: [ShapeTrack], over background: Channels) {
        let shapes = all.flatMap(\.shapes).filter { $0.isAlone && !$0.isCut }.sorted { $0.frame < $1.frame }
        let largest = shapes.map(\.area).max() ?? 0
        let clear = shapes.filter { shape in
            shape.area >= Self.maxFringe.share * largest
                || (shape.color - background).largest >= Self.maxFringe.contrast
        }
        let groups = Self.groups(clear)
        let isUnique = groups.allSatisfy { group in zip(group, group.dropFirst()).allSatisfy { $0.frame < $1.frame } }
        tracks = isUnique && groups.count > 1 ? groups.map(Self.track) : []
    }

    /// Returns shapes by colour, without mixtures.
    private static func groups(_ shapes: [ObservedShape]) -> [[ObservedShape]] {
        var groups: [[ObservedShape]] = []
        for shape in shapes {
            if let index = groups.firstIndex(where: { ($0[0].color - shape.color).largest <= sameColor }) {
                groups[index].append(shape)
            } else {
                groups.append([shape])
            }
        }
        let most = groups.map(\.count).max() ?? 0
        return groups.filter { Double($0.count) >= minShare * Double(most) }
    }

    /// Returns the track of shapes in the order of their frames. Between these, the object is a
    /// part of larger shapes.
    private static func track(_ shapes: [ObservedShape]) -> ShapeTrack {
        let seen = Set(shapes.map(\.frame))
        let hidden = (shapes[0].frame...shapes[shapes.count - 1].frame).filter { !seen.contains($0) }
        return ShapeTrack(shapes, merged: hidden)
    }
}

extension Reconstruction {
    /// Finds shapes and their motion from the frames in which they touch no others; nil if they
    /// differ from the clip.
    ///
    /// - Parameters:
    ///   - tracks: the tracks of `ApartTracks`.
    ///   - isLinear: true for motion at constant speeds.
    init?(
        _ tracks: [ShapeTrack], _ reader: ClipReader, _ survey: ClipSurvey, _ scan: ClipScan, _ timing: ClipTiming,
        isLinear: Bool
    ) throws {
        guard !tracks.isEmpty else { return nil }
        let pixel = 1 / scan.view.scale
        let classifier = ShapeClassifier(pixel: pixel)
        let builder = ObjectBuilder(
            background: scan.background, times: timing.times, duration: timing.duration, pixel: pixel,
            seen: Dictionary(grouping: tracks.flatMap(\.shapes), by: \.frame), isPeriodic: timing.period != nil,
            isLinear: isLinear)
        let objects = tracks.map(classifier.classified).compactMap(builder.object)
        let image = tracks.flatMap(\.shapes).filter { !$0.isPlain }.map(\.frame).min()
        try self.init(
            objects, tracks, imageTime: image.map { timing.times[$0] }, reader, survey, scan, timing)
        guard !gaps.contains(where: \.isMisunderstood) else { return nil }
    }
}
