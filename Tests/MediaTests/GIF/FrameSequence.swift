import Core
import Foundation
import Media
import TestSupport
import Testing

/// A sequence of frames of one size.
struct FrameSequence {
    let width: Int
    let height: Int
    /// The pixels of each frame in the format of `PixelView`.
    var frames: [[UInt32]] = []

    var all: [PixelRect] { [PixelRect(x: 0, y: 0, width: width, height: height)] }

    /// Calls `body` with a view of a frame.
    func withView<Result>(_ index: Int, _ body: (PixelView) -> Result) -> Result {
        frames[index].withUnsafeBufferPointer {
            body(PixelView($0.baseAddress!, width: width, height: height, stride: width))
        }
    }

    /// Returns the histogram, computed in segments of `length` frames.
    func histogram(segments length: Int) -> ColorHistogram {
        var histogram = ColorHistogram()
        for start in stride(from: 0, to: frames.count, by: length) {
            let segment = start..<min(start + length, frames.count)
            let counter = FrameColorCounter(frameCount: segment.count)
            for index in segment { withView(index) { counter.add($0, changedIn: all) } }
            histogram.add(counter.histogram)
        }
        return histogram
    }

    /// Returns a GIF file, encoded in segments of `length` frames.
    func file(
        _ options: GIFEncodingOptions, segments length: Int, plays: Int? = nil, delay: Int = 4,
        mergesEqual: Bool = false
    ) -> [UInt8] {
        var writer = GIFFile(
            width: width, height: height, colorTable: options.palette.table, plays: plays, mergesEqual: mergesEqual)
        var file = writer.header
        let encoder = GIFFrameEncoder(width: width, height: height, options)
        for start in stride(from: 0, to: frames.count, by: length) {
            let end = min(start + length, frames.count)
            if start > 0 { withView(start - 1) { encoder.begin(after: $0) } } else { encoder.begin(after: nil) }
            var encoded = (start..<end).compactMap { index in withView(index) { encoder.add($0, changedIn: all) } }
            let last = end < frames.count ? withView(end) { encoder.finish(before: $0) } : encoder.finish(before: nil)
            encoded += [last].compactMap { $0 }
            #expect(encoded.count == end - start)
            for frame in encoded { file += writer.add(frame.bytes, delay: delay) }
        }
        return file + writer.lastFrameAndTrailer
    }

    /// Returns random rectangles of few or many colours that appear, stay, are painted over and,
    /// with transparency, erased.
    static func random(seed: Int) -> FrameSequence {
        var generator = SeededGenerator(seed: seed)
        let sizes = [1, 2, 7, 16, 61, 130]
        var clip = FrameSequence(
            width: sizes.randomElement(using: &generator)!, height: sizes.randomElement(using: &generator)!)
        let colors = (0..<generator.int(1...[2, 20, 255, 900].randomElement(using: &generator)!)).map { _ in
            0xFF00_0000 | UInt32(generator.int(0...0xFF_FFFF))
        }
        let isTranslucent = generator.int(0...1) == 1
        let isNoisy = generator.int(0...2) == 0
        var pixels = [UInt32](repeating: isTranslucent ? 0 : colors[0], count: clip.width * clip.height)
        for _ in 0..<generator.int(1...9) {
            for _ in 0..<generator.int(0...4) {
                let x = generator.int(0...clip.width - 1)
                let y = generator.int(0...clip.height - 1)
                let width = generator.int(1...clip.width - x)
                let height = generator.int(1...clip.height - y)
                let fill = isTranslucent && generator.int(0...2) == 0 ? 0 : colors.randomElement(using: &generator)!
                for index in 0..<width * height {
                    let color = isNoisy && fill != 0 ? colors.randomElement(using: &generator)! : fill
                    pixels[(y + index / width) * clip.width + x + index % width] = color
                }
            }
            clip.frames.append(pixels)
        }
        return clip
    }
}

/// Decodes a GIF with the ffmpeg command. Returns the pixels of its frames in the format of
/// `PixelView`.
func decode(_ file: [UInt8], width: Int, height: Int) throws -> [[UInt32]] {
    let directory = try TemporaryDirectory()
    let path = directory.file("clip.gif")
    try write(file, to: path)
    let arguments = ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-pix_fmt", "bgra", "-f", "rawvideo", "-"]
    let bytes = try run("ffmpeg", arguments).output
    try #require(bytes.count % (4 * width * height) == 0)
    return stride(from: 0, to: bytes.count, by: 4 * width * height).map { start in
        (0..<width * height).map { index in
            let pixel = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + 4 * index + $1]) << UInt32(8 * $1) }
            return pixel >> 24 == 0 ? 0 : pixel
        }
    }
}

/// Writes bytes to a file.
func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
