import Animations
import Core

/// An aligner that finds the model time of each frame of a recording. `TimePath` first chooses the
/// times of all frames together; each frame is then refined near its expected time, or near that of
/// the path.
struct FrameAligner: Sendable {
    let view: JudgedView
    let builder: ModelBuilder
    let mask: [Float]
    let model: LoaderModel

    /// The interval between tried times of the period in seconds, and the limits of their number,
    /// which periods of 3.2 s and 6.3 s reach. One step of a descent reaches three times as far.
    private static let trialStep = 0.033
    private static let minTrials = 96
    private static let maxTrials = 192
    /// The maximum speed of a loader at rest, relative to the median, and the maximum number of
    /// successive instants that count as one instant of rest.
    private static let restSpeed = 0.15
    private static let shortRest = 3
    /// The squared difference of motion from a straight line between two successive trial instants,
    /// relative to the squared length of the line.
    private static let curvature = 0.02
    /// The maximum distance of two times, in frames, that count as equal.
    private static let nearSteps = 0.75
    /// The energy near the expected time, relative to the drawing's, above which the whole period
    /// is searched.
    private static let poorFit = 0.03
    /// The energy of a time, relative to that of a preferred one, below which it is chosen instead.
    /// Times near the expected one are preferred, then that of the path. If an element is missing,
    /// another time lowers the energy less.
    private static let clearlyBetter = 0.4
    /// The maximum number of Gauss-Newton steps, the maximum length of each in seconds, and the
    /// step of the derivative in seconds. The ends of a line that no longer overlap are approached
    /// by one step of the derivative at a time.
    private static let descentSteps = 16
    private static let maxDescentStep = 0.1
    private static let derivativeStep = 0.005
    /// The decrease of the energy, relative to the rest, below which a descent ends.
    private static let minDescent = 0.01
    /// The number of the best instants of the period from which a frame is aligned.
    private static let descents = 3
    /// The step in seconds below which the straight line through two renderings is exact enough.
    private static let minStep = 0.003

    /// Returns all frames of the view, aligned.
    func aligned() throws -> [AlignedFrame] {
        let table = try table()
        let times = try continuousTimes(table)
        return try inParallel(view.frames.count) { range in
            let renderer = try ModelRenderer(view, builder.elements)
            let background = try renderer.background(model).values
            var previous = range.lowerBound > 0 ? view.planes(range.lowerBound - 1).values : nil
            return try range.map { index in
                let recorded = view.planes(index)
                defer { previous = recorded.values }
                var frame = try align(index, recorded, background, table, times[index], renderer)
                frame.change = previous.map { energy(recorded.values, $0) } ?? 0
                return frame
            }
        }
    }

    /// Renders the model at equally spaced instants of the period and returns the reduced frames.
    private func table() throws -> [ReducedFrame] {
        let period = model.loader.period.double
        let count = min(Self.maxTrials, max(Self.minTrials, Int((period / Self.trialStep).rounded())))
        return try inParallel(count) { range in
            let renderer = try ModelRenderer(view, builder.elements)
            return try range.map { step in
                ReducedFrame(try renderer.planes(model, at: period * Double(step) / Double(count)), mask)
            }
        }
    }

    /// Returns the instants of the period at which the loader stops moving or starts again. A short
    /// rest is one instant.
    func rests() throws -> [Double] {
        let table = try table()
        let step = model.loader.period.double / Double(table.count)
        let speeds = table.indices.map { index in
            SampleSums.squaredDifference(table[index].values, table[(index + 1) % table.count].values).squareRoot()
        }
        return Self.rests(speeds: speeds).map { $0 * step }
    }

    /// Returns the instants at which motion stops or starts again, in intervals of a period.
    ///
    /// - Parameter speeds: the change in each interval.
    static func rests(speeds: [Double]) -> [Double] {
        // A loader may rest for most of its period.
        guard let median = speeds.filter({ $0 > 0 }).median else { return [] }
        let limit = restSpeed * median
        // From a moving instant, a rest that spans the end of the period is found whole.
        let origin = speeds.firstIndex { $0 >= limit } ?? 0
        let count = Double(speeds.count)
        var rests: [Double] = []
        var first: Int?
        for index in origin...origin + speeds.count {
            let isRest = speeds[index % speeds.count] < limit
            if isRest, first == nil { first = index }
            guard !isRest, let start = first else { continue }
            let ends = [Double(start), Double(index)]
            rests += index - start <= shortRest ? [(ends[0] + ends[1]) / 2] : ends
            first = nil
        }
        return rests.map { $0.truncatingRemainder(dividingBy: count) }.sorted()
    }

    /// Returns a model time for each frame, chosen so that successive times continue one another.
    private func continuousTimes(_ table: [ReducedFrame]) throws -> [Double] {
        let period = model.loader.period.double
        let squaredLengths = table.indices.map { index in
            SampleSums.squaredDifference(table[index].values, table[(index + 1) % table.count].values)
        }
        let matches = try inParallel(view.frames.count) { range in
            range.map { index in
                let small = ReducedFrame(view.planes(index), mask)
                let differences = table.map { SampleSums.squaredDifference(small.values, $0.values) }
                return TimePath.matches(differences, squaredLengths: squaredLengths, period: period)
            }
        }
        guard let lowest = matches.map({ $0.map(\.difference).min() ?? 0 }).median else { return [] }
        // The mean, because loaders may rest for most of the period.
        let squaredLength = squaredLengths.reduce(0, +) / Double(squaredLengths.count)
        let times = view.frames.map(\.time)
        let path = TimePath(
            times: times, expected: times.map(model.pose.modelTime), rate: model.pose.speed, period: period)
        return path.modelTimes(matches, noise: max(1, lowest + Self.curvature * squaredLength))
    }

    /// A reduced frame, to find the best of many times.
    private struct ReducedFrame: Sendable {
        let values: [Float]
        /// The side of a cell in pixels of the view. Samples within it are added up.
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
        _ index: Int, _ planes: DifferencePlanes, _ background: [Float], _ table: [ReducedFrame], _ continued: Double,
        _ renderer: ModelRenderer
    ) throws -> AlignedFrame {
        let recorded = planes.values
        let time = view.frames[index].time
        let expected = model.pose.modelTime(at: time)
        var best = try descend(recorded, from: expected, renderer)
        let first = best
        let drawing = energy(recorded, background)
        if best.energy > Self.poorFit * max(1, drawing) {
            let small = ReducedFrame(planes, mask)
            let costs = table.map { SampleSums.squaredDifference(small.values, $0.values) }
            let period = model.loader.period.double
            let step = period / Double(table.count)
            let minima = costs.indices.filter { at in
                costs[at] <= costs[(at + 1) % costs.count]
                    && costs[at] <= costs[(at + costs.count - 1) % costs.count]
            }.sorted { costs[$0] < costs[$1] }
            let trials = try minima.prefix(Self.descents).map { candidate in
                // The instant of the period that is nearest to the expected time.
                let offset = Double(candidate) * step - expected
                return try descend(recorded, from: expected + offset - (offset / period).rounded() * period, renderer)
            }
            // Motion that returns shows each instant twice, so a nearer one is preferred.
            for trial in trials.sorted(by: { abs($0.time - expected) < abs($1.time - expected) })
            where trial.energy < Self.clearlyBetter * best.energy { best = trial }
        }
        let distance = abs(best.time - continued) / max(1e-6, view.frameStep * abs(model.pose.speed))
        if distance > Self.nearSteps {
            // Other times look alike, and all of them do where the loader rests.
            let trial = try descend(recorded, from: continued, renderer)
            if Self.clearlyBetter * trial.energy < best.energy { best = trial }
        }
        return AlignedFrame(
            index: index, time: time, expected: expected, modelTime: best.time, energy: first.initial,
            alignedEnergy: best.energy, drawingEnergy: drawing, sensitivity: best.sensitivity, change: 0)
    }

    /// Returns the time near a first one with the lowest energy, by Gauss-Newton steps.
    private func descend(
        _ recorded: [Float], from first: Double, _ renderer: ModelRenderer
    ) throws -> (time: Double, energy: Double, initial: Double, sensitivity: Double) {
        let step = Self.derivativeStep
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
            let change = min(Self.maxDescentStep, max(-Self.maxDescentStep, step * cross / square))
            guard abs(change) > Self.minStep else {
                // The minimum of the parabola through which the energy passes.
                time += change
                lowest = max(0, lowest - cross * cross / square)
                break
            }
            let trial = try renderer.planes(model, at: time + change).values
            let value = energy(recorded, trial)
            guard value < lowest else { break }
            let gain = lowest - value
            time += change
            base = trial
            lowest = value
            if gain < Self.minDescent * lowest { break }
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
