import Core

/// The differences that a fit leaves, relative to what is drawn.
struct FitShare {
    /// The energy relative to the drawing's at the designed times.
    var line: Double
    /// The same at the time that explains each frame best.
    var aligned: Double
    /// The energy of the drawing.
    var drawing: Double
}

/// An explanation that a model contains.
struct AdoptedExplanation {
    var hypothesis: Hypothesis
    /// Other explanations that fitted as well.
    var alternatives: [Deviation]
    /// The share of the difference that it explains.
    var weight: Double

    /// Returns the deviation with the values of the final model, and the alternatives if no other
    /// explanation has changed the values since.
    func deviations(_ writer: DeviationWriter, _ model: LoaderModel, isOnly: Bool) -> [Deviation] {
        let fitted = FittedHypothesis(hypothesis: hypothesis, model: model, energy: 0, frameEnergies: [])
        guard var deviation = writer.deviation(fitted, from: writer.design) else { return [] }
        deviation.weight = weight
        return [deviation] + (isOnly ? alternatives : [])
    }
}

extension JudgedRecording {
    /// The rms difference in a cell of 8x8 pixels up to which nothing is left to explain: over all
    /// frames, and over those in which the loader draws there.
    private static let goodCell: Float = 6
    private static let goodDrawnCell: Float = 10
    /// The smallest number of frames that measure a cell.
    private static let minCellFrames: Float = 2
    /// The energy of an explanation, relative to that of the alignment in time, up to which it is
    /// preferred.
    private static let equalEnergy = 1.1
    /// The part of what alignment in time explains that a change in space may leave. Alignment
    /// has a free number for each frame, so it always explains something.
    private static let maxRest = 0.3
    /// The energy of two changes, relative to that of another size, below which they are preferred.
    /// Two numbers always fit a little better than one.
    private static let maxPairEnergy = 0.6

    /// Adds the change that explains most to the model. Returns false if none is needed or known.
    mutating func explain(_ hypotheses: [Hypothesis], _ aligned: [AlignedFrame]) throws -> Bool {
        let share = solverShare(aligned)
        solver.modelTimes = nil
        if try hasDifference(share.line, aligned), try adopt(hypotheses, share) { return true }
        guard try hasDifference(share.aligned, aligned) else { return false }
        solver.modelTimes = solver.frames.map { aligned[$0].modelTime }
        return try adopt(hypotheses.filter { $0.kind != .speed }, nil)
    }

    /// Looks for the change that explains most. Returns true if it adopted one.
    ///
    /// - Parameter share: the fit of the alignment in time, which a change must explain as well;
    ///   nil if the frames are at their aligned times.
    private mutating func adopt(_ hypotheses: [Hypothesis], _ share: FitShare?) throws -> Bool {
        let nuisance: [Knob] = solver.modelTimes == nil ? [.originX, .originY, .start] : [.originX, .originY]
        let explanation = Explanation(solver: solver, nuisance: nuisance)
        let fitted = try explanation.best(model, hypotheses)
        guard let best = fitted.first, best.energy < share.map({ limit($0, best) }) ?? .infinity else { return false }
        let writer = DeviationWriter(builder: builder, design: design, options: options)
        guard writer.deviation(best, from: model) != nil else { return false }
        let whole = max(1, try solver.energy(model).energy)
        if best.hypothesis.kind == .size,
            let both = try explanation.bestPair(model, hypotheses.filter { $0.kind != .size }),
            both.model.energy < Self.maxPairEnergy * best.energy,
            both.pair.allSatisfy({ writer.deviation($0, from: model) != nil })
        {
            for one in both.pair {
                adopted.append(
                    AdoptedExplanation(
                        hypothesis: one.hypothesis, alternatives: [], weight: 1 - both.model.energy / whole))
            }
            model = both.model.model
            return true
        }
        let isKnown = adopted.contains { $0.hypothesis.isSame(as: best.hypothesis) }
        if !isKnown {
            adopted.append(
                AdoptedExplanation(
                    hypothesis: best.hypothesis, alternatives: alternatives(fitted, writer, whole),
                    weight: 1 - best.energy / whole))
        }
        model = best.model
        guard adopted.count > 1 else { return true }
        let knobs = adopted.flatMap(\.hypothesis.knobs).filter { solver.modelTimes == nil || $0 != .speed }
        model = try solver.refined(model, nuisance + knobs, steps: 3).model
        return true
    }

    /// Returns the energy below which an explanation is preferred to the alignment in time.
    private func limit(_ share: FitShare, _ best: FittedHypothesis) -> Double {
        let equal = Self.equalEnergy * share.aligned * share.drawing
        let isSeconds = best.hypothesis.object.flatMap(builder.parameter)?.limits.hasSuffix(" s") ?? false
        guard ![.late, .speed].contains(best.hypothesis.kind), !isSeconds else { return equal }
        return max(equal, (share.aligned + Self.maxRest * (share.line - share.aligned)) * share.drawing)
    }

    private func alternatives(
        _ fitted: [FittedHypothesis], _ writer: DeviationWriter, _ whole: Double
    ) -> [Deviation] {
        fitted.dropFirst().compactMap { fit in
            var deviation = writer.deviation(fit, from: model)
            deviation?.weight = 1 - fit.energy / whole
            deviation?.isAlternative = true
            return deviation
        }
    }

    /// True if enough differs to look for an explanation: of all that is drawn, or in one place.
    private func hasDifference(_ share: Double, _ aligned: [AlignedFrame]) throws -> Bool {
        if share > Self.goodFit { return true }
        let cell = 8
        let columns = view.width / cell + 1
        let cells = columns * (view.height / cell + 1)
        var sums = [Float](repeating: 0, count: cells)
        var drawnFrames = sums
        let renderer = try ModelRenderer(view, builder.elements)
        let ground = try renderer.background(model).values
        for (position, frame) in solver.frames.enumerated() where solver.weights[position] >= 1 {
            let drawn = try renderer.planes(model, at: aligned[frame].modelTime).values
            let recorded = solver.planes[position].values
            var isDrawn = [Bool](repeating: false, count: cells)
            for index in drawn.indices where mask[index % mask.count] > 0 {
                let pixel = index % mask.count
                let place = pixel / view.width / cell * columns + pixel % view.width / cell
                let difference = drawn[index] - recorded[index]
                sums[place] += difference * difference
                if abs(drawn[index] - ground[index]) > Self.goodDrawnCell { isDrawn[place] = true }
            }
            for place in 0..<cells where isDrawn[place] { drawnFrames[place] += 1 }
        }
        let pixels = Float(cell * cell)
        let all = Float(max(1, solver.frames.count))
        return zip(sums, drawnFrames).contains { sum, frames in
            sum > Self.goodCell * Self.goodCell * pixels * all
                || frames >= Self.minCellFrames && sum > Self.goodDrawnCell * Self.goodDrawnCell * pixels * frames
        }
    }

    // MARK: Refusal

    /// Returns the reason why a recording that shows something else cannot be judged, with the
    /// first frame and the element that do not fit.
    func refusal(_ name: String, _ aligned: [AlignedFrame], _ share: Double) throws -> String {
        let first = aligned.first { $0.alignedEnergy > Self.otherMotion * $0.drawing } ?? aligned[0]
        let object = try worstElement(first).map { "\($0) at " } ?? "at "
        return "it does not show \(name): the best fit leaves \(DeviationWriter.decimal(100 * share, 0))% of what "
            + "moves there, first \(object)\(DeviationWriter.seconds(first.time)); compare another loader or give "
            + "the place with --crop"
    }

    /// Returns the name of the element whose drawing in a frame differs most from the recording,
    /// relative to its size; nil if nothing is drawn.
    private func worstElement(_ frame: AlignedFrame) throws -> String? {
        let renderer = try ModelRenderer(view, builder.elements)
        let ground = try renderer.background(model).values
        let recorded = view.planes(frame.index).values
        let nodes = builder.elements.keyed(model.nodes(at: frame.modelTime, builder.elements))
        var worst: (share: Float, name: String)?
        for (element, name) in builder.elements.names.enumerated() {
            let drawn = try renderer.planes(nodes.filter { $0.element == element }.map(\.node), model).values
            var (own, rest): (Float, Float) = (0, 0)
            for index in drawn.indices where abs(drawn[index] - ground[index]) > Self.goodDrawnCell {
                own += (drawn[index] - ground[index]) * (drawn[index] - ground[index])
                rest += (drawn[index] - recorded[index]) * (drawn[index] - recorded[index])
            }
            if own > 0, rest / own > worst?.share ?? 0 { worst = (rest / own, name) }
        }
        return worst?.name
    }
}
