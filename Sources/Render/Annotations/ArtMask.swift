import Core

/// A small bitmap of a loader's drawing at an instant, used to find free positions for names.
struct ArtMask: Sendable {
    /// The share of a box that art may cover before a viewer sees that the box cuts into it.
    private static let maxCover = 0.01

    /// The drawing without its background.
    let bitmap: CanvasBitmap

    /// Returns true if a part of the canvas covers art.
    func meets(_ part: Rect) -> Bool {
        cover(of: part) > Self.maxCover
    }

    /// Returns the share of a part of the canvas that is drawn, 0...1. It is a continuous function
    /// of the part, so that names follow moving art without jumps.
    private func cover(of part: Rect) -> Double {
        let width = bitmap.width
        let height = bitmap.height
        let scale = bitmap.scale
        let columns = Self.weights(from: part.x * scale, to: part.maxX * scale, count: width)
        let rows = Self.weights(from: part.y * scale, to: part.maxY * scale, count: height)
        let area = part.width * part.height * scale * scale
        guard area > 0 else { return 0 }
        var sum = 0.0
        for (y, rowWeight) in rows {
            for (x, weight) in columns { sum += Double(bitmap.alpha(x, y)) * weight * rowWeight }
        }
        return sum / 255 / area
    }

    /// Returns the indices of the pixels in a range of coordinates, each with the share of it that
    /// is in the range.
    private static func weights(from start: Double, to end: Double, count: Int) -> [(Int, Double)] {
        let first = max(0, Int(max(0, start)))
        let last = min(count - 1, Int(max(0, end)))
        guard end > 0, first <= last else { return [] }
        return (first...last).map { index in
            (index, min(end, Double(index + 1)) - max(start, Double(index)))
        }
    }
}
