import Motion

/// Looks at when pictures are shown.
struct TimeCheck {
    private let grid: FrameGrid
    private let clock: Double
    private let structure: FileStructure
    private(set) var findings: [Finding] = []
    /// Pictures so far.
    private(set) var count = 0
    private var (first, last, lastDuration): (Int64?, Int64?, Int64) = (nil, nil, 0)
    private var (hasMissing, hasDisorder) = (false, false)

    init(_ grid: FrameGrid, clock: Double, _ structure: FileStructure) {
        (self.grid, self.clock, self.structure) = (grid, clock, structure)
    }

    /// When the last picture is shown, in seconds from the first.
    var seconds: Double { seconds(last) }
    /// How many even distances the last picture came after the one before.
    private(set) var slots = 1

    private func seconds(_ time: Int64?) -> Double {
        guard let time, let first else { return 0 }
        return (Double(time) - Double(first)) * clock
    }

    /// Takes the next picture.
    mutating func add(_ time: Int64?, duration: Int64) {
        defer { count += 1 }
        slots = 1
        guard let time else {
            if !hasMissing {
                findings.append(
                    Finding(.timeMissing, .error, frame: count, "a picture has no time: write the file anew"))
            }
            hasMissing = true
            return
        }
        if first == nil { begin(at: time) }
        if let last {
            let (distance, overflow) = time.subtractingReportingOverflow(last)
            if overflow || distance <= 0 { tellDisorder(at: time, isDoubled: distance == 0) }
            slots = overflow ? 1 : grid.slots(max(0, distance))
        }
        (last, lastDuration) = (time, duration)
    }

    private mutating func begin(at time: Int64) {
        first = time
        let start = Double(time) * clock
        guard structure.kind.beginsAtZero, abs(start) > max(clock, 0.0005) else { return }
        let how = start < 0 ? "before 0" : "late"
        findings.append(
            Finding(
                .timeStart, .error, frame: 0,
                "the first picture is shown at \(decimal(start)) s, \(how): begin at 0 (ffmpeg -output_ts_offset, or "
                    + "an edit list)"))
    }

    private mutating func tellDisorder(at time: Int64, isDoubled: Bool) {
        defer { hasDisorder = true }
        guard !hasDisorder else { return }
        let what = isDoubled ? "at the same time as the one before" : "before the one before"
        findings.append(
            Finding(
                .timeOrder, .error, time: max(0, seconds(time)), frame: count,
                "a picture is shown \(what): give every picture a time of its own"))
    }

    /// How long the last picture is shown, in units of the clock, by its own word or the container's.
    private func lastLength(_ saidDuration: Double?) -> Double {
        if lastDuration > 0 { return Double(lastDuration) }
        return saidDuration.map { max(0, $0 / clock - seconds / clock) } ?? 0
    }

    /// How many even distances the last picture is shown for.
    func lastSlots(_ saidDuration: Double?) -> Int {
        let length = lastLength(saidDuration)
        return length.isFinite && length < 1e15 ? grid.slots(Int64(length)) : 1
    }

    /// How long the whole clip is, in seconds.
    func duration(_ saidDuration: Double?) -> Double { seconds + lastLength(saidDuration) * clock }

    /// What is to be said when all pictures are known.
    mutating func finish(_ saidDuration: Double?) {
        if structure.delays.tooShort > 0, structure.kind.isAnimation, structure.delays.count > 1 { tellShortDelays() }
        if count > 1, !hasDisorder, !grid.isEven, !grid.isVariable, let off = grid.firstOff {
            findings.append(
                Finding(
                    .timeUneven, .error, time: Double(off) * grid.step * clock, frame: off,
                    "\(off == 1 ? "the first picture is" : "pictures before it are") not shown for as long as "
                        + "the others "
                        + "(\(decimal(grid.step * clock * 1000)) ms), nor for a multiple of it: mend its delay"))
        }
        if count > 1, lastLength(saidDuration) < grid.step / 4, !structure.kind.isAnimation {
            findings.append(
                Finding(
                    .timeLast, .error, time: seconds, frame: count - 1,
                    "the last picture has no length, so that players leave it out: give its packet a duration"))
        }
        if structure.kind == .gif, grid.isEven { tellRoundedRate() }
    }

    private mutating func tellShortDelays() {
        let (short, all) = (structure.delays.tooShort, structure.delays.count)
        let least = structure.kind == .gif ? "2 hundredths of a second" : "more than 10 ms"
        let count = short == all ? "all pictures have" : short == 1 ? "a picture has" : "\(short) pictures have"
        findings.append(
            Finding(
                .delayShort, .error, frame: structure.delays.firstTooShort,
                "\(count) a delay so short that browsers show 100 ms instead: give \(least) at least"))
    }

    /// GIFs made by cutting delays to whole hundredths of a second: 3 for 30 frames a second, 6 for 15.
    private mutating func tellRoundedRate() {
        guard let meant = [3.0: 30, 6.0: 15][grid.step] else { return }
        findings.append(
            Finding(
                .rateRounded, .warning,
                "\(decimal(1 / (grid.step * clock))) frames a second is what \(meant) becomes where delays are cut to "
                    + "hundredths of a second, 11% too fast: let delays differ so that their sum is right"))
    }

    /// The pictures' rate a second; nil if they have no even distance.
    var rate: Double? { count < 2 || grid.isVariable || grid.step <= 0 ? nil : 1 / (grid.step * clock) }
}

/// A number with up to three decimals.
func decimal(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let rounded = value.thousandths
    return rounded == rounded.rounded() ? String(Int(rounded)) : "\(rounded)"
}
