import Animations
import Core

/// The elements of a loader that consist of lines narrower than a pixel of the usual view. They are
/// judged in a detail view, which shows only their part of the canvas.
struct ThinLines: Sendable {
    /// The indices of the elements.
    private let elements: Set<Int>
    private let builder: ModelBuilder
    /// The part of the canvas in which the lines are drawn, and a margin, in points.
    let bounds: Rect

    /// The minimum width of a line in pixels of the recording, less the error of the scale:
    /// encoders fade lines of a single pixel beyond recognition.
    private static let minRecordedWidth = 1.9
    /// The number of instants of the period at which the nodes are sampled.
    private static let samples = 32
    /// The margin around the lines, relative to the shorter side of their bounds: lines that are
    /// displaced, or half as large again as designed, are still seen.
    private static let margin = 0.5
    /// The same margin, relative to the shorter side of the detail view.
    static let maskMargin = margin / (1 + 2 * margin)
    /// The minimum resolution of a detail view, relative to the usual one. With less, both show the
    /// same.
    private static let minGain = 1.5
    /// The minimum share of the part's width and height that a recording must show.
    private static let minVisible = 0.5
    /// The values of a duration that are tried, relative to the designed one, and the ratio of two
    /// successive ones. A fit finds a turning line only if it overlaps the recorded one: 2% of
    /// three turns are 22°, the length of the gap in a circle.
    private static let durations = 0.5...2.0
    private static let durationStep = 1.02
    /// The changes that show which elements a parameter draws: of a number, relative to it, as in
    /// the first start of a fit, and of a colour channel.
    private static let numberChange = 0.06
    private static let channelChange = 0.3

    /// - Parameters:
    ///   - scale: pixels of the recording per point.
    ///   - factor: pixels of the usual view per pixel of the recording.
    init?(_ builder: ModelBuilder, _ loader: any Loader, scale: Double, factor: Double) {
        let all = builder.elements
        let narrow = all.judged.filter { element in
            guard let width = all.lineWidths[element].map({ $0 * scale }) else { return false }
            return width >= Self.minRecordedWidth && width * factor < 1
        }
        guard !narrow.isEmpty else { return nil }
        let nodes = (0..<Self.samples).flatMap { step in
            all.keyed(loader, at: loader.period * Rational(Int128(step), Int128(Self.samples)))
        }
        let thin = narrow.filter { element in !nodes.contains { all.shows($0, element) && $0.node.hasArea } }
        let drawn = nodes.filter { node in thin.contains { all.shows(node, $0) } }
        // The findings of a loader's only element have no object.
        guard thin.count < all.judged.count, let lines = Rect.union(of: drawn.compactMap(\.node.bounds)) else {
            return nil
        }
        bounds = lines.expanded(by: Self.margin * min(lines.width, lines.height))
        elements = Set(thin)
        self.builder = builder
    }

    /// Returns the detail view, without frames; nil if the recording hardly shows the lines, or if
    /// the usual view shows as much of them.
    func view(_ location: RecordingLocation, _ options: JudgeOptions, _ usual: JudgedView) -> JudgedView? {
        let part = location.region(of: bounds, options)
        let detail = JudgedView(part, location.survey)
        let minSide = Self.minVisible * location.pose.scale
        guard Double(part.width) > minSide * bounds.width, Double(part.height) > minSide * bounds.height,
            detail.factor >= Self.minGain * usual.factor
        else { return nil }
        return detail
    }

    /// Returns the hypotheses that change these lines and nothing else. Durations start from many
    /// values.
    func own(_ hypotheses: [Hypothesis], _ model: LoaderModel) -> [Hypothesis] {
        hypotheses.filter { isChanged(by: $0, model) }.map { hypothesis in
            guard let name = hypothesis.object, let value = builder.number(name, model), builder.unit(name) == "s",
                value != 0
            else { return hypothesis }
            var changed = hypothesis
            let factors = sequence(first: Self.durations.lowerBound) { $0 * Self.durationStep }
            changed.starts = factors.prefix { $0 <= Self.durations.upperBound }.map { [($0 - 1) * value] }
            return changed
        }
    }

    private func isChanged(by hypothesis: Hypothesis, _ model: LoaderModel) -> Bool {
        guard hypothesis.kind == .parameter, let variable = hypothesis.variables.first else {
            return elements.contains { builder.elements.names[$0] == hypothesis.object }
        }
        let number = hypothesis.object.flatMap { builder.number($0, model) }
        let change = number.map { Self.numberChange * max(abs($0), 0.1) } ?? Self.channelChange
        for delta in [change, -change] {
            guard let changed = builder.changed(model, variable, by: delta),
                let nodes = builder.elements.changedNodes(of: model.loader, in: changed.loader, samples: Self.samples),
                !nodes.isEmpty
            else { continue }
            return nodes.allSatisfy { node in elements.contains { builder.elements.shows(node, $0) } }
        }
        return false
    }
}

extension Node {
    /// True if it draws anything but lines.
    fileprivate var hasArea: Bool {
        switch self {
        case .shape(let shape): shape.fill != nil
        case .group(let group): group.nodes.contains(where: \.hasArea)
        case .image, .text: true
        }
    }
}

extension JudgedRecording {
    /// The maximum energy that another duration of a thin line may leave, relative to that before,
    /// if there is too little difference to look for other changes.
    static let maxDurationResidual = 0.75
    /// The maximum correction of the position for the detail view, in pixels of the usual view, in
    /// which the position was found.
    private static let maxCorrection = 0.2

    /// The opacity above which, and the colour distance below which, the encoder may have faded a
    /// thin line: at crf 38, one of two pixels kept 0.8 of its opacity, and its colour was 17 away.
    private static let minOpacity = 0.7
    private static let maxColorDistance = 25.0

    /// The numbers of the position that every fit may change: in the detail view none, because the
    /// lines may be all that it shows.
    var placement: [FitVariable] { isDetail ? [] : scale.placement(model.pose) }

    /// Returns true if a hypothesis changes a parameter in seconds.
    func isDuration(_ hypothesis: Hypothesis) -> Bool { hypothesis.object.map(builder.unit) == "s" }

    /// Judges thin lines in the detail view, and replaces the usual view's findings about them.
    ///
    /// - Parameters:
    ///   - hypotheses: all ways in which the model may be changed.
    ///   - initial: the energy of the differences in the usual view before any explanation.
    mutating func judgeThinLines(_ hypotheses: [Hypothesis], initial: Double) throws {
        guard let thinLines, let detailView else { return }
        let own = thinLines.own(hypotheses, design)
        var detail = self
        for one in adopted where own.contains(where: { $0.isSame(as: one.hypothesis) }) {
            detail.model = builder.without(one.hypothesis, detail.model, design) ?? detail.model
        }
        try detail.switchToDetail(detailView)
        try detail.correctPosition(maxDistance: Self.maxCorrection / view.factor)
        var aligned = try detail.align()
        detail.chooseWorstFrames(aligned)
        let ratio = detailView.factor / view.factor
        let all = max(initial * ratio * ratio, try detail.solver.energy(detail.model).energy)
        let found = try detail.explained(by: own, &aligned, initial: all)
        let names = Set(own.compactMap(\.object))
        let isOwn = { (group: [Deviation]) in group[0].object.map(names.contains) == true }
        let ownGroups = Deviation.groups(found).filter { isOwn($0) && !Self.mayBeFaded($0[0]) }
        if !ownGroups.isEmpty {
            detail.model.pose = model.pose
            model = detail.model
            deviations = (Deviation.groups(deviations).filter { !isOwn($0) } + ownGroups).flatMap { $0 }
        }
        // While only thin lines move, the usual view shows neither standstills nor missing frames.
        // Another scale does not explain them.
        guard deviations.allSatisfy({ $0.kind == .size }) else { return }
        deviations += found.filter { [.frozen, .missingFrames].contains($0.kind) }
    }

    /// Returns true if a finding about a thin line may come from the encoder.
    private static func mayBeFaded(_ deviation: Deviation) -> Bool {
        guard let size = deviation.size else { return false }
        if deviation.kind == .opacity { return size < 1 && size > minOpacity }
        return deviation.unit == "deltaE" && size < maxColorDistance
    }

    /// Fits the position to the frames. Leaves it if it would move by `maxDistance` pixels of the
    /// recording or more.
    private mutating func correctPosition(maxDistance: Double) throws {
        let origin = try solver.refined(model, [.originX, .originY], steps: 4).model.pose.origin
        guard origin.distance(to: model.pose.origin) < maxDistance else { return }
        model.pose.origin = origin
        design.pose.origin = origin
    }
}
