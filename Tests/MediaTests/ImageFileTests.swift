import Core
import Foundation
import Media
import TestSupport
import Testing

/// The orientation, completeness and size limits of image files.
@Suite struct ImageFileTests {
    /// An image without symmetries: gradients in red and green, and a blue corner.
    private static let size = (width: 24, height: 16)
    private static let upright: [UInt8] = {
        var pixels: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width { pixels += [UInt8(10 * x), UInt8(15 * y), x < 8 && y < 8 ? 200 : 30] }
        }
        return pixels
    }()

    /// Returns EXIF data with an orientation after another entry.
    private static func exif(_ orientation: UInt8, isLittle: Bool) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { (index: Int) -> UInt8 in UInt8((value >> (8 * index)) & 0xFF) }
            return isLittle ? bytes : bytes.reversed()
        }
        let order = Array((isLittle ? "II" : "MM").utf8)
        let head: [UInt8] = order + number(42, 2) + number(8, 4) + number(2, 2)
        func entry(_ tag: Int, _ value: Int) -> [UInt8] {
            let description: [UInt8] = number(tag, 2) + number(3, 2) + number(1, 4)
            return description + number(value, 2) + [0, 0]
        }
        let entries: [UInt8] = entry(0x0100, 24) + entry(0x0112, Int(orientation))
        return head + entries + number(0, 4)
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc = ~UInt32(0)
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { (index: UInt32) -> UInt8 in UInt8((value >> (24 - 8 * index)) & 0xFF) }
    }

    /// Inserts EXIF data into the bytes of an image file, at the position that its format requires.
    private static func adding(_ exif: [UInt8], to bytes: [UInt8], kind: String) -> [UInt8] {
        switch kind {
        case "jpg":
            let segment: [UInt8] = Array("Exif".utf8) + [0, 0] + exif
            let length = segment.count + 2
            let head: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
            return Array(bytes[..<2]) + head + segment + Array(bytes[2...])
        case "png":
            let chunk = Array("eXIf".utf8) + exif
            let framed: [UInt8] = bigEndian(UInt32(exif.count)) + chunk + bigEndian(crc32(chunk))
            return Array(bytes[..<33]) + framed + Array(bytes[33...])
        default:
            let length: [UInt8] = bigEndian(UInt32(exif.count)).reversed()
            let chunk: [UInt8] = Array("EXIF".utf8) + length + exif
            let size: [UInt8] = bigEndian(UInt32(bytes.count + chunk.count - 8)).reversed()
            return Array(bytes[..<4]) + size + Array(bytes[8...]) + chunk
        }
    }

    /// The ffmpeg filters that convert an upright image to the stored form of orientations 1...8.
    private static let orientationFilters = [
        "null", "hflip", "hflip,vflip", "vflip", "transpose=0", "transpose=2", "transpose=3", "transpose=1",
    ]

    @Test(arguments: ["jpg", "png", "webp"], 1...8)
    func imagesAreRotatedByTheirOrientation(kind: String, orientation: Int) throws {
        let directory = try TemporaryDirectory()
        let quality = kind == "jpg" ? ["-q:v", "1", "-pix_fmt", "yuvj444p"] : kind == "webp" ? ["-lossless", "1"] : []
        let path = try BitmapTests.make(
            "photo.\(kind)", in: directory, Self.upright, format: "rgb24", size: Self.size,
            options: ["-vf", Self.orientationFilters[orientation - 1]] + quality)
        for isLittle in [true, false] {
            let exif = Self.exif(UInt8(orientation), isLittle: isLittle)
            let tagged = directory.file("tagged.\(kind)")
            try Data(Self.adding(exif, to: bytes(of: path), kind: kind)).write(to: URL(fileURLWithPath: tagged))
            let bitmap = try Bitmap.load(path: tagged)
            #expect((bitmap.width, bitmap.height) == Self.size)
            var maxDifference = 0
            for pixel in 0..<Self.size.width * Self.size.height {
                for channel in 0..<3 {
                    let actual = bitmap.pixels[4 * pixel + channel]
                    let expected = Self.upright[3 * pixel + 2 - channel]
                    maxDifference = max(maxDifference, abs(Int(actual) - Int(expected)))
                }
            }
            #expect(maxDifference <= (kind == "png" ? 0 : 12), "\(maxDifference)")
        }
    }

    @Test func damagedEXIFIsIgnored() throws {
        let directory = try TemporaryDirectory()
        let path = try BitmapTests.make(
            "photo.jpg", in: directory, Self.upright, format: "rgb24", size: Self.size)
        let whole = try bytes(of: path)
        var random = SeededGenerator(seed: 5)
        for round in 0..<108 {
            var exif = Self.exif(UInt8(round % 12), isLittle: round % 2 == 0)
            for _ in 0..<round % 9 {
                let index = Int.random(in: 0..<exif.count, using: &random)
                exif[index] = UInt8.random(in: 0...255, using: &random)
            }
            exif = Array(exif.prefix(Int.random(in: 0...exif.count, using: &random)))
            try Data(Self.adding(exif, to: whole, kind: "jpg")).write(
                to: URL(fileURLWithPath: directory.file("odd.jpg")))
            let bitmap = try Bitmap.load(path: directory.file("odd.jpg"))
            #expect(bitmap.pixels.count == 4 * Self.upright.count / 3)
        }
    }

    @Test(
        .slow,
        arguments: [
            ["png"], ["jpg"], ["webp"], ["webp", "-lossless", "1"], ["gif"], ["bmp"], ["tiff"], ["qoi"], ["ppm"],
            ["jp2", "-c:v", "jpeg2000"],
        ])
    func truncatedFilesAreRejected(kind: [String]) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("whole.\(kind[0])")
        try run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120", "-frames:v", "1"] + kind.dropFirst() + [path])
        #expect(try Bitmap.load(path: path).width == 160)
        let whole = try bytes(of: path)
        for percent in [5, 12, 25, 33, 47, 50, 61, 72, 80, 91, 97] {
            let cut = directory.file("cut")
            try Data(whole.prefix(whole.count * percent / 100)).write(to: URL(fileURLWithPath: cut))
            #expect(throws: FFmpegError.self, "\(percent)%") { try Bitmap.load(path: cut) }
        }
    }

    /// Decoders do not report a progressive JPEG that is truncated between two scans, so the end
    /// marker is required.
    @Test func jpegFilesNeedAnEndMarker() throws {
        let directory = try TemporaryDirectory()
        let path = try BitmapTests.make("photo.jpg", in: directory, Self.upright, format: "rgb24", size: Self.size)
        let whole = try bytes(of: path)
        let start = Array(whole.dropLast(2))
        let files: [(String, [UInt8], Bool)] = [
            ("endless", start, false), ("followed", whole + [UInt8](repeating: 7, count: 999), true),
            ("filled", start + [0xFF, 0xFF, 0xFF, 0xD9], true),
        ]
        for (name, contents, isWhole) in files {
            try Data(contents).write(to: URL(fileURLWithPath: directory.file(name)))
            let bitmap = try? Bitmap.load(path: directory.file(name))
            #expect((bitmap != nil) == isWhole, "\(name)")
        }
    }

    @Test func gifFilesMayEndInZeros() throws {
        let directory = try TemporaryDirectory()
        let path = try BitmapTests.make("whole.gif", in: directory, Self.upright, format: "rgb24", size: Self.size)
        let padded = directory.file("padded.gif")
        try Data(bytes(of: path) + [UInt8](repeating: 0, count: 5000)).write(to: URL(fileURLWithPath: padded))
        #expect(try Bitmap.load(path: padded).width == Self.size.width)
    }

    @Test(arguments: ["png", "jpg", "webp", "gif", "bmp", "tiff", "qoi", "ppm"])
    func imagesAboveTheMaximumSizeAreRejected(kind: String) throws {
        let directory = try TemporaryDirectory()
        let path = try BitmapTests.make("a.\(kind)", in: directory, Self.upright, format: "rgb24", size: Self.size)
        #expect(try Bitmap.load(path: path, maxPixels: 24 * 16).width == 24)
        let error = try #require(throws: FFmpegError.self) { try Bitmap.load(path: path, maxPixels: 24 * 16 - 1) }
        #expect(error.code == FFmpegError.tooManyPixels && error.reason.contains("24x16"), "\(error)")
    }
}
