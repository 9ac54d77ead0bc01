import CLibAV
import Core

/// The header of YUV4MPEG2, the format in which programs pass frames to encoders (the manual of
/// mjpegtools, yuv4mpeg(5)).
enum Y4MFile {
    /// The supported pixel formats: YUV without alpha, as x264, x265, SVT-AV1 and aomenc read them.
    static let formats = [
        "yuv420p", "yuv422p", "yuv444p", "gray", "yuv420p10le", "yuv422p10le", "yuv444p10le",
    ].compactMap { PixelFormat(name: $0) }

    /// The bytes before each frame.
    static let frameHeader = Array("FRAME\n".utf8)

    /// Returns the bytes before the first frame.
    static func header(_ parameters: CodecParameters, _ frameRate: FrameRate) -> [UInt8] {
        let rate = frameRate.framesPerSecond
        let words = [
            "YUV4MPEG2", "W\(parameters.width)", "H\(parameters.height)", "F\(rate.numerator):\(rate.denominator)",
            "Ip", "A1:1", colorSpace(of: parameters.pixelFormat), "XCOLORRANGE=LIMITED",
        ]
        return Array((words.joined(separator: " ") + "\n").utf8)
    }

    /// Returns the colour space tag. `420jpeg` is 8-bit 4:2:0 with chroma samples at the centre of
    /// their four pixels, as the converter places them; there is no such tag for 10 bits.
    private static func colorSpace(of format: PixelFormat) -> String {
        guard !format.isGray else { return "Cmono" }
        let sampling = format.verticalStep > 1 ? "420" : format.horizontalStep > 1 ? "422" : "444"
        guard format.depth > 8 else { return sampling == "420" ? "C420jpeg" : "C\(sampling)" }
        return "C\(sampling)p\(format.depth) XYSCSS=\(sampling)P\(format.depth)"
    }
}

/// A muxer of uncompressed frames, as Y4M or without any header, for another encoder to read.
///
/// Not thread-safe.
package final class RawMuxer: PacketMuxer {
    private let sink: any ByteSink
    private let frameHeader: [UInt8]

    /// Writes the container's header, if it has one.
    package init(
        _ container: Container, to sink: any ByteSink, parameters: CodecParameters, frameRate: FrameRate
    ) throws {
        self.sink = sink
        frameHeader = container == .y4m ? Y4MFile.frameHeader : []
        if container == .y4m { try write(Y4MFile.header(parameters, frameRate)) }
    }

    package func write(_ packet: Packet, pts: Int, dts: Int, duration: Int) throws {
        try write(frameHeader)
        try sink.write(UnsafeRawBufferPointer(packet.bytes))
    }

    package func finish() {}

    private func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try sink.write($0) } }
}
