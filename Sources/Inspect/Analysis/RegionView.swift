import Core
import Media

/// A region of a clip and the resolution at which it is analysed.
struct RegionView: Sendable {
    /// The region in pixels of the clip.
    let region: PixelRect
    /// The width of the view in pixels.
    let width: Int
    /// The height of the view in pixels.
    let height: Int

    /// The standard deviation, in pixels, of the blur that removes dithering and noise.
    static let blurSigma = 1.0

    /// Creates a view of a region with at most about `budget` pixels, and never more than the clip
    /// has.
    init(_ region: PixelRect, budget: Int) {
        self.region = region
        let factor = min(1, (Double(budget) / Double(max(1, region.width * region.height))).squareRoot())
        width = max(1, Int((Double(region.width) * factor).rounded()))
        height = max(1, Int((Double(region.height) * factor).rounded()))
    }

    /// Pixels of the view per pixel of the clip.
    var scale: Double { Double(width) / Double(region.width) }
    /// True if the view has fewer pixels than the region.
    var isReduced: Bool { width < region.width }

    /// Returns a scaler from frames of the clip to the view.
    func scaler() throws -> FrameScaler {
        try FrameScaler(
            width: width, height: height, region: region, blurSigma: isReduced ? 0 : RegionView.blurSigma)
    }

    /// Converts a position in the view to one in the clip. Both are in pixels from the upper left
    /// corner.
    func clipPoint(_ point: Point) -> Point {
        Point(
            Double(region.x) + point.x * Double(region.width) / Double(width),
            Double(region.y) + point.y * Double(region.height) / Double(height))
    }
}

/// A colour of three channels, 0...255 each. Differences of colours may be negative.
struct RGB: Hashable, Sendable {
    var red: Int, green: Int, blue: Int

    init(_ red: Int, _ green: Int, _ blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// Creates the colour of a pixel in RGBA samples.
    init(_ pixels: UnsafeBufferPointer<UInt8>, _ pixel: Int) {
        let index = 4 * pixel
        self.init(Int(pixels[index]), Int(pixels[index + 1]), Int(pixels[index + 2]))
    }

    /// Returns the largest difference of any channel.
    func distance(to other: RGB) -> Int {
        max(abs(red - other.red), max(abs(green - other.green), abs(blue - other.blue)))
    }

    static func - (a: RGB, b: RGB) -> RGB { RGB(a.red - b.red, a.green - b.green, a.blue - b.blue) }

    func dot(_ other: RGB) -> Int { red * other.red + green * other.green + blue * other.blue }

    /// True if the colour is a blend of `ground` with another colour.
    func isShade(of color: RGB, over ground: RGB) -> Bool {
        let line = color - ground
        let difference = self - ground
        let length = line.dot(line)
        guard length > 0 else { return false }
        let share = Double(difference.dot(line)) / Double(length)
        func part(_ value: Int) -> Int { Int((share * Double(value)).rounded()) }
        let mixed = RGB(part(line.red), part(line.green), part(line.blue))
        return (0.1...0.8).contains(share) && difference.distance(to: mixed) <= 30
    }

    /// The colour for a scene.
    var color: Color { Color(red, green, blue) }
}

/// A few frames of a clip, spread over its duration.
struct ClipSamples {
    let view: RegionView
    /// The frames in RGBA, in order.
    let frames: [[UInt8]]

    /// The maximum number of frames.
    static let maxFrames = 60

    /// Returns the indices of the sampled frames: one from each of `maxFrames` equal intervals, at
    /// offsets that follow no period.
    static func sampleIndices(of count: Int) -> [Int] {
        Set(Judge.sampled(count, maxFrames)).sorted()
    }

    init(_ reader: ClipReader, _ view: RegionView, count: Int) throws {
        self.view = view
        var wanted = ClipSamples.sampleIndices(of: count)[...]
        let scaler = try view.scaler()
        var frames: [[UInt8]] = []
        try reader.forEachFrame { frame, number, _ in
            if number == wanted.first {
                frames.append(Array(try scaler.rgba(frame)))
                wanted = wanted.dropFirst()
            }
            return !wanted.isEmpty
        }
        self.frames = frames
    }

    /// The noise of a still pixel in codes: 1.48 times the median difference between successive
    /// samples.
    var noise: Double {
        var differences: [Int] = []
        for (before, after) in zip(frames, frames.dropFirst()).prefix(12) {
            var index = 0
            while index < before.count {
                differences.append(abs(Int(before[index + 1]) - Int(after[index + 1])))
                index += 4 * 37
            }
        }
        return 1.48 * Double(differences.median ?? 0)
    }
}
