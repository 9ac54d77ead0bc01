import Loaders
import Motion
import Pipeline
import Raster
import Scene

/// Loaders that jump where they begin again, as an arc does that ends and starts anew.
enum KnownSeam {
    /// The loader, as it is by default, that ends and begins as two pictures do; nil if none does.
    static func loader(from last: Pixels, to first: Pixels) -> String? {
        let jump = PictureStep(last, first).mean
        return LoaderCatalog.current.definitions.first { definition in
            guard let canvas = try? canvas(of: definition, on: first),
                let start = try? pixels(canvas, at: .zero, like: first),
                PictureStep(start, first).mean < jump / 4
            else { return false }
            // As long before the end as usual rates have the last picture.
            return rates.contains { rate in
                let end = try? pixels(canvas, at: canvas.loader.period - Rational(1, rate), like: last)
                return end.map { PictureStep($0, last).mean < 0.4 * jump } ?? false
            }
        }?.id
    }

    private static let rates: [Int128] = [20, 25, 30, 50, 60]

    /// A loader over the colour that a picture has in its corner.
    private static func canvas(of definition: LoaderDefinition, on picture: Pixels) throws -> LoaderCanvas {
        var request = LoaderRequest(definition)
        let corner = picture.bytes.prefix(4).map(Int.init)
        request.background = Color(corner[0], corner[1], corner[2], alpha: Double(corner[3]) / 255)
        return try LoaderCanvas(request)
    }

    private static func pixels(_ canvas: LoaderCanvas, at time: Rational, like other: Pixels) throws -> Pixels {
        let rasterizer = try Rasterizer(width: other.width, height: other.height)
        try rasterizer.draw(canvas.scene(at: time))
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
