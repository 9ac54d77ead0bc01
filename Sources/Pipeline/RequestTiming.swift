import Loaders
import Media
import Motion
import Timing

extension RenderRequest {
    /// The slowest and fastest slow motion.
    public static let slowmoLimits = Rational(1, 20)...Rational(1000)
    /// The longest stretch of model time, in seconds.
    private static let longestStretch = Rational(36_000)

    /// Which instant each frame shows. Throws `RenderError` with the first thing that is wrong.
    func timeMap(for loader: any Loader) throws -> TimeMap {
        try checkExtent()
        let map = TimeMap(try timeline(for: loader), frameRate: encoding.frameRate, extent: extent, timing: timing)
        guard map.frameCount > 0 else {
            throw RenderError(
                .usage,
                "the clip is shorter than half a frame at \(encoding.frameRate) frames a second: make it longer",
                about: .options("duration", "to", "phase", "slowmo", "fps"))
        }
        guard map.frameCount <= RenderPlan.mostFrames else {
            throw RenderError(
                .usage,
                "the clip has \(map.frameCount) frames, more than \(RenderPlan.mostFrames): make it shorter, "
                    + "or lower the frame rate or the slow motion",
                about: .options("duration", "cycles", "hold", "slowmo", "ramp", "fps", "to"))
        }
        return map
    }

    private func timeline(for loader: any Loader) throws -> Timeline {
        var style = Timeline.Style(slowmo: try checked("slowmo", slowmo, RequestLimit.slowmo))
        style.hold = try checked("hold", hold ?? (isStepped ? 1 : 0), RequestLimit.hold)
        style.ramp = try checked("ramp", ramp, RequestLimit.ramp)
        style.isStepped = isStepped
        guard !isStepped || style.hold > .zero else {
            throw RenderError(
                .usage, "stepping needs boundaries that are held for more than 0 seconds: make the hold longer",
                about: .options("hold", "step"))
        }
        let range = try self.range(in: loader)
        return Timeline(range, boundaries: loader.boundaries(in: range), style: style)
    }

    private func range(in loader: any Loader) throws -> Range<Rational> {
        do {
            let start = try start(in: loader)
            let end = try end(in: loader) ?? loader.period * Rational((start / loader.period).floor + 1)
            guard start < end else {
                throw RenderError(
                    .usage,
                    "the clip would begin at \(start) s and end at \(end) s of model time: from must come before to",
                    about: .options("from", "to"))
            }
            guard end - start <= Self.longestStretch else {
                throw RenderError(
                    .usage,
                    "the clip would show \(end - start) s of model time: at most \(Self.longestStretch) s are possible",
                    about: .options("to"))
            }
            return start..<end
        } catch { throw RenderError(error) }
    }

    /// Where in model time the clip begins, in seconds. Throws `RenderError` if there is no such phase.
    func start(in loader: any Loader) throws -> Rational { try seconds(of: from, in: loader, "from") ?? 0 }

    /// Where it ends, if that was asked for. Throws `RenderError` if there is no such phase.
    func end(in loader: any Loader) throws -> Rational? { try seconds(of: to, in: loader, "to") }

    private func seconds(of time: ModelTime?, in loader: any Loader, _ key: String) throws -> Rational? {
        do throws(ParameterError) { return try time?.seconds(in: loader) } catch {
            throw RenderError(ParameterError(error.kind, error.description, about: .options(key, "phase")))
        }
    }

    private func checkExtent() throws {
        switch extent {
        case .cycles(let cycles):
            guard (1...RenderPlan.mostFrames).contains(cycles) else {
                throw RenderError(
                    .usage, "cycles \(cycles) is not possible: it takes 1...\(RenderPlan.mostFrames) whole cycles",
                    about: .options("cycles"))
            }
        case .duration(let seconds):
            guard seconds > .zero else {
                throw RenderError(
                    .usage, "duration \(seconds) is not possible: it takes more than 0 seconds",
                    about: .options("duration"))
            }
        }
    }

    /// The shutter's share of a frame.
    func checkedShutter() throws -> Rational { try checked("motion-blur", motionBlur, RequestLimit.shutter) }

    private func checked(_ name: String, _ value: Rational, _ limit: RequestLimit) throws -> Rational {
        guard limit.range.contains(value) else {
            let (low, high) = (limit.range.lowerBound, limit.range.upperBound)
            throw RenderError(
                .usage, "\(name) \(value) is not possible: it takes \(low)...\(high) \(limit.unit)",
                about: .options(name))
        }
        return value
    }
}

/// What a number of a request may be.
private struct RequestLimit {
    let range: ClosedRange<Rational>
    let unit: String

    static let slowmo = RequestLimit(range: RenderRequest.slowmoLimits, unit: "times slower")
    static let ramp = RequestLimit(range: 1...Rational(1000), unit: "times slower")
    static let hold = RequestLimit(range: 0...Rational(3600), unit: "seconds")
    static let shutter = RequestLimit(range: 0...1, unit: "of a frame")
}

extension Loader {
    /// The beginnings of phases in a stretch of model time, its end included, in seconds.
    fileprivate func boundaries(in range: Range<Rational>) -> [Rational] {
        let (first, last) = ((range.lowerBound / period).floor, (range.upperBound / period).floor)
        return (first...last).flatMap { cycle in phases.map { $0.start + period * Rational(cycle) } }
            .filter { $0 >= range.lowerBound && $0 <= range.upperBound }
    }

    /// The phase at a model time, in seconds.
    func phase(at time: Rational) -> Phase? {
        let inner = time.modulo(period)
        return phases.last { $0.start <= inner }
    }
}

extension TimeMap {
    /// More chapters than any player shows.
    private static let mostChapters = 10_000

    /// A chapter for each phase that the clip passes, titled in a language. Throws `RenderError` if there are too many.
    func chapters(for loader: any Loader, frameRate: FrameRate, language: Language) throws -> [Chapter] {
        var starts = boundaries.prefix(Self.mostChapters + 1).map { $0 }
        guard starts.count <= Self.mostChapters else {
            throw RenderError(
                .usage, "the clip would have more than \(Self.mostChapters) chapters: make it shorter",
                about: .options("chapters"))
        }
        if starts.first.map({ $0.output > .zero }) ?? true { starts.insert((0, modelTime(ofFrame: 0)), at: 0) }
        let ends = starts.dropFirst().map(\.output) + [Rational(frameCount) * frameRate.frameDuration]
        return zip(starts, ends).compactMap { start, end in
            // A stretch in which no frame begins is never seen.
            let fps = frameRate.framesPerSecond
            guard (Rational.zero - start.output * fps).floor > (Rational.zero - end * fps).floor else { return nil }
            return loader.phase(at: start.model).map {
                Chapter(title: $0.title(in: language), start: start.output, end: end)
            }
        }
    }
}
