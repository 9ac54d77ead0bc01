import Animations
import Core
import Raster
import TestSupport
import Testing

@testable import Lottie

typealias Pixel = PixelGrid.Pixel

extension Pixel {
    static let white = Pixel(255, 255, 255)
    static let black = Pixel(0, 0, 0)
    static let fullRed = Pixel(255, 0, 0)
    static let fullGreen = Pixel(0, 255, 0)
    static let fullBlue = Pixel(0, 0, 255)
}

/// A parsed animation and its loader.
struct LottieFixture {
    let loader: LottieLoader
    let animation: Animation

    init(_ json: JSON, subframes: Subframes = .auto) throws {
        animation = try Animation(json, files: AssetFiles(folder: nil), subframes: subframes)
        loader = LottieLoader(animation, id: "film", title: "film", subframes: subframes)
    }

    /// Returns the pixels at a frame, with one pixel per point.
    func render(_ frame: Rational = 0) throws -> PixelGrid {
        let scene = loader.scene(at: (frame - animation.start) / animation.rate)
        return try PixelGrid(of: scene, width: Int(scene.size.width), height: Int(scene.size.height))
    }
}

/// Draws an animation at a frame, or items of a shape layer. The animation must be fully supported.
func draw(_ json: JSON..., frame: Rational = 0) throws -> PixelGrid {
    let isFile = if case .object(let members) = json[0] { members["layers"] != nil } else { false }
    let fixture = try LottieFixture(isFile ? json[0] : lottie(layer(4, [:], ["shapes": .array(json)])))
    try #require(fixture.animation.unsupported.isEmpty, "\(fixture.animation.unsupported)")
    return try fixture.render(frame)
}

/// Returns the descriptions of an animation's unsupported features.
func unsupportedFeatures(_ json: JSON) throws -> [String] {
    try LottieFixture(json).animation.unsupported.map(\.description)
}

extension PixelGrid {
    /// Returns the coverage of a pixel in 0...1, if black was drawn on white.
    func ink(_ x: Int, _ y: Int) -> Double { Double(255 - self[x, y].green) / 255 }

    /// The covered area in pixels, if black was drawn on white.
    var area: Double { (0..<height).reduce(0) { sum, y in (0..<width).reduce(sum) { $0 + ink($1, y) } } }

    /// The centroid of the covered area in pixels.
    var centroid: Point {
        var sum = Point.zero
        for y in 0..<height {
            for x in 0..<width { sum = sum + Point(Double(x) + 0.5, Double(y) + 0.5) * ink(x, y) }
        }
        return sum * (1 / area)
    }

    /// Returns true if a pixel has a colour, within a tolerance for rounding.
    func shows(_ x: Int, _ y: Int, _ pixel: Pixel, within tolerance: Int = 2) -> Bool {
        self[x, y].distance(to: pixel) <= tolerance
    }
}

/// Checks the colours of pixels.
func expect(
    _ bitmap: PixelGrid, _ samples: [(Int, Int, Pixel)], within tolerance: Int = 2,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for (x, y, pixel) in samples {
        #expect(
            bitmap.shows(x, y, pixel, within: tolerance), "at \(x), \(y): \(bitmap[x, y]), not \(pixel)",
            sourceLocation: sourceLocation)
    }
}

/// Checks a number with a relative tolerance.
func expect(
    _ number: Double, near expected: Double, within part: Double = 0.005,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(
        abs(number - expected) <= part * abs(expected) + 1e-9, "\(number), not \(expected)",
        sourceLocation: sourceLocation)
}
