import Core

/// A colour whose components are 0...255, for arithmetic.
typealias Channels = SIMD3<Float>

extension SIMD3<Float> {
    /// The largest absolute component.
    var largest: Float { Swift.max(abs(x), abs(y), abs(z)) }

    func dot(_ other: SIMD3<Float>) -> Float { (self * other).sum() }

    /// The difference weighted for a product with another, in which luma counts far more than
    /// chroma. Most recordings have one chroma sample per four pixels, so that chroma is blurred
    /// beside edges, and luma is not.
    var lumaWeighted: SIMD3<Float> {
        let weights = SIMD3<Float>.lumaWeights
        let luma = luma
        let blue = SIMD3<Float>(0, 0, 1) - weights
        let red = SIMD3<Float>(1, 0, 0) - weights
        return weights * luma + (blue * (z - luma) + red * (x - luma)) * SIMD3<Float>.chromaWeight
    }

    /// The luma of the difference.
    var luma: Float { dot(SIMD3<Float>.lumaWeights) }

    /// The chroma planes of the colour or difference, as an encoder stores them (BT.709).
    var chroma: SIMD2<Float> { SIMD2((z - luma) / 1.8556, (x - luma) / 1.5748) }

    /// The largest difference of luma and both chroma planes. An error of an encoder's chroma
    /// changes blue by nearly twice as much.
    var planeContrast: Float { Swift.max(abs(luma), abs(chroma.x), abs(chroma.y)) }

    /// The weights of BT.709; those of BT.601 differ too little to matter.
    static var lumaWeights: SIMD3<Float> { bt709Weights }

    /// The difference of colours in codes within which shapes may show one object: a little more
    /// than within one area (`ForegroundComponent.sameColor`).
    static var maxObjectDifference: Float { 24 }

    /// The weight of chroma in squared differences: small, but enough for colours of equal luma.
    private static var chromaWeight: Float { 0.01 }

    /// The colour for a scene.
    var color: Color {
        func code(_ value: Float) -> Int { Int(Swift.min(255, Swift.max(0, value)).rounded()) }
        return Color(code(x), code(y), code(z))
    }
}

/// Not a static property, because an extension of a generic type cannot store one.
private let bt709Weights = SIMD3<Float>(Float(BT709.red), Float(BT709.green), Float(BT709.blue))

/// A closed outline at half coverage, in pixels of the clip.
struct Contour {
    var points: [Point]
    /// True for each point with the background on its outer side, rather than another object.
    var isFree: [Bool]

    /// The enclosed area in square pixels; negative for a hole.
    var signedArea: Double { points.signedArea }

    var isHole: Bool { signedArea < 0 }
}

extension [Point] {
    /// The area that a closed polygon encloses; negative if it is counterclockwise on the screen.
    var signedArea: Double {
        var sum = 0.0
        var last = self[count - 1]
        for point in self {
            sum += last.x * point.y - point.x * last.y
            last = point
        }
        return sum / 2
    }
}

/// A connected area of one colour in one frame. Lengths are in pixels of the clip.
struct ObservedShape {
    /// The index of the frame.
    var frame: Int
    /// The colour away from the edge.
    var color: Channels
    /// The area, weighted by coverage.
    var area: Double
    /// The centre, weighted by coverage.
    var centroid: Point
    var box: Rect
    /// The largest first.
    var contours: [Contour]
    /// True if it touches the edge of the analysed region.
    var isCut: Bool
    /// True if it touches no area of another colour.
    var isAlone: Bool
    /// False for a gradient or an image.
    var isPlain: Bool

    /// Returns the interpolated centre in a frame up to a later shape of the same object.
    func centroid(towards next: ObservedShape, at frame: Int) -> Point {
        guard next.frame > self.frame else { return centroid }
        let share = Double(frame - self.frame) / Double(next.frame - self.frame)
        return centroid + (next.centroid - centroid) * share
    }

    /// The diameter of a disc with the same area.
    var diameter: Double { 2 * (area / .pi).squareRoot() }

    /// The diameter of a disc, the side of a square, or twice the width of a line.
    var thickness: Double {
        let length = contours.reduce(0.0) { sum, contour in
            let points = contour.points
            return sum + zip(points, points.dropFirst() + points.prefix(1)).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        }
        return 4 * area / max(1, length)
    }
}
