import Core
import Foundation
import Media
import TestSupport
import Testing

/// The structure of an APNG or animated WebP file, parsed chunk by chunk.
struct AnimationFile {
    /// The rectangle of a frame in pixels, and its duration in seconds.
    struct Part: Equatable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        var delay: Rational
        /// True if the frame is drawn over the previous one instead of replacing its pixels.
        var isBlended = false
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var plays = 0
    /// The number of frames in the header; nil if the format has none.
    private(set) var count: Int?
    private(set) var parts: [Part] = []
    /// Each frame as a separate WebP file.
    private var stills: [[UInt8]] = []

    /// The start of each frame and the end of the last one, in seconds.
    var times: [Rational] { parts.reduce(into: [.zero]) { $0.append(($0.last ?? .zero) + $1.delay) } }

    init(_ path: String) throws {
        let bytes = try TestSupport.bytes(of: path)
        try bytes.starts(with: Array("RIFF".utf8)) ? readWebP(bytes) : readAPNG(bytes)
    }

    private mutating func readAPNG(_ bytes: [UInt8]) throws {
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        var offset = 8
        var sequence = 0
        while offset < bytes.count {
            let (length, body) = (number(offset, 4), offset + 8)
            switch String(decoding: bytes[offset + 4..<body], as: UTF8.self) {
            case "IHDR":
                width = number(body, 4)
                height = number(body + 4, 4)
            case "acTL":
                count = number(body, 4)
                plays = number(body + 4, 4)
            case "fcTL":
                try #require(number(body, 4) == sequence)
                sequence += 1
                parts.append(
                    Part(
                        x: number(body + 12, 4), y: number(body + 16, 4), width: number(body + 4, 4),
                        height: number(body + 8, 4),
                        delay: Rational(Int128(number(body + 20, 2)), Int128(number(body + 22, 2)))))
            case "fdAT":
                try #require(number(body, 4) == sequence)
                sequence += 1
            default: break
            }
            offset = body + length + 4
        }
    }

    private mutating func readWebP(_ bytes: [UInt8]) throws {
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        try #require(number(4, 4) == bytes.count - 8)
        var offset = 12
        while offset < bytes.count {
            let (length, body) = (number(offset + 4, 4), offset + 8)
            switch String(decoding: bytes[offset..<offset + 4], as: UTF8.self) {
            case "VP8X":
                width = number(body + 4, 3) + 1
                height = number(body + 7, 3) + 1
            case "ANIM": plays = number(body + 4, 2)
            case "ANMF":
                parts.append(
                    Part(
                        x: 2 * number(body, 3), y: 2 * number(body + 3, 3), width: number(body + 6, 3) + 1,
                        height: number(body + 9, 3) + 1, delay: Rational(Int128(number(body + 12, 3)), 1000),
                        isBlended: bytes[body + 15] == 0))
                // No disposal, which `webPFrames` relies on.
                try #require([0, 0b10].contains(bytes[body + 15]))
                stills.append(still(Array(bytes[body + 16..<body + length])))
            default: break
            }
            offset = body + length + length % 2
        }
    }

    /// The chunks of a frame as a WebP file. Alpha needs an additional VP8X chunk in front.
    private func still(_ chunks: [UInt8]) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        let part = parts[parts.count - 1]
        let features =
            Array("VP8X".utf8) + number(10, 4) + [0x10, 0, 0, 0] + number(part.width - 1, 3)
            + number(part.height - 1, 3)
        let body = Array("WEBP".utf8) + (chunks.starts(with: "ALPH".utf8) ? features : []) + chunks
        return Array("RIFF".utf8) + number(body.count, 4) + body
    }

    /// The frames of an animated WebP as straight RGBA. FFmpeg's decoder does not support
    /// animations, so each rectangle is decoded separately and copied onto the previous frame.
    /// Blended pixels must be opaque or transparent, so that the result does not depend on the
    /// decoder's rounding.
    fileprivate func webPFrames() throws -> [[UInt8]] {
        let directory = try TemporaryDirectory()
        var canvas = [UInt8](repeating: 0, count: 4 * width * height)
        return try zip(parts, stills).map { part, still in
            let path = directory.file("still.webp")
            try Data(still).write(to: URL(filePath: path))
            let demuxer = try Demuxer(path: path, formats: .images)
            let decoder = try VideoDecoder(demuxer.parameters())
            let frames = try decoder.decode(demuxer.read()) + decoder.decode(nil)
            let frame = try #require(frames.first)
            try #require(frame.width == part.width && frame.height == part.height)
            let pixels = try frame.rgba()
            for y in 0..<part.height {
                for x in 0..<part.width {
                    let from = 4 * (y * part.width + x)
                    let to = 4 * ((part.y + y) * width + part.x + x)
                    let alpha = pixels[from + 3]
                    if part.isBlended { try #require(alpha == 0 || alpha == 255) }
                    if part.isBlended && alpha == 0 { continue }
                    canvas.replaceSubrange(to..<to + 4, with: pixels[from..<from + 4])
                }
            }
            return canvas
        }
    }
}

/// The frames of an animated image as straight RGBA, from FFmpeg's decoders.
func animationFrames(of path: String) throws -> [[UInt8]] {
    path.hasSuffix(".webp") ? try AnimationFile(path).webPFrames() : try decodedFrames(of: path, format: "rgba")
}
