import Media

/// Pixels of a picture as they are seen: red, green, blue and alpha, multiplied by alpha, rows without padding.
struct Pixels {
    let width: Int
    let height: Int
    var bytes: [UInt8]
}

/// Turns decoded pictures of one size into pixels of that size or smaller ones, whatever format they have.
final class PixelReader {
    private let width: Int
    private let height: Int
    private let scaler: FrameScaler
    private let full: (width: Int, height: Int)

    /// A reader of pictures.
    ///
    /// - Parameters:
    ///   - width: width of the decoded pictures in pixels.
    ///   - height: height of the decoded pictures in pixels.
    ///   - most: results have at most about so many pixels; nil leaves the size as it is.
    init(width: Int, height: Int, most: Int? = nil) throws {
        let factor = most.map { min(1, (Double($0) / Double(max(1, width * height))).squareRoot()) } ?? 1
        self.width = max(1, Int(Double(width) * factor))
        self.height = max(1, Int(Double(height) * factor))
        full = (width, height)
        scaler = try FrameScaler(width: self.width, height: self.height)
    }

    private var isWhole: Bool { (width, height) == full }
    private lazy var whole = Result { try FrameScaler(width: full.width, height: full.height) }

    /// The pixels of a picture, which must be of the reader's size.
    func pixels(_ picture: StreamPicture) throws -> Pixels {
        guard picture.hasAlpha else {
            return Pixels(width: width, height: height, bytes: Array(try scaler.rgba(picture.frame)))
        }
        // Transparent pixels must not count when several become one.
        var bytes = try straight(picture)
        Pixels.premultiply(&bytes)
        let pixels = Pixels(width: full.width, height: full.height, bytes: bytes)
        return isWhole ? pixels : pixels.reduced(width: width, height: height)
    }

    /// The pixels of a picture at its own size, not multiplied by alpha.
    func straight(_ picture: StreamPicture) throws -> [UInt8] {
        var bytes = Array(try (isWhole ? scaler : whole.get()).rgba(picture.frame))
        if let alpha = picture.alpha, let plane = alpha.plane(0), alpha.width == full.width,
            alpha.height == full.height
        {
            for y in 0..<full.height {
                for x in 0..<full.width { bytes[4 * (y * full.width + x) + 3] = plane.data[y * plane.stride + x] }
            }
        }
        return bytes
    }
}

extension Pixels {
    /// Multiplies colours by alpha.
    static func premultiply(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBufferPointer { bytes in
            for pixel in stride(from: 0, to: bytes.count, by: 4) where bytes[pixel + 3] != 255 {
                let alpha = UInt32(bytes[pixel + 3])
                for channel in pixel..<pixel + 3 {
                    bytes[channel] = UInt8(truncatingIfNeeded: (UInt32(bytes[channel]) * alpha + 127) / 255)
                }
            }
        }
    }

    /// A smaller picture, each pixel of which is the mean of those that it stands for.
    func reduced(width target: Int, height targetHeight: Int) -> Pixels {
        var result = [UInt8](repeating: 0, count: 4 * target * targetHeight)
        for y in 0..<targetHeight {
            let rows = (y * height / targetHeight)..<max((y + 1) * height / targetHeight, y * height / targetHeight + 1)
            for x in 0..<target {
                let columns = (x * width / target)..<max((x + 1) * width / target, x * width / target + 1)
                var (red, green, blue, alpha) = (0, 0, 0, 0)
                for row in rows {
                    for column in columns {
                        let pixel = 4 * (row * width + column)
                        red += Int(bytes[pixel])
                        green += Int(bytes[pixel + 1])
                        blue += Int(bytes[pixel + 2])
                        alpha += Int(bytes[pixel + 3])
                    }
                }
                let (count, place) = (rows.count * columns.count, 4 * (y * target + x))
                result[place] = UInt8(red / count)
                result[place + 1] = UInt8(green / count)
                result[place + 2] = UInt8(blue / count)
                result[place + 3] = UInt8(alpha / count)
            }
        }
        return Pixels(width: target, height: targetHeight, bytes: result)
    }

    /// Whether all pixels are alike but for noise.
    var isBlank: Bool {
        bytes.withUnsafeBufferPointer { bytes in
            guard bytes.count >= 4 else { return true }
            var (low, high) = (SIMD4<UInt8>(repeating: 255), SIMD4<UInt8>(repeating: 0))
            for pixel in Swift.stride(from: 0, to: bytes.count, by: 4) {
                let value = SIMD4(bytes[pixel], bytes[pixel + 1], bytes[pixel + 2], bytes[pixel + 3])
                low = pointwiseMin(low, value)
                high = pointwiseMax(high, value)
            }
            return (0..<4).allSatisfy { high[$0] - low[$0] <= 10 }
        }
    }
}

/// How far two pictures are apart that follow each other.
struct PictureStep: Comparable {
    /// Mean of the samples' differences, in codes. Things that move by more than their own width change no more.
    var mean: Double
    /// How much color goes how far, along both sides of the picture: grows with the way, however long it is.
    var travel = 0.0
    /// Whether it is more than noise: differences that can be seen make up a good part of it.
    var isMotion: Bool

    /// Differences above this many codes are seen.
    private static let visible = 16

    static func < (a: PictureStep, b: PictureStep) -> Bool { a.mean < b.mean }

    init(mean: Double, isMotion: Bool) { (self.mean, self.isMotion) = (mean, isMotion) }

    /// The step from one picture to another of the same size.
    init(_ a: Pixels, _ b: Pixels) {
        guard a.bytes.count == b.bytes.count, !a.bytes.isEmpty else {
            self.init(mean: 255, isMotion: true)
            return
        }
        let width = a.width
        var (sum, strong, count) = (0, 0, 0)
        var columns = [Int](repeating: 0, count: 4 * width)
        var rows = [Int](repeating: 0, count: 4 * a.height)
        a.bytes.withUnsafeBufferPointer { a in
            b.bytes.withUnsafeBufferPointer { b in
                for index in a.indices {
                    let difference = Int(a[index]) - Int(b[index])
                    guard difference != 0 else { continue }
                    sum += abs(difference)
                    guard abs(difference) > Self.visible else { continue }
                    strong += abs(difference)
                    count += 1
                    columns[index % (4 * width)] += difference
                    rows[index / (4 * width) * 4 + index % 4] += difference
                }
            }
        }
        self.init(mean: Double(sum) / Double(a.bytes.count), isMotion: count >= 4 && strong * 10 >= sum * 3)
        travel = Double(Self.way(columns) + Self.way(rows)) / Double(a.bytes.count)
    }

    /// How much must be carried how far to make one row of sums of another, by their differences; four channels in turns.
    private static func way(_ differences: [Int]) -> Int {
        var (carried, way) = ([0, 0, 0, 0], 0)
        for (index, difference) in differences.enumerated() {
            carried[index % 4] += difference
            way += abs(carried[index % 4])
        }
        return way
    }
}
