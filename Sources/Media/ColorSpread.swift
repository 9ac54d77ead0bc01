import Scene

/// Gives pixels that nobody sees the colours of those around them.
///
/// Where chroma is stored for several pixels at once, and where blocks of pixels are coded together, the colours of clear
/// pixels count too. Were they black, whatever is drawn would have a dark fringe, and blocks at its edges would cost more.
/// The picture is halved until it is one pixel, each the mean of the four before by their alpha; then what is clear takes,
/// from the smallest on, the colour of the larger pixel that it lies in.
final class ColorSpread {
    /// A picture of floating-point blue, green, red and weight, four numbers a pixel.
    private struct Level {
        let width: Int
        let height: Int
        var samples: [Float]

        init(width: Int, height: Int) {
            (self.width, self.height) = (width, height)
            samples = [Float](repeating: 0, count: 4 * width * height)
        }
    }

    private let width: Int
    private let height: Int
    /// From half the picture's size to one pixel.
    private var levels: [Level] = []

    /// For pictures of one size in pixels.
    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        var (columns, rows) = (width, height)
        repeat {
            (columns, rows) = ((columns + 1) / 2, (rows + 1) / 2)
            levels.append(Level(width: columns, height: rows))
        } while columns > 1 || rows > 1
    }

    /// Colours the clear pixels of straight BGRA. A picture without any, or with nothing else, stays as it is.
    func apply(to pixels: UnsafeMutablePointer<UInt8>, stride: Int) {
        guard hasBoth(pixels, stride) else { return }
        gather(pixels, stride)
        for index in levels.indices.dropFirst() { ColorSpread.gather(levels[index - 1], into: &levels[index]) }
        for index in levels.indices.dropLast().reversed() { ColorSpread.fill(&levels[index], from: levels[index + 1]) }
        fill(pixels, stride)
    }

    private func hasBoth(_ pixels: UnsafeMutablePointer<UInt8>, _ stride: Int) -> Bool {
        var (hasClear, hasOther) = (false, false)
        for y in 0..<height {
            let row = pixels + y * stride
            for x in 0..<width {
                if row[4 * x + 3] == 0 { hasClear = true } else { hasOther = true }
            }
            if hasClear, hasOther { return true }
        }
        return false
    }

    /// Makes the first level of the picture itself.
    private func gather(_ pixels: UnsafeMutablePointer<UInt8>, _ stride: Int) {
        let columns = levels[0].width
        levels[0].samples.withUnsafeMutableBufferPointer { samples in
            for index in samples.indices { samples[index] = 0 }
            for y in 0..<height {
                let (row, target) = (pixels + y * stride, 4 * (y / 2) * columns)
                for x in 0..<width where row[4 * x + 3] != 0 {
                    let (pixel, place) = (row + 4 * x, target + 4 * (x / 2))
                    let alpha = Float(pixel[3]) / 255
                    for channel in 0..<3 { samples[place + channel] += alpha * Float(pixel[channel]) }
                    samples[place + 3] += alpha
                }
            }
        }
        ColorSpread.normalize(&levels[0])
    }

    /// Makes a level of the one before.
    private static func gather(_ source: Level, into target: inout Level) {
        target.samples.withUnsafeMutableBufferPointer { samples in
            for index in samples.indices { samples[index] = 0 }
            for y in 0..<source.height {
                for x in 0..<source.width {
                    let (from, to) = (4 * (y * source.width + x), 4 * (y / 2 * target.width + x / 2))
                    let weight = source.samples[from + 3]
                    for channel in 0..<3 { samples[to + channel] += weight * source.samples[from + channel] }
                    samples[to + 3] += weight
                }
            }
        }
        normalize(&target)
    }

    /// Makes means of sums, which count as one pixel at most.
    private static func normalize(_ level: inout Level) {
        level.samples.withUnsafeMutableBufferPointer { samples in
            for pixel in stride(from: 0, to: samples.count, by: 4) where samples[pixel + 3] > 0 {
                let weight = samples[pixel + 3]
                for channel in 0..<3 { samples[pixel + channel] /= weight }
                samples[pixel + 3] = min(1, weight)
            }
        }
    }

    /// Colours what a level has no colour of from the next, smaller one.
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
                let (row, source) = (pixels + y * stride, 4 * (y / 2) * columns)
                for x in 0..<width where row[4 * x + 3] == 0 {
                    for channel in 0..<3 {
                        row[4 * x + channel] = UInt8(samples[source + 4 * (x / 2) + channel].rounded())
                    }
                }
            }
        }
    }
}
