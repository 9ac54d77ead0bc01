import Core

extension ObjectBuilder {
    /// A way to find a motion.
    enum MotionModel {
        /// Timing functions, from the frames in which nothing hides a part of the object.
        case eased
        /// Straight lines, from the same frames.
        case linear
        /// Timing functions, from all frames.
        case covered
    }

    /// The object that a motion gives.
    struct MotionFit {
        let object: ReconstructedObject
        /// The poses of the frames in which nothing hides a part of it.
        let clear: [ShapePose]
        /// The mean distance from the positions that were measured in the other frames, in pixels.
        let coveredError: Double
    }

    /// The mean distance in pixels of the view above which the motion is wrong while others hide a
    /// part of the object. In recordings of `qq-mail`, right motions are off by up to 0.35 there,
    /// and those that lack a rest by 1.0 or more.
    private static let maxCoveredError = 0.5
    /// The distance in pixels of the view that counts at most: mixed colours move single outlines
    /// by up to half of the object's size.
    private static let maxCounted = 4.0
    /// The factor by which another model must reduce that distance.
    private static let minGain = 0.5
    /// The maximum number of keyframes relative to timing functions, which need fewer than lines.
    private static let maxLineKeys = 2
    /// The number of keyframes that may be added for a turn that only covered frames show. More of
    /// them follow mixed colours.
    private static let maxAddedKeys = 1

    /// Returns the object, without a name; nil if it is never seen in the reconstructed part.
    func object(_ track: ClassifiedTrack) -> ReconstructedObject? {
        guard var best = fitted(track, isLinear ? .linear : .eased) else { return nil }
        guard best.coveredError > Self.maxCoveredError * pixel else { return best.object }
        let limit = max(
            ReconstructedObject.maxDeviation.pixels * pixel, deviation(of: best.object, from: best.clear).distance)
        for model in [MotionModel.linear, .covered] {
            let count = keyCount(best.object)
            let maxCount = model == .linear ? Self.maxLineKeys * count : count + Self.maxAddedKeys
            guard let other = fitted(track, model), other.coveredError < Self.minGain * best.coveredError,
                keyCount(other.object) <= maxCount,
                deviation(of: other.object, from: best.clear).distance <= limit
            else { continue }
            best = other
        }
        return best.object
    }

    private func keyCount(_ object: ReconstructedObject) -> Int { object.x.keys.count + object.y.keys.count }

    /// Returns the mean distance of an object from measured positions, in pixels; 0 without any.
    func coveredError(_ object: ReconstructedObject, _ poses: [ShapePose]) -> Double {
        let distances = poses.filter { times[$0.frame] < duration }.map { pose in
            let time = times[pose.frame]
            let center = Point(object.x.value(at: time), object.y.value(at: time))
            return min(Self.maxCounted * pixel, center.distance(to: pose.center))
        }
        return distances.reduce(0, +) / Double(max(1, distances.count))
    }
}
