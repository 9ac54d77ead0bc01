import Animations
import Core
import Media

extension RenderRequest {
    /// The range of the slow motion factor.
    package static let slowmoLimits = Rational(1, 20)...Rational(1000)
    /// The maximum model time between the start and end of a clip, in seconds: ten hours.
    private static let maxModelDuration = Rational(36_000)
    /// The range of speeds of the panel at normal speed for which a clip is seamless by default.
    /// Outside it, a panel labelled `1×` would mislead.
    private static let fittedSpeeds = Rational(3, 4)...Rational(5, 4)

    /// Returns the map from frames to model times. Throws `LoadervidError` with the first problem.
    ///
    /// - Parameter isTranslucent: true if the frames have alpha, which decides the default codec.
    func timeMap(for loader: any Loader, isTranslucent: Bool) throws -> TimeMap {
        try checkExtent()
        let timing = timing ?? encoding.defaultTiming(isTranslucent: isTranslucent)
        let timeline = try timeline(for: loader)
        var map = TimeMap(timeline, frameRate: encoding.frameRate, extent: extent, timing: timing)
        if isSideBySide, !isStepped, timing == nil, !Self.fittedSpeeds.contains(map.normalSpeed) {
            map = TimeMap(timeline, frameRate: encoding.frameRate, extent: extent, timing: .exact)
        }
        guard map.frameCount > 0 else {
            throw LoadervidError(
                .usage,
                "the clip is shorter than half a frame at \(encoding.frameRate) fps; use a longer "
                    + "\(option: "duration") or a higher \(option: "fps")",
                subjects: .options("duration", "to", "phase", "slowmo", "fps"))
        }
        guard map.frameCount <= RenderPlan.maxFrames else {
            throw LoadervidError(
                .usage,
                "the clip has \(map.frameCount) frames, above the maximum of \(RenderPlan.maxFrames); shorten it, "
                    + "or lower \(option: "fps") or \(option: "slowmo")",
                subjects: .options("duration", "cycles", "hold", "slowmo", "ramp", "fps", "to"))
        }
        return map
    }

    private func timeline(for loader: any Loader) throws -> Timeline {
        var style = Timeline.Style(slowmo: try checked("slowmo", slowmo, RequestLimit.slowmo))
        style.hold = try checked("hold", hold ?? (isStepped ? 1 : 0), RequestLimit.hold)
        style.ramp = try checked("ramp", ramp, RequestLimit.ramp)
        style.isStepped = isStepped
        guard !isStepped || style.hold > .zero else {
            throw LoadervidError(
                .usage, "\(option: "step"): a \(option: "hold") of 0 s shows no frame; use a longer one",
                subjects: .options("hold", "step"))
        }
        let range = try self.range(in: loader)
        return Timeline(range, boundaries: loader.boundaries(in: range), style: style)
    }

    private func range(in loader: any Loader) throws -> Range<Rational> {
        do {
            let start = try start(in: loader)
            let end = try end(in: loader) ?? loader.period * Rational((start / loader.period).floor + 1)
            guard start < end else {
                throw LoadervidError(
                    .usage,
                    "\(option: "from"): \(start) s is not before the end at \(end) s of model time; use an earlier "
                        + "\(option: "from") or a later \(option: "to")",
                    subjects: .options("from", "to"))
            }
            guard end - start <= Self.maxModelDuration else {
                throw LoadervidError(
                    .usage,
                    "\(option: "to"): \(end - start) s of model time is above the maximum of \(Self.maxModelDuration) s; "
                        + "use an earlier \(option: "to")",
                    subjects: .options("to"))
            }
            return start..<end
        } catch { throw LoadervidError(error) }
    }

    /// Returns the model time at the start of the clip, in seconds. Throws `LoadervidError` if the
    /// loader has no such phase.
    func start(in loader: any Loader) throws -> Rational { try seconds(of: from, in: loader, key: "from") ?? 0 }

    /// Returns the requested model time at the end of the clip, in seconds; nil if none was
    /// requested. Throws `LoadervidError` if the loader has no such phase.
    func end(in loader: any Loader) throws -> Rational? { try seconds(of: to, in: loader, key: "to") }

    private func seconds(of time: ModelTime?, in loader: any Loader, key: String) throws -> Rational? {
        do throws(ParameterError) { return try time?.seconds(in: loader) } catch {
            throw LoadervidError(ParameterError(error.kind, error.description, subjects: .options(key, "phase")))
        }
    }

    private func checkExtent() throws {
        switch extent {
        case .cycles(let cycles):
            guard (1...RenderPlan.maxFrames).contains(cycles) else {
                throw LoadervidError(
                    .usage, "\(option: "cycles"): \(cycles) is outside the range 1...\(RenderPlan.maxFrames)",
                    subjects: .options("cycles"))
            }
        case .duration(let seconds):
            guard seconds > .zero else {
                throw LoadervidError(
                    .usage, "\(option: "duration"): \(seconds) is not above 0; use a positive number of seconds",
                    subjects: .options("duration"))
            }
        }
    }

    /// Returns the shutter time as a share of the frame duration. Throws `LoadervidError` if it is
    /// outside 0...1.
    func checkedShutter() throws -> Rational { try checked("motion-blur", motionBlur, RequestLimit.shutter) }

    private func checked(_ name: String, _ value: Rational, _ limit: RequestLimit) throws -> Rational {
        guard limit.range.contains(value) else {
            let remedy = limit.remedy(value).map { "; \($0)" } ?? ""
            throw LoadervidError(
                .usage,
                "\(option: name): \(value) is outside the range \(limit.range.lowerBound)...\(limit.range.upperBound)"
                    + limit.unit + remedy,
                subjects: .options(name))
        }
        return value
    }
}

extension Loader {
    /// Returns the start times of phases in a range of model time, including its end, in seconds.
    fileprivate func boundaries(in range: Range<Rational>) -> [Rational] {
        let first = (range.lowerBound / period).floor
        let last = (range.upperBound / period).floor
        return (first...last).flatMap { cycle in phases.map { $0.start + period * Rational(cycle) } }
            .filter { $0 >= range.lowerBound && $0 <= range.upperBound }
    }
}

extension TimeMap {
    /// The maximum number of chapters, more than any player shows.
    private static let maxChapters = 10_000

    /// Returns one chapter for each phase that the clip passes, with titles in a language. Throws
    /// `LoadervidError` if there are too many.
    func chapters(for loader: any Loader, frameRate: FrameRate, language: Language) throws -> [Chapter] {
        var starts = boundaries(maxCount: Self.maxChapters + 1)
        guard starts.count <= Self.maxChapters else {
            throw LoadervidError(
                .usage, "\(option: "chapters"): the clip has more than \(Self.maxChapters) chapters; make it shorter",
                subjects: .options("chapters"))
        }
        if starts.first.map({ $0.output > .zero }) ?? true { starts.insert((0, modelTime(ofFrame: 0)), at: 0) }
        let ends = starts.dropFirst().map(\.output) + [Rational(frameCount) * frameRate.frameDuration]
        return zip(starts, ends).compactMap { start, end in
            // A chapter in which no frame begins is never visible.
            let fps = frameRate.framesPerSecond
            guard (Rational.zero - start.output * fps).floor > (Rational.zero - end * fps).floor else { return nil }
            let title = loader.phase(at: start.model).title(in: language)
            return Chapter(title: title, start: start.output, end: end)
        }
    }
}
