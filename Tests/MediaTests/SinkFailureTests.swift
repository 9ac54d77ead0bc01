import Foundation
import Media
import Motion
import TestSupport
import Testing

/// A disk that fills up.
private struct DiskFull: Error, Equatable { var number: Int }

/// A sink on a file that takes only so many bytes, or does not seek although it says so.
private final class SmallSink: ByteSink {
    private let file: FileSink
    private var room: Int
    private let seeks: Bool
    private(set) var failures = 0
    let isSeekable = true

    init(_ path: String, room: Int, seeks: Bool = true) throws {
        (file, self.room, self.seeks) = (try FileSink(path), room, seeks)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        room -= bytes.count
        if room < 0 { try fail() }
        try file.write(bytes)
    }

    func seek(to offset: Int64) throws {
        if !seeks { try fail() }
        try file.seek(to: offset)
    }

    private func fail() throws {
        failures += 1
        throw DiskFull(number: failures)
    }
}

@Suite struct SinkFailureTests {
    /// Noise, so that a clip takes more than libav's buffers hold.
    private static func noise(_ container: Container) throws -> (packets: [Packet], parameters: CodecParameters) {
        let profile = try #require(CodecProfile.find(container == .webm ? "vp8" : "h264"))
        var settings = smallSettings(profile, rate: try .of("60"), container: container)
        settings.options["crf"] = "4"
        let encoder = try VideoEncoder(settings)
        var (packets, random): ([Packet], SeededGenerator) = ([], SeededGenerator(seed: 5))
        for number in 0..<60 {
            let frame = try picture(settings) { _, _ in .random(in: 16...235, using: &random) }
            packets += try encoder.encode(frame, pts: number)
        }
        return (packets + (try encoder.finish()), try encoder.parameters())
    }

    @Test(arguments: Container.videos)
    func theSinksOwnFirstErrorComesOut(container: Container) throws {
        let (packets, parameters) = try Self.noise(container)
        let total = packets.reduce(0) { $0 + $1.byteCount }
        #expect(total > 150_000)
        for room in [0, 10, 1000, 66_000, 100_000, total] {
            let directory = try TemporaryDirectory()
            let path = directory.file("clip")
            let sink = try SmallSink(path, room: room)
            #expect(throws: DiskFull(number: 1), "with room for \(room) of \(total)") {
                try mux(packets, parameters, container, rate: try .of("60"), to: sink, path: path)
            }
        }
    }

    @Test(arguments: Container.videos)
    func aSeekThatFailsComesOutToo(container: Container) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("clip")
        let (packets, parameters) = try Self.noise(container)
        let sink = try SmallSink(path, room: .max, seeks: false)
        #expect(throws: DiskFull(number: 1)) {
            try mux(packets, parameters, container, rate: try .of("60"), to: sink, path: path)
        }
    }

    /// Once a write has failed nothing more may reach the sink: a hole would look like a whole file.
    @Test func nothingIsWrittenAfterAFailure() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("clip")
        let (packets, parameters) = try Self.noise(.mkv)
        let sink = try SmallSink(path, room: 70_000)
        let muxer = try Muxer(
            .mkv, to: sink, url: "file:" + path, parameters: parameters, frameRate: try .of("60"))
        for (number, packet) in packets.enumerated() {
            try? muxer.write(packet, pts: Int(packet.pts ?? 0), dts: number - 3)
        }
        #expect(throws: DiskFull(number: 1)) { try muxer.finish() }
        #expect(sink.failures == 1)
    }
}
