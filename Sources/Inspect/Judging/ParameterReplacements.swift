// One parameter instead of changes of several elements, or of several times.
extension JudgedRecording {
    /// The kinds of changes of several elements that one parameter may cause.
    private static let sharedKinds: [Deviation.Kind] = [.elementSize, .late, .color, .opacity, .elementPosition]

    /// Replaces adopted changes of the same kind of several elements by a parameter that explains
    /// as much, such as the delay between elements. Returns the model with it.
    mutating func withParameterForElements(
        _ fit: (model: LoaderModel, energy: Double), among hypotheses: [Hypothesis], _ explanation: Explanation
    ) throws -> (model: LoaderModel, energy: Double) {
        for kind in Self.sharedKinds {
            let own = adopted.map(\.hypothesis).filter { $0.kind == kind }
            let others = adopted.map(\.hypothesis).filter { $0.kind != kind }
            let parameters = hypotheses.filter { candidate in
                candidate.kind == .parameter && !others.contains { $0.isSame(as: candidate) }
            }
            guard own.count > 1, !parameters.isEmpty else { continue }
            let reduced = own.reduce(Optional(fit.model)) { model, hypothesis in
                model.flatMap { builder.without(hypothesis, $0, design) }
            }
            guard let reduced, let replacement = try explanation.best(reduced, parameters).first else { continue }
            let trial = try explanation.jointly(replacement.model, others + [replacement.hypothesis])
            guard trial.energy < Self.equalEnergyRatio * fit.energy else { continue }
            adopted.removeAll { $0.hypothesis.kind == kind }
            adopted.append(AdoptedExplanation(hypothesis: replacement.hypothesis, alternatives: [], weight: 0))
            return trial
        }
        return fit
    }

    /// Replaces changes of several elements by a parameter after all explanations were found.
    /// Before that, each frame was at the time that fitted an incomplete model best, and no
    /// parameter explained the elements at these times. Returns true if it replaced any.
    mutating func replaceElementsByParameter(_ hypotheses: [Hypothesis]) throws -> Bool {
        let kinds = adopted.map(\.hypothesis.kind)
        guard Self.sharedKinds.contains(where: { kind in kinds.count { $0 == kind } > 1 }) else { return false }
        solver.fixedTimes = nil
        let explanation = Explanation(solver: solver, nuisance: placement + (isDetail ? [] : [.start]))
        let fit = try explanation.jointly(model, adopted.map(\.hypothesis))
        let count = adopted.count
        let replaced = try withParameterForElements(fit, among: hypotheses, explanation)
        guard adopted.count < count else { return false }
        model = replaced.model
        settleScale()
        return true
    }

    /// The maximum number of standstills and flashes that are taken for faults of the recording
    /// without a search for a parameter that causes them.
    private static let maxStandstills = 1
    /// The maximum energy with such a parameter, relative to that of the design. Parameters that do
    /// not cause them explain few of the differences in these frames.
    private static let maxParameterResidual = 0.1

    /// Adopts a parameter that explains several standstills and flashes. Stronger damping, for
    /// instance, ends each oscillation early. Only these frames differ then, and they are not
    /// fitted. Returns the aligned frames; nil if it adopted none.
    mutating func adoptParameterForTimes(
        _ hypotheses: [Hypothesis], _ aligned: [AlignedFrame]
    ) throws -> [AlignedFrame]? {
        let findings = timeFindings(aligned)
        let parameters = hypotheses.filter { $0.kind == .parameter }
        guard !isDetail, !parameters.isEmpty,
            findings.standstills.count + findings.flashes.count > Self.maxStandstills
        else { return nil }
        var trial = self
        trial.chooseWorstFrames(of: aligned, aligned)
        let explanation = Explanation(solver: trial.solver, nuisance: placement + [.start])
        let before = try trial.solver.energy(model).energy
        guard let best = try explanation.best(model, parameters).first,
            best.energy < Self.maxParameterResidual * before, writer.deviation(best.hypothesis, best.model) != nil
        else { return nil }
        model = best.model
        settleScale()
        adopted.append(AdoptedExplanation(hypothesis: best.hypothesis, alternatives: [], weight: 0))
        let frames = try align()
        chooseWorstFrames(frames)
        return frames
    }
}
