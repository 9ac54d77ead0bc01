import Foundation
import TestSupport
import Testing

/// The encoders and file name extensions of all audio files.
private let allKinds = SoundFile.kinds + SoundFile.losslessKinds

@Suite struct AudioCommandTests {
    private func encode(_ workspace: CommandFixture, _ sound: String, to output: String, _ options: String...) throws
        -> Outcome
    {
        let common = ["encode", "qq-mail", "--size", "64x32", "--fps", "10", "--progress", "none", "--audio", sound]
        return try workspace.run(common + options + ["-o", output])
    }

    /// Each container stores the audio unchanged, for any number of jobs and also through a pipe.
    @Test(.slow, arguments: some(of: ["m4a mp4", "m4a mkv", "m4a mov", "ogg mp4", "ogg webm", "ogg mkv"], each: 2))
    func audioIsMuxedUnchanged(fileTypes: String) throws {
        let words = fileTypes.split(separator: " ").map(String.init)
        let workspace = try CommandFixture()
        let sound = "sound.\(words[0])"
        let source = workspace.directory.file(sound)
        try SoundFile.make(words[0] == "m4a" ? "aac" : "libopus", source, seconds: "1.2")
        var files: [[UInt8]] = []
        for jobs in ["1", "2"] {
            let output = "\(jobs).\(words[1])"
            let outcome = try encode(workspace, sound, to: output, "--gop", "0.5", "--jobs", jobs)
            try #require(outcome.code == 0, "\(outcome.errorText)")
            let path = workspace.directory.file(output)
            #expect(try SoundFile.hash(path) == SoundFile.hash(source))
            #expect(abs(try SoundFile.onset(path) - SoundFile.onset(source)) < 0.0011)
            files.append(try bytes(of: path))
        }
        #expect(files[0] == files[1])
        guard words[1] != "mov" else { return }
        let piped = try workspace.shell(
            "\"$LOADERVID\" encode qq-mail --size 64x32 --fps 10 --progress none --audio \(sound) --format \(words[1]) "
                + "-o - > piped")
        #expect(piped.code == 0, "\(piped.errorText)")
        #expect(try SoundFile.hash(workspace.directory.file("piped")) == SoundFile.hash(source))
    }

    /// WAV and FLAC stay lossless where editors expect it, and are encoded for players. The sound
    /// begins at the same time and has the same length.
    @Test(
        .slow,
        arguments: some(
            of: [
                "wav mov pcm_s16le", "wav mkv pcm_s16le", "flac mkv flac", "wav m4v aac", "wav mp4 aac",
                "flac mov aac", "flac webm opus", "wav webm opus", "flac mp4 aac",
            ], each: 2))
    func losslessAudioIsKeptOrEncoded(typesAndCodec: String) throws {
        let words = typesAndCodec.split(separator: " ").map(String.init)
        let workspace = try CommandFixture()
        let source = workspace.directory.file("a.\(words[0])")
        try SoundFile.make(words[0] == "wav" ? "pcm_s16le" : "flac", source, seconds: "1.2", rate: 44100)
        var files: [[UInt8]] = []
        for jobs in ["1", "2"] {
            let output = "\(jobs).\(words[1])"
            let outcome = try encode(workspace, "a.\(words[0])", to: output, "--gop", "0.5", "--jobs", jobs)
            try #require(outcome.code == 0, "\(outcome.errorText)")
            files.append(try bytes(of: workspace.directory.file(output)))
        }
        #expect(files[0] == files[1])
        let path = workspace.directory.file("1.\(words[1])")
        #expect(try SoundFile.codec(path) == words[2])
        #expect(abs(try SoundFile.onset(path) - SoundFile.onset(source)) < 0.0011)
        if ["pcm_s16le", "flac"].contains(words[2]) {
            #expect(try SoundFile.samples(path) == SoundFile.samples(source))
        }
    }

    @Test(.slow) func audioCodecsCanBeChosen() throws {
        let workspace = try CommandFixture()
        let source = workspace.directory.file("a.flac")
        try SoundFile.make("flac", source, seconds: "1")
        try SoundFile.make("aac", workspace.directory.file("a.m4a"), seconds: "1")
        #expect(try encode(workspace, "a.flac", to: "p.mov", "--audio-codec", "pcm").code == 0)
        #expect(try SoundFile.samples(workspace.directory.file("p.mov")) == SoundFile.samples(source))
        let ways = [("a.flac", "a.mkv", "aac"), ("a.m4a", "o.webm", "opus"), ("a.m4a", "f.mkv", "flac")]
        for (sound, output, codec) in ways {
            let outcome = try encode(workspace, sound, to: output, "--audio-codec", codec)
            #expect(outcome.code == 0, "\(outcome.errorText)")
            #expect(try SoundFile.codec(workspace.directory.file(output)) == codec)
        }
        for (output, codec, words) in [
            ("x.mp4", "pcm", ["mp4 does not support pcm", "aac"]), ("x.mov", "opus", ["mov does not support opus"]),
            ("x.webm", "aac", ["webm does not support aac", "opus"]), ("x.webm", "copy", ["does not support flac"]),
            ("x.mov", "mp3", ["--audio-codec"]),
        ] {
            expectRefusal(try encode(workspace, "a.flac", to: output, "--audio-codec", codec), 64, words)
        }
        expectRefusal(
            try workspace.run(["encode", "qq", "--audio-codec", "aac", "-o", "x.mp4"]), 64, ["the clip has no audio"])
    }

    /// AAC and Opus have no channels beyond 7.1.
    @Test(arguments: [("mp4", "aac takes 1...8 or 16"), ("webm", "opus takes 1...8")])
    func tooManyChannelsAreRefused(container: String, limits: String) throws {
        let workspace = try CommandFixture()
        let source = Array(repeating: "0", count: 10).joined(separator: "|")
        let made = try workspace.shell("ffmpeg -v error -f lavfi -i 'aevalsrc=\(source):d=0.2' a.wav")
        try #require(made.code == 0, "\(made.errorText)")
        expectRefusal(
            try encode(workspace, "a.wav", to: "a.\(container)"), 65,
            ["it has 10 channels, but \(limits); use .mov or .mkv with pcm, or at most 8 channels"])
    }

    /// Conversion to 48 kHz does not delay the sound, at any sampling rate of the file.
    @Test(.slow, arguments: some(of: [8000, 11025, 22050, 44100, 96000], each: 2))
    func resampledAudioBeginsOnTime(rate: Int) throws {
        let workspace = try CommandFixture()
        let source = workspace.directory.file("a.wav")
        try SoundFile.make("pcm_s16le", source, seconds: "1.2", rate: rate)
        let outcome = try encode(workspace, "a.wav", to: "a.webm")
        try #require(outcome.code == 0, "\(outcome.errorText)")
        let onset = try SoundFile.onset(workspace.directory.file("a.webm"))
        #expect(abs(onset - 0.5) < 0.0003, "\(onset)")
        let seconds = Double(try SoundFile.samples(workspace.directory.file("a.webm")).count / 2) / 48000
        #expect(abs(seconds - 1.2) < 0.0003, "\(seconds)")
    }

    /// Conversion leaves no gap: the second difference of a tone of 1 kHz is at most 281.
    @Test(.slow, arguments: [8000, 11025, 22050]) func resampledAudioIsContinuous(rate: Int) throws {
        let workspace = try CommandFixture()
        try SoundFile.make("pcm_s16le", workspace.directory.file("a.wav"), seconds: "20", rate: rate)
        let options = ["--size", "64x64", "--duration", "20", "--codec", "vp8", "--audio", "a.wav"]
        let outcome = try workspace.run(["encode", "qq", "-o", "a.webm"] + options)
        try #require(outcome.code == 0, "\(outcome.errorText)")
        let bytes = try SoundFile.samples(workspace.directory.file("a.webm"))
        let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8))
        }
        // The tone begins abruptly after half a second, and ends so.
        let steady = samples[30_000..<samples.count - 5000]
        let bends = steady.indices.dropFirst().dropLast().map { samples[$0 - 1] - 2 * samples[$0] + samples[$0 + 1] }
        #expect(bends.allSatisfy { abs($0) < 600 }, "\(bends.map(abs).max() ?? 0)")
    }

    /// Files with three and four channels have them in Opus and AAC, too.
    @Test(.slow, arguments: [3, 4]) func unusualChannelCountsAreEncoded(count: Int) throws {
        let workspace = try CommandFixture()
        let channels = (0..<count).map { "c\($0)=c0" }.joined(separator: "|")
        let layout = count == 3 ? "3.0" : "quad"
        try SoundFile.make(
            "pcm_s16le", workspace.directory.file("a.wav"), seconds: "1.2", ["-af", "pan=\(layout)|\(channels)"])
        for name in ["a.webm", "a.mp4"] {
            let outcome = try encode(workspace, "a.wav", to: name)
            try #require(outcome.code == 0, "\(outcome.errorText)")
            let entries = ["-select_streams", "a", "-show_entries", "stream=channels", "-of", "csv=p=0"]
            let found = try run("ffprobe", ["-v", "error"] + entries + [workspace.directory.file(name)]).lines
            #expect(found.first?.hasPrefix("\(count)") == true, "\(found)")
        }
    }

    /// A clip may be longer than its audio, also for a batch that verifies its outputs.
    @Test func shortAudioPassesVerification() throws {
        let workspace = try CommandFixture()
        try SoundFile.make("pcm_s16le", workspace.directory.file("a.wav"), seconds: "0.6")
        let preset = "clips:\n  - {loader: qq-mail, duration: 4, audio: a.wav, size: 64x32, fps: 10}\n"
        try makeFile(preset, at: workspace.directory.file("p.yaml"))
        let outcome = try workspace.run(["batch", "p.yaml", "-o", "out", "--verify"])
        #expect(outcome.code == 0, "\(outcome.errorText)")
    }

    @Test func unsuitableAudioIsRejected() throws {
        let workspace = try CommandFixture()
        try SoundFile.make("aac", workspace.directory.file("a.m4a"))
        try SoundFile.make("libopus", workspace.directory.file("a.ogg"), seconds: "1.2")
        try SoundFile.make("libmp3lame", workspace.directory.file("a.mp3"))
        // The clip lasts a cycle, 1.44 s in 14 frames at 10 a second.
        expectRefusal(
            try encode(workspace, "a.m4a", to: "o.mp4"), 65,
            ["a.m4a: it lasts 1.500 s, longer than the clip's 1.400 s", "shorten the audio"])
        expectRefusal(try encode(workspace, "a.m4a", to: "o.webm"), 64, ["a.m4a: webm does not support aac"])
        expectRefusal(try encode(workspace, "a.ogg", to: "o.mov"), 64, ["a.ogg: mov does not support opus"])
        expectRefusal(try encode(workspace, "a.mp3", to: "o.mp4"), 65, ["its format is mp3", "AAC in .m4a"])
        expectRefusal(try encode(workspace, "no.m4a", to: "o.mp4"), 66, ["no.m4a does not exist"])
        expectRefusal(try encode(workspace, ".", to: "o.mp4"), 65, ["not a regular file"])
        expectRefusal(try encode(workspace, "", to: "o.mp4"), 64, ["--audio"])
        #expect(try workspace.directory.names() == ["a.m4a", "a.mp3", "a.ogg"])
    }

    /// A damaged file gives an error in one line or a clip, and leaves no temporary files.
    @Test func damagedAudioNeverCrashes() throws {
        let workspace = try CommandFixture()
        try SoundFile.make("aac", workspace.directory.file("a.m4a"), seconds: "1")
        let whole = try bytes(of: workspace.directory.file("a.m4a"))
        for seed in some(of: Array(0..<12), each: 3) {
            var random = SeededGenerator(seed: seed)
            var damaged = whole
            if seed % 2 == 0 { damaged.removeLast(random.int(1...whole.count - 1)) }
            for _ in 0..<random.int(1...8) {
                damaged[random.int(0...damaged.count - 1)] ^= 1 << UInt8(random.int(0...7))
            }
            try Data(damaged).write(to: URL(fileURLWithPath: workspace.directory.file("b.m4a")))
            let outcome = try encode(workspace, "b.m4a", to: "o.mp4", "--force")
            if outcome.code == 0 { continue }
            #expect([64, 65].contains(outcome.code), "\(outcome.errorText)")
            #expect(outcome.errorLines.count == 1, "\(outcome.errorText)")
        }
        #expect(try Set(workspace.directory.names()).isSubset(of: ["a.m4a", "b.m4a", "o.mp4"]))
    }

    /// Audio that ends early or has a gap is rejected.
    @Test(.slow, arguments: some(of: Array(allKinds.indices), and: [0.3, 0.6, 0.9], each: 7))
    func truncatedAudioIsRejected(kind: Int, share: Double) throws {
        let workspace = try CommandFixture()
        let (encoder, ending) = allKinds[kind]
        let name = "a.\(ending)"
        let front = ["m4a", "mp4", "mov"].contains(ending) ? ["-movflags", "+faststart"] : []
        try SoundFile.make(encoder, workspace.directory.file(name), seconds: "2", front)
        let whole = try bytes(of: workspace.directory.file(name))
        #expect(try encode(workspace, name, to: "o.mp4", "--cycles", "2").code == 0)
        let cut = "b.\(ending)"
        try Data(whole.prefix(Int(Double(whole.count) * share))).write(
            to: URL(fileURLWithPath: workspace.directory.file(cut)))
        let outcome = try encode(workspace, cut, to: "p.mp4", "--cycles", "2")
        #expect([64, 65].contains(outcome.code), "\(outcome.errorText)")
        #expect(outcome.errorLines.count == 1, "\(outcome.errorText)")
        #expect(!FileManager.default.fileExists(atPath: workspace.directory.file("p.mp4")))
    }

    /// FLAC that lacks a tenth of its bytes is bad data.
    @Test(arguments: ["flac", "mkv"]) func shortenedFLACIsBadData(ending: String) throws {
        let workspace = try CommandFixture()
        try SoundFile.make("flac", workspace.directory.file("a.\(ending)"), seconds: "2")
        let whole = try bytes(of: workspace.directory.file("a.\(ending)"))
        try Data(whole.prefix(whole.count * 9 / 10)).write(
            to: URL(fileURLWithPath: workspace.directory.file("b.\(ending)")))
        let outcome = try encode(workspace, "b.\(ending)", to: "o.mp4", "--cycles", "2")
        #expect(outcome.code == 65 && outcome.errorLines.count == 1, "\(outcome.errorText)")
        #expect(!FileManager.default.fileExists(atPath: workspace.directory.file("o.mp4")))
    }

    // MARK: Presets

    private func preset(_ workspace: CommandFixture, _ clips: String) throws {
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file("presets/voice"), withIntermediateDirectories: true)
        try makeFile(
            "defaults: {fps: 10, size: 64x32}\nclips:\n\(clips)", at: workspace.directory.file("presets/p.yaml"))
    }

    /// Audio paths are relative to the preset, each output may have its own audio, and a clip
    /// becomes stale when its audio changes.
    @Test(.slow) func presetsAcceptAudio() throws {
        let workspace = try CommandFixture()
        try preset(
            workspace,
            """
              - {loader: qq-mail, name: a, outputs: [{format: mp4, audio: voice/a.m4a}, {format: webm, audio: voice/a.ogg}]}
              - {loader: qq-mail, name: b, audio: voice/a.m4a}

            """)
        let voices = ["a.m4a", "a.ogg"].map { workspace.directory.file("presets/voice/\($0)") }
        try SoundFile.make("aac", voices[0], seconds: "1")
        try SoundFile.make("libopus", voices[1], seconds: "1")
        func batch() throws -> Outcome {
            try workspace.run(["batch", "presets/p.yaml", "-o", "out", "--progress", "plain"])
        }
        #expect(try batch().code == 0)
        for (output, voice) in [("a.mp4", voices[0]), ("a.webm", voices[1]), ("b.mp4", voices[0])] {
            #expect(try SoundFile.hash(workspace.directory.file("out/\(output)")) == SoundFile.hash(voice))
        }
        try SoundFile.make("libopus", voices[1], seconds: "1.1")
        let dry = try workspace.run(["batch", "presets/p.yaml", "-o", "out", "--dry-run"])
        #expect(dry.text.contains("audio: the file changed"), "\(dry.text)")
        #expect(!dry.lines.contains { $0.contains("a.mp4") && $0.contains("changed") }, "\(dry.text)")
    }

    @Test func presetAudioStaysInThePresetsDirectory() throws {
        let workspace = try CommandFixture()
        try preset(
            workspace,
            """
              - {loader: qq-mail, name: a, audio: ../a.m4a}
              - {loader: qq-mail, name: b, audio: \(workspace.directory.file("a.m4a"))}
              - {loader: qq-mail, name: c, audio: voice/link.m4a}
              - {loader: qq-mail, name: d, audio: voice/no.m4a}
              - {loader: qq-mail, name: e, format: webm, audio: 5}

            """)
        try SoundFile.make("aac", workspace.directory.file("a.m4a"), seconds: "1")
        try FileManager.default.createSymbolicLink(
            atPath: workspace.directory.file("presets/voice/link.m4a"), withDestinationPath: "../../a.m4a")
        let outcome = try workspace.run(["presets", "validate", "presets/p.yaml"])
        #expect(outcome.code == 65)
        let lines = outcome.errorLines
        for line in 3...5 {
            #expect(
                lines.contains { $0.contains("p.yaml:\(line):") && $0.contains("is outside the preset's directory") })
        }
        #expect(
            lines.contains { $0.contains("p.yaml:6:") && $0.contains("presets/voice/no.m4a does not exist") })
        #expect(lines.contains { $0.contains("p.yaml:7:") }, "\(lines)")
    }
}
