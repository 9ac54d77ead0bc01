import Scene

/// What an object looks like: its colour, and how much of each pixel around its centre it covers.
struct ObjectModel {
    /// Its colour inside.
    let color: RGB
    /// Its area in pixels of the view.
    let area: Double
    /// The mean of its width and height in pixels of the view.
    let diameter: Double
    /// Whether it keeps its shape, so that a part of it tells where the whole is.
    let isRigid: Bool
    /// Pixels from the template's middle to its sides.
    let reach: Int
    /// Coverage 0...1 by offset from the centre, rows of `2 reach + 1`.
    private let template: [Float]
    /// Some offsets well inside, for a quick look whether the object may be somewhere.
    let probes: [(x: Int, y: Int)]

    /// How much an object covers at an offset from its centre, and how that changes with the offset.
    struct Cover {
        var value: Double
        var dx: Double
        var dy: Double
    }

    /// Learns from blobs that show the object alone. `blobs` must not be empty.
    init(_ all: [Blob], in samples: ClipSamples, _ segmentation: Segmentation) {
        let whole = all.filter { !$0.isCut }
        let isWhole = 2 * whole.count >= all.count
        let blobs = isWhole ? whole : all
        let sorted = blobs.sorted { $0.area < $1.area }
        let typical = sorted[sorted.count / 2]
        let alike = blobs.filter { blob in
            abs(blob.area / typical.area - 1) < 0.15 && abs(blob.size.0 - typical.size.0) <= 2 + typical.size.0 / 8
                && abs(blob.size.1 - typical.size.1) <= 2 + typical.size.1 / 8
        }
        isRigid = isWhole && alike.count * 10 >= 6 * blobs.count
        let middle = alike.count / 2
        color = RGB(
            alike.map(\.color.red).sorted()[middle], alike.map(\.color.green).sorted()[middle],
            alike.map(\.color.blue).sorted()[middle])
        area = typical.area
        diameter = Double(typical.size.0 + typical.size.1) / 2
        reach = max(typical.size.0, typical.size.1) / 2 + 4
        template = ObjectModel.learn(color, reach, alike, samples, segmentation)
        let step = max(1, Int(diameter / 9))
        let side = 2 * reach + 1
        var probes: [(x: Int, y: Int)] = []
        for y in stride(from: -reach, through: reach, by: step) {
            for x in stride(from: -reach, through: reach, by: step)
            where template[(y + reach) * side + x + reach] > 0.7 { probes.append((x, y)) }
        }
        self.probes = probes
    }

    /// The mean coverage around the centres of some blobs, spread over the clip.
    private static func learn(
        _ color: RGB, _ reach: Int, _ blobs: [Blob], _ samples: ClipSamples, _ segmentation: Segmentation
    ) -> [Float] {
        let side = 2 * reach + 1
        var sums = [Float](repeating: 0, count: side * side)
        let step = max(1, blobs.count / 10)
        let chosen = stride(from: 0, to: blobs.count, by: step).map { blobs[$0] }
        for blob in chosen {
            samples.pictures[blob.picture].withUnsafeBufferPointer { pixels in
                let (left, top) = (blob.center.x - 0.5, blob.center.y - 0.5)
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
            return mean < 0.04 ? 0 : mean
        }
    }

    /// The cover at an offset in pixels from the centre.
    func cover(_ x: Double, _ y: Double) -> Cover {
        let (fx, fy) = (x + Double(reach), y + Double(reach))
        let (column, row) = (Int(fx.rounded(.down)), Int(fy.rounded(.down)))
        let side = 2 * reach + 1
        guard column >= 0, row >= 0, column + 1 < side, row + 1 < side else { return Cover(value: 0, dx: 0, dy: 0) }
        let (u, v) = (fx - Double(column), fy - Double(row))
        return template.withUnsafeBufferPointer { cells in
            let index = row * side + column
            let (a, b) = (Double(cells[index]), Double(cells[index + 1]))
            let (c, d) = (Double(cells[index + side]), Double(cells[index + side + 1]))
            let (top, bottom) = (a + (b - a) * u, c + (d - c) * u)
            return Cover(
                value: top + (bottom - top) * v, dx: (b - a) * (1 - v) + (d - c) * v, dy: bottom - top)
        }
    }
}

extension Segmentation {
    /// The coverage between pixels, bilinear; `x` and `y` count from the first pixel's centre.
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

/// Finds out which objects move in a clip.
enum ObjectFinder {
    /// Blobs of one colour.
    private struct Cluster {
        var color: RGB
        var blobs: [Blob]
        /// The pictures in which it is seen.
        var pictures: Set<Int> { Set(blobs.map(\.picture)) }
        /// Half of its blobs are larger.
        var typicalArea: Double { blobs.map(\.area).sorted()[blobs.count / 2] }
        /// How far its blobs lie apart, in pixels.
        var spread: Double {
            Rect(enclosing: blobs.map(\.center)).map { max($0.width, $0.height) } ?? 0
        }
    }

    /// The most objects that are followed.
    private static let most = 12

    /// The objects that are seen alone somewhere in the samples, the largest first.
    static func objects(in samples: ClipSamples, _ segmentation: Segmentation) -> [ObjectModel] {
        let blobs = samples.pictures.enumerated().flatMap { number, picture in
            picture.withUnsafeBufferPointer { segmentation.blobs($0, picture: number) }
        }
        let clusters = withoutShades(merged(clustered(blobs)), over: segmentation.commonestBackground)
        let least = max(2, samples.pictures.count / 25)
        let kept = clusters.filter { cluster in
            cluster.pictures.count >= min(least, samples.pictures.count) && cluster.spread > 1.5
        }
        let models = kept.map { ObjectModel(withoutFragments($0.blobs), in: samples, segmentation) }
        return Array(models.sorted { $0.area > $1.area }.prefix(most))
    }

    private static func clustered(_ blobs: [Blob]) -> [Cluster] {
        var clusters: [Cluster] = []
        // The largest first, so that fragments, whose colours are less certain, found no clusters.
        for blob in blobs.sorted(by: { $0.area > $1.area }) {
            let near = clusters.indices.min {
                clusters[$0].color.distance(to: blob.color) < clusters[$1].color.distance(to: blob.color)
            }
            if let near, clusters[near].color.distance(to: blob.color) <= 40 {
                clusters[near].blobs.append(blob)
            } else {
                clusters.append(Cluster(color: blob.color, blobs: [blob]))
            }
        }
        return clusters.sorted { $0.pictures.count > $1.pictures.count }
    }

    /// Takes in clusters that are another one's colour, tinted by something that shines through: never seen with it.
    private static func merged(_ clusters: [Cluster]) -> [Cluster] {
        var kept: [Cluster] = []
        for cluster in clusters {
            let host = kept.firstIndex { other in
                other.color.distance(to: cluster.color) <= 90 && other.pictures.isDisjoint(with: cluster.pictures)
            }
            // What is tinted lends its places, but not its colour.
            if host == nil { kept.append(cluster) }
        }
        return kept
    }

    /// Leaves out what is seldom seen, small, and a mixture of the background with a larger one's colour: such ghosts
    /// stay behind where strong compression skips.
    private static func withoutShades(_ clusters: [Cluster], over ground: RGB) -> [Cluster] {
        clusters.filter { cluster in
            !clusters.contains { other in
                other.typicalArea > 1.4 * cluster.typicalArea && other.pictures.count > 2 * cluster.pictures.count
                    && cluster.color.isShade(of: other.color, over: ground)
            }
        }
    }

    private static func withoutFragments(_ blobs: [Blob]) -> [Blob] {
        let areas = blobs.map(\.area).sorted()
        let large = areas[areas.count * 3 / 4]
        let whole = blobs.filter { $0.area > large * 0.3 }
        return whole.isEmpty ? blobs : whole
    }
}
