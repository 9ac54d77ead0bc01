import Core
import Foundation
import Media
import TestSupport
import Testing

@Suite struct BitmapTests {
    /// Creates an image file of raw pixels with the ffmpeg command. Returns its path.
    static func make(
        _ name: String, in directory: TemporaryDirectory, _ pixels: [UInt8], format: String, size: (Int, Int),
        options: [String] = []
    ) throws -> String {
        let raw = directory.file("raw")
        let path = directory.file(name)
        try Data(pixels).write(to: URL(fileURLWithPath: raw))
        let input = ["-f", "rawvideo", "-pix_fmt", format, "-video_size", "\(size.0)x\(size.1)", "-i", raw]
        try run("ffmpeg", ["-v", "error"] + input + options + ["-frames:v", "1", "-update", "1", "file:" + path])
        return path
    }

    @Test func pngPixelsArePremultiplied() throws {
        var random = SeededGenerator(seed: 3)
        let pixels = (0..<4 * 37 * 11).map { _ in UInt8.random(in: 0...255, using: &random) }
        let directory = try TemporaryDirectory()
        let path = try Self.make("image.png", in: directory, pixels, format: "rgba", size: (37, 11))
        let bitmap = try Bitmap.load(path: path)
        #expect((bitmap.width, bitmap.height) == (37, 11))
        let expected = stride(from: 0, to: pixels.count, by: 4).flatMap { start -> [UInt8] in
            let alpha = Double(pixels[start + 3])
            let colors = [2, 1, 0].map { channel in
                let color = Double(pixels[start + channel])
                return UInt8((color * alpha / 255).rounded())
            }
            return colors + [UInt8(alpha)]
        }
        #expect(bitmap.pixels == expected)
    }

    @Test(arguments: ["rgb24", "gray", "rgba64be", "ya8"])
    func pngsOfOtherFormatsAreLoaded(format: String) throws {
        let directory = try TemporaryDirectory()
        let pixels = (0..<20 * 10).flatMap { _ in [UInt8](arrayLiteral: 120, 120, 120, 255) }
        let path = try Self.make(
            "image.png", in: directory, pixels, format: "rgba", size: (20, 10), options: ["-pix_fmt", format])
        let bitmap = try Bitmap.load(path: path)
        #expect((bitmap.width, bitmap.height) == (20, 10))
        for pixel in stride(from: 0, to: bitmap.pixels.count, by: 4) {
            #expect((0..<3).allSatisfy { abs(Int(bitmap.pixels[pixel + $0]) - 120) <= 1 })
            #expect(bitmap.pixels[pixel + 3] == 255)
        }
    }

    @Test(arguments: [[200, 30, 60], [10, 240, 90], [255, 255, 255], [0, 0, 0], [20, 60, 250]])
    func jpegKeepsItsColors(color: [UInt8]) throws {
        let directory = try TemporaryDirectory()
        let path = try Self.make(
            "photo.jpg", in: directory, (0..<32 * 48).flatMap { _ in color }, format: "rgb24", size: (32, 48),
            options: ["-q:v", "1"])
        let bitmap = try Bitmap.load(path: path)
        #expect((bitmap.width, bitmap.height) == (32, 48))
        for pixel in stride(from: 0, to: bitmap.pixels.count, by: 4) {
            for channel in 0..<3 {
                #expect(abs(Int(bitmap.pixels[pixel + channel]) - Int(color[2 - channel])) <= 4)
            }
            #expect(bitmap.pixels[pixel + 3] == 255)
        }
    }

    @Test(arguments: ["my cover.png", "12:30.png", "照片.png", "100%.png", "shot-%03d.png", "[a]*?.png"])
    func fileNamesMayContainAnyCharacter(name: String) throws {
        let directory = try TemporaryDirectory()
        let plain = try Self.make(
            "plain.png", in: directory, [UInt8](repeating: 77, count: 4 * 16 * 16), format: "rgba", size: (16, 16))
        try FileManager.default.moveItem(atPath: plain, toPath: directory.file(name))
        #expect(try Bitmap.load(path: directory.file(name)).width == 16)
    }

    @Test func filesThatAreNotImagesAreRejected() throws {
        let directory = try TemporaryDirectory()
        try makeFile("This is not an image, despite its name.\n", at: directory.file("text.png"))
        #expect(throws: FFmpegError.self) { try Bitmap.load(path: directory.file("text.png")) }
        try makeFile("", at: directory.file("empty.png"))
        #expect(throws: FFmpegError.self) { try Bitmap.load(path: directory.file("empty.png")) }
        let error = try #require(throws: FFmpegError.self) { try Bitmap.load(path: directory.file("missing.png")) }
        #expect(error.reason == "No such file or directory")
        #expect(throws: FFmpegError.self) { try Bitmap.load(path: directory.path) }
    }

    @Test func audioFilesAreRejectedAsVideo() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("sound.wav")
        try run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=duration=0.1", path])
        #expect(throws: FFmpegError.self) { try Demuxer(path: path) }
    }
}
