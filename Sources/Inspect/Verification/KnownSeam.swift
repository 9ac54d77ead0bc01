import Animations
import Core
import Render
import Raster

/// Recognizes loaders that jump where they restart, such as an arc that ends and begins anew.
enum KnownSeam {
    /// Returns the loader, with default parameters, that ends and begins like two frames; nil if
    /// there is none.
    static func loader(from last: Pixels, to first: Pixels) -> String? {
        let jump = FrameDelta(last, first).mean
        return LoaderCatalog.current.definitions.first { definition in
            guard let renderer = try? renderer(of: definition, on: first),
                let start = try? pixels(renderer, at: .zero, like: first),
                FrameDelta(start, first).mean < jump / 4
            else { return false }
            // The last frame precedes the end by its duration at a common rate.
            return rates.contains { rate in
                let end = try? pixels(renderer, at: renderer.loader.period - Rational(1, rate), like: last)
                return end.map { FrameDelta($0, last).mean < 0.4 * jump } ?? false
            }
        }?.id
    }

    private static let rates: [Int128] = [20, 25, 30, 50, 60]

    /// Returns a renderer of a loader over the colour of a frame's upper left corner.
    private static func renderer(of definition: LoaderDefinition, on frame: Pixels) throws -> LoaderRenderer {
        var request = LoaderRequest(definition)
        let corner = frame.bytes.prefix(4).map(Int.init)
        request.background = Color(corner[0], corner[1], corner[2], alpha: Double(corner[3]) / 255)
        return try LoaderRenderer(request)
    }

    private static func pixels(_ renderer: LoaderRenderer, at time: Rational, like other: Pixels) throws -> Pixels {
        let rasterizer = try Rasterizer(width: other.width, height: other.height)
        try rasterizer.draw(renderer.scene(at: time))
        let map = rasterizer.pixmap
        var bytes: [UInt8] = []
        bytes.reserveCapacity(other.bytes.count)
        for y in 0..<map.height {
            for x in 0..<map.width {
                let pixel = map.data + y * map.stride + 4 * x
                bytes += [pixel[2], pixel[1], pixel[0], pixel[3]]
            }
        }
        return Pixels(width: map.width, height: map.height, bytes: bytes)
    }
}
