import Core
import Foundation
import Media
import TestSupport
import Testing

/// The kinds of audio files, each with every container that supports its codec.
private let combinations: [(encoder: String, ending: String, container: Container)] = SoundFile.kinds.flatMap { kind in
    Container.allCases.filter { $0.supports(codec: kind.encoder == "aac" ? "aac" : "opus") }.map {
        (kind.encoder, kind.ending, $0)
    }
}

@Suite struct AudioTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func summary(_ path: String) throws -> AudioSource.Summary {
        try AudioSource(InputFile(path: path)).summary()
    }

    /// Creates a clip of two seconds with the audio of a file. Returns its path.
    private func clip(_ container: Container, sound: String, isSeekable: Bool = true) throws -> String {
        let rate = try FrameRate.of("25")
        let profile = try #require(CodecProfile.find(container == .webm ? "vp8" : "h264"))
        let settings = smallSettings(profile, rate: rate, container: container)
        let (packets, parameters) = try encode(settings, frames: 50)
        let path = directory.file("\(UUID().uuidString).\(container.rawValue)")
        let tracks = SideTracks(audio: try AudioSource(InputFile(path: sound)))
        try mux(
            packets, parameters, container, rate: rate, to: FileSink(path, isSeekable: isSeekable), tracks: tracks)
        return path
    }

    @Test func containersSupportTheirCodecs() {
        #expect(Set(combinations.map { "\($0.encoder) \($0.container)" }).count >= 6)
        #expect(!Container.webm.supports(codec: "aac") && !Container.mov.supports(codec: "opus"))
        #expect(Container.mp4.supports(codec: "opus") && Container.mkv.supports(codec: "aac"))
    }

    /// Packets are copied byte for byte, and the tone starts at the same time.
    @Test(.slow, arguments: some(of: Array(combinations.indices), each: 3))
    func audioIsCopiedAndStaysInSync(combination: Int) throws {
        let (encoder, ending, container) = combinations[combination]
        let sound = directory.file("sound.\(ending)")
        try SoundFile.make(encoder, sound)
        let hash = try SoundFile.hash(sound)
        let onset = try SoundFile.onset(sound)
        let paths = try [true, false, true].map { try clip(container, sound: sound, isSeekable: $0) }
        for path in paths[..<2] {
            #expect(try SoundFile.hash(path) == hash)
            #expect(abs(try SoundFile.onset(path) - onset) < 0.0011)
        }
        #expect(try bytes(of: paths[0]) == bytes(of: paths[2]))
        // Matroska does not store the priming samples of AAC. Elsewhere the duration is exact to
        // the sample.
        guard ending != "mkv" || encoder != "aac" else { return }
        #expect(try summary(sound).end == Rational(3, 2))
        guard container == .mp4 else { return }
        #expect(abs(try SoundFile.length(paths[0]) - 1.5) < 0.00002)
    }

    /// A coarse time base in the source does not cause jitter in a finer one.
    @Test(arguments: ["2.5", "60"])
    func opusPacketsOfAnyDurationKeepTheirSamples(frame: String) throws {
        let sound = directory.file("sound.webm")
        try SoundFile.make("libopus", sound, ["-frame_duration", frame])
        #expect(try summary(sound).end == Rational(3, 2))
        let path = try clip(.mp4, sound: sound)
        let entries = ["-show_entries", "packet=duration", "-of", "default=nw=1:nk=1", path]
        let durations = try run("ffprobe", ["-v", "error", "-select_streams", "a"] + entries).lines
        let milliseconds = try #require(Double(frame))
        #expect(Set(durations.dropLast()) == ["\(Int(48 * milliseconds))"])
        #expect(try SoundFile.hash(path) == SoundFile.hash(sound))
    }

    @Test(.slow, arguments: [(44100, 2), (8000, 1)])
    func aacPacketsOfAnyRateKeepTheirSamples(rate: Int, channels: Int) throws {
        for ending in ["m4a", "mkv"] {
            let sound = directory.file("sound.\(ending)")
            try SoundFile.make("aac", sound, rate: rate, ["-ac", "\(channels)"])
            let path = try clip(.mp4, sound: sound)
            let entries = ["-show_entries", "packet=duration", "-of", "default=nw=1:nk=1", path]
            let durations = try run("ffprobe", ["-v", "error", "-select_streams", "a"] + entries).lines
            #expect(Set(durations.dropLast()) == ["1024"], "\(ending)")
            #expect(try SoundFile.hash(path) == SoundFile.hash(sound))
            #expect(abs(try SoundFile.onset(path) - SoundFile.onset(sound)) < 0.0011)
        }
    }

    @Test func unsupportedFilesAreRejectedWithAReason() throws {
        let tone = ["-v", "error", "-f", "lavfi", "-i", "sine=d=1"]
        func file(_ name: String, _ arguments: [String]) throws -> String {
            try run("ffmpeg", arguments + ["-y", directory.file(name)])
            return directory.file(name)
        }
        let video = ["-v", "error", "-f", "lavfi", "-i", "color=s=32x32:d=1"]
        try makeFile("#EXTM3U\n#EXTINF:1,\nsound.ogg\n", at: directory.file("list.m3u8"))
        try makeFile("", at: directory.file("empty.ogg"))
        let cases = [
            (try file("a.mp3", tone), "its format is mp3"), (try file("a.aiff", tone), "its format is aiff"),
            (try file("a.mp4", tone + ["-c:a", "libmp3lame"]), "its audio codec is mp3, which is not AAC, Opus, FLAC"),
            (try file("a.ogg", tone + ["-c:a", "libvorbis"]), "its audio codec is vorbis, which is not AAC, Opus"),
            (
                try file("two.mkv", tone + ["-map", "0", "-map", "0", "-c:a", "aac"]),
                "it has 2 audio tracks, above the maximum of 1"
            ), (try file("none.mp4", video), "Stream not found"),
            (directory.file("list.m3u8"), "; use WAV, FLAC, AAC in .m4a, "),
            (directory.file("empty.ogg"), "its format is unknown"), (directory.path, "not a regular file"),
            (directory.file("missing.m4a"), "No such file"),
        ]
        for (path, reason) in cases {
            let error = try #require(throws: FFmpegError.self) { try summary(path) }
            #expect(error.description.contains(reason), "\(error)")
        }
    }

    /// Damaged files are rejected, or give packets that every container supports. Nothing crashes
    /// or hangs.
    @Test(.slow, arguments: SoundFile.kinds.indices)
    func damagedFilesAreRejectedOrCopied(kind: Int) throws {
        let (encoder, ending) = SoundFile.kinds[kind]
        let sound = directory.file("sound.\(ending)")
        try SoundFile.make(
            encoder, sound, seconds: "0.6",
            ["-b:a", "16k"] + (ending == "ogg" ? ["-page_duration", "20000"] : []))
        let original = try bytes(of: sound)
        let containers = Container.allCases.filter { $0.supports(codec: encoder == "aac" ? "aac" : "opus") }
        let rate = try FrameRate.of("5")
        var settings: [(Container, [Packet], CodecParameters)] = []
        for container in containers {
            let profile = try #require(CodecProfile.find(container == .webm ? "vp8" : "h264"))
            let (packets, parameters) = try encode(
                smallSettings(profile, rate: rate, container: container), frames: 5)
            settings.append((container, packets, parameters))
        }
        var acceptedCount = 0
        var rejectedCount = 0
        for seed in some(of: Array(0..<60), each: 2) {
            var random = SeededGenerator(seed: 1000 * kind + seed)
            var damaged = original
            if seed % 3 == 0 { damaged.removeLast(random.int(1...original.count - 1)) }
            // Most of the damage is in the header, where it has the largest effect.
            for _ in 0..<(seed % 3 == 0 ? 0 : random.int(1...12)) {
                let offset = random.int(0...(random.int(0...1) == 0 ? min(damaged.count, 900) : damaged.count) - 1)
                damaged[offset] ^= 1 << UInt8(random.int(0...7))
            }
            let path = directory.file("damaged.\(ending)")
            try Data(damaged).write(to: URL(fileURLWithPath: path))
            do {
                let summary = try summary(path)
                #expect(summary.packetCount > 0)
                acceptedCount += 1
                for (container, packets, parameters) in settings {
                    let output = directory.file("out")
                    let tracks = SideTracks(audio: try AudioSource(InputFile(path: path)))
                    // The muxer may reject the stream's parameters.
                    do {
                        try mux(
                            packets, parameters, container, rate: rate, to: FileSink(output), tracks: tracks)
                    } catch let error as FFmpegError { #expect(!error.description.contains("\n")) }
                }
            } catch let error as FFmpegError {
                rejectedCount += 1
                #expect(!error.description.contains("\n"))
            }
        }
        #expect(acceptedCount > 0 && rejectedCount > 0, "\(acceptedCount) \(rejectedCount)")
    }
}
