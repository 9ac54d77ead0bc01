import Core
import Render

/// The energy of the differences that a fit leaves.
struct FitResidual {
    /// The energy relative to the drawing's, with all frames at the times that follow from the
    /// model's start and speed.
    var atPoseTimes: Double
    /// The energy relative to the drawing's, with each frame at the time that fits it best.
    var atAlignedTimes: Double
    /// The energy of the drawing.
    var drawingEnergy: Double
}

/// An explanation that a model contains.
struct AdoptedExplanation {
    var hypothesis: Hypothesis
    /// Other explanations that fit about equally well.
    var alternatives: [Deviation]
    /// The share of the difference that it explains.
    var weight: Double

    /// Returns the deviation with the values of the final model, and the alternatives if no other
    /// explanation has changed the values since.
    func deviations(of model: LoaderModel, writer: DeviationWriter, isOnly: Bool) -> [Deviation] {
        guard var deviation = writer.deviation(hypothesis, model) else { return [] }
        deviation.weight = weight
        // A parameter and an element of the same name are the same to the user.
        let others = alternatives.filter { $0.object != deviation.object || $0.expected != deviation.expected }.map {
            var alternative = $0
            alternative.weight = weight
            return alternative
        }
        return [deviation] + (isOnly ? others : [])
    }
}

extension JudgedRecording {
    /// The energy of an explanation, relative to that of another, below which both are equally
    /// good.
    static let equalEnergyRatio = 1.1
    /// The share of the energy removed by alignment in time that a change in space may leave.
    /// Alignment has a free number for each frame, so it always removes something.
    private static let maxSpatialResidual = 0.3
    /// The share of the energy removed by alignment in time that a change in time may leave.
    private static let maxTimingResidual = 0.03
    /// The energy of two parameters, relative to that of a changed size, below which they are
    /// preferred. Two numbers always fit a little better than one.
    private static let maxPairEnergy = 0.6
    /// The energy after a first change, relative to that before, below which a second one is
    /// sought.
    private static let maxResidualBeforeSecondChange = 0.8
    /// The maximum energy after a change of corners, relative to that before, at which the change
    /// is adopted although the differences are too small to need an explanation.
    private static let maxCornerResidual = 0.6
    /// The maximum number of repetitions of a fit.
    private static let maxPolishRounds = 3
    /// The energy, relative to the previous one, below which a repetition counts and the next one
    /// follows.
    private static let maxPolishRatio = 0.97
    /// The maximum energy at the times of the pose, relative to that at aligned times, if both
    /// times agree.
    private static let maxPoseToAlignedRatio = 1.5

    /// Adds to the model the change, or the pair of changes, that explains most. Returns false if
    /// none is needed, or if none explains enough.
    mutating func explain(with hypotheses: [Hypothesis], aligned: [AlignedFrame]) throws -> Bool {
        let residual = fitResidual(aligned)
        solver.fixedTimes = nil
        let differs = try hasDifference(residual: residual.atPoseTimes, aligned: aligned)
        if differs, try adopt(hypotheses, residual: residual) { return true }
        // A thin line at another angle changes few pixels, so that a wrong duration may not count
        // as a difference.
        let durations = hypotheses.filter(isDuration)
        if isDetail, !differs, try adopt(durations, residual: residual, maxResidual: Self.maxDurationResidual) {
            return true
        }
        // Other corners change few pixels, too, and a free scale hides most of the change.
        let corners = hypotheses.filter { $0.kind == .cornerRadius }
        if !differs, !corners.isEmpty, try adopt(corners, residual: residual, maxResidual: Self.maxCornerResidual) {
            return true
        }
        guard try hasDifference(residual: residual.atAlignedTimes, aligned: aligned) else { return false }
        solver.fixedTimes = solver.frames.map { aligned[$0].modelTime }
        return try adopt(hypotheses.filter { $0.kind != .speed }, residual: nil)
    }

    /// Fits the explanations and the times of frames in turn, because each may have absorbed a part
    /// of the other's difference. Returns the aligned frames.
    mutating func polish(_ aligned: [AlignedFrame]) throws -> [AlignedFrame] {
        var aligned = aligned
        guard !adopted.isEmpty else { return aligned }
        for _ in 0..<Self.maxPolishRounds {
            let residual = fitResidual(aligned)
            // The explanations were already fitted to frames at the times of the pose.
            guard residual.atPoseTimes > Self.maxPoseToAlignedRatio * residual.atAlignedTimes else { break }
            solver.fixedTimes = solver.frames.map { aligned[$0].modelTime }
            let before = try solver.energy(model).energy
            let explanation = Explanation(solver: solver, nuisance: placement)
            let fit = try explanation.jointly(model, adopted.map(\.hypothesis))
            guard fit.energy < Self.maxPolishRatio * before else { break }
            model = fit.model
            settleScale()
            aligned = try align()
        }
        return aligned
    }

    /// Adopts the change that explains most, or two if one is not enough. Returns true if it did.
    /// Also adopts a change within the tolerance, which is not a deviation but may hide one.
    ///
    /// - Parameters:
    ///   - residual: the fit of the alignment in time, which a change must explain as well; nil if
    ///     the frames are at their aligned times.
    ///   - maxResidual: the maximum energy after the first change, relative to that before.
    private mutating func adopt(
        _ hypotheses: [Hypothesis], residual: FitResidual?, maxResidual: Double = 1
    ) throws -> Bool {
        let timing: [FitVariable] = solver.fixedTimes == nil && !isDetail ? [.start] : []
        let explanation = Explanation(solver: solver, nuisance: placement + timing)
        let fitted = try explanation.best(model, hypotheses)
        let before = try solver.energy(model).energy
        guard let best = fitted.first, best.energy < maxResidual * before else { return false }
        var found = [best.hypothesis]
        var result = (model: best.model, energy: best.energy)
        if let residual, best.energy >= limit(residual: residual, for: found) {
            guard best.energy < Self.maxResidualBeforeSecondChange * before,
                let second = try explanation.best(best.model, hypotheses.filter { !$0.isSame(as: best.hypothesis) })
                    .first
            else { return false }
            found.append(second.hypothesis)
            result = try explanation.jointly(second.model, found)
            guard result.energy < limit(residual: residual, for: found) else { return false }
        }
        var others = found.count == 1 ? alternatives(fitted) + (try exchanged(best, hypotheses, explanation)) : []
        if best.hypothesis.kind == .size, found.count == 1,
            let pair = try pair(insteadOfSize: best, among: hypotheses, explanation)
        {
            found = pair.hypotheses
            result = pair.fit
            others = []
        }
        for hypothesis in found where !adopted.contains(where: { $0.hypothesis.isSame(as: hypothesis) }) {
            adopted.append(AdoptedExplanation(hypothesis: hypothesis, alternatives: others, weight: 0))
        }
        if adopted.count > 1 {
            result = try explanation.jointly(result.model, adopted.map(\.hypothesis))
            result = try withoutRedundantExplanations(result, found: found, explanation)
            result = try withParameterForSize(result, among: hypotheses, explanation)
            result = try withParameterForElements(result, among: hypotheses, explanation)
        }
        model = result.model
        settleScale()
        return true
    }

    /// Returns the energy below which explanations are preferred to the alignment in time.
    private func limit(residual: FitResidual, for found: [Hypothesis]) -> Double {
        // A change in time must explain the times, even if a change in space comes with it.
        let isTime = found.contains { isDuration($0) || [.late, .speed, .easing, .backwards].contains($0.kind) }
        let share = isTime ? Self.maxTimingResidual : Self.maxSpatialResidual
        let allowance = share * (residual.atPoseTimes - residual.atAlignedTimes)
        let best = residual.atAlignedTimes
        return max(Self.equalEnergyRatio * best, best + allowance) * residual.drawingEnergy
    }

    private func alternatives(_ fitted: [FittedHypothesis]) -> [Deviation] {
        fitted.dropFirst().compactMap { fit in
            var deviation = writer.deviation(fit.hypothesis, fit.model)
            deviation?.isAlternative = true
            return deviation
        }
    }

    /// Removes adopted explanations that the others make redundant. Returns the model without them.
    private mutating func withoutRedundantExplanations(
        _ fit: (model: LoaderModel, energy: Double), found: [Hypothesis], _ explanation: Explanation
    ) throws -> (model: LoaderModel, energy: Double) {
        var fit = fit
        // A change within the tolerance refines the others but replaces none. A size may have no
        // deviation because any scale is right.
        guard found.contains(where: { $0.kind == .size || writer.deviation($0, fit.model) != nil }) else { return fit }
        for one in adopted.dropLast() {
            let others = adopted.map(\.hypothesis).filter { !$0.isSame(as: one.hypothesis) }
            guard !others.isEmpty, let reduced = builder.without(one.hypothesis, fit.model, design) else { continue }
            let trial = try explanation.jointly(reduced, others)
            guard trial.energy < Self.equalEnergyRatio * fit.energy else { continue }
            fit = trial
            adopted.removeAll { $0.hypothesis.isSame(as: one.hypothesis) }
        }
        return fit
    }

    /// Returns two parameters that explain more than a changed size of the loader, with the fit;
    /// nil if there are none.
    private func pair(
        insteadOfSize size: FittedHypothesis, among hypotheses: [Hypothesis], _ explanation: Explanation
    ) throws -> (hypotheses: [Hypothesis], fit: (model: LoaderModel, energy: Double))? {
        // Another colour beside a changed size explains more than the size, and does not replace
        // it.
        let parameters = hypotheses.filter { $0.kind == .parameter && !$0.isColor }
        guard let first = try explanation.best(size.model, parameters).first,
            let reduced = builder.without(size.hypothesis, first.model, design),
            let second = try explanation.best(
                reduced, parameters.filter { !$0.isSame(as: first.hypothesis) }
            ).first
        else { return nil }
        let pair = [first.hypothesis, second.hypothesis]
        let fit = try explanation.jointly(second.model, pair, steps: 5)
        return fit.energy < Self.maxPairEnergy * size.energy ? (pair, fit) : nil
    }

    /// Replaces an adopted change of size by a parameter that explains as much beside the other
    /// explanations. Returns the model with it. Two parameters may look like a changed size.
    private mutating func withParameterForSize(
        _ fit: (model: LoaderModel, energy: Double), among hypotheses: [Hypothesis], _ explanation: Explanation
    ) throws -> (model: LoaderModel, energy: Double) {
        guard let index = adopted.firstIndex(where: { $0.hypothesis.kind == .size }), adopted.count > 1,
            let reduced = builder.without(adopted[index].hypothesis, fit.model, design)
        else { return fit }
        let others = adopted.map(\.hypothesis).filter { $0.kind != .size }
        let parameters = hypotheses.filter { candidate in
            candidate.kind == .parameter && !others.contains { $0.isSame(as: candidate) }
        }
        guard let replacement = try explanation.best(reduced, parameters).first else { return fit }
        let trial = try explanation.jointly(replacement.model, others + [replacement.hypothesis], steps: 5)
        guard trial.energy < Self.equalEnergyRatio * fit.energy else { return fit }
        adopted[index].hypothesis = replacement.hypothesis
        adopted[index].alternatives = []
        return trial
    }

    /// Returns the deviations in time, and those of the explanations that they do not replace.
    func explainedDeviations(_ aligned: [AlignedFrame], initial: Double) throws -> [Deviation] {
        let findings = timeFindings(aligned)
        let residual = fitResidual(aligned)
        let gain = (residual.atPoseTimes - residual.atAlignedTimes) * residual.drawingEnergy / max(1, initial)
        let rests = try FrameAligner(view: view, builder: builder, mask: mask, model: design).rests()
        let inTime = try findings.deviations(writer, rests: rests).flatMap { deviation in
            try explainedFlash(deviation, aligned, findings.flashes)
        }
        let times = inTime.map { deviation in
            var deviation = deviation
            deviation.weight = min(1, max(0, gain))
            return deviation
        }
        // A phase or a timing function that differs from the design also changes the mean speed.
        // A named timing function replaces a delay too, because none fits beside a real delay.
        let isPaced = times.contains { [.phaseDuration, .easing].contains($0.kind) }
        let isNamed = times.contains { $0.kind == .easing && $0.actual != nil }
        let replaced: Set<Deviation.Kind> = isNamed ? [.speed, .late] : isPaced ? [.speed] : []
        let kept = adopted.filter { !replaced.contains($0.hypothesis.kind) }
        let count = adopted.count { writer.deviation($0.hypothesis, model) != nil }
        return kept.flatMap { $0.deviations(of: model, writer: writer, isOnly: count == 1) } + times
    }

    /// Sets the weight of each explanation: the share of the initial differences that returns if
    /// the model does without it.
    mutating func weigh(initial: Double) throws {
        solver.fixedTimes = nil
        let energy = try solver.energy(model).energy
        for index in adopted.indices {
            guard let reduced = builder.without(adopted[index].hypothesis, model, design) else { continue }
            let without = try solver.energy(reduced).energy
            adopted[index].weight = min(1, max(0, (without - energy) / max(1, initial)))
        }
    }
}
