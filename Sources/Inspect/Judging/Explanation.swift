/// The search for the changes of a model that explain the differences of a recording.
struct Explanation: Sendable {
    var solver: ModelSolver
    /// Numbers that every fit may change besides its own: the position and, unless frames are
    /// aligned in time, the start.
    let nuisance: [FitVariable]

    /// The maximum number of hypotheses that are fitted to every second frame.
    private static let maxTried = 10
    /// The maximum number of those that differ only in the timing function. An element has twenty,
    /// which would leave no room for parameters with a similar effect.
    private static let maxVariants = 3
    /// The maximum number of hypotheses of larger or smaller motions, which are fitted besides.
    /// Another amplitude also moves the middle of a motion, and without the position that follows
    /// from it, it looks less promising than it is.
    private static let maxAmplitudes = 3
    /// The maximum number of those that are then fitted to all frames.
    private static let maxFitted = 4
    /// The maximum number of Gauss-Newton steps of both. Fits end earlier if nothing decreases.
    private static let roughSteps = 6
    private static let steps = 8
    /// The decrease of the energy, relative to the energy before, below which a change explains
    /// nothing.
    static let minDecrease = 0.1
    /// The difference of two energies, relative to the best decrease, within which two explanations
    /// are equal.
    private static let tie = 0.08
    /// The difference of two energies, relative to the best decrease, within which two explanations
    /// draw the same frames.
    private static let sameTie = 0.005
    /// The difference of two energies after a fit to some frames, relative to the energy before,
    /// within which an explanation may still become the best.
    private static let roughTie = 0.3
    /// The increase of the energy in some frames, relative to the decrease in others, above which a
    /// change is a compromise: what it describes is only true for a part of the recording.
    private static let maxIncrease = 0.3

    /// The shifts of the start, in seconds, that serve as further starting points when a parameter
    /// of time is fitted.
    private static let startShifts = [0.04, -0.04, 0.08, -0.08, 0.15, -0.15]

    /// Returns the hypotheses that explain nearly as much as the best, the simplest first; empty if
    /// none explains enough.
    func best(_ model: LoaderModel, _ hypotheses: [Hypothesis]) throws -> [FittedHypothesis] {
        let usable = hypotheses.filter { !$0.variables.contains { nuisance.contains($0) } }
        let before = try solver.energy(model)
        let fitted = try roughlyFitted(model, usable).map {
            try self.fitted($0.hypothesis, from: $0.model, steps: Self.steps)
        }
        .filter { isConsistent($0.frameEnergies, with: before.frameEnergies) }
        let floor = fitted.map(\.energy).min() ?? before.energy
        guard before.energy - floor > Self.minDecrease * before.energy else { return [] }
        let limit = floor + Self.tie * (before.energy - floor)
        let equal = fitted.filter { $0.energy <= limit }.sorted {
            ($0.hypothesis.rank, $0.energy) < ($1.hypothesis.rank, $1.energy)
        }
        return likeliestFirst(equal, model, maxEnergyOfSame: floor + Self.sameTie * (before.energy - floor))
    }

    /// Returns the hypotheses that may be the best after a fit to every second frame, the best
    /// first.
    private func roughlyFitted(_ model: LoaderModel, _ hypotheses: [Hypothesis]) throws -> ArraySlice<FittedHypothesis>
    {
        var few = self
        few.solver = solver.every(2)
        let start = try few.solver.energy(model).energy
        var tried: [FittedHypothesis] = []
        for trial in try trials(model, hypotheses) {
            let isAmplitude = trial.hypothesis.kind == .amplitude
            // The best start of each hypothesis is fitted.
            guard
                tried.count(where: { ($0.hypothesis.kind == .amplitude) == isAmplitude })
                    < (isAmplitude ? Self.maxAmplitudes : Self.maxTried),
                !tried.contains(where: { $0.hypothesis.isSame(as: trial.hypothesis) }),
                tried.count(where: { $0.hypothesis.isVariant(of: trial.hypothesis) }) < Self.maxVariants
            else { continue }
            tried.append(try few.fitted(trial.hypothesis, from: trial.start, steps: Self.roughSteps))
        }
        let reach = (tried.map(\.energy).min() ?? start) + Self.roughTie * start
        return tried.filter { $0.energy <= reach }.sorted { $0.energy < $1.energy }.prefix(Self.maxFitted)
    }

    /// Returns equal explanations, sorted by rank, with the likeliest moved to the front.
    ///
    /// - Parameter maxEnergyOfSame: the energy up to which explanations draw the same frames as the
    ///   best.
    private func likeliestFirst(
        _ equal: [FittedHypothesis], _ model: LoaderModel, maxEnergyOfSame: Double
    ) -> [FittedHypothesis] {
        guard let first = equal.first else { return [] }
        // Over a plain background, every opacity has a colour that looks the same. The opacity is
        // one number instead of three.
        if first.hypothesis.isColor, let index = equal.firstIndex(where: { $0.hypothesis.kind == .opacity }) {
            return [equal[index]] + equal[..<index] + equal[(index + 1)...]
        }
        // Of parameters that draw the same, such as a radius and a line width, the one that changes
        // least is the likeliest.
        let lookalikes = equal.indices.filter {
            equal[$0].hypothesis.rank == first.hypothesis.rank && equal[$0].energy <= maxEnergyOfSame
        }
        guard
            let likeliest = lookalikes.min(by: { relativeChange(equal[$0], model) < relativeChange(equal[$1], model) })
        else { return equal }
        return [equal[likeliest]] + equal[..<likeliest] + equal[(likeliest + 1)...]
    }

    /// Returns the change of a numeric parameter relative to its value; 0 for other hypotheses.
    private func relativeChange(_ fit: FittedHypothesis, _ model: LoaderModel) -> Double {
        guard case .number(let name)? = fit.hypothesis.variables.first, fit.hypothesis.variables.count == 1,
            let before = solver.builder.number(name, model), let after = solver.builder.number(name, fit.model)
        else { return 0 }
        return abs(after - before) / max(abs(before), 1e-9)
    }

    /// Returns hypotheses with models from which to fit them, the most promising first.
    private func trials(
        _ model: LoaderModel, _ hypotheses: [Hypothesis]
    ) throws -> [(energy: Double, hypothesis: Hypothesis, start: LoaderModel)] {
        let rough = solver.every(3)
        let variables = nuisance + hypotheses.flatMap(\.variables)
        var groups: [[Int]] = []
        var next = nuisance.count
        for hypothesis in hypotheses {
            groups.append(Array(nuisance.indices) + Array(next..<next + hypothesis.variables.count))
            next += hypothesis.variables.count
        }
        let normals = try rough.normals(model, variables, groups: groups)
        var trials: [(energy: Double, hypothesis: Hypothesis, start: LoaderModel)] = []
        for (hypothesis, group) in zip(hypotheses, groups) where !hypothesis.variables.isEmpty {
            let decrease = ModelSolver.solution(normals, of: variables.count, group).decrease
            trials.append((normals.energy - decrease, hypothesis, model))
        }
        for hypothesis in hypotheses {
            for start in starts(hypothesis, model) {
                trials.append((try rough.energy(start).energy, hypothesis, start))
            }
        }
        return trials.sorted { ($0.energy, $0.hypothesis.rank) < ($1.energy, $1.hypothesis.rank) }
    }

    private func fitted(_ hypothesis: Hypothesis, from start: LoaderModel, steps: Int) throws -> FittedHypothesis {
        let result = try solver.refined(start, hypothesis.variables + nuisance, steps: steps)
        return FittedHypothesis(
            hypothesis: hypothesis, model: result.model, energy: result.energy, frameEnergies: result.frameEnergies)
    }

    private func isConsistent(_ after: [Double], with before: [Double]) -> Bool {
        var increase = 0.0
        var decrease = 0.0
        for ((new, old), weight) in zip(zip(after, before), solver.weights) {
            increase += weight * max(0, new - old)
            decrease += weight * max(0, old - new)
        }
        return increase <= Self.maxIncrease * decrease
    }

    /// Fits the numbers of several hypotheses together.
    func jointly(
        _ model: LoaderModel, _ hypotheses: [Hypothesis], steps: Int = Self.steps
    ) throws -> (model: LoaderModel, energy: Double) {
        let variables = hypotheses.flatMap(\.variables).filter { solver.fixedTimes == nil || $0 != .speed }
        let result = try solver.refined(model, nuisance + variables, steps: steps)
        return (result.model, result.energy)
    }

    private func starts(_ hypothesis: Hypothesis, _ model: LoaderModel) -> [LoaderModel] {
        if let edit = hypothesis.edit {
            var changed = model
            changed.edits.append(edit)
            return [changed]
        }
        if let setting = hypothesis.setting {
            let changed =
                hypothesis.object.map { solver.builder.with($0, setting, model) }
                ?? solver.builder.eased(setting, model)
            return [changed].compactMap { $0 }
        }
        let changed = hypothesis.starts.compactMap { changes in
            zip(hypothesis.variables, changes).reduce(Optional(model)) { model, step in
                model.flatMap { solver.builder.changed($0, step.0, by: step.1) }
            }
        }
        if hypothesis.kind == .amplitude {
            return changed + changed.map { solver.builder.centred($0, like: model) }
        }
        return changed + changed.flatMap { shifted($0, hypothesis) }
    }

    /// Returns a changed model with other starts, if the change moves something in time: the fitted
    /// start may be that of a part which the change moves.
    private func shifted(_ model: LoaderModel, _ hypothesis: Hypothesis) -> [LoaderModel] {
        guard nuisance.contains(.start) else { return [] }
        return startShifts(model, hypothesis).compactMap { solver.builder.changed(model, .start, by: $0) }
    }

    private func startShifts(_ model: LoaderModel, _ hypothesis: Hypothesis) -> [Double] {
        if hypothesis.kind == .late,
            let element = hypothesis.object.flatMap({ solver.builder.elements.names.firstIndex(of: $0) })
        {
            return model.edits.compactMap { edit in
                guard edit.element == element, case .delay(let delay) = edit.change else { return nil }
                return delay
            }
        }
        guard hypothesis.kind == .parameter, let name = hypothesis.object, solver.builder.number(name, model) != nil,
            solver.builder.isTiming(name)
        else { return [] }
        return Self.startShifts
    }
}
