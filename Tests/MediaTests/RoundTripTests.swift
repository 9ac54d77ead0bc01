import Core
import Media
import TestSupport
import Testing

@Suite struct RoundTripTests {
    @Test func namedCodecsHaveContainers() throws {
        #expect(CodecProfile.named.first?.name == "h264")
        for (name, _) in CodecProfile.named {
            _ = try #require(CodecProfile.find(name), "this build of FFmpeg does not support \(name)")
            // Matroska takes all but DNxHD.
            let container: Container = name == "dnxhd" ? .mov : .mkv
            #expect(codecsInContainers.contains { $0.0 == name && $0.1 == container })
        }
        let supported = codecsInContainers.map { "\($0.0) \($0.1)" }
        for pair in ["h264 mp4", "h264 mov", "hevc mp4", "vp9 webm", "vp8 webm", "av1 webm", "av1 mp4", "vp9 mp4"] {
            #expect(supported.contains(pair), "\(pair)")
        }
        for pair in ["h264 webm", "hevc webm", "vp8 mp4", "vp9 mov", "vp8 mov", "av1 mov"] {
            #expect(!supported.contains(pair), "\(pair)")
        }
    }

    @Test(arguments: codecsInContainers)
    func framesKeepTheirOrderAndTimes(codec: String, container: Container) throws {
        let directory = try TemporaryDirectory()
        let rate = try FrameRate.of(container == .mov ? "30000/1001" : "60")
        let profile = try #require(CodecProfile.find(codec))
        for count in [1, 2, 3, 4, 5, 6, 7, 60] {
            let (packets, parameters) = try encode(
                smallSettings(profile, rate: rate, container: container), frames: count)
            let path = directory.file("\(count).\(container)")
            try mux(packets, parameters, container, rate: rate, to: try FileSink(path))
            try check(try DecodedVideo(path: path), count, rate, isExact: container == .mp4 || container == .mov)
        }
    }

    private func check(_ video: DecodedVideo, _ count: Int, _ rate: FrameRate, isExact: Bool) throws {
        let tick = isExact ? 0 : 0.000_501
        #expect(video.times.count == count)
        for (frame, time) in video.times.enumerated() {
            let exact = Rational(frame) * rate.frameDuration
            #expect(abs(time.double - exact.double) <= tick, "frame \(frame) of \(count)")
            #expect(
                abs(video.meanLuma(ofFrame: frame) - Double(luma(ofFrame: frame))) < 3, "frame \(frame) of \(count)")
        }
        if isExact { #expect(video.durations == Array(repeating: rate.frameDuration, count: count)) }
    }

    @Test(arguments: codecsOfAnySize)
    func packetTimesCountFramesFromZero(codec: String) throws {
        let profile = try #require(CodecProfile.find(codec))
        for count in [1, 2, 7, 60] {
            let (packets, parameters) = try encode(smallSettings(profile, rate: try .of("60")), frames: count)
            #expect(packets.compactMap(\.pts).sorted() == (0..<Int64(count)).map { $0 })
            #expect(packets.first?.isKeyFrame == true)
            #expect(packets.first?.pts == 0)
            #expect(packets.allSatisfy { $0.byteCount > 0 && $0.bytes.count == $0.byteCount })
            let keys = packets.filter(\.isKeyFrame).compactMap(\.pts) + [Int64(count)]
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $1 - $0 <= 30 }, "keyframes at \(keys)")
            #expect((parameters.width, parameters.height) == (64, 64))
            #expect(parameters.codecName == profile.codecName)
        }
    }

    @Test(arguments: codecsInContainers)
    func theSameFramesGiveTheSameBytes(codec: String, container: Container) throws {
        let directory = try TemporaryDirectory()
        let settings = smallSettings(try #require(CodecProfile.find(codec)), rate: try .of("25"), container: container)
        let files = try ["a", "b"].map { name in
            let (packets, parameters) = try encode(settings, frames: 12)
            let path = directory.file(name)
            try mux(packets, parameters, container, rate: settings.frameRate, to: try FileSink(path))
            return (parameters, packets.map { Array($0.bytes) }, try bytes(of: path))
        }
        #expect(files[0].0 == files[1].0)
        #expect(files[0].1 == files[1].1)
        #expect(files[0].2 == files[1].2)
    }

    /// A sink that cannot seek receives a clip with the same frames.
    @Test(arguments: [("h264", Container.mp4), ("h264", .mov), ("h264", .m4v), ("vp9", .webm), ("h264", .mkv)])
    func seekableSinksAreNotRequired(codec: String, container: Container) throws {
        let directory = try TemporaryDirectory()
        let rate = try FrameRate.of("24000/1001")
        let settings = smallSettings(try #require(CodecProfile.find(codec)), rate: rate, container: container)
        let (packets, parameters) = try encode(settings, frames: 40)
        let path = directory.file("clip")
        try mux(packets, parameters, container, rate: rate, to: try FileSink(path, isSeekable: false))
        try check(try DecodedVideo(path: path), 40, rate, isExact: container == .mp4 || container == .mov)
    }

    /// The muxer does not change packets, so they can be muxed again.
    @Test func packetsCanBeMuxedTwice() throws {
        let directory = try TemporaryDirectory()
        let rate = try FrameRate.of("60")
        let (packets, parameters) = try encode(
            smallSettings(try #require(CodecProfile.find("vp9")), rate: rate), frames: 5)
        let path = directory.file("twice.mkv")
        let muxer = try Muxer(
            .mkv, to: try FileSink(path), parameters: parameters, frameRate: rate)
        for number in 0..<10 { try muxer.write(packets[number % 5], pts: number, dts: number) }
        try muxer.finish()
        let video = try DecodedVideo(path: path)
        #expect(video.samples.count == 10)
        #expect(Array(video.samples[..<5]) == Array(video.samples[5...]))
    }
}
