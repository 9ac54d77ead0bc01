import Scene

/// The positions of all objects along the line they move on.
struct Course {
    /// When each picture is shown, in seconds.
    let times: [Double]
    /// For each object its position on the line at each time, in pixels.
    let positions: [[Double]]
    /// For each object what each position is worth, 0...1.
    let weights: [[Double]]
    /// The line's direction, a unit vector: to the right, or down if it is steep.
    let axis: Point
    /// How far the objects stray from the line, rms in pixels.
    let stray: Double
    /// The largest distance that any object covers on the line, in pixels.
    let range: Double
    /// Random error of a position in pixels, from how far points lie from the line through their neighbours.
    let noise: Double

    /// The course of some tracks of `times.count` sightings each.
    init(times: [Double], tracks: [[Sighting]]) {
        self.times = times
        weights = tracks.map { $0.map(\.weight) }
        let axis = Course.principalAxis(tracks)
        self.axis = axis
        let along = tracks.map { $0.map { $0.position.x * axis.x + $0.position.y * axis.y } }
        let across = tracks.map { $0.map { $0.position.y * axis.x - $0.position.x * axis.y } }
        positions = along
        (stray, range) = (Course.spread(across, weights), Course.range(along, weights))
        noise = Course.noise(times, along, weights)
    }

    /// The direction in which the objects move most, by the covariance of their positions about their own means.
    private static func principalAxis(_ tracks: [[Sighting]]) -> Point {
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for track in tracks {
            let total = track.reduce(0) { $0 + $1.weight }
            guard total > 0 else { continue }
            let mean = track.reduce(Point.zero) { $0 + $1.position * $1.weight } * (1 / total)
            for sighting in track {
                let offset = sighting.position - mean
                xx += sighting.weight * offset.x * offset.x
                xy += sighting.weight * offset.x * offset.y
                yy += sighting.weight * offset.y * offset.y
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

    private static func spread(_ values: [[Double]], _ weights: [[Double]]) -> Double {
        var (sum, total) = (0.0, 0.0)
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
            let seen = zip(row, weight).filter { $0.1 > 0.3 }.map(\.0).sorted()
            guard seen.count > 4 else { return 0 }
            return seen[seen.count - 1] - seen[0]
        }.max() ?? 0
    }

    /// 1.48 times the median distance from the line through the neighbours, for noise that is the same everywhere.
    private static func noise(_ times: [Double], _ values: [[Double]], _ weights: [[Double]]) -> Double {
        var rests: [Double] = []
        for (row, weight) in zip(values, weights) {
            for k in row.indices.dropFirst().dropLast() where min(weight[k - 1], weight[k], weight[k + 1]) > 0.3 {
                let share = (times[k] - times[k - 1]) / (times[k + 1] - times[k - 1])
                let line = row[k - 1] + (row[k + 1] - row[k - 1]) * share
                let factor = 1 + (1 - share) * (1 - share) + share * share
                rests.append(abs(row[k] - line) / factor.squareRoot())
            }
        }
        rests.sort()
        return rests.isEmpty ? 0 : 1.48 * rests[rests.count / 2]
    }

    /// The longest time in which nothing at all is seen, in seconds: what goes on then, nobody can tell.
    var longestGap: Double {
        var (longest, last) = (0.0, times.first ?? 0)
        for (k, time) in times.enumerated() {
            if weights.contains(where: { $0[k] > 0.05 }) { last = time }
            longest = max(longest, time - last)
        }
        return longest
    }

    /// The part of the course at some of the times.
    func picked(_ chosen: [Int]) -> Course { Course(self, chosen) }

    private init(_ other: Course, _ chosen: [Int]) {
        times = chosen.map { other.times[$0] }
        positions = other.positions.map { row in chosen.map { row[$0] } }
        weights = other.weights.map { row in chosen.map { row[$0] } }
        (axis, stray, range, noise) = (other.axis, other.stray, other.range, other.noise)
    }
}
