import Animations
import Core

extension RenderRequest {
    /// The maximum number of phase boundaries in a pass or as chapters. The time to lay them out
    /// grows with their number, so more would let an untrusted request take long.
    private static let maxBoundaries = 1000

    /// Checks the work of an untrusted request before it is planned. Throws `LoadervidError` if the
    /// clip has more than `limit` frames or too many phase boundaries.
    package func checkSize(of loader: any Loader, maxFrames limit: Int, hint: String) throws {
        let limit = min(limit, RenderPlan.maxFrames)
        do {
            let start = try start(in: loader)
            let end = try end(in: loader) ?? start + loader.period
            let boundaries = Rational(loader.phases.count) * (end - start) / loader.period
            // In a single period, only parameters can cause so many boundaries.
            let parameters = self.loader.settings.map { ErrorSubject.parameter(String($0.prefix { $0 != "=" })) }
            try check(boundaries.double, in: "a pass of the clip has", subjects: .options("to") + parameters)
            let map = try timeMap(for: loader, isTranslucent: (self.loader.background?.alpha ?? 1) < 1)
            guard map.frameCount <= limit else {
                throw LoadervidError(
                    .usage,
                    "the clip has \(map.frameCount) frames, above the maximum of \(limit); make it shorter\(hint)",
                    subjects: .options("duration", "cycles", "hold", "slowmo", "ramp", "fps", "to"))
            }
            let passes = Rational(map.frameCount) * encoding.frameRate.frameDuration / map.timeline.duration
            if hasChapters {
                let count = passes.double * Double(map.timeline.boundaries.count)
                try check(count, in: "the chapters of the clip have", subjects: .options("chapters"))
            }
        } catch { throw LoadervidError(error) }
    }

    private func check(_ boundaries: Double, in what: String, subjects: [ErrorSubject]) throws {
        guard boundaries <= Double(Self.maxBoundaries) else {
            throw LoadervidError(
                .usage,
                "\(what) more than \(Self.maxBoundaries) phase boundaries; make it shorter",
                subjects: subjects)
        }
    }
}
