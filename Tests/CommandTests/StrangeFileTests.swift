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

    /// A workspace with a clip, a picture, a pipe that nobody writes to, and a script that names one of them.
    private func workspace(_ script: String, target: String) throws -> Workspace {
        let workspace = try Workspace()
        try workspace.encode("qq-mail", "--size", "96x48", "--fps", "30", to: "clip.mp4")
        let directory = workspace.directory
        try run("ffmpeg", ["-v", "error", "-i", "clip.mp4", "-frames:v", "1", "picture.png"], directory: directory)
        try run("ffmpeg", ["-v", "error", "-i", "clip.mp4", "-c", "copy", "clip.ts"], directory: directory)
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        try makeFile(script.replacingOccurrences(of: "TARGET", with: target), at: directory.file("script"))
        try makeFile(
            "clips: [{loader: douyin, set: {cover: script}, size: 64x72, duration: 0.1, fps: 20}]\n",
            at: directory.file("clips.yaml"))
        return workspace
    }

    @Test(arguments: scripts.indices, ["clip.mp4", "clip.ts", "picture.png", "pipe", "script"])
    func scriptsAreNeitherVideosNorPictures(index: Int, target: String) throws {
        let workspace = try workspace(Self.scripts[index], target: target)
        for arguments in [
            ["analyze", "script"], ["compare", "script", "--as", "qq-mail"],
            ["still", "douyin", "--at", "0", "--set", "cover=script", "-o", "a.png"],
            ["encode", "douyin", "--set", "cover=script", "-o", "a.mp4"],
        ] { expectRefusal(try workspace.start(arguments).wait(atMost: 20), 65, ["script", "its format is"]) }
        for arguments in [["presets", "validate", "clips.yaml"], ["batch", "clips.yaml", "-o", "out"]] {
            let outcome = try workspace.start(arguments).wait(atMost: 20)
            #expect(outcome.code == 65 && outcome.errorText.contains("its format is"), "\(outcome.errorText)")
        }
        #expect(try !workspace.directory.names().contains { $0.hasPrefix("a.") || $0 == "out" })
    }

    @Test func pipesAndDevicesAreRefusedAtOnce() throws {
        let workspace = try workspace("", target: "")
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
        let workspace = try workspace("", target: "")
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
}
