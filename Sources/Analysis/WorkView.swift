import Media
import Scene

/// The part of a clip that is looked at, and how finely.
struct WorkView: Sendable {
    /// The part, in pixels of the clip.
    let region: PixelRect
    /// Width in pixels looked at.
    let width: Int
    /// Height in pixels looked at.
    let height: Int

    /// Standard deviation in pixels of the blur that takes away dithering and noise.
    static let softness = 1.0

    /// A view of a region with about `budget` pixels at most; never more than the clip has.
    init(_ region: PixelRect, budget: Int) {
        self.region = region
        let factor = min(1, (Double(budget) / Double(max(1, region.width * region.height))).squareRoot())
        width = max(1, Int((Double(region.width) * factor).rounded()))
        height = max(1, Int((Double(region.height) * factor).rounded()))
    }

    /// Pixels looked at per pixel of the clip.
    var scale: Double { Double(width) / Double(region.width) }
    /// Whether the clip has more pixels than are looked at.
    var isReduced: Bool { width < region.width }

    /// A scaler that makes these pictures.
    func scaler() throws -> FrameScaler {
        let part = (x: region.x, y: region.y, width: region.width, height: region.height)
        return try FrameScaler(width: width, height: height, part: part, softness: isReduced ? 0 : WorkView.softness)
    }

    /// From a position in the view to one in the clip, both in pixels from the upper left corner.
    func clipPoint(_ point: Point) -> Point {
        Point(
            Double(region.x) + point.x * Double(region.width) / Double(width),
            Double(region.y) + point.y * Double(region.height) / Double(height))
    }
}

/// Three channels, 0...255 each.
struct RGB: Hashable, Sendable {
    var red: Int, green: Int, blue: Int

    init(_ red: Int, _ green: Int, _ blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// The colour of a pixel of RGBA.
    init(_ pixels: UnsafeBufferPointer<UInt8>, _ pixel: Int) {
        let index = 4 * pixel
        self.init(Int(pixels[index]), Int(pixels[index + 1]), Int(pixels[index + 2]))
    }

    /// The largest difference of any channel.
    func distance(to other: RGB) -> Int {
        max(abs(red - other.red), max(abs(green - other.green), abs(blue - other.blue)))
    }

    static func - (a: RGB, b: RGB) -> RGB { RGB(a.red - b.red, a.green - b.green, a.blue - b.blue) }

    func dot(_ other: RGB) -> Int { red * other.red + green * other.green + blue * other.blue }

    /// Whether it is a mixture of `ground` with another colour.
    func isShade(of color: RGB, over ground: RGB) -> Bool {
        let (line, difference) = (color - ground, self - ground)
        let length = line.dot(line)
        guard length > 0 else { return false }
        let share = Double(difference.dot(line)) / Double(length)
        func part(_ value: Int) -> Int { Int((share * Double(value)).rounded()) }
        let mixed = RGB(part(line.red), part(line.green), part(line.blue))
        return (0.1...0.8).contains(share) && difference.distance(to: mixed) <= 30
    }

    /// As a colour of a scene.
    var color: Color { Color(red, green, blue) }
}

/// A few pictures of a clip, spread over its length: all that is ever held of it.
struct ClipSamples {
    let view: WorkView
    /// RGBA pictures in order.
    let pictures: [[UInt8]]

    /// At most this many are held.
    static let most = 60

    /// Which pictures of `count` are taken: one in each of equal stretches, at places that follow no period.
    static func choice(of count: Int) -> [Int] {
        guard count > most else { return Array(0..<count) }
        let stretch = Double(count) / Double(most)
        let chosen = (0..<most).map { index in
            // The golden ratio's multiples are spread evenly and never repeat.
            let shift = (Double(index) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
            return min(count - 1, Int((Double(index) + shift) * stretch))
        }
        return Set(chosen).sorted()
    }

    init(_ reader: ClipReader, _ view: WorkView, count: Int) throws {
        self.view = view
        var wanted = ClipSamples.choice(of: count)[...]
        let scaler = try view.scaler()
        var pictures: [[UInt8]] = []
        try reader.forEachFrame { frame, number, _ in
            if number == wanted.first {
                pictures.append(Array(try scaler.rgba(frame)))
                wanted = wanted.dropFirst()
            }
            return !wanted.isEmpty
        }
        self.pictures = pictures
    }

    /// How far two pictures of a still pixel differ by noise: 1.48 times the median of the differences.
    var noise: Double {
        var differences: [Int] = []
        for (before, after) in zip(pictures, pictures.dropFirst()).prefix(12) {
            var index = 0
            while index < before.count {
                differences.append(abs(Int(before[index + 1]) - Int(after[index + 1])))
                index += 4 * 37
            }
        }
        differences.sort()
        return differences.isEmpty ? 0 : 1.48 * Double(differences[differences.count / 2])
    }
}
