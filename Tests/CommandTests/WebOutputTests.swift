import Foundation
import TestSupport
import Testing

/// `--trim` and `--poster` as a user notices them.
@Suite struct WebOutputTests {
    private func pngSize(_ path: String) throws -> [Int] {
        let bytes = try bytes(of: path)
        func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        return [number(16), number(20)]
    }

    @Test(.slow) func trimmedFilesOfAllKindsHaveOneSize() throws {
        let fixture = try CommandFixture()
        var sizes: [[Int]] = []
        for format in ["mp4", "webm", "gif", "webp", "apng"] {
            let name = "a.\(format)"
            let outcome = try fixture.run([
                "encode", "oneloading", "--fps", "10", "--trim", "--trim-margin", "4", "--progress", "none", "-o", name,
            ])
            try #require(outcome.code == 0, "\(outcome.errorText)")
            // The circle has a radius of 40 and a line of 2 points, on a canvas of 120x120.
            #expect(outcome.errorText.contains("trimmed from 480x480 to 360x360 pixels"), "\(outcome.errorText)")
            if format != "webp" {
                let stream = try Probe(fixture.directory.file(name), frames: false).stream
                sizes.append([stream.width, stream.height])
            }
        }
        let still = try fixture.run(["still", "oneloading", "--trim", "--trim-margin", "4", "-o", "a.png"])
        #expect(still.text.contains("360x360") && still.text.contains("trimmed from 480x480"), "\(still.text)")
        sizes.append(try pngSize(fixture.directory.file("a.png")))
        #expect(Set(sizes) == [[360, 360]])
        let vector = try fixture.run(["encode", "oneloading", "--trim", "--trim-margin", "4", "-o", "a.svg"])
        #expect(vector.text.contains("90x90, SVG"), "\(vector.text)")
    }

    /// Even at scales at which whole points are not whole pixels, the part has even sides and the
    /// pixels of the whole frame.
    @Test(.slow, arguments: some(of: ["1.3", "1.7", "1.9"], each: 2))
    func trimmedPixelsAreThoseOfTheWholeFrame(scale: String) throws {
        let fixture = try CommandFixture()
        let still = ["still", "oneloading", "--at", "0.7", "--scale", scale]
        try #require(try fixture.run(still + ["-o", "whole.png"]).code == 0)
        let trimmed = try fixture.run(still + ["--trim", "-o", "part.png"])
        try #require(trimmed.code == 0, "\(trimmed.errorText)")
        let whole = try pngSize(fixture.directory.file("whole.png"))
        let part = try pngSize(fixture.directory.file("part.png"))
        #expect(part.allSatisfy { $0 % 2 == 0 } && part[0] < whole[0], "\(part) of \(whole)")
        #expect(trimmed.text.contains("trimmed from \(whole[0])x\(whole[1])"), "\(trimmed.text)")
        let pixels = try decodedFrames(of: fixture.directory.file("whole.png"))[0]
        let own = try decodedFrames(of: fixture.directory.file("part.png"))[0]
        let width = 3 * part[0]
        let rows = (0..<part[1]).map { Array(own[$0 * width..<($0 + 1) * width]) }
        let isCrop = (0...whole[1] - part[1]).contains { top in
            (0...whole[0] - part[0]).contains { left in
                rows.indices.allSatisfy { row in
                    let start = 3 * ((top + row) * whole[0] + left)
                    return pixels[start..<start + width].elementsEqual(rows[row])
                }
            }
        }
        #expect(isCrop, "no crop of the whole frame has these pixels")
    }

    /// A part that is fitted into a size is stated in points.
    @Test func notesOfFittedPartsAreInPoints() throws {
        let fixture = try CommandFixture()
        let outcome = try fixture.run([
            "encode", "qq-mail", "--trim", "--size", "300x301", "--fps", "5", "--progress", "none", "-o", "a.webp",
        ])
        #expect(outcome.code == 0)
        #expect(outcome.errorText.contains("trimmed from 120x60 to 78x18 points"), "\(outcome.errorText)")
    }

    @Test func thePosterIsASidecar() throws {
        let fixture = try CommandFixture()
        let arguments = ["encode", "oneloading", "--fps", "10", "--poster", "--progress", "none", "-o", "a.webm"]
        let outcome = try fixture.run(arguments)
        try #require(outcome.code == 0, "\(outcome.errorText)")
        #expect(try pngSize(fixture.directory.file("a.png")) == [480, 480])
        try FileManager.default.removeItem(atPath: fixture.directory.file("a.webm"))
        expectRefusal(try fixture.run(arguments), 73, ["a.png", "--force"])
        #expect(!FileManager.default.fileExists(atPath: fixture.directory.file("a.webm")))
        #expect(try fixture.run(arguments + ["--force"]).code == 0)
    }

    /// ffmpeg decodes stills of all formats to the pixels of the PNG, or nearly.
    @Test(.slow) func stillsHaveOtherFormats() throws {
        let fixture = try CommandFixture()
        let still = ["still", "jelly", "--size", "96x64"]
        for (background, names) in [("white", ["a.jpg", "a.webp", "a.tif"]), ("transparent", ["b.webp", "b.tiff"])] {
            let reference = ["--background", background, "-o", "\(background).png"]
            try #require(try fixture.run(still + reference).code == 0)
            let expected = try decodedFrames(of: fixture.directory.file("\(background).png"), format: "rgba")[0]
            for name in names {
                let outcome = try fixture.run(still + ["--background", background, "-o", name])
                try #require(outcome.code == 0, "\(outcome.errorText)")
                #expect(outcome.text.hasPrefix("\(name): 96x64, "))
                let pixels = try decodedFrames(of: fixture.directory.file(name), format: "rgba")[0]
                let limit = name.hasSuffix("jpg") ? 24 : 1
                #expect(zip(pixels, expected).allSatisfy { abs(Int($0) - Int($1)) <= limit }, "\(name)")
            }
        }
        expectRefusal(
            try fixture.run(still + ["--background", "transparent", "-o", "c.jpg"]), 64,
            ["transparent needs alpha", ".png, .webp or .tif"])
        expectRefusal(try fixture.run(still + ["-o", "c.bmp"]), 64, [".png, .jpg, .webp, .avif or .tif"])
        expectRefusal(try fixture.run(still + ["--quality", "50", "-o", "c.png"]), 64, ["--quality", "leave it out"])
        expectRefusal(try fixture.run(still + ["--quality", "50", "-o", "c.jpg"]), 64, ["mjpeg takes 1...31"])
        expectRefusal(try fixture.run(still + ["--quality", "50", "-o", "c.tif"]), 64, ["--quality", "leave it out"])
        for (ending, fine, coarse) in [("jpg", "2", "31"), ("webp", "90", "10"), ("avif", "10", "60")] {
            for quality in [fine, coarse] {
                let name = "\(quality).\(ending)"
                try #require(try fixture.run(still + ["--quality", quality, "-o", name]).code == 0)
            }
            let sizes = try [fine, coarse].map { try bytes(of: fixture.directory.file("\($0).\(ending)")).count }
            #expect(sizes[1] < sizes[0], "\(ending): \(sizes)")
        }
        // FFmpeg 5.1 reads no still AVIF.
        try #require(try fixture.run(still + ["--background", "transparent", "-o", "d.avif"]).code == 0)
        #expect(try Array(bytes(of: fixture.directory.file("d.avif"))[4..<12]) == Array("ftypavif".utf8))
    }

    @Test func thePosterMayBeAJPEG() throws {
        let fixture = try CommandFixture()
        let clip = ["encode", "oneloading", "--fps", "10", "--progress", "none"]
        let outcome = try fixture.run(clip + ["--poster", "--poster-format", "jpg", "-o", "a.webm"])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        #expect(try fixture.directory.names() == ["a.jpg", "a.webm"])
        let stream = try Probe(fixture.directory.file("a.jpg"), frames: false).stream
        #expect(stream.codecName == "mjpeg" && stream.width == 480)
        expectRefusal(
            try fixture.run(clip + ["--poster-format", "jpg", "-o", "b.webm"]), 64,
            ["the clip has no poster; add --poster"])
        let transparent = ["--poster", "--poster-format", "jpg", "--background", "transparent", "-o", "b.webm"]
        expectRefusal(try fixture.run(clip + transparent), 64, ["JPEG has no alpha"])
    }

    /// Standard output has no file beside it, so only containers that can hold a poster have
    /// one.
    @Test func postersOnStandardOutputAreInTheClip() throws {
        let fixture = try CommandFixture()
        let clip = ["encode", "oneloading", "--fps", "5", "--progress", "none", "--poster", "-o", "-", "--format"]
        for format in ["webm", "gif", "svg"] {
            expectRefusal(
                try fixture.run(clip + [format]), 64, ["--poster: ", "on standard output", "write to a file"])
        }
        let outcome = try fixture.run(clip + ["mkv"])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        try Data(outcome.output).write(to: URL(fileURLWithPath: fixture.directory.file("a.mkv")))
        let found = try fixture.shell(
            "ffprobe -v error -show_entries stream=codec_name:stream_disposition=attached_pic -of csv=p=0 a.mkv")
        #expect(found.text.contains("png,1"), "\(found.text)")
    }

    /// A JPEG poster has the padding that the clip has.
    @Test func postersAreAsLargeAsTheClip() throws {
        let fixture = try CommandFixture()
        let clip = ["encode", "oneloading", "--fps", "5", "--scale", "0.525", "--progress", "none", "--poster"]
        for format in ["png", "jpg"] {
            let outcome = try fixture.run(clip + ["--poster-format", format, "-o", "\(format).mp4"])
            #expect(outcome.errorText.contains("63x63 pixels are padded to 64x64"), "\(outcome.errorText)")
            let stream = try Probe(fixture.directory.file("\(format).\(format)"), frames: false).stream
            #expect((stream.width, stream.height) == (64, 64))
        }
    }

    @Test func batchesRecordPosters() throws {
        let fixture = try CommandFixture()
        let preset = "clips: [{loader: oneloading, fps: 10, poster: true, trim: true, name: a, outputs: [webm, gif]}]\n"
        try makeFile(preset, at: fixture.directory.file("web.yaml"))
        let batch = ["batch", "web.yaml", "-o", "out", "--progress", "none"]
        try #require(try fixture.run(batch).code == 0)
        #expect(FileManager.default.fileExists(atPath: fixture.directory.file("out/a.png")))
        #expect(try fixture.run(batch).text.contains("2 up to date"))
        try FileManager.default.removeItem(atPath: fixture.directory.file("out/a.png"))
        #expect(try fixture.run(batch).text.contains("1 up to date"))
        #expect(FileManager.default.fileExists(atPath: fixture.directory.file("out/a.png")))
    }
}
