import Animations
import Core
import Render
import Raster

/// The position of a loader on a clip in space and time.
struct LoaderAlignment {
    /// Pixels of a thumbnail per point of the canvas.
    private(set) var scale: Double
    /// The upper left corner of the canvas in pixels of a thumbnail.
    private(set) var origin: Point
    /// Seconds of model time per second of the clip.
    private(set) var speed: Double
    /// The model time of the clip's first frame in seconds.
    private(set) var start: Double

    /// The error of a frame.
    struct FrameError {
        var frame: Int
        var time: Double
        /// The mean squared difference of components.
        var error: Double
    }

    /// The number of samples per side of a box for the search in time.
    private static let side = 24
    /// The candidate speeds: from twenty times slower to eight times faster, in steps of 1%.
    private static let speeds = (0...510).map { 0.05 * pow(1.01, Double($0)) }

    init(_ clip: ClipThumbnails, _ box: PixelRect, _ model: LoaderThumbnails, _ modelBox: PixelRect, period: Double) {
        // The bounding boxes of both drawings coincide.
        let ratio = (Double(box.width) / Double(modelBox.width) + Double(box.height) / Double(modelBox.height)) / 2
        scale = model.scale * ratio
        let center = Point(Double(box.x) + Double(box.width) / 2, Double(box.y) + Double(box.height) / 2)
        let own = Point(
            Double(modelBox.x) + Double(modelBox.width) / 2, Double(modelBox.y) + Double(modelBox.height) / 2)
        origin = center - own * ratio
        let samples = clip.samples.map { $0.thumbnail.samples(of: Rect(box), side: Self.side) }
        let models = model.thumbnails.map { $0.samples(of: Rect(modelBox), side: Self.side) }
        let table = samples.map { sample in models.map { squaredDifference(sample, $0) } }
        (speed, start) = Self.time(table, clip.samples.map(\.time), period: period)
    }

    /// Returns the speed and start at which the frames agree best. Prefers normal speed if it is
    /// nearly as good.
    private static func time(_ table: [[Double]], _ times: [Double], period: Double) -> (Double, Double) {
        let count = LoaderThumbnails.count
        func cost(_ speed: Double, _ first: Int) -> Double {
            var sum = 0.0
            for (row, time) in zip(table, times) {
                let index = (speed * time / period * Double(count)).rounded() + Double(first)
                let turns = (index / Double(count)).rounded(.down)
                sum += row[min(count - 1, max(0, Int(index - turns * Double(count))))]
            }
            return sum
        }
        func best(_ speed: Double) -> (cost: Double, speed: Double, first: Int) {
            (0..<count).map { (cost(speed, $0), speed, $0) }.min { $0.0 < $1.0 } ?? (.infinity, speed, 0)
        }
        let normal = best(1)
        var found = speeds.map(best).min { $0.cost < $1.cost } ?? normal
        if normal.cost <= 1.02 * found.cost { found = normal }
        // Steps of 1% are too coarse for long clips.
        for step in [0.004, 0.001, 0.000_25] where found.speed != 1 {
            let near = (-4...4).map { best(found.speed * (1 + Double($0) * step)) }
            found = near.min { $0.cost < $1.cost } ?? found
        }
        return (found.speed, Double(found.first) / Double(count) * period)
    }

    // MARK: Refinement

    /// Returns the fit after small changes of position, scale and start that reduce the error of
    /// some frames.
    func refined(_ clip: ClipThumbnails, _ loader: any Loader) throws -> LoaderAlignment {
        let stride = max(1, clip.samples.count / 8)
        let some = clip.samples.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
        func cost(_ fit: LoaderAlignment) throws -> Double {
            try fit.errors(of: some, of: clip, loader).reduce(0) { $0 + $1.error }
        }
        var fit = self
        var minCost = try cost(self)
        var steps = (pixel: 1.0, scale: 0.01, time: loader.period.double / Double(LoaderThumbnails.count) / 2)
        for _ in 0..<5 {
            let middle = Point(loader.canvas.width / 2, loader.canvas.height / 2)
            let changes: [(inout LoaderAlignment, Double) -> Void] = [
                { $0.origin.x += $1 * steps.pixel }, { $0.origin.y += $1 * steps.pixel },
                { $0.start += $1 * steps.time },
                { fit, sign in
                    // Scales about the middle of the canvas, which stays in place.
                    let growth = fit.scale * sign * steps.scale
                    fit.scale += growth
                    fit.origin = fit.origin - middle * growth
                },
            ]
            for change in changes {
                for sign in [-1.0, 1] {
                    while true {
                        var other = fit
                        change(&other, sign)
                        let value = try cost(other)
                        guard value < minCost * 0.9999 else { break }
                        fit = other
                        minCost = value
                    }
                }
            }
            steps = (steps.pixel / 2, steps.scale / 2, steps.time / 2)
        }
        let period = loader.period.double
        fit.start -= (fit.start / period).rounded(.down) * period
        return fit
    }

    /// Returns the errors of frames within the bounding box of the clip's drawing.
    func errors(
        of samples: [ClipThumbnails.Sample], of clip: ClipThumbnails, _ loader: any Loader
    ) throws -> [FrameError] {
        guard let first = samples.first?.thumbnail, let box = clip.box else { return [] }
        let rasterizer = try Rasterizer(width: first.width, height: first.height)
        return try samples.map { sample in
            let instant = start + speed * sample.time
            let time = Rational(Int128((instant * 1e9).rounded()), 1_000_000_000)
            let nodes = loader.scene(at: time).nodes
            let transform = AffineTransform.scale(scale).then(.translation(origin))
            let canvas = Size(Double(first.width), Double(first.height))
            try rasterizer.draw(
                Scene(
                    size: canvas, background: clip.background,
                    nodes: [.group(Group(transform: transform, nodes: nodes))]))
            let error = sample.thumbnail.error(to: Thumbnail(rasterizer.pixmap), in: box)
            return FrameError(frame: sample.frame, time: sample.time, error: error)
        }
    }
}

extension Thumbnail {
    /// Returns the mean squared difference in a box and two pixels around it: the larger of that of
    /// luma in 2x2 squares and that of colour in 8x8 squares. 4:2:0 keeps no finer colour, and
    /// antialiasing differs between renderers. The luma weights are BT.709's in 256ths.
    fileprivate func error(to other: Thumbnail, in box: PixelRect) -> Double {
        max(error(to: other, in: box, square: 2, [[54, 183, 19]]), error(to: other, in: box, square: 8, Self.channels))
    }

    /// The weights of red, green and blue alone, in 256ths.
    private static let channels = [[256, 0, 0], [0, 256, 0], [0, 0, 256]]

    /// Returns the mean squared difference of some weighted sums of red, green and blue, in 256ths,
    /// over squares.
    private func error(to other: Thumbnail, in box: PixelRect, square: Int, _ mixtures: [[Int]]) -> Double {
        var sum = 0.0
        var count = 0
        for y in Swift.stride(from: max(0, box.y - 2), to: min(height, box.maxY + 2) - square + 1, by: square) {
            for x in Swift.stride(from: max(0, box.x - 2), to: min(width, box.maxX + 2) - square + 1, by: square) {
                var differences = [0, 0, 0]
                for row in y..<y + square {
                    for index in Swift.stride(from: 3 * (row * width + x), to: 3 * (row * width + x + square), by: 3) {
                        for channel in 0..<3 {
                            differences[channel] += Int(pixels[index + channel]) - Int(other.pixels[index + channel])
                        }
                    }
                }
                for mixture in mixtures {
                    let mixed = zip(mixture, differences).reduce(0) { $0 + $1.0 * $1.1 }
                    let difference = Double(mixed) / Double(256 * square * square)
                    sum += difference * difference
                    count += 1
                }
            }
        }
        return sum / Double(max(1, count))
    }
}

extension Rect {
    fileprivate init(_ box: PixelRect) {
        self.init(x: Double(box.x), y: Double(box.y), width: Double(box.width), height: Double(box.height))
    }
}
