import Loaders
import Motion
import Pipeline
import Platform
import Raster
import Scene

/// How a loader lies over a clip, in space and time.
struct PictureFit {
    /// Kept pixels per point of the canvas.
    private(set) var scale: Double
    /// Where the canvas's upper left corner lies, in kept pixels.
    private(set) var origin: Point
    /// Seconds of model time per second of the clip.
    private(set) var speed: Double
    /// Model time at the clip's first picture, in seconds.
    private(set) var start: Double

    /// How far a picture is from the loader's.
    struct PictureError {
        var frame: Int
        var time: Double
        /// The mean squared difference of components.
        var error: Double
    }

    /// Samples on each side of a box, for the search in time.
    private static let side = 24
    /// Speeds that are tried: twenty times slower to eight times faster, in steps of a hundredth.
    private static let speeds = (0...510).map { 0.05 * pow(1.01, Double($0)) }

    init(_ clip: ClipPictures, _ box: PixelRect, _ model: ModelPictures, _ modelBox: PixelRect, period: Double) {
        // The boxes of all that is drawn lie over one another.
        let ratio = (Double(box.width) / Double(modelBox.width) + Double(box.height) / Double(modelBox.height)) / 2
        scale = model.scale * ratio
        let center = Point(Double(box.x) + Double(box.width) / 2, Double(box.y) + Double(box.height) / 2)
        let own = Point(
            Double(modelBox.x) + Double(modelBox.width) / 2, Double(modelBox.y) + Double(modelBox.height) / 2)
        origin = center - own * ratio
        let samples = clip.kept.map { $0.picture.samples(of: Rect(box), side: Self.side) }
        let models = model.pictures.map { $0.samples(of: Rect(modelBox), side: Self.side) }
        let table = samples.map { sample in models.map { squaredDifference(sample, $0) } }
        (speed, start) = Self.time(table, clip.kept.map(\.time), period: period)
    }

    /// The speed and start at which pictures agree best; of speeds that are nearly as good the normal one.
    private static func time(_ table: [[Double]], _ times: [Double], period: Double) -> (Double, Double) {
        let count = ModelPictures.count
        func cost(_ speed: Double, _ first: Int) -> Double {
            var sum = 0.0
            for (row, time) in zip(table, times) {
                let place = (speed * time / period * Double(count)).rounded() + Double(first)
                let turns = (place / Double(count)).rounded(.down)
                sum += row[min(count - 1, max(0, Int(place - turns * Double(count))))]
            }
            return sum
        }
        func best(_ speed: Double) -> (cost: Double, speed: Double, first: Int) {
            (0..<count).map { (cost(speed, $0), speed, $0) }.min { $0.0 < $1.0 } ?? (.infinity, speed, 0)
        }
        let normal = best(1)
        var found = speeds.map(best).min { $0.cost < $1.cost } ?? normal
        if normal.cost <= 1.02 * found.cost { found = normal }
        // Hundredths are too coarse for long clips.
        for step in [0.004, 0.001, 0.000_25] where found.speed != 1 {
            let near = (-4...4).map { best(found.speed * (1 + Double($0) * step)) }
            found = near.min { $0.cost < $1.cost } ?? found
        }
        return (found.speed, Double(found.first) / Double(count) * period)
    }

    // MARK: Finer

    /// The fit after small changes of place, scale and start that bring some pictures nearer.
    func refined(_ clip: ClipPictures, _ loader: any Loader) throws -> PictureFit {
        let stride = max(1, clip.kept.count / 8)
        let some = clip.kept.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
        func cost(_ fit: PictureFit) throws -> Double {
            try fit.errors(of: some, of: clip, loader).reduce(0) { $0 + $1.error }
        }
        var (fit, least) = (self, try cost(self))
        var steps = (pixel: 1.0, scale: 0.01, time: loader.period.double / Double(ModelPictures.count) / 2)
        for _ in 0..<5 {
            let middle = Point(loader.canvas.width / 2, loader.canvas.height / 2)
            let changes: [(inout PictureFit, Double) -> Void] = [
                { $0.origin.x += $1 * steps.pixel }, { $0.origin.y += $1 * steps.pixel },
                { $0.start += $1 * steps.time },
                { fit, sign in
                    // About the middle, so that the place stays.
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
                        guard value < least * 0.9999 else { break }
                        (fit, least) = (other, value)
                    }
                }
            }
            steps = (steps.pixel / 2, steps.scale / 2, steps.time / 2)
        }
        let period = loader.period.double
        fit.start -= (fit.start / period).rounded(.down) * period
        return fit
    }

    /// How far pictures are from the loader's, within the box of what the clip draws.
    func errors(
        of kept: [ClipPictures.Kept], of clip: ClipPictures, _ loader: any Loader
    ) throws -> [PictureError] {
        guard let first = kept.first?.picture, let box = clip.box else { return [] }
        let rasterizer = try Rasterizer(width: first.width, height: first.height)
        return try kept.map { one in
            let instant = start + speed * one.time
            let time = Rational(Int128((instant * 1e9).rounded()), 1_000_000_000)
            let nodes = loader.scene(at: time).nodes
            let transform = AffineTransform.scale(scale).then(.translation(origin))
            let canvas = Size(Double(first.width), Double(first.height))
            try rasterizer.draw(
                Scene(
                    size: canvas, background: clip.background,
                    nodes: [.group(Group(transform: transform, nodes: nodes))]))
            let error = one.picture.error(to: SmallPicture(rasterizer.pixmap), in: box)
            return PictureError(frame: one.frame, time: one.time, error: error)
        }
    }
}

extension SmallPicture {
    /// The mean squared difference in a box and a little around it: of brightness in squares of two pixels, or of colours in
    /// squares of eight if that is more. 4:2:0 keeps no finer colours, and edges differ from renderer to renderer.
    fileprivate func error(to other: SmallPicture, in box: PixelRect) -> Double {
        max(error(to: other, in: box, square: 2, [[54, 183, 19]]), error(to: other, in: box, square: 8, Self.channels))
    }

    /// Red, green and blue by themselves, in 256ths.
    private static let channels = [[256, 0, 0], [0, 256, 0], [0, 0, 256]]

    /// The mean squared difference of some mixtures of red, green and blue, in 256ths, over squares.
    private func error(to other: SmallPicture, in box: PixelRect, square: Int, _ mixtures: [[Int]]) -> Double {
        var (sum, count) = (0.0, 0)
        for y in Swift.stride(from: max(0, box.y - 2), to: min(height, box.maxY + 2) - square + 1, by: square) {
            for x in Swift.stride(from: max(0, box.x - 2), to: min(width, box.maxX + 2) - square + 1, by: square) {
                var differences = [0, 0, 0]
                for row in y..<y + square {
                    for place in Swift.stride(from: 3 * (row * width + x), to: 3 * (row * width + x + square), by: 3) {
                        for channel in 0..<3 {
                            differences[channel] += Int(pixels[place + channel]) - Int(other.pixels[place + channel])
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
