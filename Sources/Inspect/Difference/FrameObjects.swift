import Core

/// A connected area of one colour in front of a flat background.
struct FrameObject {
    /// The colour in its middle.
    var color: SIMD3<Float>
    /// The centre of the area that it covers, in pixels.
    var center: Point
    /// The area that it covers in pixels.
    var area: Double
    /// The number of pixels inside it, away from the edge.
    var insideCount: Int
    /// The bounds of its inside.
    var box: PixelRect
}

/// The objects of a frame: connected areas of one colour that differs from the most frequent one.
/// Frames without a flat background have none.
struct FrameObjects {
    let width: Int
    let height: Int
    /// The most frequent colour.
    let background: SIMD3<Float>
    /// The fraction of pixels with that colour.
    let backgroundShare: Double
    private(set) var objects: [FrameObject] = []

    private let colors: [SIMD4<UInt8>]
    /// The number of the object, from 1, of which each pixel is inside; 0 for none.
    private var labels: [UInt8]

    /// The fraction of a frame that the background must have.
    static let minBackgroundShare = 0.3
    /// The difference in codes below which a changed area has the background's colour.
    static let maxBackgroundDistance: Float = 4
    /// The maximum difference in codes of a pixel that counts in `backgroundShare`. It allows for
    /// coding noise.
    private static let backgroundTolerance: Float = 12
    /// The minimum difference of an object from the background in codes: as much as re-encoding at
    /// crf 28 changes a block.
    private static let minContrast: Float = 32
    /// The maximum difference between neighbours inside an object in codes. Gradients have less,
    /// and edges between objects more.
    private static let maxStep = 20
    /// The maximum difference from the colour at which an object was found, in codes.
    private static let maxSpread: Float = 48
    /// The minimum number of pixels inside an object.
    private static let minInside = 6
    /// The maximum number of objects.
    private static let maxCount = 64
    /// The maximum area of all objects' bounds, relative to the frame: bounds of rings and spirals
    /// overlap, and all pixels in them are read.
    private static let maxCoverage = 4
    /// The width in pixels of the edge that chroma at half resolution blurs.
    private static let edge = 4
    /// The distance in pixels from the inside of an object to which its edge reaches at least.
    private static let reach = 2

    init(_ pixels: Pixels) {
        width = pixels.width
        height = pixels.height
        colors = (0..<width * height).map { pixels.colorOverWhite($0) }
        labels = [UInt8](repeating: 0, count: width * height)
        (background, backgroundShare) = Self.background(of: colors)
        if backgroundShare >= Self.minBackgroundShare { findObjects() }
    }

    /// Returns the colour of a pixel.
    func color(_ x: Int, _ y: Int) -> SIMD3<Float> { Self.vector(colors[y * width + x]) }

    private static func vector(_ color: SIMD4<UInt8>) -> SIMD3<Float> {
        SIMD3(Float(color.x), Float(color.y), Float(color.z))
    }

    /// Returns the largest difference of a channel.
    static func distance(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
        let difference = a - b
        return max(abs(difference.x), max(abs(difference.y), abs(difference.z)))
    }

    private static func background(of colors: [SIMD4<UInt8>]) -> (SIMD3<Float>, Double) {
        var counts = [Int](repeating: 0, count: 4096)
        for color in colors {
            let steps = SIMD4<Int>(truncatingIfNeeded: color &>> 4)
            counts[steps.x << 8 | steps.y << 4 | steps.z] += 1
        }
        let commonest = counts.indices.max { (counts[$0], $1) < (counts[$1], $0) } ?? 0
        let steps = SIMD3(Float(commonest >> 8), Float(commonest >> 4 & 15), Float(commonest & 15))
        var mean = steps * 16 + 8
        var count = 0
        // The second pass centres the range on the colour.
        for _ in 0..<2 {
            var sum = SIMD3<Double>.zero
            count = 0
            for color in colors {
                let vector = vector(color)
                guard distance(vector, mean) <= backgroundTolerance else { continue }
                sum += SIMD3<Double>(vector)
                count += 1
            }
            if count > 0 { mean = SIMD3<Float>(sum / Double(count)) }
        }
        return (mean, Double(count) / Double(max(1, colors.count)))
    }

    private mutating func findObjects() {
        var isUnvisited = insideMask()
        var coverage = 0
        for first in isUnvisited.indices where isUnvisited[first] {
            if let object = object(from: first, &isUnvisited) {
                objects.append(object)
                coverage += object.box.area
            }
            if objects.count >= Self.maxCount || coverage > Self.maxCoverage * width * height { break }
        }
        // Other objects of the same colour may lie within the bounds, so all must be known.
        for index in objects.indices {
            let (area, center) = self.coverage(of: objects[index], label: UInt8(index + 1))
            objects[index].area = area
            objects[index].center = center
        }
        objects.removeAll { $0.area <= 0 }
    }

    /// Returns true for each pixel that differs from the background and hardly from its neighbours.
    private func insideMask() -> [Bool] {
        var mask = [Bool](repeating: false, count: width * height)
        guard width > 2, height > 2 else { return mask }
        for y in 1..<height - 1 {
            for x in 1..<width - 1 {
                let index = y * width + x
                guard Self.distance(Self.vector(colors[index]), background) > Self.minContrast else { continue }
                mask[index] = [index - 1, index + 1, index - width, index + width].allSatisfy {
                    let a = colors[$0]
                    let b = colors[index]
                    let step = max(
                        abs(Int(a.x) - Int(b.x)), max(abs(Int(a.y) - Int(b.y)), abs(Int(a.z) - Int(b.z))))
                    return step <= Self.maxStep
                }
            }
        }
        return mask
    }

    /// Returns the object that includes a pixel; nil if it is too small.
    private mutating func object(from first: Int, _ isUnvisited: inout [Bool]) -> FrameObject? {
        let seed = Self.vector(colors[first])
        let grid = CellGrid(width: width, height: height)
        var sum = SIMD3<Double>.zero
        // Pixels inside are never on the border of the frame.
        let members = grid.connectedByEdges(to: first) { pixel in
            guard isUnvisited[pixel] else { return false }
            let color = Self.vector(colors[pixel])
            guard Self.distance(color, seed) <= Self.maxSpread else { return false }
            isUnvisited[pixel] = false
            sum += SIMD3<Double>(color)
            return true
        }
        guard members.count >= Self.minInside else { return nil }
        for member in members { labels[member] = UInt8(objects.count + 1) }
        return FrameObject(
            color: SIMD3<Float>(sum / Double(members.count)), center: .zero, area: 0, insideCount: members.count,
            box: grid.box(of: members))
    }

    /// Returns true if a pixel is near the inside of another object, and not near that of its own.
    private func isForeign(_ x: Int, _ y: Int, _ label: UInt8) -> Bool {
        var isForeign = false
        for nearY in max(0, y - Self.reach)...min(height - 1, y + Self.reach) {
            for nearX in max(0, x - Self.reach)...min(width - 1, x + Self.reach) {
                let near = labels[nearY * width + nearX]
                if near == label { return false }
                if near != 0 { isForeign = true }
            }
        }
        return isForeign
    }

    /// Returns the area that an object's colour covers in and around its bounds, without other
    /// objects, and its centre. A pixel at an edge is covered as far as its colour lies from the
    /// background to the object's.
    private func coverage(of object: FrameObject, label: UInt8) -> (Double, Point) {
        let line = object.color - background
        let box = object.box
        let length = (line * line).sum()
        var area = 0.0
        var sumX = 0.0
        var sumY = 0.0
        for y in max(0, box.y - Self.edge)..<min(height, box.maxY + Self.edge) {
            for x in max(0, box.x - Self.edge)..<min(width, box.maxX + Self.edge) {
                let difference = self.color(x, y) - background
                let share = min(1, max(0, (difference * line).sum() / length))
                // Other objects are not mixtures of the two colours.
                guard share > 0.08, Self.distance(difference, share * line) <= Self.maxSpread,
                    !isForeign(x, y, label)
                else { continue }
                area += Double(share)
                sumX += Double(share) * (Double(x) + 0.5)
                sumY += Double(share) * (Double(y) + 0.5)
            }
        }
        return (area, area > 0 ? Point(sumX / area, sumY / area) : .zero)
    }
}

extension Pixels {
    /// Returns the colour of the pixel with an index, over white. Alpha is premultiplied, so no sum
    /// exceeds 255.
    func colorOverWhite(_ index: Int) -> SIMD4<UInt8> {
        let pixel = 4 * index
        let rest = 255 - bytes[pixel + 3]
        return SIMD4(bytes[pixel] &+ rest, bytes[pixel + 1] &+ rest, bytes[pixel + 2] &+ rest, 0)
    }
}
