import Core

/// The arrangement of planes in memory: luma, then both colour differences at half the resolution.
struct PlaneLayout: Sendable, Hashable {
    /// A plane's position and size in samples.
    struct Plane: Sendable {
        let start: Int
        let width: Int
        let height: Int
        /// The number of samples per four pixels of width.
        let samples: Int
    }

    let width: Int
    let height: Int

    /// The width of a colour plane.
    var columns: Int { (width + 1) / 2 }
    /// The height of a colour plane.
    var rows: Int { (height + 1) / 2 }
    /// The number of luma samples.
    var pixels: Int { width * height }
    /// The number of all samples.
    var count: Int { pixels + 2 * columns * rows }

    var planes: [Plane] {
        [
            Plane(start: 0, width: width, height: height, samples: 4),
            Plane(start: pixels, width: columns, height: rows, samples: 2),
            Plane(start: pixels + columns * rows, width: columns, height: rows, samples: 2),
        ]
    }

    /// Returns a rectangle of pixels extended to whole colour samples.
    func aligned(_ part: PixelRect) -> PixelRect {
        let x = part.x / 2 * 2
        let y = part.y / 2 * 2
        return PixelRect(
            x: x, y: y, width: min(width, (part.maxX + 1) / 2 * 2) - x,
            height: min(height, (part.maxY + 1) / 2 * 2) - y)
    }

    /// Returns the samples of a plane for an aligned rectangle of pixels.
    func part(_ part: PixelRect, of plane: Plane) -> PixelRect {
        guard plane.samples == 2 else { return part }
        let x = part.x / 2
        let y = part.y / 2
        return PixelRect(x: x, y: y, width: (part.maxX + 1) / 2 - x, height: (part.maxY + 1) / 2 - y)
    }

    /// Returns a weight per sample for a weight per pixel.
    func weights(_ mask: [Float]) -> [Float] {
        var color = [Float](repeating: 0, count: columns * rows)
        for y in 0..<height {
            for x in 0..<width {
                let sample = y / 2 * columns + x / 2
                color[sample] = max(color[sample], mask[y * width + x])
            }
        }
        return mask + color + color
    }
}
