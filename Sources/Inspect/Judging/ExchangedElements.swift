import Core
import Render

extension JudgedRecording {
    /// The number of starts that are tried, and of the fitted frames from one tried frame to the
    /// next.
    private static let triedStarts = 48
    private static let triedFrames = 5

    /// Returns alternatives to a missing element: others at the same position that may be missing
    /// instead if the recording starts at another time of the loader. For example, any of several
    /// expanding rings may be the missing one.
    func exchanged(
        _ missing: FittedHypothesis, _ hypotheses: [Hypothesis], _ explanation: Explanation
    ) throws -> [Deviation] {
        guard missing.hypothesis.kind == .missing, explanation.nuisance.contains(.start),
            let element = missing.hypothesis.edit?.element, let bounds = bounds(of: element)
        else { return [] }
        let rough = explanation.solver.every(Self.triedFrames)
        let period = loader.period.double
        return try hypotheses.compactMap { hypothesis -> Deviation? in
            guard hypothesis.kind == .missing, let edit = hypothesis.edit, edit.element != element,
                let other = self.bounds(of: edit.element), isSame(bounds, other)
            else { return nil }
            var trial = model
            trial.pose = missing.model.pose
            trial.edits.append(edit)
            let starts = try (0..<Self.triedStarts).map { step -> (energy: Double, model: LoaderModel) in
                var shifted = trial
                shifted.pose.start += period * Double(step) / Double(Self.triedStarts)
                return (try rough.energy(shifted).energy, shifted)
            }
            guard let best = starts.min(by: { $0.energy < $1.energy }) else { return nil }
            let fit = try explanation.jointly(best.model, [])
            guard fit.energy < Self.equalEnergyRatio * missing.energy,
                var deviation = writer.deviation(hypothesis, fit.model)
            else { return nil }
            let turns = fit.model.pose.start / period
            let start = (turns - turns.rounded(.down)) * period
            deviation.text += ", if the recording starts at \(DeviationWriter.seconds(start)) of the loader"
            deviation.isAlternative = true
            return deviation
        }
    }

    /// The number of instants of the period at which an element's bounds are measured.
    private static let instants = 24

    /// Returns the bounding box of an element at all times, in points; nil if it draws nothing.
    private func bounds(of element: Int) -> Rect? {
        let period = loader.period.double
        let nodes = (0..<Self.instants).flatMap { step in
            design.keyedNodes(at: period * Double(step) / Double(Self.instants), builder.elements)
                .filter { builder.elements.shows($0, element) }.map(\.node)
        }
        return Node.bounds(of: nodes)
    }

    /// The maximum difference of boxes that count as equal, relative to the longer side. It is not
    /// 0, because an element may be largest between two instants.
    private static let sameBounds = 0.1

    private func isSame(_ a: Rect, _ b: Rect) -> Bool {
        let slack = Self.sameBounds * max(a.width, a.height)
        return abs(a.x - b.x) < slack && abs(a.y - b.y) < slack && abs(a.maxX - b.maxX) < slack
            && abs(a.maxY - b.maxY) < slack
    }

    /// Sets the model's scale to that of a device if a free scale differs by less than a fit can
    /// measure.
    mutating func settleScale() {
        guard scale.isFree else { return }
        let change = scale.plausible(near: model.pose, survey) - model.pose.scale
        if let settled = builder.changed(model, .scale, by: change) { model = settled }
        design.pose.scale = model.pose.scale
        design.pose.origin = model.pose.origin
    }
}
