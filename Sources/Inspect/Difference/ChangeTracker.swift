import Core

/// A tracker that groups the changed regions of successive pairs of frames into changes, and
/// describes them.
struct ChangeTracker {
    /// A change in one or more pairs, which later pairs may continue.
    fileprivate struct Event {
        var change: FrameChange
        var pairs: ClosedRange<Int>
        var frames: ClosedRange<Int>
        var times: ClosedRange<Double>
        /// The bounds in the last pair.
        var box: PixelRect
        var weight: Double
        /// The largest difference relative to each limit of the rule `area`; empty for other rules.
        var codes: [Int: Double] = [:]
    }

    /// False for clips without times, whose changes are described by their frames alone.
    private let hasTimes: Bool
    private var open: [Event] = []
    private var closed: [Event] = []
    private var analyses = 0
    private var index = -1
    private var signatures: [TimeAlignment.Entry] = []

    /// The maximum number of pairs that are searched for objects, which takes a tenth of a second
    /// in 1080p. Only the first pair of a change is searched.
    private static let maxAnalyses = 40
    /// The maximum number of pixels of frames that are searched for objects.
    private static let maxPixels = 9_000_000
    /// The maximum number of changes.
    private static let maxEvents = 64
    /// The distance in pixels by which a changed region may move between frames: 2,880 pixels per
    /// second at 60 frames per second. Farther away, it is another change.
    private static let reach = 48
    /// The number of equal pairs after which a change is over. A frame or two without a visible
    /// difference do not end it.
    private static let maxGap = 2

    /// True if frames that are shown later or earlier are looked for.
    private let findsShifts: Bool

    init(hasTimes: Bool, findsShifts: Bool = true) {
        self.hasTimes = hasTimes
        self.findsShifts = findsShifts
    }

    /// Adds a compared pair.
    mutating func add(_ compared: PairComparison.Compared) throws {
        index += 1
        let isDifferent = compared.measure?.rule != nil
        if !findsShifts || index >= TimeAlignment.maxPairs {
            // Shifts in time are not looked for, so the memory is not needed.
            signatures = []
        } else {
            signatures.append(
                TimeAlignment.Entry(
                    signature: compared.signature, frame: compared.pair.expected.frame, time: compared.pair.time,
                    isDifferent: isDifferent))
        }
        closed += open.filter { index - $0.pairs.upperBound > Self.maxGap }
        open.removeAll { index - $0.pairs.upperBound > Self.maxGap }
        if closed.count > 2 * Self.maxEvents {
            closed = Array(closed.sorted { $0.weight > $1.weight }.prefix(Self.maxEvents))
        }
        guard let measure = compared.measure else { return }
        if isDifferent {
            try add(measure.regions.map(\.box), [:], compared.pair)
        } else {
            let codes = Dictionary(uniqueKeysWithValues: measure.areas.map { ($0.limit, $0.codes) })
            guard let largest = measure.areas.max(by: { $0.limit < $1.limit }) else { return }
            try add(largest.regions.map(\.box), codes, compared.pair)
        }
    }

    /// Adds the regions of a pair: to changes that continue, or as new ones.
    private mutating func add(_ boxes: [PixelRect], _ codes: [Int: Double], _ pair: FramePairs.Pair) throws {
        var regions = Self.joined(boxes)
        for (number, event) in open.enumerated() where event.codes.isEmpty == codes.isEmpty {
            let found = regions.filter { $0.overlaps(event.box.expanded(by: Self.reach)) }
            guard let first = found.first else { continue }
            regions.removeAll { found.contains($0) }
            let box = found.dropFirst().reduce(first) { $0.union($1) }
            open[number].extend(to: index, pair, box, codes)
        }
        guard !regions.isEmpty, open.count < Self.maxEvents else { return }
        for change in try describe(regions, pair, isFaint: !codes.isEmpty) {
            let event = Event(
                change: change, pairs: index...index, frames: pair.expected.frame...pair.expected.frame,
                times: pair.time...pair.time, box: change.box, weight: change.weight, codes: codes)
            open.append(event)
        }
    }

    private mutating func describe(
        _ regions: [PixelRect], _ pair: FramePairs.Pair, isFaint: Bool
    ) throws -> [FrameChange] {
        let frame = pair.expected.decoded.frame
        guard analyses < Self.maxAnalyses, frame.width * frame.height <= Self.maxPixels else {
            return regions.map { box in
                let text = "an area of \(box.width)x\(box.height) px at (\(box.x), \(box.y)) differs"
                return FrameChange(kind: .area, text: text, box: box, weight: Double(box.area) / 10)
            }
        }
        analyses += 1
        return FrameChanges(try pair.pixels()).changes(in: regions, isFaint: isFaint)
    }

    /// Joins regions that are close to each other, such as both sides of an object that moved.
    private static func joined(_ boxes: [PixelRect]) -> [PixelRect] {
        PixelRect.joined(boxes) { $0.expanded(by: reach / 2).overlaps($1) }
    }

    /// Returns the changes in descending order of weight.
    ///
    /// - Parameters:
    ///   - durationRatio: the expected clip's duration divided by that of the actual clip.
    ///   - isArea: returns true if the largest differences of flat areas violate the rule.
    func changes(durationRatio: Double, isArea: ([Int: Double]) -> Bool) -> [ClipChange] {
        let hasChanges = signatures.contains(where: \.isDifferent)
        let alignment = hasChanges ? TimeAlignment(signatures, hasTimes: hasTimes) : nil
        let playback = alignment.map { PlaybackChange.changes(signatures, $0, durationRatio: durationRatio) } ?? []
        let isWhole = playback.contains { $0.pairs.count == signatures.count }
        func isExplained(_ pair: Int) -> Bool {
            alignment?.isShifted(pair) == true || playback.contains { $0.pairs.contains(pair) }
        }
        let events = (closed + open).filter { event in
            guard event.codes.isEmpty || isArea(event.codes) else { return false }
            return !event.pairs.allSatisfy(isExplained)
        }
        let changes =
            (isWhole ? [] : alignment?.changes ?? [])
            + playback.map { $0.clipChange(signatures, hasTimes: hasTimes) }
            + events.map { $0.clipChange(hasTimes: hasTimes) }
        return Array(
            changes.sorted { ($0.weight, $1.firstFrame) > ($1.weight, $0.firstFrame) }.prefix(Self.maxEvents))
    }
}

extension ChangeTracker.Event {
    fileprivate mutating func extend(
        to index: Int, _ pair: FramePairs.Pair, _ box: PixelRect, _ codes: [Int: Double]
    ) {
        let count = Double(pairs.count)
        let isNew = index > pairs.upperBound
        pairs = pairs.lowerBound...max(pairs.upperBound, index)
        frames = frames.lowerBound...max(frames.upperBound, pair.expected.frame)
        times = times.lowerBound...max(times.upperBound, pair.time)
        self.box = box
        if isNew { weight += weight / count }
        self.codes.merge(codes) { max($0, $1) }
    }

    fileprivate func clipChange(hasTimes: Bool) -> ClipChange {
        let when = ClipChange.when(hasTimes ? times : nil, frames)
        let box = change.box
        return ClipChange(
            kind: change.kind, text: "\(when) \(change.text)", from: times.lowerBound.roundedToMillionths,
            to: times.upperBound.roundedToMillionths, firstFrame: frames.lowerBound, lastFrame: frames.upperBound,
            box: [box.x, box.y, box.width, box.height], weight: weight.roundedToThousandths)
    }
}
