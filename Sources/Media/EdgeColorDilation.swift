import Core

/// A filter that extends the colours of visible pixels into transparent areas (push-pull dilation).
///
/// Colours of transparent pixels matter, since subsampled chroma and coding blocks mix them with
/// visible pixels. Black ones would cause dark fringes, and blocks at edges would need more bits.
/// The bitmap is halved down to one pixel, each level as the alpha-weighted mean of four pixels of
/// the one before. Then, from the smallest level up, transparent pixels take the colour of the
/// pixel in the next smaller level.
final class EdgeColorDilation {
    /// A bitmap of floating-point blue, green, red and weight, four numbers per pixel.
    private struct Level {
        let width: Int
        let height: Int
        var samples: [Float]

        init(width: Int, height: Int) {
            self.width = width
            self.height = height
            samples = [Float](repeating: 0, count: 4 * width * height)
        }
    }

    private let width: Int
    private let height: Int
    /// The levels from half the bitmap's size to one pixel.
    private var levels: [Level] = []

    /// A filter for bitmaps of one size in pixels.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        var columns = width
        var rows = height
        repeat {
            columns = (columns + 1) / 2
            rows = (rows + 1) / 2
            levels.append(Level(width: columns, height: rows))
        } while columns > 1 || rows > 1
    }

    /// Sets the colours of transparent pixels in straight BGRA. Does not change bitmaps that are
    /// fully visible or fully transparent.
    func apply(to pixels: UnsafeMutablePointer<UInt8>, stride: Int) {
        guard isPartlyTransparent(pixels, stride) else { return }
        downsample(pixels, stride)
        for index in levels.indices.dropFirst() {
            EdgeColorDilation.downsample(levels[index - 1], into: &levels[index])
        }
        for index in levels.indices.dropLast().reversed() {
            EdgeColorDilation.fill(&levels[index], from: levels[index + 1])
        }
        fill(pixels, stride)
    }

    private func isPartlyTransparent(_ pixels: UnsafeMutablePointer<UInt8>, _ stride: Int) -> Bool {
        var hasTransparent = false
        var hasVisible = false
        for y in 0..<height {
            let row = pixels + y * stride
            for x in 0..<width {
                if row[4 * x + 3] == 0 { hasTransparent = true } else { hasVisible = true }
            }
            if hasTransparent, hasVisible { return true }
        }
        return false
    }

    /// Computes the first level from the bitmap.
    private func downsample(_ pixels: UnsafeMutablePointer<UInt8>, _ stride: Int) {
        let columns = levels[0].width
        levels[0].samples.withUnsafeMutableBufferPointer { samples in
            for index in samples.indices { samples[index] = 0 }
            for y in 0..<height {
                let row = pixels + y * stride
                let targetRow = 4 * (y / 2) * columns
                for x in 0..<width where row[4 * x + 3] != 0 {
                    let pixel = row + 4 * x
                    let target = targetRow + 4 * (x / 2)
                    let alpha = Float(pixel[3]) / 255
                    for channel in 0..<3 { samples[target + channel] += alpha * Float(pixel[channel]) }
                    samples[target + 3] += alpha
                }
            }
        }
        EdgeColorDilation.normalize(&levels[0])
    }

    /// Computes a level from the next larger one.
    private static func downsample(_ source: Level, into target: inout Level) {
        target.samples.withUnsafeMutableBufferPointer { samples in
            for index in samples.indices { samples[index] = 0 }
            for y in 0..<source.height {
                for x in 0..<source.width {
                    let from = 4 * (y * source.width + x)
                    let to = 4 * (y / 2 * target.width + x / 2)
                    let weight = source.samples[from + 3]
                    for channel in 0..<3 { samples[to + channel] += weight * source.samples[from + channel] }
                    samples[to + 3] += weight
                }
            }
        }
        normalize(&target)
    }

    /// Divides the sums by their weights. Limits each weight to that of one pixel.
    private static func normalize(_ level: inout Level) {
        level.samples.withUnsafeMutableBufferPointer { samples in
            for pixel in stride(from: 0, to: samples.count, by: 4) where samples[pixel + 3] > 0 {
                let weight = samples[pixel + 3]
                for channel in 0..<3 { samples[pixel + channel] /= weight }
                samples[pixel + 3] = min(1, weight)
            }
        }
    }

    /// Fills the pixels without a colour from the next smaller level.
    private static func fill(_ level: inout Level, from smaller: Level) {
        let columns = level.width
        level.samples.withUnsafeMutableBufferPointer { samples in
            for pixel in 0..<samples.count / 4 where samples[4 * pixel + 3] == 0 {
                let (y, x) = pixel.quotientAndRemainder(dividingBy: columns)
                let from = 4 * (y / 2 * smaller.width + x / 2)
                for channel in 0..<3 { samples[4 * pixel + channel] = smaller.samples[from + channel] }
            }
        }
    }

    private func fill(_ pixels: UnsafeMutablePointer<UInt8>, _ stride: Int) {
        let columns = levels[0].width
        levels[0].samples.withUnsafeBufferPointer { samples in
            for y in 0..<height {
                let row = pixels + y * stride
                let source = 4 * (y / 2) * columns
                for x in 0..<width where row[4 * x + 3] == 0 {
                    for channel in 0..<3 {
                        row[4 * x + channel] = UInt8(samples[source + 4 * (x / 2) + channel].rounded())
                    }
                }
            }
        }
    }
}
