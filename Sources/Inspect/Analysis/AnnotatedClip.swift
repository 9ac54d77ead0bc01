import Core
import Media
import Raster
import Render

/// A copy of an analysed clip with its tracks and phases drawn over the frames.
package struct AnnotatedClip {
    private let analysis: ClipAnalysis

    /// Creates the annotated version of the clip that `analysis` describes.
    package init(_ analysis: ClipAnalysis) { self.analysis = analysis }

    /// Encodes the frames as H.264 in MP4 with the original timestamps, and commits the file.
    ///
    /// An odd width or height grows by one pixel, because 4:2:0 needs even dimensions. Returns the
    /// size in bytes. Throws `LoadervidError` if a frame cannot be read, encoded or written.
    package func write(to file: OutputFile) throws -> Int {
        do { return try encode(to: file) } catch { throw LoadervidError(error) }
    }

    /// Returns the encoder's settings: the usual ones for H.264, but with a time base of 1/1000 s.
    static func settings(width: Int, height: Int) throws -> EncoderSettings {
        guard let clock = FrameRate(Rational(1000)), let profile = CodecProfile.find("h264") else {
            throw LoadervidError(
                .unavailable, "annotated clips need an H.264 encoder; install an FFmpeg with one")
        }
        return EncoderSettings(
            encoder: profile.encoder, width: width, height: height, pixelFormat: .yuv420p, frameRate: clock,
            keyFrameInterval: 120, threads: 1, options: profile.defaultOptions, usesGlobalHeader: true)
    }

    private func encode(to file: OutputFile) throws -> Int {
        let width = analysis.width + analysis.width % 2
        let height = analysis.height + analysis.height % 2
        let settings = try AnnotatedClip.settings(width: width, height: height)
        let encoder = try VideoEncoder(settings)
        let muxer = try Muxer(
            .mp4, to: file, parameters: try encoder.parameters(), frameRate: settings.frameRate)
        let painter = try OverlayPainter(analysis, width: width, height: height)
        let timestamps = analysis.times.map { Int(($0 * 1000).rounded()) } + [Int((analysis.duration * 1000).rounded())]
        let intervals = zip(timestamps.dropFirst(), timestamps).map { $0 - $1 }
        let durations = Dictionary(zip(timestamps, intervals)) { first, _ in first }
        func write(_ packets: [Packet]) throws {
            for packet in packets {
                let pts = Int(packet.pts ?? 0)
                let dts = Int(packet.dts ?? 0)
                try muxer.write(packet, pts: pts, dts: dts, duration: max(1, durations[pts] ?? 1))
            }
        }
        var last = -1
        try analysis.reader.forEachFrame { frame, number, _ in
            guard number < analysis.times.count else { return false }
            let timestamp = max(last + 1, timestamps[number])
            last = timestamp
            try write(try encoder.encode(try painter.paint(frame, number), pts: timestamp))
            return true
        }
        try write(try encoder.finish())
        try muxer.finish()
        return try file.commit()
    }
}

/// A painter that draws the overlay over frames and converts them for the encoder. All frames share
/// one set of buffers.
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
        self.width = width
        self.height = height
        converter = try PixelConverter(width: width, height: height, to: .yuv420p)
        frame = try VideoFrame(width: width, height: height, format: .yuv420p)
    }

    func paint(_ source: VideoFrame, _ number: Int) throws -> VideoFrame {
        guard let bitmap = try scaler.bitmap(source) else {
            throw LoadervidError(.internal, "a frame of \(scaler.width)x\(scaler.height) pixels cannot be drawn")
        }
        let image = Image(bitmap, frame: Rect(size: Size(Double(scaler.width), Double(scaler.height))))
        // A rasterizer caches every bitmap that it has drawn, so each frame gets its own.
        let rasterizer = try Rasterizer(width: width, height: height)
        try rasterizer.draw(Scene(size: size, background: .black, nodes: [.image(image)] + overlay.nodes(number)))
        try frame.makeWritable()
        try converter.convert(rasterizer.pixmap.data, stride: rasterizer.pixmap.stride, into: frame)
        return frame
    }
}
