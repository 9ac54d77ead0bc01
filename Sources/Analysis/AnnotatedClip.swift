import Media
import Motion
import Pipeline
import Raster
import Scene

/// The analysed clip once more, with its tracks and phases drawn over it.
public struct AnnotatedClip {
    private let analysis: ClipAnalysis

    /// The clip that an analysis was made of.
    public init(_ analysis: ClipAnalysis) { self.analysis = analysis }

    /// Encodes it as H.264 into MP4, picture for picture at the times of the original, and commits the file.
    ///
    /// An odd width or height grows by one pixel, which 4:2:0 needs. Returns the size in bytes. Throws `RenderError`.
    public func write(to file: OutputFile) throws -> Int {
        do { return try encode(to: file) } catch { throw RenderError(error) }
    }

    /// What its encoder is opened with: as all H.264 here, but with a clock of thousandths of a second.
    static func settings(width: Int, height: Int) throws -> EncoderSettings {
        guard let clock = FrameRate(Rational(1000)), let profile = CodecProfile.find("h264") else {
            throw RenderError(.unavailable, "this FFmpeg has no H.264 encoder, which a clip with tracks needs")
        }
        return EncoderSettings(
            encoder: profile.encoder, width: width, height: height, pixelFormat: .yuv420p, frameRate: clock,
            keyFrameInterval: 120, threads: 1, options: profile.defaultOptions, usesGlobalHeader: true)
    }

    private func encode(to file: OutputFile) throws -> Int {
        let (width, height) = (analysis.width + analysis.width % 2, analysis.height + analysis.height % 2)
        let settings = try AnnotatedClip.settings(width: width, height: height)
        let encoder = try VideoEncoder(settings)
        let muxer = try Muxer(
            .mp4, to: file, url: "file:" + file.temporaryPath, parameters: try encoder.parameters(),
            frameRate: settings.frameRate)
        let painter = try OverlayPainter(analysis, width: width, height: height)
        let stamps = analysis.times.map { Int(($0 * 1000).rounded()) } + [Int((analysis.duration * 1000).rounded())]
        let lengths = Dictionary(zip(stamps, zip(stamps.dropFirst(), stamps).map { $0 - $1 })) { first, _ in first }
        func write(_ packets: [Packet]) throws {
            for packet in packets {
                let (pts, dts) = (Int(packet.pts ?? 0), Int(packet.dts ?? 0))
                try muxer.write(packet, pts: pts, dts: dts, duration: max(1, lengths[pts] ?? 1))
            }
        }
        var last = -1
        try analysis.reader.forEachFrame { frame, number, _ in
            guard number < analysis.times.count else { return false }
            let stamp = max(last + 1, stamps[number])
            last = stamp
            try write(try encoder.encode(try painter.paint(frame, number), pts: stamp))
            return true
        }
        try write(try encoder.finish())
        try muxer.finish()
        return try file.commit()
    }
}

/// Draws over pictures and converts them for the encoder; one set of buffers for all of them.
private final class OverlayPainter {
    private let overlay: TrackOverlay
    private let size: Size
    private let scaler: FrameScaler
    private let width: Int
    private let height: Int
    private let converter: PixelConverter
    private let frame: VideoFrame

    init(_ analysis: ClipAnalysis, width: Int, height: Int) throws {
        overlay = TrackOverlay(analysis)
        size = Size(Double(width), Double(height))
        scaler = try FrameScaler(width: analysis.width, height: analysis.height)
        (self.width, self.height) = (width, height)
        converter = try PixelConverter(width: width, height: height, to: .yuv420p)
        frame = try VideoFrame(width: width, height: height, format: .yuv420p)
    }

    func paint(_ source: VideoFrame, _ number: Int) throws -> VideoFrame {
        let pixels = try scaler.rgba(source)
        var bgra = [UInt8](repeating: 255, count: pixels.count)
        bgra.withUnsafeMutableBufferPointer { target in
            for index in stride(from: 0, to: pixels.count, by: 4) {
                target[index] = pixels[index + 2]
                target[index + 1] = pixels[index + 1]
                target[index + 2] = pixels[index]
            }
        }
        guard let bitmap = Bitmap(width: scaler.width, height: scaler.height, pixels: bgra) else {
            throw RenderError(.internal, "a picture of \(scaler.width)x\(scaler.height) pixels cannot be drawn")
        }
        let ground = Image(bitmap, frame: Rect(size: Size(Double(scaler.width), Double(scaler.height))))
        // A rasterizer keeps every bitmap that it has drawn, so this one must not outlive its picture.
        let rasterizer = try Rasterizer(width: width, height: height)
        try rasterizer.draw(Scene(size: size, background: .black, nodes: [.image(ground)] + overlay.nodes(number)))
        try frame.makeWritable()
        try converter.convert(rasterizer.pixmap.data, stride: rasterizer.pixmap.stride, into: frame)
        return frame
    }
}
