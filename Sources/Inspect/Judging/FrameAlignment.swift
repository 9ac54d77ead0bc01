import Animations
import Core

/// A frame of a recording, aligned with a model in time.
struct AlignedFrame: Sendable {
    /// The index in the view.
    var index: Int
    /// Seconds from the recording's first frame.
    var time: Double
    /// The model time by design, in seconds.
    var expected: Double
    /// The model time that explains the frame best, near the expected one where several do.
    var modelTime: Double
    /// The sums of squared differences at both times.
    var energy: Double
    var alignedEnergy: Double
    /// The sum of squared differences from the empty background.
    var drawing: Double
    /// The increase of the energy per squared second off: how well the frame determines its time.
    var sensitivity: Double
    /// The sum of squared differences of the recorded frame from the previous one.
    var change: Double
}

/// Aligns each frame of a recording with a model on its own.
struct FrameAligner: Sendable {
    let view: JudgedView
    let builder: ModelBuilder
    let mask: [Float]
    let model: LoaderModel

    /// The number of equally spaced times of the period that are tried.
    private static let trials = 96
    /// The excess of the energy, relative to the drawing's, from which all times are tried.
    private static let poorFit = 0.03
    /// The energy of a distant time, relative to that of the expected one, below which the frame
    /// shows that time. A missing element lowers it less.
    private static let clearlyBetter = 0.4
    /// The maximum number of Gauss-Newton steps, each of at most 0.1 s.
    private static let descentSteps = 6
    /// The step in seconds below which the straight line through two renderings is exact enough.
    private static let minStep = 0.003

    /// Returns all frames of the view, aligned.
    func aligned() throws -> [AlignedFrame] {
        let (mask, model) = (mask, model)
        let period = model.loader.period.double
        let table = try inParallel(Self.trials) { range in
            let renderer = try ModelRenderer(view, builder.elements)
            return try range.map { step in
                Small(try renderer.planes(model, at: period * Double(step) / Double(Self.trials)), mask)
            }
        }
        return try inParallel(view.frames.count) { range in
            let renderer = try ModelRenderer(view, builder.elements)
            let ground = try renderer.background(model).values
            var previous = range.lowerBound > 0 ? view.planes(range.lowerBound - 1).values : nil
            return try range.map { index in
                let recorded = view.planes(index)
                defer { previous = recorded.values }
                var frame = try align(index, recorded, ground, table, renderer)
                frame.change = previous.map { energy(recorded.values, $0) } ?? 0
                return frame
            }
        }
    }

    /// A reduced frame, to find the best of many times.
    private struct Small: Sendable {
        let values: [Float]
        private static let cell = 4

        init(_ planes: DifferencePlanes, _ mask: [Float]) {
            var values: [Float] = []
            for plane in planes.layout.planes {
                let cell = plane.samples * Self.cell / 4
                let columns = (plane.width + cell - 1) / cell
                var sums = [Float](repeating: 0, count: columns * ((plane.height + cell - 1) / cell))
                for row in 0..<plane.height {
                    for column in 0..<plane.width {
                        let sample = plane.start + row * plane.width + column
                        sums[row / cell * columns + column / cell] += planes.values[sample] * mask[sample]
                    }
                }
                values += sums
            }
            self.values = values
        }
    }

    private func align(
        _ index: Int, _ planes: DifferencePlanes, _ ground: [Float], _ table: [Small], _ renderer: ModelRenderer
    ) throws -> AlignedFrame {
        let recorded = planes.values
        let time = view.frames[index].time
        let expected = model.pose.modelTime(at: time)
        var best = try descend(recorded, from: expected, renderer)
        let first = best
        let drawing = energy(recorded, ground)
        if best.energy > Self.poorFit * max(1, drawing) {
            let small = Small(planes, mask)
            let costs = table.map { SampleSums.squaredDifference(small.values, $0.values) }
            let period = model.loader.period.double
            let step = period / Double(Self.trials)
            let minima = costs.indices.filter { at in
                costs[at] <= costs[(at + 1) % costs.count]
                    && costs[at] <= costs[(at + costs.count - 1) % costs.count]
            }.sorted { costs[$0] < costs[$1] }
            let trials = try minima.prefix(3).map { candidate in
                // The instant of the period that is nearest to the expected time.
                let offset = Double(candidate) * step - expected
                return try descend(recorded, from: expected + offset - (offset / period).rounded() * period, renderer)
            }
            // Motion that returns shows each instant twice, so a nearer one is preferred.
            for trial in trials.sorted(by: { abs($0.time - expected) < abs($1.time - expected) })
            where trial.energy < Self.clearlyBetter * best.energy { best = trial }
        }
        return AlignedFrame(
            index: index, time: time, expected: expected, modelTime: best.time, energy: first.initial,
            alignedEnergy: best.energy, drawing: drawing, sensitivity: best.sensitivity, change: 0)
    }

    /// Returns the time near a first one with the lowest energy, by Gauss-Newton steps.
    private func descend(
        _ recorded: [Float], from first: Double, _ renderer: ModelRenderer
    ) throws -> (time: Double, energy: Double, initial: Double, sensitivity: Double) {
        let step = 0.005
        var time = first
        var base = try renderer.planes(model, at: time).values
        var lowest = energy(recorded, base)
        let initial = lowest
        var sensitivity = 0.0
        for _ in 0..<Self.descentSteps {
            let after = try renderer.planes(model, at: time + step).values
            let slope = SampleSums.difference(after, base, weights: mask)
            let square = SampleSums.product(slope, slope)
            let cross = SampleSums.product(slope, SampleSums.difference(recorded, base, weights: mask))
            sensitivity = square / (step * step)
            guard square > 1e-3 else { break }
            let change = min(0.1, max(-0.1, step * cross / square))
            guard abs(change) > Self.minStep else {
                time += change
                break
            }
            let trial = try renderer.planes(model, at: time + change).values
            let value = energy(recorded, trial)
            guard value < lowest else { break }
            let gain = lowest - value
            (time, base, lowest) = (time + change, trial, value)
            if gain < 0.01 * lowest { break }
        }
        return (time, lowest, initial, sensitivity)
    }

    /// Returns the sum of squared differences of the pixels that count.
    private func energy(_ a: [Float], _ b: [Float]) -> Double {
        SampleSums.squaredDifference(a, b, weights: mask)
    }
}

extension ModelRenderer {
    /// Returns the planes of the empty background.
    func background(_ model: LoaderModel) throws -> DifferencePlanes { try planes([], model) }
}
