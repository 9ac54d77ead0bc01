import Core

/// Fits models to frames of a recording by least squares over the pixels of the view.
struct ModelSolver: Sendable {
    let view: JudgedView
    let builder: ModelBuilder
    /// The frames to fit, as indices of the view's frames.
    var frames: [Int]
    /// The planes of those frames.
    var planes: [DifferencePlanes]
    /// 1 for each pixel that counts, otherwise 0.
    var mask: [Float]
    /// The weight of each frame; 1 by default.
    var weights: [Double]
    /// The model time of each frame; nil follows from the pose.
    var modelTimes: [Double]?

    init(_ view: JudgedView, _ builder: ModelBuilder, frames: [Int], mask: [Float]) {
        self.view = view
        self.builder = builder
        self.frames = frames
        self.mask = mask
        planes = frames.map(view.planes)
        weights = frames.map { _ in 1 }
    }

    /// The sums over frames that a step needs.
    struct Normals: Sendable {
        /// The weighted sum of squared differences.
        var energy = 0.0
        /// The same of each frame, without its weight.
        var frameEnergies: [Double] = []
        /// The products of the derivatives with the difference.
        var gradient: [Double]
        /// The products of the derivatives with one another, row by row; 0 where not requested.
        var gram: [Double]
    }

    /// The steps of the numeric derivatives.
    private func step(of knob: Knob, _ model: LoaderModel) -> Double {
        // A quarter of a pixel of the view is where antialiasing is most linear.
        let pixel = 0.25 / view.factor
        let point = pixel / model.pose.scale
        switch knob {
        case .originX, .originY: return pixel
        case .start, .elementDelay: return 0.005
        case .speed: return 0.005
        case .scale: return 0.005 * model.pose.scale
        case .number(let name):
            let value = builder.number(name, model) ?? 0
            let isLength = builder.parameter(name)?.limits.hasSuffix("pt") ?? false
            return isLength ? min(point, max(0.05, 0.1 * abs(value))) : max(0.002, 0.02 * abs(value))
        case .elementX, .elementY: return point
        case .elementSize: return 0.02
        case .elementOpacity: return -0.04
        case .channel, .elementChannel: return 0.04
        }
    }

    /// Returns the sums for a model and the derivatives by `knobs`.
    ///
    /// - Parameter groups: sets of indices of `knobs` whose products are needed.
    func normals(_ model: LoaderModel, _ knobs: [Knob], groups: [[Int]]) throws -> Normals {
        let variants: [(model: LoaderModel, step: Double)?] = knobs.map { knob in
            let step = step(of: knob, model)
            for sign in [1.0, -1] {
                if let changed = builder.changed(model, knob, by: sign * step), Self.differs(changed, model, knob) {
                    return (changed, sign * step)
                }
            }
            return nil
        }
        let parts = try inParallel(frames.count) { range in
            let renderer = try ModelRenderer(view, builder.elements)
            return try range.map { try frameNormals($0, model, variants, groups, renderer) }
        }
        var sum = Normals(
            gradient: [Double](repeating: 0, count: knobs.count),
            gram: [Double](repeating: 0, count: knobs.count * knobs.count))
        for (part, weight) in zip(parts, weights) {
            sum.energy += weight * part.energy
            sum.frameEnergies.append(part.energy)
            for index in sum.gradient.indices { sum.gradient[index] += weight * part.gradient[index] }
            for index in sum.gram.indices { sum.gram[index] += weight * part.gram[index] }
        }
        return sum
    }

    /// False for a channel that is at its limit already.
    private static func differs(_ a: LoaderModel, _ b: LoaderModel, _ knob: Knob) -> Bool {
        switch knob {
        case .channel: a.settings != b.settings && a.settings.values.sorted() != b.settings.values.sorted()
        default: true
        }
    }

    private func frameNormals(
        _ index: Int, _ model: LoaderModel, _ variants: [(model: LoaderModel, step: Double)?], _ groups: [[Int]],
        _ renderer: ModelRenderer
    ) throws -> Normals {
        let recorded = planes[index].values
        let base = try renderer.planes(model, at: time(of: index, model)).values
        let difference = masked(recorded, base, factor: 1)
        let columns = try variants.map { variant -> [Float]? in
            guard let variant else { return nil }
            let changed = try renderer.planes(variant.model, at: time(of: index, variant.model, from: model)).values
            return masked(changed, base, factor: Float(1 / variant.step))
        }
        let count = variants.count
        var result = Normals(
            gradient: [Double](repeating: 0, count: count), gram: [Double](repeating: 0, count: count * count))
        result.energy = dot(difference, difference)
        for (index, column) in columns.enumerated() {
            if let column { result.gradient[index] = dot(column, difference) }
        }
        var isDone = Set<Int>()
        for group in groups {
            for a in group {
                for b in group where b >= a {
                    guard isDone.insert(a * count + b).inserted, let left = columns[a], let right = columns[b] else {
                        continue
                    }
                    let product = dot(left, right)
                    result.gram[a * count + b] = product
                    result.gram[b * count + a] = product
                }
            }
        }
        return result
    }

    /// Returns the model time of a frame. Aligned times move with the start only.
    private func time(of index: Int, _ model: LoaderModel, from base: LoaderModel? = nil) -> Double {
        guard let modelTimes else { return model.pose.modelTime(at: view.frames[frames[index]].time) }
        return modelTimes[index] + (base.map { model.pose.start - $0.pose.start } ?? 0)
    }

    private func masked(_ a: [Float], _ b: [Float], factor: Float) -> [Float] {
        let count = mask.count
        return [Float](unsafeUninitializedCapacity: a.count) { target, initialized in
            a.withUnsafeBufferPointer { a in
                b.withUnsafeBufferPointer { b in
                    mask.withUnsafeBufferPointer { mask in
                        for plane in 0..<3 {
                            for pixel in 0..<count {
                                let index = plane * count + pixel
                                target[index] = (a[index] - b[index]) * mask[pixel] * factor
                            }
                        }
                    }
                }
            }
            initialized = a.count
        }
    }

    // MARK: Steps

    /// Returns the least-squares change of some knobs, and the predicted decrease of the energy.
    static func solution(_ normals: Normals, of count: Int, _ group: [Int]) -> (changes: [Double], decrease: Double) {
        let size = group.count
        var matrix = group.map { a in group.map { b in normals.gram[a * count + b] } }
        let right = group.map { normals.gradient[$0] }
        for index in 0..<size { matrix[index][index] = matrix[index][index] * 1.000_1 + 1e-9 }
        let changes = solve(matrix, right)
        return (changes, zip(changes, right).reduce(0) { $0 + $1.0 * $1.1 })
    }

    /// Returns the model after Gauss-Newton steps in `knobs` and its sums.
    func refined(
        _ model: LoaderModel, _ knobs: [Knob], steps: Int
    ) throws -> (model: LoaderModel, energy: Double, frameEnergies: [Double]) {
        let all = Array(knobs.indices)
        var model = model
        var normals = try normals(model, knobs, groups: [all])
        for _ in 0..<steps {
            let (changes, decrease) = Self.solution(normals, of: knobs.count, all)
            guard decrease > 1e-4 * normals.energy else { break }
            var factor = 1.0
            var next: (model: LoaderModel, normals: Normals)?
            while factor > 0.1, next == nil {
                var trial: LoaderModel? = model
                for (knob, change) in zip(knobs, changes) {
                    trial = trial.flatMap { builder.changed($0, knob, by: factor * change) }
                }
                if let trial {
                    let after = try self.normals(trial, knobs, groups: [all])
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

    /// Returns the energy of a model.
    func energy(_ model: LoaderModel) throws -> Normals { try normals(model, [], groups: []) }
}

/// Returns the sum of the products of two lists.
private func dot(_ a: [Float], _ b: [Float]) -> Double {
    var sum = 0.0
    a.withUnsafeBytes { a in
        b.withUnsafeBytes { b in
            // Rows of 512 products are summed in single precision, which keeps six digits.
            let block = 64 * MemoryLayout<SIMD8<Float>>.size
            var offset = 0
            while offset + MemoryLayout<SIMD8<Float>>.size <= a.count {
                var lanes = SIMD8<Float>(repeating: 0)
                let end = min(offset + block, a.count - MemoryLayout<SIMD8<Float>>.size + 1)
                while offset < end {
                    lanes +=
                        a.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                        * b.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                    offset += MemoryLayout<SIMD8<Float>>.size
                }
                sum += Double(lanes.sum())
            }
            while offset < a.count {
                sum +=
                    Double(a.loadUnaligned(fromByteOffset: offset, as: Float.self))
                    * Double(b.loadUnaligned(fromByteOffset: offset, as: Float.self))
                offset += MemoryLayout<Float>.size
            }
        }
    }
    return sum
}

/// Solves a small system of linear equations by Gaussian elimination with pivoting; a singular
/// direction gets 0.
private func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double] {
    var rows = zip(matrix, right).map { $0 + [$1] }
    let size = rows.count
    var pivots = [Int?](repeating: nil, count: size)
    var row = 0
    for column in 0..<size {
        guard let best = (row..<size).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
            abs(rows[best][column]) > 1e-12
        else { continue }
        rows.swapAt(row, best)
        for other in 0..<size where other != row {
            let factor = rows[other][column] / rows[row][column]
            for index in column...size { rows[other][index] -= factor * rows[row][index] }
        }
        pivots[column] = row
        row += 1
        if row == size { break }
    }
    return pivots.enumerated().map { column, row in row.map { rows[$0][size] / rows[$0][column] } ?? 0 }
}
