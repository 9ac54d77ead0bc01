import Core
import Media
import Raster

/// The order of two objects where they overlap in one frame of a clip.
struct OverlapObservation {
    /// Seconds from the first frame.
    let time: Double
    let upper: Int
    let lower: Int
    /// The share of the lower object's contrast that is seen through the upper one, apart from its
    /// fades.
    let share: Float
}

/// A reader of the colours of a clip where two of its objects overlap.
struct OverlapReader {
    private let objects: [ReconstructedObject]
    private let background: Channels
    private let duration: Double

    /// The maximum number of pixels of a frame.
    private static let maxPixels = 200_000.0
    /// The number of points along each side of the box that two objects share.
    private static let side = 12
    /// The distance in pixels from the edges, which blur both colours.
    private static let margin = 1.5
    /// The minimum number of points that determine a colour.
    private static let minPoints = 3
    /// The minimum opacity of an object that counts.
    private static let minOpacity = 0.3
    /// The maximum share of the lower object's contrast that shows: the upper one has at least a
    /// quarter of its opacity.
    private static let maxShare: Float = 0.75
    /// The maximum difference of a mixed colour from the one that an order explains, and the
    /// minimum advantage over the other order, in codes.
    private static let maxError: Float = 24
    private static let minAdvantage: Float = 12

    init(_ objects: [ReconstructedObject], over background: Channels, duration: Double) {
        self.objects = objects
        self.background = background
        self.duration = duration
    }

    /// Returns the observations of all frames, in the order of their times.
    func observations(_ reader: ClipReader, times: [Double]) throws -> [OverlapObservation] {
        let end = duration - 1e-6
        guard let last = times.lastIndex(where: { $0 < end && !overlaps(at: $0).isEmpty }) else { return [] }
        var scaler: FrameScaler?
        var result: [OverlapObservation] = []
        try reader.forEachFrame { frame, number, _ in
            guard number <= last else { return false }
            let overlaps = times[number] < end ? self.overlaps(at: times[number]) : []
            guard !overlaps.isEmpty else { return true }
            let scale = min(1, (Self.maxPixels / Double(frame.width * frame.height)).squareRoot())
            let width = max(1, Int((Double(frame.width) * scale).rounded()))
            let height = max(1, Int((Double(frame.height) * scale).rounded()))
            if scaler == nil { scaler = try FrameScaler(width: width, height: height) }
            guard let pixels = try scaler?.rgba(frame) else { return false }
            for overlap in overlaps {
                let view = (scale: scale, width: width, height: height)
                if let seen = observation(overlap, at: times[number], pixels, view) { result.append(seen) }
            }
            return true
        }
        return result
    }

    /// Two objects and the points that both cover, in pixels of the clip.
    private struct Overlap {
        let first: Int
        let second: Int
        let points: [Point]
    }

    private func overlaps(at time: Double) -> [Overlap] {
        let outlines = objects.map { object -> [[Point]] in
            object.opacity.value(at: time) >= Self.minOpacity ? object.polygons(at: time) : []
        }
        let boxes = outlines.map { Rect(enclosing: $0.flatMap { $0 }) }
        var result: [Overlap] = []
        for first in objects.indices {
            for second in objects.indices.dropFirst(first + 1) {
                guard let a = boxes[first], let b = boxes[second], let shared = a.intersection(b),
                    shared.width > 2 * Self.margin, shared.height > 2 * Self.margin
                else { continue }
                let others = outlines.indices.filter { $0 != first && $0 != second }.map { outlines[$0] }
                let points = grid(shared).filter { point in
                    isInside(point, outlines[first]) && isInside(point, outlines[second])
                        && !others.contains { isNear(point, $0) }
                }
                if points.count >= Self.minPoints {
                    result.append(Overlap(first: first, second: second, points: points))
                }
            }
        }
        return result
    }

    private func grid(_ box: Rect) -> [Point] {
        (0..<Self.side * Self.side).map { index in
            let (column, row) = (index % Self.side, index / Self.side)
            return Point(
                box.x + (Double(column) + 0.5) * box.width / Double(Self.side),
                box.y + (Double(row) + 0.5) * box.height / Double(Self.side))
        }
    }

    private func around(_ point: Point) -> [Point] {
        let margin = Self.margin
        return [Point(margin, 0), Point(-margin, 0), Point(0, margin), Point(0, -margin)].map { point + $0 }
    }

    /// Returns true if a point is inside an outline, and its edges are not near.
    private func isInside(_ point: Point, _ outline: [[Point]]) -> Bool {
        !outline.isEmpty && around(point).allSatisfy { outline.covers($0) }
    }

    private func isNear(_ point: Point, _ outline: [[Point]]) -> Bool {
        !outline.isEmpty && around(point).contains { outline.covers($0) }
    }

    /// Returns the order that explains the colour where two objects overlap; nil if none does, or
    /// if both do.
    private func observation(
        _ overlap: Overlap, at time: Double, _ pixels: UnsafeBufferPointer<UInt8>,
        _ view: (scale: Double, width: Int, height: Int)
    ) -> OverlapObservation? {
        let sum = overlap.points.reduce(Channels()) { sum, point in
            let x = min(view.width - 1, max(0, Int(point.x * view.scale)))
            let y = min(view.height - 1, max(0, Int(point.y * view.scale)))
            let index = 4 * (y * view.width + x)
            return sum + Channels(Float(pixels[index]), Float(pixels[index + 1]), Float(pixels[index + 2]))
        }
        let mixed = sum / Float(overlap.points.count)
        let a = contrast(overlap.first, at: time)
        let b = contrast(overlap.second, at: time)
        let first = explained(mixed, upper: a, lower: b)
        let second = explained(mixed, upper: b, lower: a)
        let isFirst = first.error < second.error
        guard min(first.error, second.error) <= Self.maxError,
            abs(first.error - second.error) >= Self.minAdvantage
        else { return nil }
        let upper = isFirst ? overlap.first : overlap.second
        let lower = isFirst ? overlap.second : overlap.first
        let share = isFirst ? first.share : second.share
        let fade = Float(objects[upper].opacity.value(at: time))
        return OverlapObservation(time: time, upper: upper, lower: lower, share: max(0, 1 - (1 - share) / fade))
    }

    /// Returns the difference of an object's colour over the background from the background.
    private func contrast(_ index: Int, at time: Double) -> Channels {
        let object = objects[index]
        let color = Channels(
            Float(object.red.value(at: time)), Float(object.green.value(at: time)), Float(object.blue.value(at: time)))
        return (color * 255 - background) * Float(object.opacity.value(at: time))
    }

    /// Returns the share of the lower object that explains a mixed colour best, and the remaining
    /// difference.
    private func explained(_ mixed: Channels, upper: Channels, lower: Channels) -> (share: Float, error: Float) {
        let rest = mixed - background - upper
        let share = min(Self.maxShare, max(0, rest.dot(lower) / max(1, lower.dot(lower))))
        return (share, (rest - lower * share).largest)
    }
}

extension [[Point]] {
    /// Returns true if a point is inside polygons by the even-odd rule.
    func covers(_ point: Point) -> Bool {
        var isInside = false
        for polygon in self {
            guard var last = polygon.last else { continue }
            for next in polygon {
                if (last.y <= point.y) != (next.y <= point.y),
                    point.x < last.x + (next.x - last.x) * (point.y - last.y) / (next.y - last.y)
                {
                    isInside.toggle()
                }
                last = next
            }
        }
        return isInside
    }
}
