/// The even distance that most of a clip's pictures keep, found from their times alone.
struct FrameGrid: Sendable {
    /// From one picture to the next, in units of the clock.
    let step: Double
    /// How many pictures do not lie on multiples of it, to the precision of times, and the first of them.
    let (offCount, firstOff): (Int, Int?)
    /// Whether some pictures are shown for longer than one distance.
    let hasLongPictures: Bool
    /// Pictures in all.
    let count: Int

    /// Whether every picture lies where it should.
    var isEven: Bool { offCount == 0 }
    /// Whether there is no even distance at all, as in recordings of screens.
    var isVariable: Bool { offCount > max(2, count / 20) }

    /// How many distances lie between two times, at least one.
    func slots(_ ticks: Int64) -> Int { step > 0 ? max(1, Int((Double(ticks) / step).rounded())) : 1 }

    /// Frames a second that clips usually have.
    static let usualRates: [Double] = [
        10, 12, 12.5, 15, 16, 20, 24_000.0 / 1001, 24, 25, 30_000.0 / 1001, 30, 48, 50, 60_000.0 / 1001, 60, 72, 75, 90,
        100, 120, 144, 240,
    ]

    /// Finds the distance. `forEach` gives the times of all pictures in order, each time it is called.
    ///
    /// - Parameters:
    ///   - clock: the unit of the times in seconds.
    ///   - precision: what times are rounded to, in seconds.
    ///   - saidRate: what the container says.
    init(
        clock: Double, precision: Double, saidRate: Double?, _ forEach: ((Int64) -> Void) throws -> Void
    ) rethrows {
        var survey = TimeSurvey()
        try forEach { survey.add($0) }
        let rates = FrameGrid.usualRates + [saidRate].compactMap { $0 }
        var steps = rates.map { 1 / ($0 * clock) } + survey.steps
        let unit = max(1, precision / clock)
        // Below that nothing could be off.
        steps = steps.filter { $0.isFinite && $0 >= 1.5 * unit }
        var tests = steps.map { GridTest(step: $0, unit: unit) }
        try forEach { time in for index in tests.indices { tests[index].add(time) } }
        // Of two that fit the one that fits better.
        let best = tests.min { ($0.cost, $0.strayed) < ($1.cost, $1.strayed) }
        step = best?.step ?? survey.steps.first ?? 0
        (offCount, firstOff, count) = (best?.offCount ?? 0, best?.firstOff, survey.count)
        hasLongPictures = best.map { $0.gaps > 0 } ?? false
    }
}

/// What a first look at all times tells.
private struct TimeSurvey {
    private(set) var count = 0
    private var (first, last): (Int64, Int64) = (0, 0)
    /// How often each distance comes; rare ones are left out if there are too many.
    private var distances: [Int64: Int] = [:]

    mutating func add(_ time: Int64) {
        if count == 0 { first = time }
        if count > 0, case let (distance, overflow) = time.subtractingReportingOverflow(last), !overflow, distance > 0,
            distances.count < 512 || distances[distance] != nil
        {
            distances[distance, default: 0] += 1
        }
        (last, count) = (time, count + 1)
    }

    /// The commonest distance, and the mean one.
    var steps: [Double] {
        let commonest = distances.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { Double($0.key) }
        let mean = count > 1 ? (Double(last) - Double(first)) / Double(count - 1) : nil
        return [commonest, mean].compactMap { $0 }.filter { $0 > 0 }
    }
}

/// Whether times are multiples of a distance.
private struct GridTest {
    let step: Double
    /// What times are rounded to, in units of the clock.
    let unit: Double
    private(set) var (offCount, gaps): (Int, Int) = (0, 0)
    private(set) var firstOff: Int?
    /// How far all pictures lie beside multiples, in units of the clock.
    private(set) var strayed = 0.0
    private var (first, slot, count): (Int64, Double, Int) = (0, 0, 0)
    /// How far pictures lie before and behind multiples, at most.
    private var errors = (low: 0.0, high: 0.0)

    init(step: Double, unit: Double) { (self.step, self.unit) = (step, unit) }

    /// How ill it fits: pictures that are left out are better explained by a hold than others by a finer distance.
    var cost: Int { 3 * offCount + gaps }

    mutating func add(_ time: Int64) {
        if count == 0 { first = time }
        let place = Double(time) - Double(first)
        let next = (place / step).rounded()
        let error = place - next * step
        strayed += abs(error)
        let (low, high) = (min(errors.low, error), max(errors.high, error))
        // Rounding, in whichever direction, takes a unit; and steps may be rounded themselves.
        let isOff = high - low > 1.01 * unit + 0.02 * step || count > 0 && next <= slot
        defer { count += 1 }
        guard isOff else {
            if count > 0, next != slot + 1 { gaps += 1 }
            (slot, errors) = (next, (low, high))
            return
        }
        offCount += 1
        firstOff = firstOff ?? count
        // Those behind it may be right again.
        (first, slot, errors) = (time, 0, (0, 0))
    }
}
