import Foundation
import GIF
import Scene
import TestSupport
import Testing

/// Pictures of one size, as a coder takes them.
struct Film {
    let width: Int
    let height: Int
    var pictures: [[UInt32]] = []

    var all: [PixelRect] { [PixelRect(x: 0, y: 0, width: width, height: height)] }

    func withView<Result>(_ number: Int, _ body: (PixelView) -> Result) -> Result {
        pictures[number].withUnsafeBufferPointer {
            body(PixelView($0.baseAddress!, width: width, height: height, stride: width))
        }
    }

    /// What was counted in parts of so many pictures.
    func census(parts length: Int) -> ColorCensus {
        var census = ColorCensus()
        for start in stride(from: 0, to: pictures.count, by: length) {
            let part = start..<min(start + length, pictures.count)
            let counter = PictureCounter(pictureCount: part.count)
            for number in part { withView(number) { counter.add($0, changedIn: all) } }
            census.add(counter.census)
        }
        return census
    }

    /// The whole file, made in parts of so many pictures.
    func file(_ coding: GIFCoding, parts length: Int, plays: Int? = nil, delay: Int = 4, mergesEqual: Bool = false)
        -> [UInt8]
    {
        var head = GIFFile(
            width: width, height: height, table: coding.palette.table, plays: plays, mergesEqual: mergesEqual)
        var file = head.beginning
        let coder = PictureCoder(width: width, height: height, coding)
        for start in stride(from: 0, to: pictures.count, by: length) {
            let end = min(start + length, pictures.count)
            if start > 0 { withView(start - 1) { coder.begin(after: $0) } } else { coder.begin(after: nil) }
            var coded = (start..<end).compactMap { number in withView(number) { coder.add($0, changedIn: all) } }
            let last = end < pictures.count ? withView(end) { coder.finish(before: $0) } : coder.finish(before: nil)
            coded += [last].compactMap { $0 }
            #expect(coded.count == end - start)
            for picture in coded { file += head.add(picture.bytes, delay: delay) }
        }
        return file + head.end
    }

    /// Shapes of few or many colours that come, move, stay and, if there is transparency, leave holes.
    static func random(seed: Int) -> Film {
        var generator = SeededGenerator(seed: seed)
        let sizes = [1, 2, 7, 16, 61, 130]
        var film = Film(width: sizes.randomElement(using: &generator)!, height: sizes.randomElement(using: &generator)!)
        let colors = (0..<generator.int(1...[2, 20, 255, 900].randomElement(using: &generator)!)).map { _ in
            0xFF00_0000 | UInt32(generator.int(0...0xFF_FFFF))
        }
        let isTranslucent = generator.int(0...1) == 1
        let isNoisy = generator.int(0...2) == 0
        var picture = [UInt32](repeating: isTranslucent ? 0 : colors[0], count: film.width * film.height)
        for _ in 0..<generator.int(1...9) {
            for _ in 0..<generator.int(0...4) {
                let (x, y) = (generator.int(0...film.width - 1), generator.int(0...film.height - 1))
                let (width, height) = (generator.int(1...film.width - x), generator.int(1...film.height - y))
                let fill = isTranslucent && generator.int(0...2) == 0 ? 0 : colors.randomElement(using: &generator)!
                for place in 0..<width * height {
                    let color = isNoisy && fill != 0 ? colors.randomElement(using: &generator)! : fill
                    picture[(y + place / width) * film.width + x + place % width] = color
                }
            }
            film.pictures.append(picture)
        }
        return film
    }
}

/// The pictures of a GIF as the ffmpeg command decodes them, pixels as `PixelView` has them.
func decode(_ file: [UInt8], width: Int, height: Int) throws -> [[UInt32]] {
    let directory = try TemporaryDirectory()
    let path = directory.file("film.gif")
    try write(file, to: path)
    let arguments = ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-pix_fmt", "bgra", "-f", "rawvideo", "-"]
    let bytes = try run("ffmpeg", arguments).output
    try #require(bytes.count % (4 * width * height) == 0)
    return stride(from: 0, to: bytes.count, by: 4 * width * height).map { start in
        (0..<width * height).map { place in
            let pixel = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + 4 * place + $1]) << UInt32(8 * $1) }
            return pixel >> 24 == 0 ? 0 : pixel
        }
    }
}

/// Makes a file with these bytes.
func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
