import Foundation
import Media
import Motion
import TestSupport
import Testing

/// A sink that keeps its bytes in a file, as a program outside this package might have one.
final class FileSink: ByteSink {
    let path: String
    let isSeekable: Bool
    private let handle: FileHandle

    init(_ path: String, isSeekable: Bool = true) throws {
        (self.path, self.isSeekable) = (path, isSeekable)
        try makeFile("", at: path)
        handle = try #require(FileHandle(forUpdatingAtPath: path))
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws { try handle.write(contentsOf: Data(bytes)) }

    func seek(to offset: Int64) throws {
        guard isSeekable else { throw SubprocessError(description: "this sink cannot seek") }
        try handle.seek(toOffset: UInt64(offset))
    }
}

/// A codec's settings for small pictures.
func smallSettings(_ profile: CodecProfile, rate: FrameRate, container: Container = .mp4) -> EncoderSettings {
    EncoderSettings(
        encoder: profile.encoder, width: 64, height: 64, pixelFormat: profile.defaultPixelFormat ?? .yuv420p,
        frameRate: rate, keyFrameInterval: 30, threads: 1, options: profile.defaultOptions,
        usesGlobalHeader: container.usesGlobalHeader)
}

/// The grey of a clip's frame, by which it is known again after decoding.
func luma(ofFrame frame: Int) -> UInt8 { UInt8(40 + 3 * (frame % 60)) }

/// A picture with samples of luma by position; chroma is neutral.
func picture(_ settings: EncoderSettings, luma: (Int, Int) -> UInt8) throws -> VideoFrame {
    let format = settings.pixelFormat
    let frame = try VideoFrame(width: settings.width, height: settings.height, format: format)
    for index in 0..<3 {
        let plane = try #require(frame.plane(index))
        let steps = index == 0 ? (1, 1) : (format.horizontalStep, format.verticalStep)
        for y in 0..<settings.height / steps.1 {
            for x in 0..<settings.width / steps.0 {
                let sample = index == 0 ? luma(x, y) : 128
                let row = plane.data + y * plane.stride
                guard isDeep(format.description) else {
                    row[x] = sample
                    continue
                }
                (row[2 * x], row[2 * x + 1]) = (sample << 2, sample >> 6)
            }
        }
    }
    return frame
}

/// Whether samples of a pixel format have 10 bits, low byte first, rather than 8.
private func isDeep(_ format: String) -> Bool { format.hasSuffix("p10le") }

extension DecodedVideo {
    /// The mean luma of a picture of 64x64 pixels, in codes of 8 bits.
    func meanLuma(ofFrame frame: Int) -> Double {
        let bytes = samples[frame]
        let codes = (0..<64 * 64).map { index in
            isDeep(format) ? (Double(bytes[2 * index]) + 256 * Double(bytes[2 * index + 1])) / 4 : Double(bytes[index])
        }
        return codes.reduce(0, +) / Double(codes.count)
    }
}

/// All packets of a clip of numbered grey pictures, and what a container must know of them.
func encode(_ settings: EncoderSettings, frames: Int) throws -> (packets: [Packet], parameters: CodecParameters) {
    let encoder = try VideoEncoder(settings)
    var packets: [Packet] = []
    for number in 0..<frames {
        let grey = luma(ofFrame: number)
        packets += try encoder.encode(try picture(settings) { _, _ in grey }, pts: number)
    }
    return (packets + (try encoder.finish()), try encoder.parameters())
}

/// Writes packets into a container as a clip that begins at 0.
func mux(
    _ packets: [Packet], _ parameters: CodecParameters, _ container: Container, rate: FrameRate, to sink: any ByteSink,
    path: String, tracks: SideTracks = SideTracks()
) throws {
    let muxer = try Muxer(
        container, to: sink, url: "file:" + path, parameters: parameters, frameRate: rate, tracks: tracks)
    let order = packets.enumerated().map { $0.offset - Int($0.element.pts ?? 0) }
    let delay = max(parameters.videoDelay, order.max() ?? 0)
    for (number, packet) in packets.enumerated() {
        try muxer.write(packet, pts: Int(packet.pts ?? 0), dts: number - delay)
    }
    try muxer.finish()
}

extension FrameRate {
    /// A rate that a test is sure of.
    static func of(_ text: String) throws -> FrameRate { try #require(FrameRate(text: text)) }
}

/// The named codecs that this FFmpeg has, with the containers that hold them.
let codecsInContainers: [(String, Container)] = CodecProfile.named.flatMap { entry in
    Container.allCases.filter { $0.holds(codec: entry.profile.codecName) }.map { (entry.name, $0) }
}
