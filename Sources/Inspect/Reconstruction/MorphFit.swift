import Core

/// A fit of keyframes with equal numbers of vertices to traced outlines of changing form.
struct MorphFit {
    /// The largest distance of an outline from the interpolated one, in pixels of the clip.
    let tolerance: Double
    /// The time of each frame in seconds.
    let times: [Double]

    /// The largest number of vertices of an outline.
    private static let maxVertices = 160
    /// The number of frames that one interpolation may replace.
    private static let maxSkip = 12

    /// Returns keyframes of outlines. They hold where the number of outlines or holes changes.
    func keys(_ shapes: [ObservedShape]) -> [OutlineKey] {
        var keys: [OutlineKey] = []
        var run: [OutlineKey] = []
        for (index, shape) in shapes.enumerated() {
            let isContinued =
                index > 0 && shape.frame - shapes[index - 1].frame <= 2
                && shape.contours.count == shapes[index - 1].contours.count
                && shape.contours.count(where: \.isHole) == shapes[index - 1].contours.count(where: \.isHole)
            if !isContinued, !run.isEmpty {
                keys += thinned(run, holdsLast: true)
                run = []
            }
            let previous = run.last?.contours
            let contours = ordered(shape.contours, like: previous)
            let matched = contours.indices.map { aligned(contours[$0], to: previous?[$0]) }
            run.append(OutlineKey(time: times[shape.frame], contours: matched))
        }
        return keys + thinned(run, holdsLast: false)
    }

    /// Returns outlines in the order of the previous ones that they continue: those whose boxes are
    /// most alike, holes among holes.
    private func ordered(_ contours: [Contour], like previous: [[Point]]?) -> [[Point]] {
        let points = contours.map(\.points)
        guard let previous, contours.count > 1 else { return points }
        let areHoles = previous.map { $0.signedArea < 0 }
        let boxes = points.compactMap { Rect(enclosing: $0) }
        let others = previous.compactMap { Rect(enclosing: $0) }
        var candidates: [(cost: Double, first: Int, second: Int)] = []
        for (index, box) in boxes.enumerated() {
            for (other, last) in others.enumerated() where areHoles[other] == contours[index].isHole {
                let horizontal = abs(box.x - last.x) + abs(box.maxX - last.maxX)
                let vertical = abs(box.y - last.y) + abs(box.maxY - last.maxY)
                candidates.append((horizontal + vertical, index, other))
            }
        }
        var result = points
        for (index, other) in cheapestPairs(candidates) { result[other] = points[index] }
        return result
    }

    /// Returns the outline with evenly spaced vertices, as many as the previous one has, beginning
    /// at the vertex nearest to its first.
    private func aligned(_ points: [Point], to previous: [Point]?) -> [Point] {
        let count = previous?.count ?? min(MorphFit.maxVertices, max(24, points.count / 2))
        guard let previous else { return resampled(points, count) }
        let fine = resampled(points, 4 * count)
        // The shift with the smallest sum of squared distances, over every third vertex.
        var best = (shift: 0, error: Double.infinity)
        for shift in fine.indices {
            var error = 0.0
            var index = 0
            while index < count, error < best.error {
                let other = fine[(shift + 4 * index) % fine.count]
                let (dx, dy) = (other.x - previous[index].x, other.y - previous[index].y)
                error += dx * dx + dy * dy
                index += 3
            }
            if error < best.error { best = (shift, error) }
        }
        return (0..<count).map { fine[(best.shift + 4 * $0) % fine.count] }
    }

    /// Returns points at equal distances along a closed polygon.
    private func resampled(_ points: [Point], _ count: Int) -> [Point] {
        let closed = points + [points[0]]
        var lengths = [0.0]
        for (a, b) in zip(closed, closed.dropFirst()) { lengths.append((lengths.last ?? 0) + a.distance(to: b)) }
        let total = lengths[lengths.count - 1]
        var segment = 0
        return (0..<count).map { index in
            let target = total * Double(index) / Double(count)
            while segment + 2 < lengths.count, lengths[segment + 1] < target { segment += 1 }
            let length = lengths[segment + 1] - lengths[segment]
            let share = length > 0 ? (target - lengths[segment]) / length : 0
            return closed[segment] + (closed[segment + 1] - closed[segment]) * share
        }
    }

    /// Returns the keys that linear interpolation cannot replace.
    private func thinned(_ run: [OutlineKey], holdsLast: Bool) -> [OutlineKey] {
        guard var last = run.first else { return [] }
        var kept = [last]
        var index = 0
        while index + 1 < run.count {
            var next = index + 1
            while next + 1 < run.count, next + 1 - index <= MorphFit.maxSkip, isLinear(run, index, next + 1) {
                next += 1
            }
            last = run[next]
            kept.append(last)
            index = next
        }
        if holdsLast { kept[kept.count - 1].isHold = true }
        return kept
    }

    private func isLinear(_ run: [OutlineKey], _ first: Int, _ last: Int) -> Bool {
        let a = run[first]
        let b = run[last]
        return (first + 1..<last).allSatisfy { index in
            let share = (run[index].time - a.time) / (b.time - a.time)
            return run[index].contours.indices.allSatisfy { contour in
                run[index].contours[contour].indices.allSatisfy { vertex in
                    let from = a.contours[contour][vertex]
                    let between = from + (b.contours[contour][vertex] - from) * share
                    return between.distance(to: run[index].contours[contour][vertex]) <= tolerance
                }
            }
        }
    }
}
