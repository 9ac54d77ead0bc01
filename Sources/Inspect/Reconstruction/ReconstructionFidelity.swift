import Core
import Media
import Raster

/// The agreement of reconstructed objects with the clip that they were made from, over what either
/// draws.
struct ReconstructionFidelity {
    /// The PSNR of some frames together, in dB.
    let decibels: Double
    /// The time in seconds of the frame that differs most.
    let worstTime: Double
    /// The first frame of which a part clearly differs; nil if at most one frame differs.
    let different: VisibleDifference?
    /// The first frame in which most of what is drawn has a slightly different colour; nil if there
    /// is at most one such frame.
    let tinted: VisibleDifference?

    /// The number of frames that are compared.
    private static let maxFrames = 24
    /// The maximum number of pixels of a compared frame.
    private static let maxPixels = 60_000.0
    /// The difference from the background, in codes, above which a pixel counts as drawn. Noise
    /// stays below it.
    private static let drawn = 16
    /// The share of what is drawn that must differ for a note, by its shape and by its colour.
    private static let maxShares = (shape: 0.03, color: 0.25)

    /// Draws objects, from the lowest to the topmost, beside the frames until `duration`.
    init(_ objects: [ReconstructedObject], over background: Color, _ reader: ClipReader, duration: Double) throws {
        let clip = try Self.sampled(reader, duration: duration)
        var squares = 0.0
        var count = 0
        var worst = (mean: -1.0, time: 0.0)
        var (others, tints): ([VisibleDifference], [VisibleDifference]) = ([], [])
        for frame in clip.frames {
            guard let rasterizer = clip.rasterizer else { break }
            func error(at time: Double) throws -> FrameError {
                try Self.error(frame, drawnAt: time, objects, background, clip.scale, rasterizer)
            }
            var found = try error(at: frame.time)
            if found.shape.share > Self.maxShares.shape {
                // Keyframes of jumps are rounded.
                let other = try error(at: frame.time + clip.step / 4)
                if other.squares < found.squares { found = other }
            }
            squares += found.squares
            count += found.count
            let mean = found.squares / Double(max(1, found.count))
            if mean > worst.mean { worst = (mean, frame.time) }
            if found.shape.share > Self.maxShares.shape { others.append(found.shape) }
            if found.tint.share > Self.maxShares.color { tints.append(found.tint) }
        }
        // One frame may be that of a jump.
        different = others.count > 1 ? others[0] : nil
        tinted = tints.count > 1 ? tints[0] : nil
        decibels = squares > 0 ? 10 * log10(255 * 255 * Double(count) / squares) : .infinity
        worstTime = worst.time
    }

    private typealias Frame = (time: Double, pixels: [UInt8])

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
            frames.append((time, Array(try scaler.rgba(frame))))
            guard frames.count == 2 * maxFrames else { return true }
            // Every second frame is spread as evenly.
            frames = frames.indices.filter { $0 % 2 == 0 }.map { frames[$0] }
            stride *= 2
            return true
        }
        return (frames, scale, rasterizer, ClipSurvey.medianStep(times))
    }

    /// The difference between a frame and the drawing of the objects.
    private struct FrameError {
        /// The sum of squared differences over the pixels that either draws.
        var squares: Double
        /// The number of samples in these pixels.
        var count: Int
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
        var squares = 0
        var count = 0
        var map = DifferenceMap(width: pixmap.width, height: pixmap.height)
        for y in 0..<pixmap.height {
            for x in 0..<pixmap.width {
                let shown = 4 * (y * pixmap.width + x)
                let own = y * pixmap.stride + 4 * x
                var isDrawn = false
                var sum = 0
                var difference = Channels()
                for channel in 0..<3 {
                    let recorded = Int(frame.pixels[shown + channel])
                    // The rasterizer's order is BGRA.
                    let made = Int(pixmap.data[own + 2 - channel])
                    sum += (recorded - made) * (recorded - made)
                    difference[channel] = Float(recorded - made)
                    isDrawn = isDrawn || max(abs(recorded - base[channel]), abs(made - base[channel])) > drawn
                }
                guard isDrawn else { continue }
                squares += sum
                count += 3
                map.set(difference, x, y)
            }
        }
        return FrameError(
            squares: Double(squares), count: count, shape: map.shape(at: frame.time, scale: scale),
            tint: map.tint(at: frame.time, scale: scale))
    }
}

extension ReconstructedObject {
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
