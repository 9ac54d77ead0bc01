import Animations
import Core

/// The elements of a loader that consist of lines narrower than a pixel of the judged view. They
/// are judged in a view of their own.
struct ThinLines: Sendable {
    /// The indices of the elements.
    private let elements: Set<Int>
    private let builder: ModelBuilder
    /// The part of the canvas in which the lines are drawn, and a margin, in points.
    let bounds: Rect

    /// The number of instants of the period at which the nodes are sampled.
    private static let samples = 32
    /// The margin around the lines, relative to the shorter side of what they fill. Larger lines
    /// than designed are still seen in it.
    private static let margin = 0.5
    /// The maximum area of the part, relative to the canvas. A view of most of the canvas would
    /// show no more than the usual one.
    private static let maxShare = 0.25
    /// The values of a duration that are tried, relative to the designed one, and the ratio of two
    /// successive ones. A thin line is only found where it overlaps that of the recording.
    private static let durations = 0.5...2.0
    private static let durationStep = 1.02
    /// The changes of a number, relative to it, and of a colour channel, that show which elements a
    /// parameter changes.
    private static let trialChange = 0.06
    private static let trialChannel = 0.3

    /// - Parameter maxWidth: the width of a pixel of the judged view, in points.
    init?(_ builder: ModelBuilder, _ loader: any Loader, maxWidth: Double) {
        let all = builder.elements
        let nodes = Self.times(of: loader).flatMap { all.keyed(loader, at: $0) }
        let thin = all.judged.filter { element in
            let own = nodes.filter { all.shows($0, element) }.map(\.node)
            return !own.isEmpty && own.allSatisfy { $0.hasOnlyLines(below: maxWidth, scale: 1) }
        }
        let drawn = nodes.filter { node in thin.contains { all.shows(node, $0) } }
        guard let bounds = Rect.union(of: drawn.compactMap(\.node.bounds)) else { return nil }
        self.bounds = bounds.expanded(by: Self.margin * min(bounds.width, bounds.height))
        guard self.bounds.width * self.bounds.height < Self.maxShare * loader.canvas.width * loader.canvas.height
        else { return nil }
        elements = Set(thin)
        self.builder = builder
    }

    private static func times(of loader: any Loader) -> [Rational] {
        (0..<samples).map { loader.period * Rational(Int128($0), Int128(samples)) }
    }

    /// Returns the hypotheses that change these lines and nothing else, with starts for durations.
    func own(_ hypotheses: [Hypothesis], _ model: LoaderModel) -> [Hypothesis] {
        hypotheses.filter { isChanged(by: $0, model) }.map { hypothesis in
            guard let name = hypothesis.object, let value = builder.number(name, model), builder.unit(name) == "s"
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
        let deltas = number.map { [Self.trialChange * $0, -Self.trialChange * $0] }
        for delta in deltas ?? [Self.trialChannel, -Self.trialChannel] {
            guard let changed = builder.changed(model, variable, by: delta), let nodes = changedNodes(changed, model)
            else { continue }
            guard !nodes.isEmpty else { continue }
            return nodes.allSatisfy { node in elements.contains { builder.elements.shows(node, $0) } }
        }
        return false
    }

    /// Returns the nodes of a model that another one draws differently; nil if their numbers
    /// differ.
    private func changedNodes(_ other: LoaderModel, _ model: LoaderModel) -> [KeyedNode]? {
        var changed: [KeyedNode] = []
        for time in Self.times(of: model.loader) {
            let before = builder.elements.keyed(model.loader, at: time)
            let after = other.loader.nodes(at: time)
            guard before.count == after.count else { return nil }
            changed += zip(before, after).filter { $0.node != $1 }.map { $0.0 }
        }
        return changed
    }
}

extension Node {
    /// True if it draws nothing but lines narrower than `width` points.
    fileprivate func hasOnlyLines(below width: Double, scale: Double) -> Bool {
        switch self {
        case .shape(let shape): return shape.fill == nil && (shape.stroke?.width ?? 0) * scale < width
        case .group(let group):
            let factor = abs(group.transform.determinant).squareRoot()
            return group.nodes.allSatisfy { $0.hasOnlyLines(below: width, scale: factor * scale) }
        case .image, .text: return false
        }
    }
}

extension JudgedRecording {
    /// Judges thin lines in their own view, and replaces what the usual view shows of them.
    ///
    /// - Parameters:
    ///   - hypotheses: all ways in which the model may be changed.
    ///   - initial: the energy of the differences in the usual view before any explanation.
    mutating func judgeThinLines(_ hypotheses: [Hypothesis], initial: Double) throws {
        guard let thinLines, let thinView else { return }
        let own = thinLines.own(hypotheses, design)
        var detail = self
        for one in adopted where own.contains(where: { $0.isSame(as: one.hypothesis) }) {
            detail.model = builder.without(one.hypothesis, detail.model, design) ?? detail.model
        }
        try detail.look(at: thinView)
        var aligned = try detail.align()
        detail.chooseWorstFrames(aligned)
        let ratio = thinView.factor / view.factor
        let found = try detail.explained(by: own, &aligned, minInitial: initial * ratio * ratio)
        let names = Set(own.compactMap(\.object))
        let isOwn = { (deviation: Deviation) in deviation.object.map(names.contains) == true }
        if found.contains(where: isOwn) {
            model.settings = detail.model.settings
            model.edits = detail.model.edits
            model.loader = detail.model.loader
            deviations = Deviation.groups(deviations).filter { !isOwn($0[0]) }.flatMap { $0 } + found.filter(isOwn)
        }
        // What concerns the whole loader is only news if the usual view shows nothing.
        if deviations.isEmpty { deviations = found.filter { $0.object == nil } }
    }
}
