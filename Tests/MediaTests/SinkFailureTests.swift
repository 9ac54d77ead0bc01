import Core
import Foundation
import Media
import TestSupport
import Testing

/// A simulated error of a full disk.
private struct DiskFull: Error, Equatable { var number: Int }

/// A file sink that fails after a number of bytes, or when it seeks.
private final class FailingSink: ByteSink {
    private let file: FileSink
    private var remainingBytes: Int
    private let canSeek: Bool
    private(set) var failureCount = 0
    let isSeekable = true

    init(_ path: String, capacity: Int, canSeek: Bool = true) throws {
        file = try FileSink(path)
        remainingBytes = capacity
        self.canSeek = canSeek
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        remainingBytes -= bytes.count
        if remainingBytes < 0 { try fail() }
        try file.write(bytes)
    }

    func seek(to offset: Int64) throws {
        if !canSeek { try fail() }
        try file.seek(to: offset)
    }

    func reader() throws -> InputFile? { try file.reader() }

    private func fail() throws {
        failureCount += 1
        throw DiskFull(number: failureCount)
    }
}

@Suite struct SinkFailureTests {
    /// Encodes noise, so that the clip is larger than libav's buffers.
    private static func noise(_ container: Container) throws -> (packets: [Packet], parameters: CodecParameters) {
        let profile = try #require(CodecProfile.find(container == .webm ? "vp8" : "h264"))
        var settings = smallSettings(profile, rate: try .of("60"), container: container)
        settings.options["crf"] = "4"
        let encoder = try VideoEncoder(settings)
        var packets: [Packet] = []
        var random = SeededGenerator(seed: 5)
        for number in 0..<60 {
            let frame = try makeFrame(settings) { _, _ in .random(in: 16...235, using: &random) }
            packets += try encoder.encode(frame, pts: number)
        }
        return (packets + (try encoder.finish()), try encoder.parameters())
    }

    @Test(arguments: Container.videos)
    func theFirstErrorOfTheSinkIsReported(container: Container) throws {
        let (packets, parameters) = try Self.noise(container)
        let total = packets.reduce(0) { $0 + $1.byteCount }
        #expect(total > 150_000)
        for capacity in [0, 10, 1000, 66_000, 100_000, total] {
            let directory = try TemporaryDirectory()
            let path = directory.file("clip")
            let sink = try FailingSink(path, capacity: capacity)
            #expect(throws: DiskFull(number: 1), "with a capacity of \(capacity) of \(total) bytes") {
                try mux(packets, parameters, container, rate: try .of("60"), to: sink)
            }
        }
    }

    @Test(arguments: Container.videos)
    func errorsOfSeekingAreReported(container: Container) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("clip")
        let (packets, parameters) = try Self.noise(container)
        let sink = try FailingSink(path, capacity: .max, canSeek: false)
        #expect(throws: DiskFull(number: 1)) {
            try mux(packets, parameters, container, rate: try .of("60"), to: sink)
        }
    }

    /// After a failed write, the sink must not receive more bytes, since a file with a gap could
    /// look complete.
    @Test func nothingIsWrittenAfterAFailure() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("clip")
        let (packets, parameters) = try Self.noise(.mkv)
        let sink = try FailingSink(path, capacity: 70_000)
        let muxer = try Muxer(
            .mkv, to: sink, parameters: parameters, frameRate: try .of("60"))
        for (number, packet) in packets.enumerated() {
            try? muxer.write(packet, pts: Int(packet.pts ?? 0), dts: number - 3)
        }
        #expect(throws: DiskFull(number: 1)) { try muxer.finish() }
        #expect(sink.failureCount == 1)
    }
}
