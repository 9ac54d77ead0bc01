import Core
import Render

/// Differences that a fitted model leaves in small parts of the drawing, such as another line cap,
/// or another opacity where shapes of an object overlap.
///
/// Encoders change all edges of a recording alike, so that the squared difference of a cell follows
/// from its edges. Cells with far larger differences show something other than the model.
struct LocalDifferences {
    /// One cell of 8x8 pixels of the view in one frame.
    private struct Cell {
        var frame: Int
        var x: Int
        var y: Int
        /// The sum of squared differences.
        var energy: Double
        /// The sum of squared gradients of the drawing.
        var edges: Double
    }

    private let width: Int
    private var cells: [Cell] = []
    /// The energy of the drawing in each frame.
    private var drawing: [Double] = []

    /// The side of a cell in pixels of the view.
    private static let side = 8
    /// The rms difference of a cell, in codes, up to which the cell never counts.
    private static let minRMS = 8.0
    /// The rms gradient of a cell with edges, in codes per pixel.
    private static let minGradient = 7.0
    /// The minimum number of cells with edges, whose median is the encoder's usual difference.
    private static let minCells = 40
    /// The difference of a cell relative to its edges, in multiples of the usual one, that an
    /// encoder may cause.
    private static let maxRatio = 16.0
    /// The maximum share of the drawing's energy above that limit that needs no explanation, per
    /// unit of the usual difference. Recordings at crf 38 reach 0.004; an object whose shapes are
    /// translucent one by one instead of together has 0.01.
    private static let maxShareOfNoise = 0.008
    /// The maximum share of the drawing's energy that needs no explanation in any recording.
    private static let maxShare = 0.0004
    /// The maximum share of the frames that may have smaller differences. Frames whose time is
    /// wrong by less than a frame differ at the fastest edges, but the frames beside them do not.
    private static let maxPlainFrames = 0.25

    init(width: Int) { self.width = width }

    /// Adds a frame.
    ///
    /// - Parameters:
    ///   - differences: the difference of each pixel from the recording.
    ///   - covers: the difference of each drawn pixel from the background.
    ///   - mask: the weights of the pixels; those of 0 are left out.
    mutating func add(_ differences: [Float], covers: [Float], _ mask: [Float]) {
        let height = covers.count / width
        drawing.append(0)
        let frame = drawing.count - 1
        for y in stride(from: 1, to: height - Self.side - 1, by: Self.side) {
            for x in stride(from: 1, to: width - Self.side - 1, by: Self.side) {
                var cell = Cell(frame: frame, x: x, y: y, energy: 0, edges: 0)
                for row in y..<y + Self.side {
                    for pixel in row * width + x..<row * width + x + Self.side where mask[pixel] > 0 {
                        let across = covers[pixel + 1] - covers[pixel - 1]
                        let down = covers[pixel + width] - covers[pixel - width]
                        cell.energy += Double(differences[pixel] * differences[pixel])
                        cell.edges += Double(across * across + down * down) / 4
                        drawing[frame] += Double(covers[pixel] * covers[pixel])
                    }
                }
                cells.append(cell)
            }
        }
    }

    /// The share of the drawing's energy that encoding does not explain in at least three quarters
    /// of the frames, and the centre of the cell with most of it, in pixels of the view; nil if the
    /// share is small.
    var unexplained: (share: Double, position: Point)? {
        let pixels = Double(Self.side * Self.side)
        let minEdges = pixels * Self.minGradient * Self.minGradient
        let ratios = cells.filter { $0.edges > minEdges }.map { $0.energy / $0.edges }
        guard ratios.count >= Self.minCells, let usual = ratios.median else { return nil }
        var energies = drawing.map { _ in 0.0 }
        var sums: [Int: Double] = [:]
        for cell in cells {
            let limit = max(pixels * Self.minRMS * Self.minRMS, Self.maxRatio * usual * cell.edges)
            guard cell.energy > limit else { continue }
            energies[cell.frame] += cell.energy - limit
            sums[cell.y * width + cell.x, default: 0] += cell.energy - limit
        }
        let shares = zip(energies, drawing).filter { $0.1 > 0 }.map { $0.0 / $0.1 }.sorted()
        guard !shares.isEmpty else { return nil }
        let share = shares[Int(Self.maxPlainFrames * Double(shares.count))]
        guard share > max(Self.maxShare, Self.maxShareOfNoise * usual),
            let worst = sums.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key
        else { return nil }
        let half = Double(Self.side) / 2
        return (share, Point(Double(worst % width) + half, Double(worst / width) + half))
    }
}

extension JudgedRecording {
    /// Returns the finding of differences in small parts of the drawing; nil if there are none. If
    /// there are other findings, they may cause these differences, too.
    func localDeviation(_ aligned: [AlignedFrame]) throws -> Deviation? {
        let renderer = try ModelRenderer(view, builder.elements)
        let ground = try renderer.background(model)
        var differences = LocalDifferences(width: view.width)
        for (position, frame) in solver.frames.enumerated() where solver.weights[position] >= 1 {
            let drawn = try renderer.planes(model, at: aligned[frame].modelTime)
            differences.add(
                drawn.distances(to: solver.planes[position]), covers: drawn.distances(to: ground), mask)
        }
        guard let (share, position) = differences.unexplained else { return nil }
        let corner = Point(Double(view.region.x), Double(view.region.y))
        let point = (position * (1 / view.factor) + corner - model.pose.origin) * (1 / model.pose.scale)
        return Deviation(
            kind: .unexplained, size: share, unit: "x",
            text: "a small area near (\(DeviationWriter.decimal(point.x, 0)), "
                + "\(DeviationWriter.decimal(point.y, 0))) pt differs without an explanation by \(name)")
    }
}
