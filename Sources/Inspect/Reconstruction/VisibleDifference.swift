import Core

/// The part of a frame in which a drawing differs from a clip.
struct VisibleDifference {
    /// Seconds from the first frame.
    let time: Double
    /// Its share of the pixels that either draws.
    let share: Double
    /// Its centre in pixels of the clip.
    let center: Point
}

/// The differences between a drawing and a frame of a clip, in pixels that either draws.
struct DifferenceMap {
    let width: Int
    let height: Int
    /// The largest difference of a channel, in codes, and that of luma; 0 where nothing is drawn.
    private var colors: [Float]
    private var lumas: [Float]
    /// The number of pixels that either draws.
    private(set) var drawn = 0
    /// The sum of their squared distances at the resolution of colours in the clip.
    private(set) var squares = 0.0
    /// The sum of their positions, weighted by the squared distances.
    private var positions = Point.zero

    /// The maximum differences of luma and of any channel, in codes, between pixels that show the
    /// same. Encoders blur chroma beside edges, so a channel may differ more.
    private static let shapeLimits: (luma: Float, channel: Float) = (28, 90)
    /// The maximum difference of a channel, in codes, between flat areas of one colour.
    private static let tintLimit: Float = 12
    /// The pixels around one that must differ, too: edges are up to two pixels off, and blurred.
    private static let margins = (shape: 1, tint: 2)

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        colors = Array(repeating: 0, count: width * height)
        lumas = colors
    }

    /// Sets the difference of a pixel that either draws.
    mutating func set(_ difference: Channels, distance: Float = 0, _ x: Int, _ y: Int) {
        colors[y * width + x] = difference.largest
        lumas[y * width + x] = abs(difference.luma)
        let square = Double(distance) * Double(distance)
        squares += square
        positions = positions + Point(Double(x), Double(y)) * square
        drawn += 1
    }

    /// Returns all that is drawn, around the centre of the squared distances.
    func all(at time: Double, scale: Double) -> VisibleDifference {
        let mean = 1 / (scale * max(squares, .leastNormalMagnitude))
        return VisibleDifference(time: time, share: 1, center: positions * mean)
    }

    /// Returns the area in which something else is drawn.
    ///
    /// - Parameter scale: pixels of the map per pixel of the clip.
    func shape(at time: Double, scale: Double) -> VisibleDifference {
        let flags = zip(lumas, colors).map { $0 > Self.shapeLimits.luma || $1 > Self.shapeLimits.channel }
        return difference(flags, margin: Self.margins.shape, time, scale)
    }

    /// Returns the flat area that has another colour.
    func tint(at time: Double, scale: Double) -> VisibleDifference {
        difference(colors.map { $0 > Self.tintLimit }, margin: Self.margins.tint, time, scale)
    }

    private func difference(_ flags: [Bool], margin: Int, _ time: Double, _ scale: Double) -> VisibleDifference {
        var count = 0
        var sumX = 0
        var sumY = 0
        for y in margin..<max(margin, height - margin) {
            for x in margin..<max(margin, width - margin) where flags[y * width + x] {
                let isInner = (-margin...margin).allSatisfy { dy in
                    (-margin...margin).allSatisfy { dx in flags[(y + dy) * width + x + dx] }
                }
                guard isInner else { continue }
                count += 1
                sumX += x
                sumY += y
            }
        }
        let mean = 1 / (scale * Double(max(1, count)))
        return VisibleDifference(
            time: time, share: Double(count) / Double(max(1, drawn)),
            center: Point(Double(sumX) * mean, Double(sumY) * mean))
    }
}
