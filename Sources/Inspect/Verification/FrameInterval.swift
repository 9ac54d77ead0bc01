/// The regular interval of most frames, found from their timestamps. Common frame rates and the
/// declared one are only candidates.
struct FrameInterval: Sendable {
    /// The interval in units of the time base.
    let step: Double
    /// The number of frames that are not a multiple of the interval after the first frame, or after
    /// the last irregular one, within the precision of the times. A single displaced frame counts
    /// twice.
    let irregularCount: Int
    /// The index of the first such frame, and its time after the clip's first frame in units of the
    /// time base; nil if there is none.
    let firstIrregular: (frame: Int, ticks: Double)?
    /// The number of frames that last longer than one interval.
    let longCount: Int
    /// The total number of frames.
    let count: Int

    /// True if every frame is on a multiple of the interval.
    var isEven: Bool { irregularCount == 0 }
    /// True if some frames last longer than one interval.
    var hasLongFrames: Bool { longCount > 0 }
    /// True if there is no regular interval, as in screen recordings.
    var isVariable: Bool { isMany(irregularCount) }
    /// True if there is no regular interval, or if many frames last several, as in clips without
    /// repeated frames.
    var hasVariableRate: Bool { isVariable || isMany(longCount) }

    private func isMany(_ frames: Int) -> Bool { frames > max(2, count / 20) }

    /// Returns the number of intervals in a duration, at least one.
    func slots(_ ticks: Int64) -> Int {
        step > 0 ? Int(min(Self.maxSlots, max(1, (Double(ticks) / step).rounded()))) : 1
    }

    /// The maximum number of intervals, which crafted timestamps exceed.
    private static let maxSlots = 1e9

    /// Common frame rates per second.
    static let commonRates: [Double] = [
        10, 12, 12.5, 15, 16, 20, 24_000.0 / 1001, 24, 25, 30_000.0 / 1001, 30, 48, 50, 60_000.0 / 1001, 60, 72, 75, 90,
        100, 120, 144, 240,
    ]

    /// Finds the interval. `forEach` passes the timestamps of all frames in order, each time that
    /// it is called.
    ///
    /// - Parameters:
    ///   - clock: the time base: seconds per unit of a timestamp.
    ///   - precision: the precision of the times in seconds.
    ///   - declaredRate: the frame rate that the container declares.
    init(
        clock: Double, precision: Double, declaredRate: Double?, _ forEach: ((Int64) -> Void) throws -> Void
    ) rethrows {
        var survey = TimeSurvey()
        try forEach { survey.add($0) }
        // The mean of rounded times drifts from a whole rate, so that rate is tried, too.
        let nearRates = survey.steps.map { (1 / ($0 * clock)).rounded() }.filter { $0 >= 1 }
        let rates = FrameInterval.commonRates + nearRates + [declaredRate].compactMap { $0 }
        var steps = rates.map { 1 / ($0 * clock) } + survey.steps
        let unit = max(1, precision / clock)
        // Below 1.5 units every frame would be on a multiple.
        steps = steps.filter { $0.isFinite && $0 >= 1.5 * unit }
        // In Y4M and AVI, the unit of the time base is a frame.
        let isUnit = declaredRate.map { abs($0 * clock - 1) < 1e-6 } ?? false
        if isUnit, unit == 1, survey.steps.first == 1 { steps.append(1) }
        var tests = steps.map { IntervalTest(step: $0, unit: unit) }
        try forEach { time in for index in tests.indices { tests[index].add(time) } }
        // Between two intervals that fit, the one with the smaller error wins.
        let best = tests.min { ($0.cost, $0.totalError) < ($1.cost, $1.totalError) }
        // A single frame fits every interval.
        let single = declaredRate.map { 1 / ($0 * clock) }
        step = (survey.count < 2 ? single : best?.step ?? survey.steps.first) ?? 0
        irregularCount = best?.irregularCount ?? 0
        firstIrregular = best?.firstIrregular
        count = survey.count
        longCount = best?.gaps ?? 0
    }
}

/// The statistics of a first pass over all timestamps.
private struct TimeSurvey {
    private(set) var count = 0
    private var first: Int64 = 0
    private var last: Int64 = 0
    /// The frequency of each interval. New ones are ignored after 512.
    private var distances: [Int64: Int] = [:]

    mutating func add(_ time: Int64) {
        if count == 0 { first = time }
        if count > 0, case let (distance, overflow) = time.subtractingReportingOverflow(last), !overflow, distance > 0,
            distances.count < 512 || distances[distance] != nil
        {
            distances[distance, default: 0] += 1
        }
        last = time
        count += 1
    }

    /// The most frequent interval and the mean one.
    var steps: [Double] {
        let commonest = distances.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { Double($0.key) }
        let mean = count > 1 ? (Double(last) - Double(first)) / Double(count - 1) : nil
        return [commonest, mean].compactMap { $0 }.filter { $0 > 0 }
    }
}

/// A test whether timestamps are multiples of an interval.
private struct IntervalTest {
    let step: Double
    /// The precision of the times in units of the time base.
    let unit: Double
    private(set) var irregularCount = 0
    private(set) var gaps = 0
    private(set) var firstIrregular: (frame: Int, ticks: Double)?
    /// The sum of the distances from multiples, in units of the time base.
    private(set) var totalError = 0.0
    /// The first timestamp of the clip, and the origin of the multiples.
    private var clipFirst: Int64 = 0
    private var first: Int64 = 0
    private var slot = 0.0
    private var count = 0
    /// The largest distances before and after a multiple.
    private var errors = (low: 0.0, high: 0.0)

    init(step: Double, unit: Double) {
        self.step = step
        self.unit = unit
    }

    /// The cost of the interval. A gap, which may be a hold, costs a third of an irregular frame.
    /// It has a cost so that an interval several times too fine does not win.
    var cost: Int { 3 * irregularCount + gaps }

    mutating func add(_ time: Int64) {
        if count == 0 { (clipFirst, first) = (time, time) }
        let elapsed = Double(time) - Double(first)
        let next = (elapsed / step).rounded()
        let error = elapsed - next * step
        totalError += abs(error)
        let low = min(errors.low, error)
        let high = max(errors.high, error)
        // Rounding spreads errors over up to one unit, and the interval itself may be rounded.
        let isIrregular = high - low > 1.01 * unit + 0.02 * step || count > 0 && next <= slot
        defer { count += 1 }
        guard isIrregular else {
            if count > 0, next != slot + 1 { gaps += 1 }
            slot = next
            errors = (low, high)
            return
        }
        irregularCount += 1
        firstIrregular = firstIrregular ?? (count, Double(time) - Double(clipFirst))
        // The following frames may be regular again.
        first = time
        slot = 0
        errors = (0, 0)
    }
}
