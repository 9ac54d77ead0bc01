import Core

/// The positions of all objects along their line of motion.
struct Track {
    /// The time of each frame in seconds.
    let times: [Double]
    /// For each object, its position on the line at each time, in pixels.
    let positions: [[Double]]
    /// For each object, the confidence in each position, 0...1.
    let weights: [[Double]]
    /// The direction of the line, a unit vector: to the right, or down if the line is steep.
    let axis: Point
    /// The rms distance of the objects from the line in pixels.
    let rmsDistance: Double
    /// The largest distance that any object covers on the line, in pixels.
    let range: Double
    /// The random error of a position in pixels, from the distances of points to the line through
    /// their neighbours.
    let noise: Double

    /// The confidence above which a position counts for the range and the noise. Positions of
    /// hidden objects are guesses.
    private static let minWeight = 0.3
    /// The minimum number of positions that have a range.
    private static let minPositions = 5

    /// Projects the tracks of some objects, of `times.count` detections each, onto their common
    /// line.
    init(times: [Double], tracks: [[Detection]]) {
        self.times = times
        weights = tracks.map { $0.map(\.weight) }
        let axis = Track.principalAxis(tracks)
        self.axis = axis
        let along = tracks.map { $0.map { $0.position.x * axis.x + $0.position.y * axis.y } }
        let across = tracks.map { $0.map { $0.position.y * axis.x - $0.position.x * axis.y } }
        positions = along
        rmsDistance = Track.rmsDeviation(across, weights)
        range = Track.range(along, weights)
        noise = Track.noise(times, along, weights)
    }

    /// Returns the principal axis of the objects' motion, from the covariance of their positions
    /// about their own means.
    private static func principalAxis(_ tracks: [[Detection]]) -> Point {
        var xx = 0.0
        var xy = 0.0
        var yy = 0.0
        for track in tracks {
            let total = track.reduce(0) { $0 + $1.weight }
            guard total > 0 else { continue }
            let mean = track.reduce(Point.zero) { $0 + $1.position * $1.weight } * (1 / total)
            for detection in track {
                let offset = detection.position - mean
                xx += detection.weight * offset.x * offset.x
                xy += detection.weight * offset.x * offset.y
                yy += detection.weight * offset.y * offset.y
            }
        }
        let difference = (xx - yy) / 2
        let root = (difference * difference + xy * xy).squareRoot()
        var axis = difference >= 0 ? Point(difference + root, xy) : Point(xy, root - difference)
        let length = axis.distance(to: .zero)
        guard length > 0 else { return Point(1, 0) }
        axis = axis * (1 / length)
        let isForward = abs(axis.x) >= abs(axis.y) ? axis.x > 0 : axis.y > 0
        return isForward ? axis : axis * -1
    }

    private static func rmsDeviation(_ values: [[Double]], _ weights: [[Double]]) -> Double {
        var sum = 0.0
        var total = 0.0
        for (row, weight) in zip(values, weights) {
            let count = weight.reduce(0, +)
            guard count > 0 else { continue }
            let mean = zip(row, weight).reduce(0) { $0 + $1.0 * $1.1 } / count
            for (value, weight) in zip(row, weight) { sum += weight * (value - mean) * (value - mean) }
            total += count
        }
        return total > 0 ? (sum / total).squareRoot() : 0
    }

    private static func range(_ values: [[Double]], _ weights: [[Double]]) -> Double {
        zip(values, weights).map { row, weight in
            let seen = zip(row, weight).filter { $0.1 > minWeight }.map(\.0).sorted()
            guard seen.count >= minPositions else { return 0 }
            return seen[seen.count - 1] - seen[0]
        }.max() ?? 0
    }

    /// Returns the standard deviation of the noise, estimated from the distances from the line
    /// through the neighbours.
    private static func noise(_ times: [Double], _ values: [[Double]], _ weights: [[Double]]) -> Double {
        var residuals: [Double] = []
        for (row, weight) in zip(values, weights) {
            for k in row.indices.dropFirst().dropLast()
            where min(weight[k - 1], weight[k], weight[k + 1]) > minWeight {
                let fraction = (times[k] - times[k - 1]) / (times[k + 1] - times[k - 1])
                let line = row[k - 1] + (row[k + 1] - row[k - 1]) * fraction
                let factor = 1 + (1 - fraction) * (1 - fraction) + fraction * fraction
                residuals.append(abs(row[k] - line) / factor.squareRoot())
            }
        }
        return residuals.estimatedDeviation
    }

    /// The longest time in seconds in which no object is visible. Its motion in the gap is unknown.
    var maxGap: Double {
        var longest = 0.0
        var last = times.first ?? 0
        for (k, time) in times.enumerated() {
            if weights.contains(where: { $0[k] > TrackedObject.minVisibility }) { last = time }
            longest = max(longest, time - last)
        }
        return longest
    }

    /// Returns the track at some of the times.
    func subset(_ chosen: [Int]) -> Track { Track(self, chosen) }

    private init(_ other: Track, _ chosen: [Int]) {
        times = chosen.map { other.times[$0] }
        positions = other.positions.map { row in chosen.map { row[$0] } }
        weights = other.weights.map { row in chosen.map { row[$0] } }
        axis = other.axis
        rmsDistance = other.rmsDistance
        range = other.range
        noise = other.noise
    }
}
