import Loaders
import Motion

extension RenderRequest {
    /// More phase boundaries than this take long to lay out, in a pass or as chapters.
    private static let mostBoundaries = 1000

    /// Checks that the clip has no more than `limit` frames and that planning it takes no time to speak of, which a request
    /// of a stranger's may. Throws `RenderError` with the first thing that is wrong.
    public func checkSize(of loader: any Loader, mostFrames limit: Int, hint: String) throws {
        let limit = min(limit, RenderPlan.mostFrames)
        do {
            let (start, end) = try (start(in: loader), end(in: loader) ?? start(in: loader) + loader.period)
            let boundaries = Rational(loader.phases.count) * (end - start) / loader.period
            // Of a single period only parameters can make so many.
            let parameters = self.loader.settings.map { Topic.parameter(String($0.prefix { $0 != "=" })) }
            try check(boundaries.double, "a pass of", about: .options("to") + parameters)
            let map = try timeMap(for: loader)
            guard map.frameCount <= limit else {
                throw RenderError(
                    .usage, "the clip has \(map.frameCount) frames, more than \(limit): make it shorter\(hint)",
                    about: .options("duration", "cycles", "hold", "slowmo", "ramp", "fps", "to"))
            }
            let passes = Rational(map.frameCount) * encoding.frameRate.frameDuration / map.timeline.duration
            if hasChapters {
                let count = passes.double * Double(map.timeline.boundaries.count)
                try check(count, "chapters of", about: .options("chapters"))
            }
        } catch { throw RenderError(error) }
    }

    private func check(_ boundaries: Double, _ what: String, about: [Topic]) throws {
        guard boundaries <= Double(Self.mostBoundaries) else {
            throw RenderError(
                .usage,
                "\(what) the clip would pass more than \(Self.mostBoundaries) phase boundaries: make it shorter",
                about: about)
        }
    }
}
