import Core
import Foundation
import Media
import TestSupport
import Testing

@Suite struct EncoderTests {
    /// SVT-AV1 hangs when it is closed before its first frame.
    @Test(arguments: codecsOfAnySize)
    func encodersCanBeReleasedBeforeTheirFirstFrame(codec: String) throws {
        let profile = try #require(CodecProfile.find(codec))
        #expect(profile.problem() == nil)
        for container in Container.videos {
            _ = try VideoEncoder(smallSettings(profile, rate: try .of("60"), container: container))
        }
    }

    /// SVT-AV1's log is disabled by an environment variable. The environment must not change while
    /// other threads read it, so it is set once. This test needs its own process.
    @Test func theEnvironmentIsWrittenOnce() async {
        await #expect(processExitsWith: .success) {
            ProcessSettings.allowChanges()
            func open() throws {
                _ = try VideoEncoder(smallSettings(#require(CodecProfile.find("av1")), rate: .of("60")))
            }
            try open()
            #expect(getenv("SVT_LOG") != nil)
            unsetenv("SVT_LOG")
            try open()
            #expect(getenv("SVT_LOG") == nil)
        }
    }

    @Test(arguments: codecsOfAnySize)
    func encodersCanBeReleasedBeforeTheEnd(codec: String) throws {
        let settings = smallSettings(try #require(CodecProfile.find(codec)), rate: try .of("60"))
        let encoder = try VideoEncoder(settings)
        for number in 0..<5 { _ = try encoder.encode(try makeFrame(settings) { _, _ in 90 }, pts: number) }
    }

    @Test(arguments: codecsOfAnySize)
    func encodersCanFinishWithoutFrames(codec: String) throws {
        let settings = smallSettings(try #require(CodecProfile.find(codec)), rate: try .of("60"))
        #expect(try VideoEncoder(settings).finish().isEmpty)
    }

    /// SVT-AV1 crashes when one instance is opened while another one is opened or closed.
    @Test func encodersCanBeOpenedConcurrently() throws {
        let settings = smallSettings(try #require(CodecProfile.find("av1")), rate: try .of("60"))
        let rounds = ProcessInfo.processInfo.environment["LOADERVID_ENCODER_ROUNDS"].flatMap { Int($0) } ?? 3
        let opened = Locked(0)
        let threads = DispatchGroup()
        for _ in 0..<8 {
            threads.enter()
            Thread {
                for _ in 0..<rounds where (try? VideoEncoder(settings)) != nil { opened.withLock { $0 += 1 } }
                threads.leave()
            }.start()
        }
        threads.wait()
        #expect(opened.withLock { $0 } == 8 * rounds)
    }

    @Test(arguments: ["mpeg4", "ffv1", "mjpeg", "libaom-av1", "prores_ks"])
    func encodersWithoutAProfileCanBeOpened(name: String) throws {
        let profile = try #require(CodecProfile.find(name))
        #expect(profile.encoder == name)
        let format = profile.pixelFormats.first { $0.isConvertible } ?? .yuv420p
        var settings = smallSettings(profile, rate: try .of("25"))
        settings.pixelFormat = format
        _ = try VideoEncoder(settings)
    }

    /// libx264 uses a coarser quantizer for the first keyframe than for later ones, except in
    /// presets without a macroblock tree.
    @Test(arguments: [("medium", true), ("veryfast", true), ("superfast", false), ("ultrafast", false)])
    func continuedStreamsStartWithAFinerQuantizer(preset: String, isFiner: Bool) throws {
        var settings = smallSettings(try #require(CodecProfile.find("h264")), rate: try .of("60"))
        settings.options["preset"] = preset
        func packets(continues: Bool) throws -> [[UInt8]] {
            settings.continuesStream = continues
            let encoder = try VideoEncoder(settings)
            let frame = try makeFrame(settings) { x, y in UInt8((x * x + 3 * y * x + y * y * y) % 251) }
            let packets = try (0..<3).flatMap { try encoder.encode(frame, pts: $0) } + encoder.finish()
            return packets.map { Array($0.bytes) }
        }
        let first = try packets(continues: false)
        let later = try packets(continues: true)
        #expect(isFiner ? later[0].count > first[0].count : later == first)
        #expect(first.count == 3 && later.count == 3)
        settings.keyFrameInterval = 1
        #expect(try packets(continues: true) == packets(continues: false), "no macroblock tree with keyframes only")
    }

    @Test func unknownEncodersAreNotFound() throws {
        var settings = smallSettings(try #require(CodecProfile.find("h264")), rate: try .of("60"))
        settings.encoder = "no_such_encoder"
        let expected = FFmpegError(code: FFmpegError.encoderNotFound, operation: "open encoder no_such_encoder")
        #expect(throws: expected) { try VideoEncoder(settings) }
        #expect(expected.description == "cannot open encoder no_such_encoder: Encoder not found")
        #expect(CodecProfile.find("no_such_encoder") == nil)
        #expect(CodecProfile.find("aac") == nil)
    }

    @Test func errorsNameUnknownOptions() throws {
        var settings = smallSettings(try #require(CodecProfile.find("h264")), rate: try .of("60"))
        settings.options["no_such_option"] = "1"
        let error = try #require(throws: FFmpegError.self) { try VideoEncoder(settings) }
        #expect(error.code == FFmpegError.optionNotFound)
        #expect(error.description.contains("no_such_option"))
        #expect(error.reason == "Option not found")
    }

    @Test func errorsOfOpeningIncludeTheOperation() throws {
        var settings = smallSettings(try #require(CodecProfile.find("h264")), rate: try .of("60"))
        settings.options["crf"] = "twelve"
        let error = try #require(throws: FFmpegError.self) { try VideoEncoder(settings) }
        #expect(error.operation == "open encoder libx264")
        #expect(error.code < 0)
        #expect(!error.reason.isEmpty)
    }

    @Test func aliasesGiveTheSameProfile() throws {
        for names in [
            ["h264", "libx264", "x264", "avc"], ["hevc", "libx265", "h265", "x265"], ["vp9", "libvpx-vp9"],
        ] {
            #expect(Set(names.map { CodecProfile.find($0) }).count == 1)
        }
    }

    @Test func settingsValidateTheirValues() throws {
        let profile = try #require(CodecProfile.find("h264"))
        let quality = try #require(profile.quality)
        let speed = try #require(profile.speed)
        #expect(["0", "18", "51", "17.5"].allSatisfy(quality.takes))
        #expect(!["-1", "52", "", "nan", "inf", "good"].contains(where: quality.takes))
        #expect(speed.takes("ultrafast") && !speed.takes("warp") && !speed.takes("5"))
        #expect(quality.limits == "0...51")
    }

    /// VP8 decoders use BT.601 and ignore the container's tags.
    @Test func onlyVP8UsesBT601() throws {
        for (name, profile) in CodecProfile.named {
            #expect(smallSettings(profile, rate: try .of("60")).matrix == (name == "vp8" ? .bt601 : .bt709))
        }
    }

    /// x264 and others write their name, version and settings into the stream by default.
    @Test(arguments: codecsOfAnySize)
    func packetsDoNotNameTheirEncoder(codec: String) throws {
        let settings = smallSettings(try #require(CodecProfile.find(codec)), rate: try .of("60"))
        let (packets, parameters) = try encode(settings, frames: 3)
        let stream = Array(parameters.header) + packets.flatMap { Array($0.bytes) }
        for word in ["x264", "x265", "Lavc", "SVT"] {
            #expect(!contains(stream, word), "\(word) in \(codec)")
        }
    }

    private func contains(_ bytes: [UInt8], _ word: String) -> Bool {
        let pattern = Array(word.utf8)
        return bytes.indices.dropLast(pattern.count - 1).contains { bytes[$0...].starts(with: pattern) }
    }
}
