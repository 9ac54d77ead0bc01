import Foundation
import TestSupport
import Testing

/// Files that a stranger made to open others, to wait for ever, or to take all memory.
@Suite struct StrangeFileTests {
    /// Scripts that name what stands for `TARGET`.
    private static let scripts = [
        "ffconcat version 1.0\nfile TARGET\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\nTARGET\n#EXT-X-ENDLIST\n",
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\" mediaPresentationDuration=\"PT1S\" "
            + "minBufferTime=\"PT1S\" profiles=\"urn:mpeg:dash:profile:isoff-main:2011\"><Period><AdaptationSet mimeType=\"video/mp4\">"
            + "<Representation id=\"0\" bandwidth=\"1\"><BaseURL>TARGET</BaseURL></Representation></AdaptationSet></Period></MPD>\n",
    ]

    /// A workspace with a clip, a picture, and a pipe that nobody writes to.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.encode("qq-mail", "--size", "96x48", "--fps", "30", to: "clip.mp4")
        let directory = workspace.directory
        try run("ffmpeg", ["-v", "error", "-i", "clip.mp4", "-frames:v", "1", "picture.png"], directory: directory)
        try run("ffmpeg", ["-v", "error", "-i", "clip.mp4", "-c", "copy", "clip.ts"], directory: directory)
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        return workspace
    }

    @Test(arguments: scripts.indices) func scriptsAreNeitherVideosNorPictures(index: Int) throws {
        let workspace = try workspace()
        let read = [
            ["analyze", "script"], ["still", "douyin", "--at", "0", "--set", "cover=script", "-o", "a.png"],
        ]
        let others = [
            ["compare", "script", "--as", "qq-mail"], ["encode", "douyin", "--set", "cover=script", "-o", "a.mp4"],
        ]
        // All commands read videos and pictures in the same two ways, whatever a script names.
        for target in ["clip.ts", "picture.png", "pipe", "script", "clip.mp4"] {
            let script = Self.scripts[index].replacingOccurrences(of: "TARGET", with: target)
            try makeFile(script, at: workspace.directory.file("script"))
            for arguments in read + (target == "clip.mp4" ? others : []) {
                expectRefusal(try workspace.start(arguments).wait(atMost: 20), 65, ["script", "its format is"])
            }
        }
        try makeFile(
            "clips: [{loader: douyin, set: {cover: script}, size: 64x72, duration: 0.1, fps: 20}]\n",
            at: workspace.directory.file("clips.yaml"))
        for arguments in [["presets", "validate", "clips.yaml"], ["batch", "clips.yaml", "-o", "out"]] {
            let outcome = try workspace.start(arguments).wait(atMost: 20)
            #expect(outcome.code == 65 && outcome.errorText.contains("its format is"), "\(outcome.errorText)")
        }
        #expect(try !workspace.directory.names().contains { $0.hasPrefix("a.") || $0 == "out" })
    }

    @Test func pipesAndDevicesAreRefusedAtOnce() throws {
        let workspace = try workspace()
        for name in ["pipe", "/dev/zero"] {
            for arguments in [
                ["analyze", name], ["compare", name, "--as", "qq-mail"],
                ["still", "douyin", "--at", "0", "--set", "cover=\(name)", "-o", "a.png"],
            ] { expectRefusal(try workspace.start(arguments).wait(atMost: 20), 65, [name, "not an ordinary file"]) }
        }
    }

    // MARK: Few bytes that ask for much

    /// A picture or a clip with a huge canvas of which next to nothing is drawn.
    private static func gif(side: Int, frames: Int) -> Data {
        func little(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
        var bytes = Array("GIF89a".utf8) + little(side) + little(side) + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        for index in 0..<frames {
            bytes += [0x21, 0xF9, 4, 4, 2, 0, 0, 0, 0x2C] + little(7 * index) + little(5) + little(1) + little(1)
            bytes += [0, 2, 2, 0x4C, 1, 0]
        }
        return Data(bytes + [0x3B])
    }

    @Test func hugePicturesAreRefusedBeforeTheyAreDecoded() throws {
        let workspace = try Workspace()
        let directory = workspace.directory
        try Self.gif(side: 16000, frames: 100).write(to: URL(fileURLWithPath: directory.file("huge.gif")))
        try run(
            "ffmpeg", ["-v", "error", "-i", "huge.gif", "-frames:v", "1", "-vf", "crop=1:1", "one.png"],
            directory: directory)
        var picture = try bytes(of: directory.file("one.png"))
        // The width and height of the header; nothing checks its sum before the size is known.
        picture.replaceSubrange(16..<24, with: [0, 0, 0x3E, 0x80, 0, 0, 0x3E, 0x80])
        try Data(picture).write(to: URL(fileURLWithPath: directory.file("huge.png")))
        let still = ["still", "douyin", "--at", "0", "-o", "a.png", "--set"]
        for arguments in [["analyze", "huge.gif"], still + ["cover=huge.gif"], still + ["cover=huge.png"]] {
            // With so little memory it could not even hold one of them.
            let line = arguments.map { "'\($0)'" }.joined(separator: " ")
            let outcome = try Subprocess(
                "sh", ["-c", "ulimit -v 900000; exec \"$LOADERVID\" \(line)"], directory: directory,
                environment: ["LOADERVID": Program.path]
            ).wait(atMost: 20)
            expectRefusal(outcome, 65, ["16000x16000", "67108864", "--max-pixels"])
            #expect(outcome.processorSeconds < 5)
        }
    }

    @Test func muchWorkForFewBytesIsRefused() throws {
        let workspace = try Workspace()
        let path = workspace.directory.file("long.gif")
        try Self.gif(side: 8000, frames: 40).write(to: URL(fileURLWithPath: path))
        let outcome = try workspace.start(["analyze", "long.gif"]).wait(atMost: 20)
        expectRefusal(outcome, 65, ["long.gif", "billion pixels", "--max-gigapixels"])
        #expect(outcome.processorSeconds < 5)
    }

    @Test func limitsCanBeRaisedAndLowered() throws {
        let workspace = try workspace()
        let cover = [
            "still", "douyin", "--at", "0", "--size", "64x72", "--force", "-o", "a.png", "--set", "cover=picture.png",
        ]
        expectRefusal(try workspace.run(cover + ["--max-pixels", "4607"]), 65, ["96x48", "4607"])
        #expect(try workspace.run(cover + ["--max-pixels", "4608"]).code == 0)
        expectRefusal(try workspace.run(cover + ["--max-pixels", "0"]), 64, ["--max-pixels 0"])
        expectRefusal(try workspace.run(["analyze", "clip.mp4", "--max-pixels", "4607"]), 65, ["96x48", "4607"])
        expectRefusal(
            try workspace.run(["analyze", "clip.mp4", "--max-gigapixels", "0.0001"]), 65,
            ["0.0001", "--max-gigapixels"])
        #expect(try workspace.run(["analyze", "clip.mp4", "--max-gigapixels", "1"]).code == 0)
        try makeFile(
            "clips: [{loader: douyin, set: {cover: picture.png}, size: 64x72, duration: 0.1, fps: 20}]\n",
            at: workspace.directory.file("clips.yaml"))
        let refusal = try workspace.run(["presets", "validate", "clips.yaml", "--max-pixels", "4607"])
        #expect(refusal.code == 65 && refusal.errorText.contains("clips.yaml:1"), "\(refusal.errorText)")
        #expect(try workspace.run(["presets", "validate", "clips.yaml", "--max-pixels", "4608"]).code == 0)
    }

    /// What the system cannot do says nothing of a file.
    @Test func failuresOfTheSystemAreNoDamage() throws {
        let workspace = try workspace()
        let directory = workspace.directory
        try makeFile(
            """
            #include <errno.h>
            long pread(int f, void *b, unsigned long n, long o) { errno = EIO; return -1; }
            long pread64(int f, void *b, unsigned long n, long o) { errno = EIO; return -1; }
            """, at: directory.file("fault.c"))
        let fault = directory.file("fault.so")
        try run("clang", ["-shared", "-fPIC", "-o", fault, directory.file("fault.c")])
        for arguments in [["analyze", "clip.mp4"], ["compare", "clip.mp4", "--as", "qq-mail"]] {
            let outcome = try workspace.run(arguments, environment: ["LD_PRELOAD": fault])
            expectRefusal(outcome, 74, ["clip.mp4", "Input/output error"])
        }
        // With ever more files that may be open, down to those of the outputs, which are opened first.
        var codes: Set<Int32> = []
        for count in 4...9 {
            let outcome = try workspace.shell(
                "ulimit -n \(count); exec \"$LOADERVID\" analyze clip.mp4 --max-pixels 9 --plot a.svg --annotate-to a.mp4"
            )
            codes.insert(outcome.code)
            #expect([65, 74, 127].contains(outcome.code), "\(count): \(outcome.code) \(outcome.errorText)")
            #expect(outcome.errorText.contains("open files") == (outcome.code == 74), "\(outcome.errorText)")
        }
        #expect(codes.isSuperset(of: [65, 74]), "\(codes)")
    }

    /// Streams by themselves tell their size only when they are decoded.
    @Test(arguments: [
        "h264 -c:v libx264 -preset ultrafast", "hevc -c:v libx265 -preset ultrafast -x265-params log-level=none",
        "m4v -c:v mpeg4", "m1v -c:v mpeg1video", "mjpeg -c:v mjpeg -pix_fmt yuvj420p",
    ])
    func sizesOfBareStreamsAreBounded(kind: String) throws {
        let words = kind.split(separator: " ").map(String.init)
        let (workspace, name) = (try Workspace(), "clip.\(words[0])")
        let source = ["-v", "error", "-f", "lavfi", "-i", "color=s=2064x2048:r=25:d=0.08,format=yuv420p"]
        try run("ffmpeg", source + words.dropFirst() + [name], directory: workspace.directory)
        let outcome = try workspace.run(["analyze", name, "--max-pixels", "1000"])
        // Some decoders forget the size that they refuse.
        let size = ["m4v", "mjpeg"].contains(words[0]) ? "a picture" : "a picture of 2064x2048"
        expectRefusal(outcome, 65, ["\(size) has more than 1000 pixels", "--max-pixels"])
    }

    @Test func packetsOfSoundAreBounded() throws {
        let workspace = try Workspace()
        let inputs = ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=16x16:r=10:d=1", "-f", "lavfi", "-i", "sine=d=1"]
        try run("ffmpeg", inputs + ["-c:v", "mpeg4", "clip.mp4"], directory: workspace.directory)
        let outcome = try workspace.run(["analyze", "clip.mp4", "--max-gigapixels", "0.00003"])
        expectRefusal(outcome, 65, ["more than 30 packets", "--max-gigapixels"])
    }
}
