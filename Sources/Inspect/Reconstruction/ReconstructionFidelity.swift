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

    /// The number of frames that are compared.
    private static let maxFrames = 16
    /// The number of pixels of each.
    private static let maxPixels = 60_000.0
    /// The difference from the background, in codes, from which a pixel is drawn. Noise has less.
    private static let drawn = 16

    /// Draws objects, from the lowest to the topmost, beside the frames until `duration`.
    init(_ objects: [ReconstructedObject], over background: Color, _ reader: ClipReader, duration: Double) throws {
        var times: [Double] = []
        var frames: [(time: Double, pixels: [UInt8])] = []
        var scaler: FrameScaler?
        var rasterizer: Rasterizer?
        var scale = 1.0
        var stride = 1
        try reader.forEachFrame { frame, number, time in
            guard time < duration - 1e-6 || number == 0 else { return false }
            times.append(time)
            let area = Double(frame.width * frame.height)
            if scaler == nil {
                scale = min(1, (Self.maxPixels / area).squareRoot())
                let width = max(1, Int((Double(frame.width) * scale).rounded()))
                let height = max(1, Int((Double(frame.height) * scale).rounded()))
                scaler = try FrameScaler(width: width, height: height)
                rasterizer = try Rasterizer(width: width, height: height)
            }
            guard let scaler, number % stride == 0 else { return true }
            frames.append((time, Array(try scaler.rgba(frame))))
            guard frames.count == 2 * Self.maxFrames else { return true }
            // Every second of them is as evenly spread.
            frames = frames.indices.filter { $0 % 2 == 0 }.map { frames[$0] }
            stride *= 2
            return true
        }
        var (squares, count) = (0.0, 0)
        var worst = (mean: -1.0, time: 0.0)
        for frame in frames {
            guard let rasterizer else { break }
            let error = try Self.error(frame.pixels, frame.time, objects, background, scale, rasterizer)
            squares += error.squares
            count += error.count
            let mean = error.squares / Double(max(1, error.count))
            if mean > worst.mean { worst = (mean, frame.time) }
        }
        decibels = squares > 0 ? 10 * log10(255 * 255 * Double(count) / squares) : .infinity
        worstTime = worst.time
    }

    /// Returns the sum of squared differences, and the number of samples in pixels that either
    /// draws.
    private static func error(
        _ pixels: [UInt8], _ time: Double, _ objects: [ReconstructedObject], _ background: Color, _ scale: Double,
        _ rasterizer: Rasterizer
    ) throws -> (squares: Double, count: Int) {
        let size = Size(Double(rasterizer.pixmap.width), Double(rasterizer.pixmap.height))
        let nodes = objects.flatMap { $0.nodes(at: time) }
        let group = Node.group(Group(transform: .scale(scale), nodes: nodes))
        try rasterizer.draw(Scene(size: size, background: background, nodes: [group]))
        let pixmap = rasterizer.pixmap
        let base = [background.red, background.green, background.blue].map { Int((255 * $0).rounded()) }
        var (squares, count) = (0, 0)
        for y in 0..<pixmap.height {
            for x in 0..<pixmap.width {
                let shown = 4 * (y * pixmap.width + x)
                let own = y * pixmap.stride + 4 * x
                var isDrawn = false
                var sum = 0
                for channel in 0..<3 {
                    let recorded = Int(pixels[shown + channel])
                    // The rasterizer's order is BGRA.
                    let made = Int(pixmap.data[own + 2 - channel])
                    sum += (recorded - made) * (recorded - made)
                    isDrawn = isDrawn || max(abs(recorded - base[channel]), abs(made - base[channel])) > drawn
                }
                guard isDrawn else { continue }
                squares += sum
                count += 3
            }
        }
        return (Double(squares), count)
    }
}

extension ReconstructedObject {
    /// The object at a time as polygons.
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
