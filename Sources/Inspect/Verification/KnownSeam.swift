import Animations
import Core
import Render

/// The recognition of known loaders that jump where they restart, such as an arc that starts over.
enum KnownSeam {
    /// Returns the loader, with default parameters, that ends and begins like two frames: its whole
    /// canvas, or the part of it that a trimmed clip shows. Nil if there is none.
    ///
    /// - Parameter lastSeconds: the duration of the last frame.
    static func loader(from last: Pixels, to first: Pixels, lastSeconds: Double) -> String? {
        let jump = FrameDelta(last, first).mean
        let renderers = LoaderCatalog.current.definitions.compactMap { definition in
            (try? LoaderInstants.renderer(of: definition, on: first)).map { (id: definition.id, renderer: $0) }
        }
        let frames = (last: last, first: first, jump: jump, lastSeconds: lastSeconds)
        if let whole = renderers.first(where: { isSeam(of: $0.renderer, nil, frames) }) { return whole.id }
        return renderers.first { id, renderer in
            trimScales.contains { scale in
                guard let part = part(of: renderer, id, at: scale) else { return false }
                return isSeam(of: renderer, part, frames)
            }
        }?.id
    }

    /// Returns true if a loader ends and begins like two frames.
    private static func isSeam(
        of renderer: LoaderRenderer, _ part: Rect?,
        _ frames: (last: Pixels, first: Pixels, jump: Double, lastSeconds: Double)
    ) -> Bool {
        guard let start = try? LoaderInstants.pixels(renderer, part, at: .zero, like: frames.first),
            FrameDelta(start, frames.first).mean < maxStartShare * frames.jump
        else { return false }
        // The last frame precedes the end by its duration, or by that at a common rate.
        let milliseconds = min(max(0, (1000 * frames.lastSeconds).rounded()), maxMilliseconds)
        let durations = [Rational(Int128(milliseconds), 1000)] + rates.map { Rational(1, $0) }
        return durations.contains { duration in
            let time = renderer.loader.period - duration
            guard time > .zero else { return false }
            let end = try? LoaderInstants.pixels(renderer, part, at: time, like: frames.last)
            return end.map { FrameDelta($0, frames.last).mean < maxEndShare * frames.jump } ?? false
        }
    }

    /// Returns the part of a loader's canvas that a trimmed clip shows at a scale; nil for all of
    /// it.
    private static func part(of renderer: LoaderRenderer, _ id: String, at scale: Rational) -> Rect? {
        guard var request = try? LoaderRequest(id: id) else { return nil }
        request.isTrimmed = true
        request.size = .scale(scale)
        return try? request.trimmedCanvas(of: renderer)
    }

    /// The maximum differences of a clip's first and last frame from the loader's, relative to the
    /// jump. The last frame may differ by more, because its time is only known approximately.
    private static let maxStartShare = 0.25
    private static let maxEndShare = 0.4
    /// The common frame rates at which the last frame may have been drawn.
    private static let rates: [Int128] = [20, 25, 30, 50, 60]
    /// The maximum duration of a last frame, longer than the period of any loader.
    private static let maxMilliseconds = 1e6
    /// The scales whose grids differ, to which trimmed parts are rounded: whole points and two
    /// points.
    private static let trimScales: [Rational] = [2, 1]
}
