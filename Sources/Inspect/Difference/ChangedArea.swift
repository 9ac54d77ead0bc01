import Core

/// The part of a region whose pixels differ, and its mean colours.
struct ChangedArea {
    let box: PixelRect
    let expected: SIMD3<Float>
    let actual: SIMD3<Float>

    /// The distance in pixels by which a region may exceed what measurements found.
    private static let margin = 32

    /// Finds the part of a region, if a pixel differs.
    ///
    /// - Parameters:
    ///   - background: the most frequent colour. If half of the part has it, the mean colours are
    ///     those of its pixels.
    ///   - isFaint: true to add the differences with their signs, so that coding noise cancels out.
    init?(
        _ pixels: (expected: Pixels, actual: Pixels), _ region: PixelRect, background: SIMD3<Float>, isFaint: Bool
    ) {
        guard let box = Self.outline(pixels, region, isFaint: isFaint) else { return nil }
        self.box = box
        (expected, actual) = Self.means(pixels, box, background: background)
    }

    /// Returns the part of a region whose pixels differ; nil if none does.
    private static func outline(
        _ pixels: (expected: Pixels, actual: Pixels), _ region: PixelRect, isFaint: Bool
    ) -> PixelRect? {
        let left = max(0, region.x - margin)
        let top = max(0, region.y - margin)
        let search = PixelRect(
            x: left, y: top, width: min(pixels.expected.width, region.maxX + margin) - left,
            height: min(pixels.expected.height, region.maxY + margin) - top)
        func difference(_ x: Int, _ y: Int) -> Float {
            let a = color(pixels.expected, x, y)
            let b = color(pixels.actual, x, y)
            return isFaint ? (b - a).sum() : FrameObjects.distance(a, b)
        }
        // The sums of lines outline the area: half of the strongest one tells it from noise.
        var columns = [Float](repeating: 0, count: search.width)
        var rows = [Float](repeating: 0, count: search.height)
        for y in search.y..<search.maxY {
            for x in search.x..<search.maxX {
                let amount = difference(x, y)
                columns[x - search.x] += amount
                rows[y - search.y] += amount
            }
        }
        if columns.reduce(0, +) < 0 {
            columns = columns.map { -$0 }
            rows = rows.map { -$0 }
        }
        guard let widest = columns.max(), let tallest = rows.max(), widest > 0,
            let first = columns.firstIndex(where: { $0 >= widest / 2 }),
            let last = columns.lastIndex(where: { $0 >= widest / 2 }),
            let highest = rows.firstIndex(where: { $0 >= tallest / 2 }),
            let lowest = rows.lastIndex(where: { $0 >= tallest / 2 })
        else { return nil }
        return PixelRect(
            x: search.x + first, y: search.y + highest, width: last - first + 1, height: lowest - highest + 1)
    }

    private static func color(_ pixels: Pixels, _ x: Int, _ y: Int) -> SIMD3<Float> {
        let color = pixels.colorOverWhite(y * pixels.width + x)
        return SIMD3(Float(color.x), Float(color.y), Float(color.z))
    }

    /// Returns the mean colours of a box, or of its pixels in the background's colour if these are
    /// at least half of it.
    private static func means(
        _ pixels: (expected: Pixels, actual: Pixels), _ box: PixelRect, background: SIMD3<Float>
    ) -> (expected: SIMD3<Float>, actual: SIMD3<Float>) {
        var sums = (all: SIMD3<Double>.zero, ground: SIMD3<Double>.zero)
        var otherSums = sums
        var groundCount = 0
        for y in box.y..<box.maxY {
            for x in box.x..<box.maxX {
                let a = color(pixels.expected, x, y)
                let b = color(pixels.actual, x, y)
                sums.all += SIMD3<Double>(a)
                otherSums.all += SIMD3<Double>(b)
                guard FrameObjects.distance(a, background) < FrameObjects.maxBackgroundDistance else { continue }
                sums.ground += SIMD3<Double>(a)
                otherSums.ground += SIMD3<Double>(b)
                groundCount += 1
            }
        }
        let isGround = 2 * groundCount >= box.area
        let count = Double(isGround ? groundCount : box.area)
        return (
            SIMD3<Float>((isGround ? sums.ground : sums.all) / count),
            SIMD3<Float>((isGround ? otherSums.ground : otherSums.all) / count)
        )
    }
}
