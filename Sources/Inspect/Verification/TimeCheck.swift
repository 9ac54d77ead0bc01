import Core

/// The check of the presentation times of frames.
struct TimeCheck {
    private let grid: FrameInterval
    private let clock: Double
    private var structure: FileStructure
    private(set) var findings: [Finding] = []
    /// The number of frames so far.
    private(set) var count = 0
    private var first: Int64?
    private var last: Int64?
    private var lastDuration: Int64 = 0
    private var hasMissing = false
    private var hasDisorder = false
    /// The frame with the longest duration except the last one: its index, and its start and
    /// duration in seconds.
    private var longest: (frame: Int, time: Double, seconds: Double) = (0, 0, 0)

    /// The maximum duration of a frame in seconds: an hour, the longest hold that `encode` makes.
    /// Longer ones come from corrupt delays, such as 24 set bits in WebP, which are 4.7 hours.
    static let maxFrameSeconds = 3600.0
    /// The duration in seconds above which a frame of an animated image, which plays automatically
    /// in a page, is probably a mistake.
    static let unusualFrameSeconds = 60.0
    /// The duration in seconds up to which browsers show a frame of AVIF for 100 ms, as in APNG and
    /// WebP; a little more than 10 ms, because times are rounded.
    private static let maxReplacedSeconds = 0.010_001
    /// The maximum time of the first frame in seconds for which players hardly differ: the delay of
    /// sound encoders, or of reordered frames without an edit list.
    static let maxStartSeconds = 0.1
    /// The maximum duration of a clip in seconds: a day, as in `analyze`.
    static let maxSeconds = 86_400.0

    init(_ grid: FrameInterval, clock: Double, _ structure: FileStructure) {
        self.grid = grid
        self.clock = clock
        self.structure = structure
    }

    /// The time of the first frame in seconds.
    var start: Double { first.map { Double($0) * clock } ?? 0 }
    /// The time of the latest frame in seconds from the first.
    var seconds: Double { seconds(last) }
    /// The number of regular intervals from the previous frame to the latest one.
    private(set) var slots = 1

    private func seconds(_ time: Int64?) -> Double {
        guard let time, let first else { return 0 }
        return (Double(time) - Double(first)) * clock
    }

    /// Adds the next frame.
    mutating func add(_ time: Int64?, duration: Int64) {
        defer { count += 1 }
        slots = 1
        guard let time else {
            if !hasMissing {
                findings.append(
                    Finding(.timeMissing, .error, frame: count, "the frame has no timestamp; remux the file"))
            }
            hasMissing = true
            return
        }
        if first == nil { begin(at: time) }
        if let last {
            let (distance, overflow) = time.subtractingReportingOverflow(last)
            if overflow || distance <= 0 { addOrderFinding(at: time, isDoubled: distance == 0) }
            slots = overflow ? 1 : grid.slots(max(0, distance))
            let shown = Double(distance) * clock
            if structure.isAVIF, !overflow, distance > 0 { addDelay(shown) }
            if !overflow, shown > longest.seconds { longest = (count - 1, seconds(last), shown) }
        }
        last = time
        lastDuration = duration
    }

    /// Adds the duration of a frame of an AVIF, whose headers are not parsed for delays.
    private mutating func addDelay(_ seconds: Double) {
        structure.delays.add(isTooShort: seconds <= Self.maxReplacedSeconds)
    }

    private mutating func begin(at time: Int64) {
        first = time
        let start = Double(time) * clock
        guard structure.kind.beginsAtZero, abs(start) > max(clock, 0.0005) else { return }
        findings.append(
            Finding(
                .timeStart, abs(start) > Self.maxStartSeconds ? .error : .warning, frame: 0,
                "the first frame is shown at \(decimal(start)) s instead of 0; shift the timestamps "
                    + "(ffmpeg -output_ts_offset) or add an edit list"))
    }

    private mutating func addOrderFinding(at time: Int64, isDoubled: Bool) {
        defer { hasDisorder = true }
        guard !hasDisorder else { return }
        let order = isDoubled ? "at the same time as" : "before"
        findings.append(
            Finding(
                .timeOrder, .error, time: max(0, seconds(time)), frame: count,
                "the frame is shown \(order) the previous one; give every frame its own timestamp"))
    }

    /// Returns the duration of the last frame in units of the time base, from the frame itself or
    /// the container.
    private func lastTicks(_ declaredDuration: Double?) -> Double {
        if lastDuration > 0 { return Double(lastDuration) }
        return declaredDuration.map { max(0, $0 / clock - seconds / clock) } ?? 0
    }

    /// Returns the number of regular intervals for which the last frame is shown.
    func lastSlots(_ declaredDuration: Double?) -> Int {
        let length = lastTicks(declaredDuration)
        return length.isFinite && length < 1e15 ? grid.slots(Int64(length)) : 1
    }

    /// Returns the duration of the clip in seconds.
    func duration(_ declaredDuration: Double?) -> Double { seconds + lastTicks(declaredDuration) * clock }

    /// Completes the check after the last frame.
    mutating func finish(_ declaredDuration: Double?) {
        let lastSeconds = lastTicks(declaredDuration) * clock
        if structure.isAVIF, count > 1, lastSeconds > 0 { addDelay(lastSeconds) }
        let mayReplace = structure.kind.isAnimatedImage || structure.isAVIF
        if mayReplace, structure.delays.tooShort > 0, structure.delays.count > 1 { addShortDelayFinding() }
        if count > 1, !hasDisorder, !grid.isEven, !grid.isVariable, let irregular = grid.firstIrregular {
            findings.append(
                Finding(
                    .timeUneven, .error, time: irregular.ticks * clock, frame: irregular.frame,
                    "the frame is off the regular interval of \(decimal(grid.step * clock * 1000)) ms; correct the "
                        + "delay before it"))
        }
        if count > 1, lastTicks(declaredDuration) < grid.step / 4, !structure.kind.isAnimatedImage {
            // Recorders with a variable frame rate often write no duration for their last frame.
            findings.append(
                Finding(
                    .timeLast, grid.hasVariableRate ? .warning : .error, time: seconds, frame: count - 1,
                    "the last frame has no duration, so players skip it; give its packet a duration"))
        }
        if structure.kind == .gif, grid.isEven { addRoundedRateFinding() }
    }

    /// Returns findings about frames, or a clip, with implausible durations.
    func lengthFindings(_ declaredDuration: Double?) -> [Finding] {
        let isAnimatedImage = structure.kind.isAnimatedImage
        var findings: [Finding] = []
        let end = Double(lastDuration) * clock
        // Times are multiples of the time base, so a frame of exactly the maximum may be a rounding
        // error longer.
        func isTooLong(_ seconds: Double) -> Bool { seconds > Self.maxFrameSeconds + 0.001 }
        // An animated image that is played again does not pause for a minute before its last frame.
        let isPause = isAnimatedImage && longest.seconds > Self.unusualFrameSeconds && structure.loopCount != 1
        let isLastLonger = isPause ? isTooLong(end) : end > longest.seconds
        let longest = isLastLonger ? (frame: count - 1, time: seconds, seconds: end) : longest
        let isLong = isTooLong(longest.seconds)
        let isError = isLong || isPause
        let limit = isLong ? Self.maxFrameSeconds : Self.unusualFrameSeconds
        if isLong || isAnimatedImage && longest.seconds > limit {
            findings.append(
                Finding(
                    .timeLong, isError ? .error : .warning, time: longest.time, frame: longest.frame,
                    "the frame is shown for \(decimal(longest.seconds)) s, more than \(decimal(limit)) s; correct its "
                        + "delay"
                ))
        }
        let whole = duration(declaredDuration)
        if whole > Self.maxSeconds {
            findings.append(
                Finding(
                    .timeLong, isAnimatedImage ? .error : .warning,
                    "the clip lasts \(decimal(whole)) s, more than a day (\(decimal(Self.maxSeconds)) s); "
                        + "correct its timestamps"))
        }
        return findings
    }

    private mutating func addShortDelayFinding() {
        let short = structure.delays.tooShort
        let all = structure.delays.count
        let minimum = structure.kind == .gif ? "at least 2 hundredths of a second" : "more than 10 ms"
        let count = short == all ? "all frames have" : short == 1 ? "one frame has" : "\(short) frames have"
        findings.append(
            Finding(
                .delayShort, .error, frame: structure.delays.firstTooShort,
                "\(count) a delay so short that browsers use 100 ms instead; use \(minimum)"))
    }

    /// Adds a finding for GIFs whose delays were truncated to hundredths of a second: 3 for 30
    /// frames per second, 6 for 15.
    private mutating func addRoundedRateFinding() {
        guard let intended = [3.0: 30, 6.0: 15][grid.step] else { return }
        findings.append(
            Finding(
                .rateRounded, .warning,
                "the frame rate of \(decimal(1 / (grid.step * clock))) comes from truncating the delays of "
                    + "\(intended) to hundredths of a second, 11% too fast; vary the delays so that their sum is right")
        )
    }

    /// Frames per second; nil if the frames have no regular interval.
    var rate: Double? { count < 2 || grid.isVariable || grid.step <= 0 ? nil : 1 / (grid.step * clock) }
}

/// Returns a number with up to three decimals.
func decimal(_ value: Double) -> String { NumberText.decimal(value, places: 3) }
