import Core

/// The appearance of an object: its colour and a coverage template.
struct ObjectModel {
    /// Its colour away from the edge.
    let color: RGB
    /// Its area in pixels of the view.
    let area: Double
    /// The mean of its width and height in pixels of the view.
    let diameter: Double
    /// True if it keeps its shape, so that a visible part determines the position of the whole.
    let isRigid: Bool
    /// The distance from the centre of the template to its sides in pixels.
    let reach: Int
    /// The coverage, 0...1, by offset from the centre: rows of `2 * reach + 1` values.
    private let template: [Float]
    /// Some offsets inside the object, for a quick test of a position.
    let probes: [(x: Int, y: Int)]

    /// The coverage at an offset from the centre, and its derivatives.
    struct Cover {
        var value: Double
        var dx: Double
        var dy: Double
    }

    /// The difference from the typical blob, as a share of its area and as pixels and a divisor of
    /// each side, within which a blob shows the object in the same shape.
    private static let sameArea = 0.15
    private static let sameSide = (pixels: 2, divisor: 8)
    /// The percentage of blobs of one shape above which an object is rigid. Others change, or are
    /// partly covered.
    private static let minRigidPercent = 60
    /// The space around the largest side in the template, in pixels, for blurred edges.
    private static let blurMargin = 4
    /// The number of probes across the object, and the minimum coverage of the pixels they test.
    private static let probeGrid = (perDiameter: 9.0, minCover: Float(0.7))
    /// The approximate number of blobs from which the template is computed.
    private static let templateBlobs = 10
    /// The mean coverage below which a pixel of the template is empty. It is noise.
    private static let minTemplateCover: Float = 0.04

    /// Learns an object from blobs that show it alone. `blobs` must not be empty.
    init(_ all: [Blob], in samples: ClipSamples, _ segmentation: Segmentation) {
        let whole = all.filter { !$0.isCut }
        let isWhole = 2 * whole.count >= all.count
        let blobs = isWhole ? whole : all
        let sorted = blobs.sorted { $0.area < $1.area }
        let typical = sorted[sorted.count / 2]
        let similar = blobs.filter { blob in
            abs(blob.area / typical.area - 1) < Self.sameArea && Self.isAlike(blob.size.0, typical.size.0)
                && Self.isAlike(blob.size.1, typical.size.1)
        }
        isRigid = isWhole && similar.count * 100 >= Self.minRigidPercent * blobs.count
        let middle = similar.count / 2
        color = RGB(
            similar.map(\.color.red).sorted()[middle], similar.map(\.color.green).sorted()[middle],
            similar.map(\.color.blue).sorted()[middle])
        area = typical.area
        diameter = Double(typical.size.0 + typical.size.1) / 2
        reach = max(typical.size.0, typical.size.1) / 2 + Self.blurMargin
        template = ObjectModel.meanCoverage(color, reach, similar, samples, segmentation)
        let step = max(1, Int(diameter / Self.probeGrid.perDiameter))
        let side = 2 * reach + 1
        var probes: [(x: Int, y: Int)] = []
        for y in stride(from: -reach, through: reach, by: step) {
            for x in stride(from: -reach, through: reach, by: step)
            where template[(y + reach) * side + x + reach] > Self.probeGrid.minCover { probes.append((x, y)) }
        }
        self.probes = probes
    }

    private static func isAlike(_ side: Int, _ typical: Int) -> Bool {
        abs(side - typical) <= sameSide.pixels + typical / sameSide.divisor
    }

    /// Returns the mean coverage around the centres of up to about ten blobs, spread over the clip.
    private static func meanCoverage(
        _ color: RGB, _ reach: Int, _ blobs: [Blob], _ samples: ClipSamples, _ segmentation: Segmentation
    ) -> [Float] {
        let side = 2 * reach + 1
        var sums = [Float](repeating: 0, count: side * side)
        let step = max(1, blobs.count / templateBlobs)
        let chosen = stride(from: 0, to: blobs.count, by: step).map { blobs[$0] }
        for blob in chosen {
            samples.frames[blob.frame].withUnsafeBufferPointer { pixels in
                let left = blob.center.x - 0.5
                let top = blob.center.y - 0.5
                for row in 0..<side {
                    for column in 0..<side {
                        let x = left + Double(column - reach), y = top + Double(row - reach)
                        sums[row * side + column] += Float(segmentation.coverage(of: color, x, y, pixels))
                    }
                }
            }
        }
        return sums.map { sum in
            let mean = sum / Float(chosen.count)
            return mean < minTemplateCover ? 0 : mean
        }
    }

    /// Returns the coverage at an offset from the centre in pixels, by bilinear interpolation.
    func cover(_ x: Double, _ y: Double) -> Cover {
        let (fx, fy) = (x + Double(reach), y + Double(reach))
        let (column, row) = (Int(fx.rounded(.down)), Int(fy.rounded(.down)))
        let side = 2 * reach + 1
        guard column >= 0, row >= 0, column + 1 < side, row + 1 < side else { return Cover(value: 0, dx: 0, dy: 0) }
        let (u, v) = (fx - Double(column), fy - Double(row))
        return template.withUnsafeBufferPointer { cells in
            let index = row * side + column
            let a = Double(cells[index])
            let b = Double(cells[index + 1])
            let c = Double(cells[index + side])
            let d = Double(cells[index + side + 1])
            let top = a + (b - a) * u
            let bottom = c + (d - c) * u
            return Cover(
                value: top + (bottom - top) * v, dx: (b - a) * (1 - v) + (d - c) * v, dy: bottom - top)
        }
    }
}

extension Segmentation {
    /// Returns the coverage between pixels, by bilinear interpolation. `x` and `y` count from the
    /// centre of the first pixel.
    fileprivate func coverage(of color: RGB, _ x: Double, _ y: Double, _ pixels: UnsafeBufferPointer<UInt8>) -> Double {
        let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        guard column >= 0, row >= 0, column + 1 < width, row + 1 < height else { return 0 }
        let (u, v) = (x - Double(column), y - Double(row))
        let index = row * width + column
        let top =
            coverage(of: color, at: index, pixels) * (1 - u) + coverage(of: color, at: index + 1, pixels) * u
        let bottom =
            coverage(of: color, at: index + width, pixels) * (1 - u)
            + coverage(of: color, at: index + width + 1, pixels) * u
        return top * (1 - v) + bottom * v
    }
}
