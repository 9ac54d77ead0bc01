import Foundation
import TestSupport
import Testing

/// Sequences of numbered image files.
@Suite struct SequenceTests {
    /// Each PNG is the file that `still` writes at the same instant, for any number of jobs, with
    /// and without alpha.
    @Test(.slow, arguments: ["#202020", "transparent"])
    func pngFramesAreStills(background: String) throws {
        let workspace = try CommandFixture()
        for jobs in ["1", "3"] {
            let outcome = try workspace.encodeSequence(
                "jelly", to: "\(jobs)/f%03d.png", "--background", background, "--jobs", jobs, "--gop", "0.3")
            try #require(outcome.code == 0, "\(outcome.errorText)")
            #expect(outcome.text.contains("exact timing"), "\(outcome.text)")
        }
        #expect(try workspace.names(in: "1") == (0..<10).map { "f00\($0).png" })
        #expect(try workspace.files(in: "1") == workspace.files(in: "3"))
        for frame in some(of: Array(0..<10), each: 3) {
            let words = ["still", "jelly", "--size", "48x32", "--background", background, "--at", "\(frame)/10"]
            try #require(try workspace.run(words + ["--force", "-o", "still.png"]).code == 0)
            #expect(
                try bytes(of: workspace.directory.file("still.png"))
                    == bytes(of: workspace.directory.file("1/f00\(frame).png")), "frame \(frame)")
        }
        #expect(try workspace.directory.names() == ["1", "3", "still.png"])
    }

    /// A frame that covers a transparent background has alpha like the others: importers take the
    /// format of the first file for all. FFmpeg reads all frames as `still` writes them.
    @Test(.slow) func opaqueFramesOfTransparentClipsHaveAlpha() throws {
        let workspace = try CommandFixture()
        let shrinking = """
            {"v":"5.7.0","fr":10,"ip":0,"op":10,"w":48,"h":32,"layers":[{"ty":4,"ip":0,"op":10,"st":0,"ks":{},"shapes":[
            {"ty":"rc","p":{"a":0,"k":[24,16]},"r":{"a":0,"k":0},
            "s":{"a":1,"k":[{"t":0,"s":[48,32],"o":{"x":[0],"y":[0]},"i":{"x":[1],"y":[1]}},{"t":10,"s":[4,4]}]}},
            {"ty":"fl","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100}}]}]}
            """
        try makeFile(shrinking, at: workspace.directory.file("a.json"))
        let outcome = try workspace.encodeSequence("a.json", to: "f/%d.png", "--background", "transparent")
        try #require(outcome.code == 0, "\(outcome.errorText)")
        for frame in 0..<10 {
            let path = workspace.directory.file("f/\(frame).png")
            #expect(try Probe(path, frames: false).stream.pixFmt == "rgba", "frame \(frame)")
            guard some(of: Array(0..<10), each: 3).contains(frame) else { continue }
            let words = ["still", "a.json", "--size", "48x32", "--background", "transparent", "--at", "\(frame)/10"]
            try #require(try workspace.run(words + ["--force", "-o", "still.png"]).code == 0)
            #expect(try bytes(of: workspace.directory.file("still.png")) == bytes(of: path), "frame \(frame)")
        }
        let first = workspace.directory.file("f/0.png")
        let text = String(decoding: try bytes(of: first), as: Unicode.ASCII.self)
        #expect(!text.contains("gAMA") && !text.contains("pHYs"), "a colour space that other frames lack")
        #expect(try decodedFrames(of: first, format: "rgba")[0].prefix(4) == [255, 0, 0, 255])
    }

    /// TIFF has the values of PNG, exactly, for all commands that read both. Annotations cover a
    /// transparent background, so the frames are opaque in all formats.
    @Test(
        .slow,
        arguments: [["--background", "transparent"], ["--background", "transparent", "--annotate", "clock"], []])
    func filesOfTwoFormatsAreEqual(options: [String]) throws {
        let workspace = try CommandFixture()
        let words = ["preloader", "--scale", "0.6", "--fps", "5", "--duration", "0.6"] + options
        for ending in ["png", "tif"] {
            let outcome = try workspace.run(["encode"] + words + ["-o", "\(ending)/%d.\(ending)"])
            try #require(outcome.code == 0, "\(outcome.errorText)")
        }
        let diff = try workspace.run(["diff", "tif/%d.tif", "png/%d.png"])
        #expect(diff.code == 0 && diff.text.contains("the same"), "\(diff.text)\(diff.errorText)")
        let verify = try workspace.run(["verify", "tif/%d.tif", "--against"] + words)
        #expect(verify.code == 0, "\(verify.text)\(verify.errorText)")
        let still = ["still", "preloader", "--scale", "0.6", "--at", "0"] + options
        try #require(try workspace.run(still + ["-o", "a.tif"]).code == 0)
        #expect(try bytes(of: workspace.directory.file("a.tif")) == bytes(of: workspace.directory.file("tif/0.tif")))
    }

    /// FFmpeg decodes the files of all formats; the lossless ones have the pixels of PNG.
    @Test(.slow) func otherFormatsDecode() throws {
        let workspace = try CommandFixture()
        for background in ["white", "transparent"] {
            let isOpaque = background == "white"
            let endings = isOpaque ? ["png", "tif", "webp", "jpg"] : ["png", "tif", "webp"]
            var frames: [String: [[UInt8]]] = [:]
            for ending in endings {
                let directory = "\(background)-\(ending)"
                let outcome = try workspace.encodeSequence(
                    "jelly", to: "\(directory)/%02d.\(ending)", "--background", background)
                try #require(outcome.code == 0, "\(outcome.errorText)")
                let path = workspace.directory.file("\(directory)/07.\(ending)")
                let probe = try Probe(path, frames: false)
                let formats = [
                    "png": isOpaque ? "rgb24" : "rgba", "tif": isOpaque ? "rgb48le" : "rgba64le", "webp": "argb",
                    "jpg": "yuvj444p",
                ]
                #expect(probe.stream.pixFmt == formats[ending], "\(directory)")
                #expect((probe.stream.width, probe.stream.height) == (48, 32))
                frames[ending] = try decodedFrames(of: path, format: "rgba")
            }
            let png = try #require(frames["png"])
            #expect(frames["webp"] == png)
            // TIFF has the same values in 16 bits.
            func samples(_ ending: String, _ format: String) throws -> [UInt8] {
                let path = "\(background)-\(ending)/07.\(ending)"
                return [UInt8](
                    try workspace.shell("ffmpeg -v error -i \(path) -f rawvideo -pix_fmt \(format) -").output)
            }
            let wide = try samples("tif", isOpaque ? "rgb48le" : "rgba64le")
            let narrow = try samples("png", isOpaque ? "rgb24" : "rgba")
            #expect(wide == narrow.flatMap { [$0, $0] })
            if let jpeg = frames["jpg"] { #expect(SampleStatistics.maxDifference(jpeg[0], png[0]) <= 24) }
        }
    }

    /// Numbers begin at 0 or at `--start-number`, and have at least the given digits.
    @Test func numbersFollowThePattern() throws {
        let workspace = try CommandFixture()
        #expect(try workspace.encodeSequence("qq", to: "a/%d.png", "--start-number", "95").code == 0)
        #expect(try Set(workspace.names(in: "a")) == Set((95..<105).map { "\($0).png" }))
        #expect(try workspace.encodeSequence("qq", to: "b/x%02d_y.webp", "--start-number", "98").code == 0)
        #expect(try Set(workspace.names(in: "b")) == Set((98..<108).map { "x\($0)_y.webp" }))
        #expect(
            try workspace.run(["encode", "qq"] + CommandFixture.tenFrames + ["--format", "png-sequence"]).code == 0)
        #expect(try workspace.names(in: "qq").first == "0000.png")
    }

    @Test(arguments: [
        ("frames/a.png", "'still' for one frame"), ("frames/%04d%d.png", "2 percent signs"),
        ("frames/%s.png", "unsupported placeholder"), ("frames/%4d.png", "unsupported placeholder"),
        ("frames/%099d.png", "to 99 digits"), ("%04d.png", "a directory of its own"), ("./%04d.png", "of its own"),
        ("no/frames/%04d.png", "directory no does not exist"),
    ])
    func unsuitablePathsAreRefused(path: String, reason: String) throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.encodeSequence("qq", to: path)
        expectRefusal(outcome, path.hasPrefix("no/") ? 73 : 64, [reason])
        #expect(try workspace.directory.names().isEmpty)
    }

    @Test(
        .slow,
        arguments: [
            ("--loop 2", "loop"), ("--max-bytes 2MB", "max-bytes"), ("--chapters", "chapters"), ("--color p3", "color"),
            ("--static vfr", "static"), ("--codec h264", "codec"), ("--quality 3", "quality"),
        ])
    func unsuitableOptionsAreRefused(options: String, name: String) throws {
        let workspace = try CommandFixture()
        let words = options.split(separator: " ").map(String.init)
        let outcome = try workspace.run(["encode", "qq"] + CommandFixture.tenFrames + words + ["-o", "f/%d.png"])
        expectRefusal(outcome, 64, [name])
        expectRefusal(try workspace.run(["encode", "qq", "--start-number", "1", "-o", "a.mp4"]), 64, ["start-number"])
        expectRefusal(
            try workspace.run(["encode", "qq", "--format", "png-sequence", "-o", "-"]), 64, ["--format y4m"])
        #expect(try workspace.directory.names().isEmpty)
    }

    /// A directory named like a frame is not a frame.
    @Test func directoriesNamedLikeFramesAreKept() throws {
        let workspace = try CommandFixture()
        try #require(try workspace.encodeSequence("jelly", to: "f/%d.png").code == 0)
        let inner = workspace.directory.file("f/99.png")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
        try makeFile("precious", at: "\(inner)/notes")
        expectRefusal(try workspace.encodeSequence("jelly", to: "f/%d.png", "--force"), 73, ["99.png"])
        #expect(FileManager.default.fileExists(atPath: "\(inner)/notes"))
        expectRefusal(try workspace.encodeSequence("jelly", to: "g/%d.png", "--poster"), 64, ["has no poster"])
    }

    /// A file manager that shows a sequence's directory does not keep it from being replaced,
    /// unless it left a directory, whose contents would be lost.
    @Test func filesOfFileManagersDoNotCount() throws {
        let workspace = try CommandFixture()
        #expect(try workspace.encodeSequence("qq", to: "f/%d.png").code == 0)
        try makeFile("window", at: workspace.directory.file("f/.DS_Store"))
        try makeFile("thumbnails", at: workspace.directory.file("f/Thumbs.db"))
        #expect(try workspace.run(["verify", "f/%d.png"]).code == 0)
        #expect(try workspace.encodeSequence("jelly", to: "f/%d.png", "--force").code == 0)
        #expect(try workspace.files(in: "f").count == 10)
        let folder = workspace.directory.file("f/desktop.ini")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        expectRefusal(try workspace.encodeSequence("qq", to: "f/%d.png", "--force"), 73, ["desktop.ini"])
    }

    /// An existing sequence is replaced only with `--force`. A directory with other contents is
    /// never replaced.
    @Test func existingDirectoriesAreKept() throws {
        let workspace = try CommandFixture()
        #expect(try workspace.encodeSequence("qq", to: "f/%d.png").code == 0)
        let first = try workspace.files(in: "f")
        expectRefusal(
            try workspace.encodeSequence("jelly", to: "f/%d.png"), 73, ["already contains frames", "--force"])
        expectRefusal(
            try workspace.encodeSequence("jelly", to: "f/%02d.png", "--force"), 73, ["not a frame of %02d.png"])
        #expect(try workspace.files(in: "f") == first)
        #expect(try workspace.encodeSequence("jelly", to: "f/%d.png", "--force").code == 0)
        #expect(try workspace.files(in: "f") != first && workspace.files(in: "f").count == 10)
        try makeFile("mine", at: workspace.directory.file("f/notes.txt"))
        expectRefusal(try workspace.encodeSequence("qq", to: "f/%d.png", "--force"), 73, ["notes.txt"])
        #expect(try workspace.directory.names() == ["f"])
        // An empty directory may be replaced.
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file("empty"), withIntermediateDirectories: true)
        #expect(try workspace.encodeSequence("qq", to: "empty/%d.png").code == 0)
        try FileManager.default.createSymbolicLink(
            atPath: workspace.directory.file("link"), withDestinationPath: "empty")
        expectRefusal(try workspace.encodeSequence("qq", to: "link/%d.png", "--force"), 73, ["link is a link"])
    }

    // MARK: verify and diff

    @Test func verifyChecksNumbersAndSizes() throws {
        let workspace = try CommandFixture()
        #expect(try workspace.encodeSequence("jelly", to: "f/%02d.png", "--background", "transparent").code == 0)
        let clip = CommandFixture.tenFrames + ["--background", "transparent"]
        let good = try workspace.run(["verify", "f/%02d.png", "--alpha", "--against", "jelly"] + clip)
        #expect(good.code == 0, "\(good.text)")
        #expect(good.text.contains("png rgba, 48x32, 10 frames"), "\(good.text)")
        #expect(try workspace.run(["verify", "f/%02d.png", "--against", "qq"] + clip).code == 1)
        try FileManager.default.removeItem(atPath: workspace.directory.file("f/04.png"))
        #expect(try workspace.run(["still", "qq", "--size", "32x32", "--force", "-o", "f/07.png"]).code == 0)
        try makeFile("x", at: workspace.directory.file("f/x"))
        let bad = try workspace.run(["verify", "f/%02d.png"])
        #expect(bad.code == 1)
        for text in ["sequence-gap: number 4 is missing", "size-change", "07.png is 32x32", "sequence-other"] {
            #expect(bad.text.contains(text), "\(bad.text)")
        }
        try makeFile("x", at: workspace.directory.file("f/08.png"))
        #expect(try workspace.run(["verify", "f/%02d.png"]).code == 65)
        #expect(try workspace.run(["verify", "g/%02d.png"]).code == 66)
        #expect(try workspace.run(["verify", "f/%03d.png"]).code == 66)
    }

    /// `verify` compares the first number with the expected one.
    @Test func verifyChecksTheFirstNumber() throws {
        let workspace = try CommandFixture()
        #expect(try workspace.encodeSequence("qq", to: "f/%d.png", "--start-number", "1001").code == 0)
        let verify = ["verify", "f/%d.png", "--against", "qq"] + CommandFixture.tenFrames
        let right = try workspace.run(verify + ["--start-number", "1001"])
        #expect(right.code == 0, "\(right.text)")
        let wrong = try workspace.run(verify)
        #expect(wrong.code == 1 && wrong.text.contains("sequence-start: the first number is 1001"), "\(wrong.text)")
    }

    @Test func diffComparesTheFramesOfTwoSequences() throws {
        let workspace = try CommandFixture()
        #expect(try workspace.encodeSequence("jelly", to: "a/%02d.png").code == 0)
        #expect(try workspace.encodeSequence("jelly", to: "b/%d.webp", "--start-number", "7").code == 0)
        #expect(try workspace.encodeSequence("jelly", to: "c/%d.png", "--background", "red").code == 0)
        let same = try workspace.run(["diff", "a/%02d.png", "b/%d.webp"])
        #expect(same.code == 0, "\(same.text)")
        let other = try workspace.run(["diff", "a/%02d.png", "c/%d.png"])
        #expect(other.code == 1 && !other.text.contains(" s (frame"), "\(other.text)")
        #expect(try workspace.run(["diff", "a/%02d.png", "d/%d.png"]).code == 66)
    }

    // MARK: Batches

    /// A batch makes sequences, finds damaged ones, keeps shards apart and merges them.
    @Test func batchesKnowSequences() throws {
        let workspace = try CommandFixture()
        try workspace.preset(
            """
            defaults: {fps: 10, size: 48x32, duration: 0.5}
            clips:
              - {loader: qq, name: q, outputs: [png-sequence, {file: "w/%02d.webp", start-number: 3}]}
              - {loader: jelly, name: j, outputs: tiff-sequence}

            """)
        let paths: Set = ["q/%04d.png", "w/%02d.webp", "j/%04d.tif"]
        let first = try workspace.batch("p.yaml", "-o", "out", "--verify")
        #expect(Set(first.results.keys) == paths)
        #expect(try workspace.names(in: "out/w") == ["03.webp", "04.webp", "05.webp", "06.webp", "07.webp"])
        #expect(Set(try workspace.batch("p.yaml", "-o", "out").results.values.map { $0.prefix(2) }) == ["up"])
        #expect(try workspace.run(["batch", "p.yaml", "-o", "out", "--check"]).code == 0)
        let whole = try workspace.files(in: "out")
        try FileManager.default.removeItem(atPath: workspace.directory.file("out/q/0002.png"))
        #expect(try workspace.run(["batch", "p.yaml", "-o", "out", "--check"]).code != 0)
        let repaired = try workspace.batch("p.yaml", "-o", "out").results
        #expect(repaired["q/%04d.png"]?.contains("damaged") == true, "\(repaired)")
        #expect(repaired["w/%02d.webp"]?.hasPrefix("up") == true, "\(repaired)")
        #expect(try workspace.files(in: "out") == whole)
        for shard in ["0/2", "1/2"] { try workspace.batch("p.yaml", "-o", "s\(shard.prefix(1))", "--shard", shard) }
        let merged = try workspace.run(["batch", "merge", "s0", "s1", "-o", "all"])
        #expect(merged.code == 0, "\(merged.errorText)")
        #expect(try workspace.files(in: "all") == whole)
    }

    @Test(arguments: [
        "{loader: qq, outputs: {file: a.png}}", "{loader: qq, outputs: {file: '%04d.png'}}",
        "{loader: qq, outputs: {file: 'a/%04d.png', format: mp4}}",
        "{loader: qq, outputs: [{file: 'a/%04d.png'}, {file: 'a/%05d.png'}]}",
        "{loader: qq, outputs: {file: 'a/%04d.tif', format: png-sequence}}",
    ])
    func unsuitableSequencesInPresetsAreRefused(clip: String) throws {
        let workspace = try CommandFixture()
        try workspace.preset("clips: [\(clip)]\n")
        let outcome = try workspace.run(["presets", "validate", "p.yaml"])
        #expect(outcome.code == 65 && !outcome.errorLines.isEmpty, "\(outcome.errorText)")
    }
}
