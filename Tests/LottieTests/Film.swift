import Loaders
import Motion
import Platform
import Raster
import Scene
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

/// An animation as its loader draws it.
struct Film {
    let loader: LottieLoader
    let animation: Animation

    init(_ json: JSON, subframes: Subframes = .auto) throws {
        animation = try Animation(json, files: AssetFiles(folder: nil), subframes: subframes)
        loader = LottieLoader(animation, id: "film", title: "film", subframes: subframes)
    }

    /// The picture at a frame, one pixel a point.
    func picture(_ frame: Rational = 0) throws -> PixelGrid {
        let scene = loader.scene(at: (frame - animation.start) / animation.rate)
        return try PixelGrid(of: scene, width: Int(scene.size.width), height: Int(scene.size.height))
    }
}

/// The picture at a frame of an animation of which everything is supported, or of items in a layer of shapes.
func draw(_ json: JSON..., frame: Rational = 0) throws -> PixelGrid {
    let isMovie = if case .object(let members) = json[0] { members["layers"] != nil } else { false }
    let film = try Film(isMovie ? json[0] : movie(layer(4, [:], ["shapes": .array(json)])))
    try #require(film.animation.unsupported.isEmpty, "\(film.animation.unsupported)")
    return try film.picture(frame)
}

/// What is refused, as it is said.
func refusals(_ json: JSON) throws -> [String] { try Film(json).animation.unsupported.map(\.description) }

extension PixelGrid {
    /// How black a pixel is, 0...1, where black was drawn on white.
    func ink(_ x: Int, _ y: Int) -> Double { Double(255 - self[x, y].green) / 255 }

    /// The black area in pixels, where black was drawn on white.
    var area: Double { (0..<height).reduce(0) { sum, y in (0..<width).reduce(sum) { $0 + ink($1, y) } } }

    /// The black area's centre of mass in pixels.
    var centroid: Point {
        var sum = Point.zero
        for y in 0..<height {
            for x in 0..<width { sum = sum + Point(Double(x) + 0.5, Double(y) + 0.5) * ink(x, y) }
        }
        return sum * (1 / area)
    }

    /// Whether a pixel has a colour, but for rounding.
    func shows(_ x: Int, _ y: Int, _ pixel: Pixel, within tolerance: Int = 2) -> Bool {
        self[x, y].distance(to: pixel) <= tolerance
    }
}

/// Expects colours at pixels.
func expect(
    _ picture: PixelGrid, _ places: [(Int, Int, Pixel)], within tolerance: Int = 2,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for (x, y, pixel) in places {
        #expect(
            picture.shows(x, y, pixel, within: tolerance), "at \(x), \(y): \(picture[x, y]), not \(pixel)",
            sourceLocation: sourceLocation)
    }
}

/// Expects a number, give or take a part of it.
func expect(
    _ number: Double, near wanted: Double, within part: Double = 0.005,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(
        abs(number - wanted) <= part * abs(wanted) + 1e-9, "\(number), not \(wanted)", sourceLocation: sourceLocation)
}
