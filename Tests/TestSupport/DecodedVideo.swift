import Core
import Media

/// A video file, decoded with the project's own demuxer and decoder.
package struct DecodedVideo {
    /// The presentation time of each frame in seconds, in presentation order.
    package private(set) var times: [Rational] = []
    /// The duration of each packet in seconds, in presentation order.
    package private(set) var durations: [Rational] = []
    /// The samples of each frame, plane by plane; empty for frames that were not kept.
    package private(set) var samples: [[UInt8]] = []
    /// The kept frames as straight RGBA; empty unless requested.
    package private(set) var bitmaps: [RGBABitmap] = []
    /// The stream's parameters in the container.
    package let parameters: CodecParameters
    /// The stream's time base in seconds.
    package let timeBase: Rational
    /// FFmpeg's name of the pixel format.
    package private(set) var format = ""

    /// Decodes a whole file. Keeps the samples of frames for whose index `keeps` returns true.
    package init(path: String, rgba: Bool = false, keeps: (Int) -> Bool = { _ in true }) throws {
        let demuxer = try Demuxer(path: path)
        parameters = try demuxer.parameters()
        timeBase = demuxer.timeBase
        let decoder = try VideoDecoder(parameters)
        var spans: [(pts: Int64, duration: Int64)] = []
        while true {
            let packet = try demuxer.read()
            if let packet { spans.append((packet.pts ?? -1, packet.duration)) }
            for frame in try decoder.decode(packet) { try add(frame, rgba: rgba, keeps: keeps(times.count)) }
            if packet == nil { break }
        }
        durations = spans.sorted { $0.pts < $1.pts }.map { timeBase * Rational(Int($0.duration)) }
    }

    private mutating func add(_ frame: VideoFrame, rgba: Bool, keeps: Bool) throws {
        times.append(timeBase * Rational(Int(frame.pts ?? -1)))
        format = frame.format.description
        samples.append(keeps ? frame.samples : [])
        if rgba, keeps {
            bitmaps.append(RGBABitmap(width: frame.width, height: frame.height, rgba: try frame.rgba()))
        }
    }
}

/// A bitmap of straight RGBA pixels.
package struct RGBABitmap: Sendable {
    /// Width in pixels.
    package let width: Int
    /// Height in pixels.
    package let height: Int
    /// Four bytes per pixel, without row padding.
    package let rgba: [UInt8]

    /// A bitmap with the given pixels.
    package init(width: Int, height: Int, rgba: [UInt8]) {
        self.width = width
        self.height = height
        self.rgba = rgba
    }

    /// Returns the red, green and blue of a pixel.
    package func color(_ x: Int, _ y: Int) -> [Int] { (0..<3).map { Int(rgba[4 * (y * width + x) + $0]) } }

    /// Returns the positions of the pixels with a red, green and blue, row by row.
    package func positions(of color: [UInt8]) -> [(x: Int, y: Int)] {
        var positions: [(x: Int, y: Int)] = []
        for y in 0..<height {
            for x in 0..<width {
                let pixel = 4 * (y * width + x)
                if (0..<3).allSatisfy({ rgba[pixel + $0] == color[$0] }) { positions.append((x, y)) }
            }
        }
        return positions
    }

    /// The rows and columns with pixels that differ from the upper left corner, as far as every
    /// second column shows them; nil if there are none.
    package var extent: (rows: ClosedRange<Int>, columns: ClosedRange<Int>)? {
        var result: (rows: ClosedRange<Int>, columns: ClosedRange<Int>)?
        for y in 0..<height {
            for x in stride(from: 0, to: width, by: 2) {
                let pixel = 4 * (y * width + x)
                guard (0..<3).contains(where: { rgba[pixel + $0] != rgba[$0] }) else { continue }
                let (rows, columns) = result ?? (y...y, x...x)
                result = (rows.lowerBound...y, min(columns.lowerBound, x)...max(columns.upperBound, x))
            }
        }
        return result
    }
}

extension VideoFrame {
    /// The bytes of all planes of a planar frame, without row padding.
    package var samples: [UInt8] {
        var samples: [UInt8] = []
        for index in 0..<4 {
            guard let plane = plane(index) else { break }
            let isChroma = index == 1 || index == 2
            let count = format.bytesPerRow(ofPlane: index, width: width)
            for y in 0..<(isChroma ? height / format.verticalStep : height) {
                samples.append(contentsOf: UnsafeBufferPointer(start: plane.data + y * plane.stride, count: count))
            }
        }
        return samples
    }
}
