import Animations
import Core
import Media
import Raster
import Render

/// A copy of the judged part of a recording with the design's outline and a tint of the differences
/// drawn over it.
package struct ComparisonOverlay {
    private let evidence: RecordingEvidence

    /// Creates the overlay of a judged recording.
    package init(_ evidence: RecordingEvidence) { self.evidence = evidence }

    /// Encodes the frames as H.264 in MP4 with the original timestamps, and commits the file.
    ///
    /// A band below the frames has the times. Returns the size in bytes. Throws `LoadervidError` if
    /// a frame cannot be read, encoded or written.
    package func write(to file: OutputFile) throws -> Int {
        do { return try encode(to: file) } catch { throw LoadervidError(error) }
    }

    private func encode(to file: OutputFile) throws -> Int {
        let curve = evidence.verdict.curve
        let judged = (curve.first?.frame ?? 0)...(curve.last?.frame ?? 0)
        var writer: OverlayWriter?
        try evidence.reader.forEachFrame { frame, number, time in
            guard number <= judged.upperBound else { return false }
            guard number >= judged.lowerBound else { return true }
            let output = try writer ?? OverlayWriter(evidence, width: frame.width, height: frame.height, to: file)
            writer = output
            try output.add(frame, number, at: time)
            return true
        }
        try writer?.finish()
        return try file.commit()
    }
}

/// A writer that encodes overlaid frames, each with the time until the next one.
private final class OverlayWriter {
    private let encoder: VideoEncoder
    private let muxer: Muxer
    private let painter: ComparisonPainter
    /// Encoded packets whose duration is not known yet.
    private var waiting: [Packet] = []
    /// The duration of each frame by its timestamp, in milliseconds.
    private var durations: [Int: Int] = [:]
    private var first: Double?
    private var last: Int?

    init(_ evidence: RecordingEvidence, width: Int, height: Int, to file: OutputFile) throws {
        painter = try ComparisonPainter(evidence, width: width, height: height)
        let settings = try AnnotatedClip.settings(width: painter.width, height: painter.height)
        encoder = try VideoEncoder(settings)
        muxer = try Muxer(.mp4, to: file, parameters: try encoder.parameters(), frameRate: settings.frameRate)
    }

    func add(_ frame: VideoFrame, _ number: Int, at time: Double) throws {
        let start = first ?? time
        first = start
        let timestamp = max((last ?? -1) + 1, Int(((time - start) * 1000).rounded()))
        if let last { durations[last] = timestamp - last }
        last = timestamp
        waiting += try encoder.encode(try painter.paint(frame, number, at: time), pts: timestamp)
        try writeKnown()
    }

    func finish() throws {
        // The last frame has no successor, so it takes the duration of the frame before it.
        if let last { durations[last] = durations.max { $0.key < $1.key }?.value ?? 1 }
        waiting += try encoder.finish()
        try writeKnown()
        try muxer.finish()
    }

    private func writeKnown() throws {
        while let packet = waiting.first {
            let pts = Int(packet.pts ?? 0)
            guard let duration = durations[pts] else { return }
            try muxer.write(packet, pts: pts, dts: Int(packet.dts ?? 0), duration: duration)
            if pts != last { durations[pts] = nil }
            waiting.removeFirst()
        }
    }
}

/// A painter that draws the outline and the differences over frames. All frames share one set of
/// buffers.
private final class ComparisonPainter {
    /// The width of the painted frames in pixels, which is even.
    let width: Int
    /// The height of the painted frames in pixels, which is even, with the band for the times.
    let height: Int
    private let evidence: RecordingEvidence
    private let view: RegionView
    /// Scales whole frames to the size of the output.
    private let frameScaler: FrameScaler
    /// Cuts the judged region out of frames and scales it to the size of the view.
    private let regionScaler: FrameScaler
    private let renderer: DesignRenderer
    private let converter: PixelConverter
    private let target: VideoFrame
    private let fontSize: Double

    /// The maximum number of pixels in which differences are drawn: 700 by 700.
    private static let viewPixels = 490_000
    /// The difference of neighbouring pixels of the design, in codes, above which they are an edge.
    private static let maxFlatStep = 40
    /// The opacity of the outline, below 1 so that the recording shows through.
    private static let outlineOpacity = 0.85

    init(_ evidence: RecordingEvidence, width: Int, height: Int) throws {
        self.evidence = evidence
        fontSize = min(26, max(9, Double(width) / 48))
        self.width = width + width % 2
        let total = height + Int(2 * fontSize)
        self.height = total + total % 2
        view = RegionView(evidence.region, budget: Self.viewPixels)
        frameScaler = try FrameScaler(width: width, height: height)
        regionScaler = try FrameScaler(width: view.width, height: view.height, region: view.region)
        renderer = try DesignRenderer(evidence.design, view)
        converter = try PixelConverter(width: self.width, height: self.height, to: .yuv420p)
        target = try VideoFrame(width: self.width, height: self.height, format: .yuv420p)
    }

    func paint(_ frame: VideoFrame, _ number: Int, at time: Double) throws -> VideoFrame {
        let background = evidence.fit.background
        let recorded = try ReportImage(frame, frameScaler, over: background)
        let region = try ReportImage(frame, regionScaler, over: background)
        let designed = try renderer.image(evidence.design.nodes(at: time))
        let size = Size(Double(recorded.width), Double(recorded.height))
        let box = Rect(
            x: Double(view.region.x), y: Double(view.region.y), width: Double(view.region.width),
            height: Double(view.region.height))
        let images = [(recorded.bitmap, Rect(size: size)), (overlay(region, designed), box)]
        let nodes = images.compactMap { bitmap, frame in bitmap.map { Node.image(Image($0, frame: frame)) } }
        // A rasterizer caches every bitmap that it has drawn, so each frame gets its own.
        let rasterizer = try Rasterizer(width: width, height: height)
        let canvas = Size(Double(width), Double(height))
        try rasterizer.draw(Scene(size: canvas, background: Color(24, 24, 26), nodes: nodes + [caption(number, time)]))
        try target.makeWritable()
        try converter.convert(rasterizer.pixmap.data, stride: rasterizer.pixmap.stride, into: target)
        return target
    }

    private func caption(_ number: Int, _ time: Double) -> Node {
        let design = evidence.design
        let words = [
            "\(NumberText.fixed(time, places: 3)) s", "frame \(number)",
            "model time \(NumberText.fixed(design.cycleTime(at: time), places: 3)) s", design.phase(at: time),
        ]
        let string = words.filter { !$0.isEmpty }.joined(separator: "  ·  ").visible
        let top = Double(height) - 1.75 * fontSize
        let frame = Rect(x: fontSize, y: top, width: Double(width) - 2 * fontSize, height: 1.7 * fontSize)
        return .text(Text(string, frame: frame, fontSize: fontSize, color: Color(235, 235, 240)))
    }

    /// Returns the outline of the design and the tint of the differences, transparent elsewhere.
    private func overlay(_ recorded: ReportImage, _ designed: ReportImage) -> Bitmap? {
        var pixels = [UInt8](repeating: 0, count: designed.bytes.count)
        let distances = designed.distances(to: recorded)
        for y in 0..<designed.height {
            for x in 0..<designed.width {
                let pixel = y * designed.width + x
                let index = 4 * pixel
                let isEdge = isEdge(designed, x, y)
                let isDark = recorded.bytes[index + 1] < 128
                let opacity = isEdge ? Self.outlineOpacity : DifferenceTint.opacity(of: distances[pixel])
                guard opacity > 0 else { continue }
                for channel in 0..<3 {
                    let ink = isEdge ? (isDark ? 255.0 : 0) : DifferenceTint.color[channel]
                    pixels[index + channel] = UInt8((opacity * ink).rounded())
                }
                pixels[index + 3] = UInt8((opacity * 255).rounded())
            }
        }
        return Bitmap(width: designed.width, height: designed.height, pixels: pixels)
    }

    private func isEdge(_ image: ReportImage, _ x: Int, _ y: Int) -> Bool {
        let index = 4 * (y * image.width + x)
        let neighbours = [(x + 1 < image.width, index + 4), (y + 1 < image.height, index + 4 * image.width)]
        return neighbours.contains { isInside, neighbour in
            isInside
                && (0..<3).contains {
                    abs(Int(image.bytes[index + $0]) - Int(image.bytes[neighbour + $0])) > Self.maxFlatStep
                }
        }
    }
}
