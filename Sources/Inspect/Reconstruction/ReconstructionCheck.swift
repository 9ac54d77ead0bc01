import Core

/// A comparison of the shapes that a reconstruction draws with those that the clip shows.
///
/// Finds mistakes of any cause by the areas that only one of them covers.
struct ReconstructionCheck {
    /// The shapes of each checked frame.
    private var seen: [Int: [ObservedShape]] = [:]
    private let times: [Double]
    private let region: Rect

    /// The number of frames to check.
    private static let maxFrames = 24
    /// The number of points along the longer side of the region.
    private static let side = 220.0
    /// The share of the covered area that both cover, below which a frame is not understood. Lines
    /// of a few pixels reach 0.8.
    private static let minOverlap = 0.7
    /// The maximum number of cells of the mask that may be drawn where no object is seen.
    private static let maxUnseenCells = 40
    /// The opacity above which an object counts. Fainter objects are not found.
    private static let minOpacity = 0.1

    init(_ tracks: [ShapeTrack], times: [Double], duration: Double) {
        self.times = times
        let count = times.firstIndex { $0 >= duration - 1e-6 } ?? times.count
        // Objects that touch others of their colour have no shape in those frames.
        let merged = Set(tracks.flatMap(\.mergedFrames))
        let usable = (0..<count).filter { !merged.contains($0) }
        let step = max(1, usable.count / ReconstructionCheck.maxFrames)
        for index in stride(from: 0, to: usable.count, by: step) { seen[usable[index]] = [] }
        for track in tracks {
            for shape in track.shapes where seen[shape.frame] != nil { seen[shape.frame]?.append(shape) }
        }
        region =
            Rect(
                enclosing: seen.values.joined().flatMap {
                    [Point($0.box.x, $0.box.y), Point($0.box.maxX, $0.box.maxY)]
                })
            ?? Rect(x: 0, y: 0, width: 1, height: 1)
    }

    /// Returns the median share of the covered area that both cover, and the first time of a frame
    /// that is not understood, with its share.
    func overlap(_ objects: [ReconstructedObject]) -> (median: Double, first: (time: Double, share: Double)?) {
        let shares = seen.keys.sorted().map { frame -> (time: Double, share: Double) in
            let time = times[frame]
            let share = share(frame, objects, at: time)
            guard share < ReconstructionCheck.minOverlap, frame + 1 < times.count else { return (time, share) }
            // Keyframes of jumps are rounded.
            let later = time + (times[frame + 1] - time) / 4
            return (time, max(share, self.share(frame, objects, at: later)))
        }
        return (shares.map(\.share).median ?? 1, shares.first { $0.share < ReconstructionCheck.minOverlap })
    }

    private func share(_ frame: Int, _ objects: [ReconstructedObject], at time: Double) -> Double {
        let step = max(0.5, max(region.width, region.height) / ReconstructionCheck.side)
        let width = Int(region.width / step) + 1
        let height = Int(region.height / step) + 1
        var mask = [UInt8](repeating: 0, count: width * height)
        func fill(_ polygons: [[Point]], _ bit: UInt8) {
            guard let box = Rect(enclosing: polygons.flatMap { $0 }) else { return }
            let rows = max(0, Int((box.y - region.y) / step))...max(0, Int((box.maxY - region.y) / step) + 1)
            for row in rows where row < height {
                let y = region.y + Double(row) * step
                var crossings: [Double] = []
                for polygon in polygons {
                    var last = polygon[polygon.count - 1]
                    for point in polygon {
                        if (last.y <= y) != (point.y <= y) {
                            crossings.append(last.x + (point.x - last.x) * (y - last.y) / (point.y - last.y))
                        }
                        last = point
                    }
                }
                crossings.sort()
                for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
                    let first = max(0, Int(((crossings[pair] - region.x) / step).rounded(.up)))
                    let end = min(width - 1, Int(((crossings[pair + 1] - region.x) / step).rounded(.down)))
                    for column in stride(from: first, through: end, by: 1) { mask[row * width + column] |= bit }
                }
            }
        }
        for shape in seen[frame] ?? [] { fill(shape.contours.map(\.points), 1) }
        for object in objects where object.opacity.value(at: time) > ReconstructionCheck.minOpacity {
            fill(object.polygons(at: time), 2)
        }
        let both = mask.count { $0 == 3 }
        let any = mask.count { $0 != 0 }
        // An object that appears or vanishes may be too small to be found.
        if seen[frame]?.isEmpty ?? true, any <= ReconstructionCheck.maxUnseenCells { return 1 }
        return any > 0 ? Double(both) / Double(any) : 1
    }
}

extension ReconstructedObject {
    /// Returns the outline of a rectangle around the origin.
    private func rectangle(_ width: Double, _ height: Double, radius: Double) -> [Point] {
        let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)]
        guard radius > 0.3 else { return corners.map { Point($0.0 * width / 2, $0.1 * height / 2) } }
        return corners.enumerated().flatMap { index, corner -> [Point] in
            let middle = Point(corner.0 * (width / 2 - radius), corner.1 * (height / 2 - radius))
            return (0...8).map { step in
                let angle = .pi + (Double(index) + Double(step) / 8) * .pi / 2
                return middle + Point(radius * cos(angle), radius * sin(angle))
            }
        }
    }

    /// Returns the outlines at a time as polygons.
    func polygons(at time: Double) -> [[Point]] {
        let center = Point(x.value(at: time), y.value(at: time))
        let (w, h) = (max(0, width.value(at: time)), max(0, height.value(at: time)))
        let (c, s) = (cos(rotation.value(at: time)), sin(rotation.value(at: time)))
        func placed(_ points: [Point]) -> [Point] {
            points.map { Point(center.x + $0.x * c - $0.y * s, center.y + $0.x * s + $0.y * c) }
        }
        func circle(_ width: Double, _ height: Double, from start: Double = 0, to end: Double = 2 * .pi) -> [Point] {
            (0...48).map { index in
                let angle = start + (end - start) * Double(index) / 48
                return Point(width / 2 * cos(angle), height / 2 * sin(angle))
            }
        }
        let line = lineWidth.value(at: time)
        switch kind {
        case .circle, .ellipse: return w > 0.5 ? [placed(circle(w, h))] : []
        case .rectangle:
            return [placed(rectangle(w, h, radius: min(cornerRadii.value(at: time), min(w, h) / 2)))]
        case .ring: return [placed(circle(w + line, h + line)), placed(circle(w - line, h - line))]
        case .arc, .roundArc:
            let first = start.value(at: time)
            let last = min(end.value(at: time), start.value(at: time) + 2 * .pi)
            guard last > first + 0.01 else { return [] }
            let outer = circle(w + line, w + line, from: first, to: last)
            let inner = circle(w - line, w - line, from: last, to: first)
            guard kind == .roundArc else { return [(outer + inner).map { $0 + center }] }
            func cap(_ angle: Double, from start: Double) -> [Point] {
                let middle = Point(w / 2 * cos(angle), w / 2 * sin(angle))
                return circle(line, line, from: start, to: start + .pi).map { $0 + middle }
            }
            return [(outer + cap(last, from: last) + inner + cap(first, from: first + .pi)).map { $0 + center }]
        case .outline: return outline.map { placed($0.map { $0 * w }) }
        case .morph:
            let key = morph.last { $0.time <= time + 1e-9 } ?? morph.first
            return key?.contours ?? []
        }
    }
}
