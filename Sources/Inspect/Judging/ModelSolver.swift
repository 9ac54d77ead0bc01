import Core

/// A solver that fits models to frames of a recording by least squares over the pixels of the view.
struct ModelSolver: Sendable {
    let view: JudgedView
    let builder: ModelBuilder
    /// The frames to fit, as indices of the view's frames.
    var frames: [Int]
    /// The planes of those frames.
    var planes: [DifferencePlanes]
    /// The weight of each sample: 1 if it counts, otherwise 0.
    let mask: [Float]
    /// The weight of each frame; 1 by default.
    var weights: [Double]
    /// The model time of each frame; if nil, it follows from the pose.
    var fixedTimes: [Double]?
    /// True if each frame has a time of its own: the start is fitted to each frame alone.
    var hasOwnTimes = false

    init(_ view: JudgedView, _ builder: ModelBuilder, frames: [Int], mask: [Float]) {
        self.view = view
        self.builder = builder
        self.frames = frames
        self.mask = mask
        planes = frames.map(view.planes)
        weights = frames.map { _ in 1 }
    }

    /// Returns a solver of every nth frame. Its energies are those of all frames, estimated.
    func every(_ count: Int) -> ModelSolver {
        var part = self
        let chosen = frames.indices.filter { $0 % count == 0 }
        let factor = Double(frames.count) / Double(max(1, chosen.count))
        part.frames = chosen.map { frames[$0] }
        part.planes = chosen.map { planes[$0] }
        part.weights = chosen.map { factor * weights[$0] }
        part.fixedTimes = fixedTimes.map { times in chosen.map { times[$0] } }
        return part
    }

    /// The normal equations of a Gauss-Newton step, summed over frames.
    struct NormalEquations: Sendable {
        /// The weighted sum of squared differences.
        var energy = 0.0
        /// The sum of squared differences of each frame, without its weight.
        var frameEnergies: [Double] = []
        /// The products of the derivatives with the difference: half the descent direction of the
        /// energy.
        var gradient: [Double]
        /// The products of the derivatives with one another, row by row; 0 where not requested.
        var gram: [Double]

        /// Returns the equations of the other variables if one has the value that fits best.
        func eliminating(_ variable: Int) -> NormalEquations {
            var rest = self
            let count = gradient.count
            let own = gram[variable * count + variable]
            for row in 0..<count {
                let factor = row == variable ? 1 : own > 0 ? gram[row * count + variable] / own : 0
                rest.gradient[row] -= factor * gradient[variable]
                for column in 0..<count {
                    rest.gram[row * count + column] -= factor * gram[variable * count + column]
                }
            }
            for row in 0..<count { rest.gram[row * count + variable] = 0 }
            return rest
        }
    }

    /// The step of the numeric derivative of a range of keyframes, relative to it.
    private static let rangeStep = 0.02

    /// Returns the step of the numeric derivative with respect to a variable.
    private func step(of variable: FitVariable, _ model: LoaderModel) -> Double {
        // A quarter of a pixel of the view is where antialiasing is most linear.
        let pixel = 0.25 / view.factor
        let point = pixel / model.pose.scale
        switch variable {
        case .originX, .originY: return pixel
        case .start, .elementDelay: return 0.005
        case .speed: return 0.005
        case .scale: return 0.005 * model.pose.scale
        case .number(let name):
            let value = builder.number(name, model) ?? 0
            return builder.unit(name) == "pt" ? min(point, max(0.05, 0.1 * abs(value))) : max(0.002, 0.02 * abs(value))
        case .layerProperties(let properties):
            // A range may be in percent or degrees.
            let range = properties.first.flatMap { $0.kind.isRange ? builder.layerValues[$0] : nil }
            return range.map { Self.rangeStep * $0 } ?? point
        case .elementX, .elementY: return point
        case .elementSize: return 0.02
        case .elementLineWidth: return 0.04
        case .elementOpacity: return -0.04
        case .channel, .elementChannel: return 0.04
        }
    }

    /// Returns the normal equations of a model with respect to `variables`.
    ///
    /// - Parameter groups: sets of indices of `variables` whose products are needed.
    func normals(_ model: LoaderModel, _ variables: [FitVariable], groups: [[Int]]) throws -> NormalEquations {
        let variants: [(model: LoaderModel, step: Double)?] = variables.map { variable in
            let step = step(of: variable, model)
            for sign in [1.0, -1] {
                if let changed = builder.changed(model, variable, by: sign * step), differs(changed, model, variable) {
                    return (changed, sign * step)
                }
            }
            return nil
        }
        let parts = try inParallel(frames.count) { range in
            let renderer = try ModelRenderer(view, builder.elements)
            return try range.map { try frameNormals($0, model, variants, groups, renderer) }
        }
        var sum = NormalEquations(
            gradient: [Double](repeating: 0, count: variables.count),
            gram: [Double](repeating: 0, count: variables.count * variables.count))
        let time = hasOwnTimes ? variables.firstIndex(of: .start) : nil
        for (part, weight) in zip(parts, weights) {
            let part = time.map(part.eliminating) ?? part
            sum.energy += weight * part.energy
            sum.frameEnergies.append(part.energy)
            for index in sum.gradient.indices { sum.gradient[index] += weight * part.gradient[index] }
            for index in sum.gram.indices { sum.gram[index] += weight * part.gram[index] }
        }
        return sum
    }

    /// False for a channel that is at its limit already.
    private func differs(_ a: LoaderModel, _ b: LoaderModel, _ variable: FitVariable) -> Bool {
        switch variable {
        case .channel(let name, _): builder.color(name, a) != builder.color(name, b)
        case .elementChannel(let element, _): builder.color(of: element, a) != builder.color(of: element, b)
        default: true
        }
    }

    private func frameNormals(
        _ index: Int, _ model: LoaderModel, _ variants: [(model: LoaderModel, step: Double)?], _ groups: [[Int]],
        _ renderer: ModelRenderer
    ) throws -> NormalEquations {
        let recorded = planes[index].values
        let base = try renderer.planes(model, at: time(of: index, model)).values
        let difference = SampleSums.difference(recorded, base, weights: mask)
        let columns = try variants.map { variant -> SparseSamples? in
            guard let variant else { return nil }
            let changed = try renderer.planes(variant.model, at: time(of: index, variant.model, from: model)).values
            return SparseSamples(changed, minus: base, weights: mask, factor: Float(1 / variant.step))
        }
        let count = variants.count
        var result = NormalEquations(
            gradient: [Double](repeating: 0, count: count), gram: [Double](repeating: 0, count: count * count))
        result.energy = SampleSums.product(difference, difference)
        for (index, column) in columns.enumerated() {
            if let column { result.gradient[index] = column.product(difference) }
        }
        var isDone = Set<Int>()
        for group in groups {
            for a in group {
                for b in group where b >= a {
                    guard isDone.insert(a * count + b).inserted, let left = columns[a], let right = columns[b] else {
                        continue
                    }
                    let product = left.product(right)
                    result.gram[a * count + b] = product
                    result.gram[b * count + a] = product
                }
            }
        }
        return result
    }

    /// Returns the model time of a frame. If `fixedTimes` are given, only the start shifts them.
    private func time(of index: Int, _ model: LoaderModel, from base: LoaderModel? = nil) -> Double {
        guard let fixedTimes else { return model.pose.modelTime(at: view.frames[frames[index]].time) }
        return fixedTimes[index] + (base.map { model.pose.start - $0.pose.start } ?? 0)
    }

    // MARK: Steps

    /// Returns the least-squares change of some variables, and the predicted decrease of the
    /// energy.
    static func solution(_ normals: NormalEquations, of count: Int, _ group: [Int]) -> (
        changes: [Double], decrease: Double
    ) {
        let size = group.count
        var matrix = group.map { a in group.map { b in normals.gram[a * count + b] } }
        let right = group.map { normals.gradient[$0] }
        for index in 0..<size { matrix[index][index] = matrix[index][index] * 1.000_1 + 1e-9 }
        // A variable that the system does not determine stays unchanged.
        let changes = LeastSquares.partialSolution(matrix, right).map { $0 ?? 0 }
        return (changes, zip(changes, right).reduce(0) { $0 + $1.0 * $1.1 })
    }

    /// Returns the model after Gauss-Newton steps in `variables`, and its energies.
    func refined(
        _ model: LoaderModel, _ variables: [FitVariable], steps: Int
    ) throws -> (model: LoaderModel, energy: Double, frameEnergies: [Double]) {
        let all = Array(variables.indices)
        var model = model
        var normals = try normals(model, variables, groups: [all])
        for _ in 0..<steps {
            let (changes, decrease) = Self.solution(normals, of: variables.count, all)
            guard decrease > 1e-4 * normals.energy else { break }
            var factor = 1.0
            var next: (model: LoaderModel, normals: NormalEquations)?
            while factor > 0.1, next == nil {
                var trial: LoaderModel? = model
                for (variable, change) in zip(variables, changes) {
                    trial = trial.flatMap { builder.changed($0, variable, by: factor * change) }
                }
                if let trial {
                    let after = try self.normals(trial, variables, groups: [all])
                    if after.energy < normals.energy { next = (trial, after) }
                }
                factor /= 2
            }
            guard let next else { break }
            model = next.model
            normals = next.normals
        }
        return (model, normals.energy, normals.frameEnergies)
    }

    /// Returns the model after a Gauss-Newton step in `variables`, with each frame at the time that
    /// then fits it best.
    func steppedInTime(_ model: LoaderModel, _ variables: [FitVariable]) throws -> LoaderModel? {
        var timed = self
        timed.hasOwnTimes = true
        let all = Array(0...variables.count)
        let normals = try timed.normals(model, variables + [.start], groups: [all])
        let (changes, _) = Self.solution(normals, of: all.count, all)
        return zip(variables, changes).reduce(Optional(model)) { model, change in
            model.flatMap { builder.changed($0, change.0, by: Self.timedStep * change.1) }
        }
    }

    /// The factor of steps with frames at their own times. Frames whose time is far off, such as
    /// those beyond the end of a motion, hold plain steps back: they cover less than half of the
    /// distance.
    private static let timedStep = 1.5

    /// Returns the energies of a model, in all and of each frame.
    func energy(_ model: LoaderModel) throws -> NormalEquations { try normals(model, [], groups: []) }
}
