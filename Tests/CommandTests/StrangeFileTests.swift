import Foundation
import TestSupport
import Testing

/// Hostile files, made to open other files, to hang the program or to exhaust memory.
@Suite struct StrangeFileTests {
    /// Playlists that refer to the file named `TARGET`.
    private static let playlists = [
        "ffconcat version 1.0\nfile TARGET\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\nTARGET\n#EXT-X-ENDLIST\n",
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\" mediaPresentationDuration=\"PT1S\" "
            + "minBufferTime=\"PT1S\" profiles=\"urn:mpeg:dash:profile:isoff-main:2011\"><Period><AdaptationSet mimeType=\"video/mp4\">"
            + "<Representation id=\"0\" bandwidth=\"1\"><BaseURL>TARGET</BaseURL></Representation></AdaptationSet></Period></MPD>\n",
    ]

    /// A fixture with a clip, an image, and a pipe without a writer.
    private func workspace() throws -> CommandFixture {
        let workspace = try CommandFixture()
        try workspace.encode("qq-mail", "--size", "96x48", "--fps", "30", to: "clip.mp4")
        let directory = workspace.directory
        try run("ffmpeg", ["-v", "error", "-i", "clip.mp4", "-frames:v", "1", "picture.png"], directory: directory)
        try run("ffmpeg", ["-v", "error", "-i", "clip.mp4", "-c", "copy", "clip.ts"], directory: directory)
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        return workspace
    }

    @Test(.slow, arguments: playlists.indices) func playlistsAreNotOpened(index: Int) throws {
        let workspace = try workspace()
        let read = [
            ["analyze", "script"], ["still", "douyin", "--at", "0", "--set", "cover=script", "-o", "a.png"],
        ]
        let others = [
            ["compare", "script", "--as", "qq-mail"], ["encode", "douyin", "--set", "cover=script", "-o", "a.mp4"],
        ]
        // All commands share the code for reading videos and images, so the others need one target
        // only.
        for target in some(of: ["clip.mp4", "clip.ts", "picture.png", "script", "pipe"], each: 2) {
            let script = Self.playlists[index].replacingOccurrences(of: "TARGET", with: target)
            try makeFile(script, at: workspace.directory.file("script"))
            for arguments in read + (target == "clip.mp4" ? others : []) {
                expectRefusal(try workspace.start(arguments).wait(timeout: 20), 65, ["script", "its format is"])
            }
        }
        try makeFile(
            "clips: [{loader: douyin, set: {cover: script}, size: 64x72, duration: 0.1, fps: 20}]\n",
            at: workspace.directory.file("clips.yaml"))
        for arguments in [["presets", "validate", "clips.yaml"], ["batch", "clips.yaml", "-o", "out"]] {
            let outcome = try workspace.start(arguments).wait(timeout: 20)
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
            ] { expectRefusal(try workspace.start(arguments).wait(timeout: 20), 65, [name, "not a regular file"]) }
        }
    }

    // MARK: Decompression bombs

    /// A GIF with a huge canvas and tiny frames.
    private static func gif(side: Int, frames: Int) -> Data {
        func little(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
        var bytes = Array("GIF89a".utf8) + little(side) + little(side) + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        for index in 0..<frames {
            bytes += [0x21, 0xF9, 4, 4, 2, 0, 0, 0, 0x2C] + little(7 * index) + little(5) + little(1) + little(1)
            bytes += [0, 2, 2, 0x4C, 1, 0]
        }
        return Data(bytes + [0x3B])
    }

    @Test(.slow) func hugeImagesAreRejectedBeforeDecoding() throws {
        let workspace = try CommandFixture()
        let directory = workspace.directory
        try Self.gif(side: 16000, frames: 100).write(to: URL(fileURLWithPath: directory.file("huge.gif")))
        try run(
            "ffmpeg", ["-v", "error", "-i", "huge.gif", "-frames:v", "1", "-vf", "crop=1:1", "one.png"],
            directory: directory)
        var picture = try bytes(of: directory.file("one.png"))
        // Width and height in the header. The size is checked before the header's checksum.
        picture.replaceSubrange(16..<24, with: [0, 0, 0x3E, 0x80, 0, 0, 0x3E, 0x80])
        try Data(picture).write(to: URL(fileURLWithPath: directory.file("huge.png")))
        let still = ["still", "douyin", "--at", "0", "-o", "a.png", "--set"]
        for arguments in [["analyze", "huge.gif"], still + ["cover=huge.gif"], still + ["cover=huge.png"]] {
            // The memory limit is below the size of one image.
            let line = arguments.map { "'\($0)'" }.joined(separator: " ")
            let outcome = try Subprocess(
                "sh", ["-c", "ulimit -v 900000; exec \"$LOADERVID\" \(line)"], directory: directory,
                environment: ["LOADERVID": Program.path]
            ).wait(timeout: 20)
            expectRefusal(outcome, 65, ["16000x16000", "67108864", "--max-pixels"])
            #expect(outcome.cpuSeconds < 5)
        }
    }

    @Test func decompressionBombsAreRejected() throws {
        let workspace = try CommandFixture()
        let path = workspace.directory.file("long.gif")
        try Self.gif(side: 8000, frames: 40).write(to: URL(fileURLWithPath: path))
        let outcome = try workspace.start(["analyze", "long.gif"]).wait(timeout: 20)
        expectRefusal(outcome, 65, ["long.gif", "billion pixels", "--max-gigapixels"])
        #expect(outcome.cpuSeconds < 5)
    }

    @Test(.slow) func limitsCanBeRaisedAndLowered() throws {
        let workspace = try workspace()
        let cover = [
            "still", "douyin", "--at", "0", "--size", "64x72", "--force", "-o", "a.png", "--set", "cover=picture.png",
        ]
        expectRefusal(try workspace.run(cover + ["--max-pixels", "4607"]), 65, ["96x48", "4607"])
        #expect(try workspace.run(cover + ["--max-pixels", "4608"]).code == 0)
        expectRefusal(try workspace.run(cover + ["--max-pixels", "0"]), 64, ["--max-pixels: 0"])
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

    /// A system error is not reported as damage of the file.
    @Test func systemErrorsAreNotReportedAsDamage() throws {
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
        // Increasing limits of open files fail at different files; the outputs are opened first.
        // How many are enough depends on the files that the program inherits.
        var codes: Set<Int32> = []
        for count in 4...40 where !codes.contains(65) {
            let outcome = try workspace.shell(
                "ulimit -n \(count); exec \"$LOADERVID\" analyze clip.mp4 --max-pixels 9 --plot a.svg --annotate-to a.mp4"
            )
            codes.insert(outcome.code)
            #expect([65, 74, 127].contains(outcome.code), "\(count): \(outcome.code) \(outcome.errorText)")
            #expect(outcome.errorText.contains("open files") == (outcome.code == 74), "\(outcome.errorText)")
        }
        #expect(codes.isSuperset(of: [65, 74]), "\(codes)")
    }

    /// The size of a raw stream is known only after decoding.
    @Test(
        .slow,
        arguments: [
            "h264 -c:v libx264 -preset ultrafast", "hevc -c:v libx265 -preset ultrafast -x265-params log-level=none",
            "m4v -c:v mpeg4", "m1v -c:v mpeg1video", "mjpeg -c:v mjpeg -pix_fmt yuvj420p",
        ])
    func rawStreamSizesAreLimited(kind: String) throws {
        let words = kind.split(separator: " ").map(String.init)
        let workspace = try CommandFixture()
        let name = "clip.\(words[0])"
        let source = ["-v", "error", "-f", "lavfi", "-i", "color=s=2064x2048:r=25:d=0.08,format=yuv420p"]
        try run("ffmpeg", source + words.dropFirst() + [name], directory: workspace.directory)
        let outcome = try workspace.run(["analyze", name, "--max-pixels", "1000"])
        // Some decoders do not keep the size that they reject.
        let size = ["m4v", "mjpeg"].contains(words[0]) ? "a frame" : "a frame of 2064x2048"
        expectRefusal(outcome, 65, ["\(size) has more than the maximum of 1000 pixels", "--max-pixels"])
    }

    @Test func audioPacketsAreLimited() throws {
        let workspace = try CommandFixture()
        let inputs = ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=16x16:r=10:d=1", "-f", "lavfi", "-i", "sine=d=1"]
        try run("ffmpeg", inputs + ["-c:v", "mpeg4", "clip.mp4"], directory: workspace.directory)
        let outcome = try workspace.run(["analyze", "clip.mp4", "--max-gigapixels", "0.00003"])
        expectRefusal(outcome, 65, ["more than 30 packets", "--max-gigapixels"])
    }
}
