import Core

/// A method of fitting a motion.
enum MotionModel {
    /// Timing functions, from the frames in which nothing hides a part of the object.
    case eased
    /// Straight lines, from the same frames.
    case linear
    /// Timing functions, from all frames.
    case covered
}

/// An object fitted with one motion model.
struct FittedObject {
    let object: ReconstructedObject
    /// The poses of the frames in which nothing hides a part of it.
    let clear: [ShapePose]
    /// The distance in pixels from the positions that were measured in other frames: the largest
    /// median of the times in which a part is hidden; 0 without such a time.
    let coveredError: Double
}

extension ObjectBuilder {
    /// The distance in pixels of the view above which the motion is wrong while others hide a part
    /// of the object. In recordings of `qq-mail`, most correct motions are off by less than 0.2
    /// there, and those that lack a rest by 0.3 to 5.
    private static let maxCoveredError = 0.25
    /// The minimum number of poses that show the motion while a part is hidden. Mixed colours move
    /// single outlines by up to half of the object's size.
    private static let minCoveredPoses = 4
    /// The factor by which another model must reduce that distance.
    private static let minGain = 0.5
    /// The maximum ratio of the keyframes of lines to those of timing functions.
    static let maxKeyRatio = 2
    /// The number of keyframes that may be added for a turn that only covered frames show. More of
    /// them follow mixed colours.
    private static let maxAddedKeys = 1

    /// Returns the object, without a name; nil if it is never seen in the reconstructed part.
    func object(_ track: ClassifiedTrack) -> ReconstructedObject? {
        guard var best = fitted(track) else { return nil }
        guard best.coveredError > Self.maxCoveredError * pixel else { return best.object }
        let limit = max(
            ReconstructedObject.maxDeviation.pixels * pixel, deviation(of: best.object, from: best.clear).distance)
        for model in [MotionModel.linear, .covered] where model != self.model {
            var builder = self
            builder.model = model
            let count = best.object.positionKeyCount
            let maxCount = model == .linear ? Self.maxKeyRatio * count : count + Self.maxAddedKeys
            guard let other = builder.fitted(track), other.coveredError < Self.minGain * best.coveredError,
                other.object.positionKeyCount <= maxCount,
                deviation(of: other.object, from: best.clear).distance <= limit
            else { continue }
            best = other
        }
        return best.object
    }

    /// Returns the largest median distance of an object from measured positions, in pixels, of the
    /// times between clear poses.
    func coveredError(_ object: ReconstructedObject, _ poses: [ShapePose], between clear: [ShapePose]) -> Double {
        let frames = clear.map(\.frame)
        var gaps: [Int: [Double]] = [:]
        for pose in poses where times[pose.frame] < duration {
            let time = times[pose.frame]
            let center = Point(object.x.value(at: time), object.y.value(at: time))
            gaps[frames.count { $0 < pose.frame }, default: []].append(center.distance(to: pose.center))
        }
        return gaps.values.filter { $0.count >= Self.minCoveredPoses }.compactMap(\.median).max() ?? 0
    }
}

extension ReconstructedObject {
    /// The number of keyframes of the position.
    var positionKeyCount: Int { x.keys.count + y.keys.count }
}
