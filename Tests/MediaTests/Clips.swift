import Core
import Foundation
import Media
import TestSupport
import Testing

/// A sink that writes to a file, like one in a program outside this package.
final class FileSink: ByteSink {
    let path: String
    let isSeekable: Bool
    private let handle: FileHandle

    init(_ path: String, isSeekable: Bool = true) throws {
        self.path = path
        self.isSeekable = isSeekable
        try makeFile("", at: path)
        handle = try #require(FileHandle(forUpdatingAtPath: path))
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws { try handle.write(contentsOf: Data(bytes)) }

    func reader() throws -> InputFile? { try InputFile(path: path) }

    func seek(to offset: Int64) throws {
        guard isSeekable else { throw SubprocessError(description: "this sink cannot seek") }
        try handle.seek(toOffset: UInt64(offset))
    }
}

/// Returns a codec's settings for the smallest frames of at least 64x64 pixels.
func smallSettings(_ profile: CodecProfile, rate: FrameRate, container: Container = .mp4) -> EncoderSettings {
    EncoderSettings(
        encoder: profile.encoder, width: max(64, profile.traits.minWidth), height: max(64, profile.traits.minHeight),
        pixelFormat: profile.defaultPixelFormat ?? .yuv420p,
        frameRate: rate, keyFrameInterval: 30, threads: 1, options: profile.defaultOptions,
        usesGlobalHeader: container.usesGlobalHeader)
}

/// Returns the luma of a test clip's frame, which identifies it after decoding.
func luma(ofFrame frame: Int) -> UInt8 { UInt8(40 + 3 * (frame % 60)) }

/// Returns a frame with luma samples by position and neutral chroma.
func makeFrame(_ settings: EncoderSettings, luma: (Int, Int) -> UInt8) throws -> VideoFrame {
    let format = settings.pixelFormat
    let frame = try VideoFrame(width: settings.width, height: settings.height, format: format)
    for index in 0..<3 {
        let plane = try #require(frame.plane(index))
        let horizontalStep = index == 0 ? 1 : format.horizontalStep
        let verticalStep = index == 0 ? 1 : format.verticalStep
        for y in 0..<settings.height / verticalStep {
            for x in 0..<settings.width / horizontalStep {
                let sample = index == 0 ? luma(x, y) : 128
                let row = plane.data + y * plane.stride
                guard hasTenBits(format.description) else {
                    row[x] = sample
                    continue
                }
                row[2 * x] = sample << 2
                row[2 * x + 1] = sample >> 6
            }
        }
    }
    return frame
}

/// Returns true if the samples of a pixel format have 10 bits in two little-endian bytes instead of
/// 8 bits.
private func hasTenBits(_ format: String) -> Bool { format.hasSuffix("p10le") }

extension DecodedVideo {
    /// Returns the mean luma of a frame of 64x64 pixels, in 8-bit codes.
    func meanLuma(ofFrame frame: Int) -> Double {
        let bytes = samples[frame]
        let codes = (0..<64 * 64).map { index -> Double in
            guard hasTenBits(format) else { return Double(bytes[index]) }
            let code = Int(bytes[2 * index]) + 256 * Int(bytes[2 * index + 1])
            return Double(code) / 4
        }
        return codes.reduce(0, +) / Double(codes.count)
    }
}

/// Encodes a clip of grey frames with the luma of `luma(ofFrame:)`. Returns its packets and
/// parameters.
func encode(_ settings: EncoderSettings, frames: Int) throws -> (packets: [Packet], parameters: CodecParameters) {
    let encoder = try VideoEncoder(settings)
    var packets: [Packet] = []
    for number in 0..<frames {
        let grey = luma(ofFrame: number)
        packets += try encoder.encode(try makeFrame(settings) { _, _ in grey }, pts: number)
    }
    return (packets + (try encoder.finish()), try encoder.parameters())
}

/// Muxes packets into a clip that starts at time 0.
func mux(
    _ packets: [Packet], _ parameters: CodecParameters, _ container: Container, rate: FrameRate, to sink: any ByteSink,
    tracks: SideTracks = SideTracks()
) throws {
    let muxer = try Muxer(
        container, to: sink, parameters: parameters, frameRate: rate, tracks: tracks)
    let order = packets.enumerated().map { $0.offset - Int($0.element.pts ?? 0) }
    let delay = max(parameters.videoDelay, order.max() ?? 0)
    for (number, packet) in packets.enumerated() {
        try muxer.write(packet, pts: Int(packet.pts ?? 0), dts: number - delay)
    }
    try muxer.finish()
}

extension FrameRate {
    /// Returns a frame rate from valid text.
    static func of(_ text: String) throws -> FrameRate { try #require(FrameRate(text: text)) }
}

/// The pairs of a named codec and a container that supports it.
let codecsInContainers: [(String, Container)] = CodecProfile.named.flatMap { entry in
    Container.allCases.filter { $0.supports(codec: entry.profile.codecName) }.map { (entry.name, $0) }
}

/// The named codecs that encode frames of any size; the frames of the tests are small.
let codecsOfAnySize = CodecProfile.named.filter { $0.profile.traits.minWidth == 1 }.map(\.name)
