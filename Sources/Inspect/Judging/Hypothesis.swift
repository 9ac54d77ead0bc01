import Animations
import Core

/// One way in which a recording may differ from its loader.
struct Hypothesis: Sendable {
    /// The kind of the deviation.
    var kind: Deviation.Kind
    /// The parameter or element; nil for the whole loader.
    var object: String?
    /// The numbers to fit; empty for a change without a size.
    var knobs: [Knob]
    /// Changes of the knobs from which the fit also starts, for differences beyond the reach of
    /// derivatives.
    var starts: [[Double]] = []
    /// A change without a size, such as a missing element.
    var edit: ElementEdit?
    /// The order of preference among equal explanations; lower is simpler.
    var rank = 1

    /// True if both are about the same change of the same thing.
    func isSame(as other: Hypothesis) -> Bool {
        guard kind == other.kind, object == other.object else { return false }
        guard case .raise(let a)? = edit?.change, case .raise(let b)? = other.edit?.change else { return true }
        return a == b
    }
}

/// A fitted hypothesis.
struct FittedHypothesis: Sendable {
    var hypothesis: Hypothesis
    var model: LoaderModel
    var energy: Double
    var frameEnergies: [Double]
}

extension ModelBuilder {
    /// Returns all ways in which a model may be changed.
    func hypotheses(_ model: LoaderModel) -> [Hypothesis] {
        [
            Hypothesis(
                kind: .size, knobs: [.scale], starts: [[0.06], [-0.06]].map { [$0[0] * model.pose.scale] }, rank: 1),
            Hypothesis(kind: .speed, knobs: [.speed], starts: [[0.03], [-0.03]], rank: 0),
        ] + parameterHypotheses(model) + elementHypotheses(model)
    }

    private func parameterHypotheses(_ model: LoaderModel) -> [Hypothesis] {
        request.definition.parameters.compactMap { parameter in
            let name = parameter.name
            if color(name, model) != nil {
                let channels = (0..<3).map { Knob.channel(name, $0) }
                return Hypothesis(kind: .parameter, object: name, knobs: channels, rank: 1)
            }
            guard let value = number(name, model) else { return nil }
            // Thin lines are only found from values near the right one.
            let changes = [0.06, -0.06, 0.15, -0.15].map { [$0 * max(abs(value), 0.1)] }
            return Hypothesis(kind: .parameter, object: name, knobs: [.number(name)], starts: changes, rank: 1)
        }
    }

    private func elementHypotheses(_ model: LoaderModel) -> [Hypothesis] {
        // A single element is described by the loader's own parameters and by its opacity.
        elements.names.enumerated().flatMap { element, name -> [Hypothesis] in
            var all = [
                Hypothesis(
                    kind: .opacity, object: name, knobs: [.elementOpacity(element)], starts: [[-0.5]], rank: 2),
                Hypothesis(
                    kind: .elementSize, object: name, knobs: [.elementSize(element)], starts: [[0.2], [-0.2]], rank: 2),
                Hypothesis(
                    kind: .elementPosition, object: name, knobs: [.elementX(element), .elementY(element)],
                    starts: [[5, 0], [-5, 0], [0, 5], [0, -5]], rank: 2),
                Hypothesis(
                    kind: .late, object: name, knobs: [.elementDelay(element)],
                    starts: [[0.05], [-0.05], [0.1], [-0.1], [0.2], [-0.2]], rank: 2),
            ]
            if elements.colors[element] != nil {
                let channels = (0..<3).map { Knob.elementChannel(element, $0) }
                all.append(Hypothesis(kind: .color, object: name, knobs: channels, rank: 2))
            }
            guard elements.names.count > 1 else { return all }
            all.append(
                Hypothesis(
                    kind: .missing, object: name, knobs: [],
                    edit: ElementEdit(element: element, change: .fade(0)), rank: 1))
            for direction in [-1, 1] {
                all.append(
                    Hypothesis(
                        kind: .order, object: name, knobs: [],
                        edit: ElementEdit(element: element, change: .raise(direction)), rank: 3))
            }
            return all
        }
    }
}

/// Finds the changes of a model that explain the differences of a recording.
struct Explanation: Sendable {
    let solver: ModelSolver
    /// Numbers that every fit may change besides its own: the position and, unless frames are
    /// aligned in time, the start.
    let nuisance: [Knob]

    /// The number of hypotheses that are fitted completely.
    private static let maxFitted = 6
    /// The decrease of the energy, relative to what it was, below which a change explains nothing.
    private static let minDecrease = 0.1
    /// The difference of two energies, relative to what was to be explained, within which two
    /// explanations are equal.
    private static let tie = 0.08

    /// Returns the best hypothesis first, then others that explain nearly as much; empty if none
    /// explains enough.
    func best(_ model: LoaderModel, _ hypotheses: [Hypothesis]) throws -> [FittedHypothesis] {
        let usable = hypotheses.filter { !$0.knobs.contains { nuisance.contains($0) } }
        let knobs = nuisance + usable.flatMap(\.knobs)
        var groups: [[Int]] = []
        var next = nuisance.count
        for hypothesis in usable {
            groups.append(Array(nuisance.indices) + Array(next..<next + hypothesis.knobs.count))
            next += hypothesis.knobs.count
        }
        let normals = try solver.normals(model, knobs, groups: groups)
        var trials: [(energy: Double, hypothesis: Hypothesis, start: LoaderModel)] = []
        for (hypothesis, group) in zip(usable, groups) {
            if hypothesis.knobs.isEmpty { continue }
            let decrease = ModelSolver.solution(normals, of: knobs.count, group).decrease
            trials.append((normals.energy - decrease, hypothesis, model))
        }
        for hypothesis in usable {
            for start in starts(hypothesis, model) {
                trials.append((try rough(start), hypothesis, start))
            }
        }
        trials.sort { ($0.energy, $0.hypothesis.rank) < ($1.energy, $1.hypothesis.rank) }
        var fitted: [FittedHypothesis] = []
        for trial in trials where fitted.count < Self.maxFitted {
            // The best start of each hypothesis is fitted.
            guard !fitted.contains(where: { $0.hypothesis.isSame(as: trial.hypothesis) }) else { continue }
            let result = try solver.refined(trial.start, trial.hypothesis.knobs + nuisance, steps: 5)
            fitted.append(
                FittedHypothesis(
                    hypothesis: trial.hypothesis, model: result.model, energy: result.energy,
                    frameEnergies: result.frameEnergies))
        }
        let floor = fitted.map(\.energy).min() ?? normals.energy
        guard normals.energy - floor > Self.minDecrease * normals.energy else { return [] }
        let limit = floor + Self.tie * (normals.energy - floor)
        return fitted.filter { $0.energy <= limit }.sorted {
            ($0.hypothesis.rank, $0.energy) < ($1.hypothesis.rank, $1.energy)
        }
    }

    /// Returns the two changes that explain most together, found one after the other and then
    /// fitted at once; nil if there are none.
    func bestPair(
        _ model: LoaderModel, _ hypotheses: [Hypothesis]
    ) throws -> (pair: [FittedHypothesis], model: (model: LoaderModel, energy: Double, frameEnergies: [Double]))? {
        guard let first = try best(model, hypotheses).first else { return nil }
        let others = hypotheses.filter { !$0.isSame(as: first.hypothesis) }
        guard let second = try best(first.model, others).first else { return nil }
        let knobs = nuisance + first.hypothesis.knobs + second.hypothesis.knobs
        let joint = try solver.refined(second.model, knobs, steps: 5)
        let pair = [first, second].map {
            FittedHypothesis(
                hypothesis: $0.hypothesis, model: joint.model, energy: joint.energy,
                frameEnergies: joint.frameEnergies)
        }
        return (pair, joint)
    }

    private func starts(_ hypothesis: Hypothesis, _ model: LoaderModel) -> [LoaderModel] {
        if let edit = hypothesis.edit {
            var changed = model
            changed.edits.append(edit)
            return [changed]
        }
        return hypothesis.starts.compactMap { changes in
            zip(hypothesis.knobs, changes).reduce(Optional(model)) { model, step in
                model.flatMap { solver.builder.changed($0, step.0, by: step.1) }
            }
        }
    }

    /// Returns the energy of a model, estimated from every third frame.
    private func rough(_ model: LoaderModel) throws -> Double {
        var few = solver
        let chosen = solver.frames.indices.filter { $0 % 3 == 0 }
        few.frames = chosen.map { solver.frames[$0] }
        few.planes = chosen.map { solver.planes[$0] }
        few.weights = chosen.map { solver.weights[$0] }
        few.modelTimes = solver.modelTimes.map { times in chosen.map { times[$0] } }
        return try few.energy(model).energy * Double(solver.frames.count) / Double(max(1, chosen.count))
    }
}
