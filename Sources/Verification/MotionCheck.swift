/// Looks at the steps from picture to picture: for pictures that are blank, out of place or shown twice, and for what happens
/// where a clip begins again. Holds a few small pictures, however long the clip is.
struct MotionCheck {
    /// A small picture, and how it came after the one before.
    struct Shown {
        var pixels: Pixels
        var isBlank: Bool
        /// From the picture before.
        var step: PictureStep
        /// How many even distances after it.
        var slots: Int
        var time: Double
        var frame: Int
    }

    /// What a place in a row of pictures shows.
    enum Fault: Hashable {
        case blank, jumps, doubled, missing
    }

    private var recent: [Shown] = []
    private var beginning: [Shown] = []
    private(set) var count = 0
    private(set) var blankCount = 0
    /// Mean of all steps that are more than noise.
    private var motion = (sum: 0.0, count: 0)
    private var doubled: [(time: Double, frame: Int, slots: Int)] = []
    private var doubledCount = 0
    private(set) var findings: [Finding] = []

    private static let (window, kept) = (8, 5)

    mutating func add(_ pixels: Pixels, slots: Int, time: Double) {
        let step = recent.last.map { PictureStep($0.pixels, pixels) } ?? PictureStep(mean: 0, isMotion: false)
        let shown = Shown(
            pixels: pixels, isBlank: pixels.isBlank, step: step, slots: slots, time: time, frame: count)
        if step.isMotion { motion = (motion.sum + step.mean, motion.count + 1) }
        if shown.isBlank { blankCount += 1 }
        if beginning.count < Self.kept { beginning.append(shown) }
        recent.append(shown)
        if recent.count > Self.window { recent.removeFirst() }
        count += 1
        guard count >= Self.window else { return }
        // Of the first eight all that have three behind them, later one by one.
        for place in count == Self.window ? 1...4 : 4...4 { examine(recent, at: place) }
    }

    /// The mean step of what moves; 0 if nothing does.
    private var typical: Double { motion.count > 0 ? motion.sum / Double(motion.count) : 0 }

    // MARK: Within

    private mutating func examine(_ row: [Shown], at place: Int) {
        guard let fault = Self.fault(in: row, at: place) else { return }
        let (time, frame) = (row[place].time, row[place].frame)
        switch fault {
        case .blank:
            findings.append(
                Finding(.pictureBlank, .error, time: time, frame: frame, "a picture is blank: render it again"))
        case .jumps:
            findings.append(
                Finding(
                    .pictureJumps, .warning, time: time, frame: frame,
                    "a picture is out of place, those around it follow each other: unless that is meant, render it again"
                ))
        case .doubled:
            doubledCount += 1
            if doubled.count < 4 { doubled.append((time, frame, row[place + 1].slots)) }
        case .missing:
            findings.append(
                Finding(
                    .timeGap, .error, time: time, frame: frame,
                    "\(row[place + 1].slots - 1) \(row[place + 1].slots == 2 ? "picture is" : "pictures are") missing "
                        + "behind this one, which is shown longer: render the clip again"))
        }
        // Hostile files have as many as they like.
        if findings.count > 20 { findings.removeLast() }
    }

    /// What is wrong with the picture at a place of a row, or with how it and the next follow each other; nil if nothing is.
    static func fault(in row: [Shown], at place: Int) -> Fault? {
        guard place >= 1, place + 1 < row.count else { return nil }
        let (before, after) = (row[place].step, row[place + 1].step)
        if before.isMotion, after.isMotion {
            if row[place].isBlank {
                if isVanished(in: row, at: place) { return .blank }
            } else if isOutOfPlace(in: row, at: place) {
                return .jumps
            }
        }
        return pairFault(in: row, at: place)
    }

    /// Whether a picture is blank though those around it are not, nor were about to be.
    private static func isVanished(in row: [Shown], at place: Int) -> Bool {
        guard !row[place - 1].isBlank, !row[place + 1].isBlank else { return false }
        func isSudden(_ step: PictureStep, _ further: Int) -> Bool {
            guard row.indices.contains(further) else { return true }
            return step.mean > 0.6 * PictureStep(row[further].pixels, row[place].pixels).mean
        }
        return isSudden(row[place].step, place - 2) && isSudden(row[place + 1].step, place + 2)
    }

    /// Whether the pictures around one follow each other, and it follows none of them.
    private static func isOutOfPlace(in row: [Shown], at place: Int) -> Bool {
        let around = [place >= 2 ? row[place - 1].step : nil, place + 2 < row.count ? row[place + 2].step : nil]
            .compactMap { $0 }
        func least(_ value: (PictureStep) -> Double) -> Double {
            min(value(row[place].step), value(row[place + 1].step))
        }
        func most(_ value: (PictureStep) -> Double) -> Double { around.map(value).max() ?? 0 }
        let (change, way) = (least(\.mean), least(\.travel))
        let changes = change > 3 * most(\.mean)
        // Of things that move fast only the way tells.
        let travels = way > 5 * most(\.travel) && change > 1.2 * most(\.mean)
        guard changes || travels else { return false }
        let across = PictureStep(row[place - 1].pixels, row[place + 1].pixels)
        return changes && across.mean < change / 2 || travels && across.travel < way / 2
    }

    /// What is wrong with how a picture and the next follow each other.
    ///
    /// - Parameter atSeam: whether a loop begins again between them, where motion turns at a picture and not between two, and
    ///   where what is encoded alike is not decoded so.
    private static func pairFault(in row: [Shown], at place: Int, atSeam: Bool = false) -> Fault? {
        guard place >= 2, place + 3 < row.count else { return nil }
        let (earlier, before) = (row[place - 1].step, row[place].step)
        let (step, after, later) = (row[place + 1].step, row[place + 2].step, row[place + 3].step)
        guard before.isMotion, after.isMotion else { return nil }
        let isHeld = row[place + 1].slots > 1 && row[place].slots == 1 && row[place + 2].slots == 1
        if isHeld, step.mean > 1.5 * max(before.mean, after.mean) { return .missing }
        // What the step should be by those before, and by those behind.
        let expected = min(
            before.mean, 2 * before.mean - earlier.mean, after.mean, 2 * after.mean - later.mean)
        guard expected > 0 else { return nil }
        if isHeld { return row[place + 1].slots <= 3 ? .doubled : nil }
        if atSeam {
            // Of what is small, noise is most of a step, and does not move it.
            let isNoise = !step.isMotion && step.mean < expected
            // Of what rests there, programs make one picture that is shown for long.
            let rests = row[place + 1].slots > 1 || row[place + 2].slots > 1
            return (step.mean < 0.55 * expected || isNoise) && !rests ? .doubled : nil
        }
        guard step.mean < 0.2 * expected else { return nil }
        // What comes to rest does so at a picture or between two, and encoders take hardly anything for nothing.
        guard expected > 0.25 * max(before.mean, after.mean) else { return nil }
        // Where motion turns between two pictures, they are alike, and so are those around them.
        let across = PictureStep(row[place - 1].pixels, row[place + 2].pixels)
        return across.mean > 0.6 * max(before.mean, after.mean) ? .doubled : nil
    }

    // MARK: The seam

    /// What is to be said when all pictures are known.
    ///
    /// - Parameters:
    ///   - lastSlots: how many even distances the last picture is shown for.
    ///   - loops: whether the clip is meant to be played in a loop.
    mutating func finish(lastSlots: Int, loops: Bool) {
        guard count > 0 else { return }
        if blankCount == count {
            findings.append(Finding(.allBlank, .error, "every picture is of one colour: render it again"))
            return
        }
        let row = wholeRow(lastSlots)
        // Those that had too few behind them.
        let first = count < Self.window ? 1 : recent.count - 3
        for place in first..<max(first, recent.count - 2) { examine(row, at: place) }
        let seam = count >= 4 ? seamFinding(row, loops ? .error : .note) : nil
        let doublings = doubledCount + (seam?.id == .seamDoubled ? 1 : 0)
        if doublings > 1 {
            findings.append(
                Finding(
                    .pictureDoubled, .note, time: doubled.first?.time, frame: doubled.first?.frame,
                    "pictures are shown twice at \(doublings) places: holds, or the clip was made from one of fewer"))
        } else if let place = doubled.first {
            findings.append(
                Finding(
                    .pictureDoubled, place.slots > 2 ? .error : .warning, time: place.time, frame: place.frame,
                    "a picture is shown \(place.slots > 2 ? "three times" : "twice") while things move: unless that is meant, "
                        + "render the clip again"))
        }
        if let seam, doublings <= 1 || seam.id != .seamDoubled { findings.append(seam) }
    }

    /// Takes a jump at the seam for no fault if it is that of a known loader, which jumps by itself.
    mutating func explainSeam() {
        guard let index = findings.firstIndex(where: { $0.id == .seamJumps && $0.severity == .error }),
            let last = recent.last, let first = beginning.first,
            let loader = KnownSeam.loader(from: last.pixels, to: first.pixels)
        else { return }
        findings[index].severity = .note
        findings[index].message = "played in a loop, it jumps where it begins again, as \(loader) does by itself"
    }

    /// The last pictures and the first ones behind them, as they come in a loop.
    private func wholeRow(_ lastSlots: Int) -> [Shown] {
        guard let last = recent.last, var first = beginning.first else { return [] }
        first.step = PictureStep(last.pixels, first.pixels)
        first.slots = lastSlots
        return recent + [first] + beginning.dropFirst()
    }

    private func seamFinding(_ row: [Shown], _ severity: Finding.Severity) -> Finding? {
        let seam = recent.count
        func finding(_ id: Check, _ place: Int, _ message: String) -> Finding {
            Finding(id, severity, time: row[place].time, frame: row[place].frame, message)
        }
        for (place, name) in [(seam - 1, "last"), (seam, "first")] {
            switch Self.fault(in: row, at: place) {
            case .blank:
                return finding(
                    .seamBlank, place,
                    "played in a loop, the \(name) picture is blank: leave it out")
            case .jumps:
                return finding(
                    .seamJumps, place, "played in a loop, the \(name) picture is out of place: render it again")
            default: break
            }
        }
        // Where hardly anything moves nobody sees it.
        for place in [seam - 2, seam - 1, seam]
        where min(row[place].step.mean, row[place + 2].step.mean) > 0.1 * typical
            && Self.pairFault(in: row, at: place, atSeam: place == seam - 1) == .doubled
        {
            return finding(
                .seamDoubled, place,
                "played in a loop, a picture is shown twice where the clip begins again: leave the last one out")
        }
        return jump(in: row, at: seam).map { finding($0.id, seam - 1, $0.message) }
    }

    /// What the step from the last picture to the first says beside those around it.
    private func jump(in row: [Shown], at seam: Int) -> (id: Check, message: String)? {
        func steady(_ near: Shown, _ far: Shown) -> Double {
            let step = near.step.mean / Double(near.slots)
            return max(step, 2 * step - far.step.mean / Double(far.slots))
        }
        let (before, after, step) = (row[seam - 1], row[seam + 1], row[seam].step)
        let change = step.mean / max(1e-9, steady(before, row[seam - 2]), steady(after, row[seam + 2]))
        let around = [before, after, row[seam - 2], row[seam + 2]].map { $0.step.travel / Double($0.slots) }
        let way = step.travel / max(1e-9, around.max() ?? 0)
        guard step.isMotion, change > 1.4 || way > 1.6 else { return nil }
        let isStill = !before.step.isMotion && !after.step.isMotion
        if isStill || change > 3.6 || way > 3.6 {
            guard !isStill || step.mean > 0.5 * typical else { return nil }
            return (
                .seamJumps,
                "played in a loop, it jumps where it begins again: show whole cycles (--cycles), or say what it "
                    + "should show (--against)"
            )
        }
        let missing = max(1, Int(max(change, way).rounded()) - 1)
        return (
            .seamDropped,
            "played in a loop, about \(missing) \(missing == 1 ? "picture is" : "pictures are") missing where it "
                + "begins again: render up to the end of the cycle"
        )
    }
}
