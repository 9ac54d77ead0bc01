import Core
import Media
import Raster

/// The agreement of reconstructed objects with the clip that they were made from, over the pixels
/// that either draws.
struct ReconstructionFidelity {
    /// The PSNR of some frames together, in dB. As `DifferencePlanes` compares frames, both are
    /// slightly blurred, and colours have half the resolution and less weight than luma.
    let decibels: Double
    /// The difference in the frame that differs most.
    let worst: VisibleDifference
    /// The first frame of which a part clearly differs; nil if at most one frame differs.
    let different: VisibleDifference?
    /// The first frame in which most drawn pixels have a slightly different colour; nil if there is
    /// at most one such frame.
    let tinted: VisibleDifference?

    /// The number of frames that are compared.
    private static let maxFrames = 24
    /// The maximum number of pixels of a compared frame.
    private static let maxPixels = 160_000.0
    /// The difference from the background, in codes, above which a pixel counts as drawn. Noise
    /// stays below it.
    private static let drawn = 16
    /// The share of the drawn pixels that must differ for a note, by its shape and by its colour.
    private static let maxShares = (shape: 0.03, color: 0.25)

    /// Draws objects, from the lowest to the topmost, beside the frames until `duration`.
    init(_ objects: [ReconstructedObject], over background: Color, _ reader: ClipReader, duration: Double) throws {
        let clip = try Self.sampled(reader, duration: duration)
        var squares = 0.0
        var count = 0
        var worst = (mean: -1.0, frame: VisibleDifference(time: 0, share: 0, center: .zero))
        var others: [VisibleDifference] = []
        var tints: [VisibleDifference] = []
        for frame in clip.frames {
            guard let rasterizer = clip.rasterizer else { break }
            func error(at time: Double) throws -> FrameError {
                try Self.error(frame, drawnAt: time, objects, background, clip.scale, rasterizer)
            }
            var found = try error(at: frame.time)
            if found.shape.share > Self.maxShares.shape {
                // Keyframes of jumps are rounded, and a jump at the time of a frame may come a
                // frame early or late.
                let isJump = objects.contains { $0.jumps(near: frame.time, within: clip.step) }
                for shift in [0.25] + (isJump ? [-1.0, 1] : []) {
                    let other = try error(at: frame.time + shift * clip.step)
                    if other.squares < found.squares { found = other }
                }
            }
            squares += found.squares
            count += found.count
            let mean = found.squares / Double(max(1, found.count))
            if mean > worst.mean { worst = (mean, found.all) }
            if found.shape.share > Self.maxShares.shape { others.append(found.shape) }
            if found.tint.share > Self.maxShares.color { tints.append(found.tint) }
        }
        // One frame may be that of a jump.
        different = others.count > 1 ? others[0] : nil
        tinted = tints.count > 1 ? tints[0] : nil
        decibels = squares > 0 ? 10 * log10(255 * 255 * Double(count) / squares) : .infinity
        self.worst = worst.frame
    }

    private typealias Frame = (time: Double, pixels: [UInt8], planes: DifferencePlanes)

    /// Returns evenly spread frames before `duration` at a small scale, a rasterizer of their size,
    /// and the usual time between two frames of the clip.
    private static func sampled(
        _ reader: ClipReader, duration: Double
    ) throws -> (frames: [Frame], scale: Double, rasterizer: Rasterizer?, step: Double) {
        var times: [Double] = []
        var frames: [Frame] = []
        var scaler: FrameScaler?
        var rasterizer: Rasterizer?
        var scale = 1.0
        var stride = 1
        try reader.forEachFrame { frame, number, time in
            guard time < duration - 1e-6 || number == 0 else { return false }
            times.append(time)
            let area = Double(frame.width * frame.height)
            if scaler == nil {
                scale = min(1, (maxPixels / area).squareRoot())
                let width = max(1, Int((Double(frame.width) * scale).rounded()))
                let height = max(1, Int((Double(frame.height) * scale).rounded()))
                scaler = try FrameScaler(width: width, height: height)
                rasterizer = try Rasterizer(width: width, height: height)
            }
            guard let scaler, number % stride == 0 else { return true }
            let pixels = Array(try scaler.rgba(frame))
            frames.append((time, pixels, planes(of: frame, pixels, scaler)))
            guard frames.count == 2 * maxFrames else { return true }
            // Every second frame is kept, so the frames stay evenly spread.
            frames = frames.indices.filter { $0 % 2 == 0 }.map { frames[$0] }
            stride *= 2
            return true
        }
        return (frames, scale, rasterizer, ClipSurvey.medianStep(times))
    }

    /// Returns the planes of a frame, from its own samples if they can be read: RGB cuts off what
    /// 4:2:0 stores beside thin lines.
    private static func planes(of frame: VideoFrame, _ pixels: [UInt8], _ scaler: FrameScaler) -> DifferencePlanes {
        let layout = PlaneLayout(width: scaler.width, height: scaler.height)
        let whole = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
        if let samples = PlanarSamples(frame, part: whole, layout) { return DifferencePlanes(samples, layout) }
        return DifferencePlanes(pixels, isBlueFirst: false, width: layout.width, height: layout.height)
    }

    /// The difference between a frame and the drawing of the objects.
    private struct FrameError {
        /// The sum of squared distances over the pixels that either draws.
        var squares: Double
        /// The number of these pixels.
        var count: Int
        /// The pixels that either draws, around the centre of the squared distances.
        var all: VisibleDifference
        var shape: VisibleDifference
        var tint: VisibleDifference
    }

    private static func error(
        _ frame: Frame, drawnAt time: Double, _ objects: [ReconstructedObject], _ background: Color,
        _ scale: Double, _ rasterizer: Rasterizer
    ) throws -> FrameError {
        let size = Size(Double(rasterizer.pixmap.width), Double(rasterizer.pixmap.height))
        let nodes = objects.flatMap { $0.nodes(at: time) }
        let group = Node.group(Group(transform: .scale(scale), nodes: nodes))
        try rasterizer.draw(Scene(size: size, background: background, nodes: [group]))
        let pixmap = rasterizer.pixmap
        let base = [background.red, background.green, background.blue].map { Int((255 * $0).rounded()) }
        let drawing = DifferencePlanes(
            pixmap.data, stride: pixmap.stride, isBlueFirst: true, width: pixmap.width, height: pixmap.height)
        let distances = frame.planes.distances(to: drawing)
        var map = DifferenceMap(width: pixmap.width, height: pixmap.height)
        for y in 0..<pixmap.height {
            for x in 0..<pixmap.width {
                let shown = 4 * (y * pixmap.width + x)
                let own = y * pixmap.stride + 4 * x
                var isDrawn = false
                var difference = Channels()
                for channel in 0..<3 {
                    let recorded = Int(frame.pixels[shown + channel])
                    // The rasterizer's order is BGRA.
                    let made = Int(pixmap.data[own + 2 - channel])
                    difference[channel] = Float(recorded - made)
                    isDrawn = isDrawn || max(abs(recorded - base[channel]), abs(made - base[channel])) > drawn
                }
                guard isDrawn else { continue }
                map.set(difference, distance: distances[y * pixmap.width + x], x, y)
            }
        }
        return FrameError(
            squares: map.squares, count: map.drawn, all: map.all(at: frame.time, scale: scale),
            shape: map.shape(at: frame.time, scale: scale), tint: map.tint(at: frame.time, scale: scale))
    }
}

extension ReconstructedObject {
    /// Returns true if a value jumps near a time.
    fileprivate func jumps(near time: Double, within step: Double) -> Bool {
        animatedCurves.contains { curve in
            zip(curve.keys, curve.keys.dropFirst()).contains { key, next in
                key.easing.isHold && abs(next.time - time) < 1.5 * step
            }
        }
    }

    /// Returns the object at a time as polygons.
    fileprivate func nodes(at time: Double) -> [Node] {
        let alpha = min(1, max(0, opacity.value(at: time)))
        var path = Path()
        for polygon in polygons(at: time) where polygon.count > 2 {
            path.move(to: polygon[0])
            for point in polygon.dropFirst() { path.addLine(to: point) }
            path.close()
        }
        guard alpha > 0, path.bounds != nil else { return [] }
        let color = Color(red: red.value(at: time), green: green.value(at: time), blue: blue.value(at: time))
        return [.shape(Shape(path, fill: color.opacity(alpha), fillRule: .evenOdd))]
    }
}
