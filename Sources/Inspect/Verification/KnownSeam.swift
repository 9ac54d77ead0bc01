import Animations
import Core

/// Recognizes loaders that jump where they restart, such as an arc that ends and starts over.
enum KnownSeam {
    /// Returns the loader, with default parameters, that ends with a frame like the first given one
    /// and begins with one like the other; nil if there is none.
    static func loader(from last: Pixels, to first: Pixels) -> String? {
        let jump = FrameDelta(last, first).mean
        return LoaderCatalog.current.definitions.first { definition in
            guard let renderer = try? LoaderInstants.renderer(of: definition, on: first),
                let start = try? LoaderInstants.pixels(renderer, at: .zero, like: first),
                FrameDelta(start, first).mean < jump / 4
            else { return false }
            // The last frame precedes the end by its duration at a common rate.
            return rates.contains { rate in
                let time = renderer.loader.period - Rational(1, rate)
                let end = try? LoaderInstants.pixels(renderer, at: time, like: last)
                return end.map { FrameDelta($0, last).mean < 0.4 * jump } ?? false
            }
        }?.id
    }

    private static let rates: [Int128] = [20, 25, 30, 50, 60]
}
