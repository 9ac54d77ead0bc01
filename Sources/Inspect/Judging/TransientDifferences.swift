import Core

extension JudgedRecording {
    /// The number of frames on each side of such a part that tell its time.
    private static let nearFrames = 8

    /// Returns the differences that only some frames have.
    ///
    /// - Parameter extra: other content, which explains some of these frames.
    func transientDeviations(_ aligned: [AlignedFrame], besides extra: ExtraFindings) throws -> [Deviation] {
        // The explanations of the whole recording leave this share of the difference.
        let rest = max(0, 1 - adopted.reduce(0) { $0 + $1.weight })
        let energy = max(1, aligned.reduce(0) { $0 + $1.alignedEnergy })
        var result: [Deviation] = []
        for range in transients(aligned).filter({ !extra.explain($0) }).sorted(by: { $0.count > $1.count }).prefix(2) {
            let share = aligned[range].reduce(0) { $0 + $1.alignedEnergy } / energy
            result += try transientDeviation(range, aligned).map { deviation in
                var deviation = deviation
                deviation.weight = rest * share
                return deviation
            }
        }
        return result
    }

    /// The frames around a part that may show it, too.
    private static let transientMargin = 2

    /// Removes explanations of the whole recording that explain nothing but a part of it, such as
    /// the order of objects while one of them is missing. Returns true if it removed any.
    mutating func dropTransient(_ aligned: [AlignedFrame]) throws -> Bool {
        let found = transients(aligned)
        guard !found.isEmpty else { return false }
        var isChanged = false
        for one in adopted {
            guard let reduced = builder.without(one.hypothesis, model, design) else { continue }
            let without = try FrameAligner(view: view, builder: builder, mask: mask, model: reduced).aligned()
            // Explanations of something that comes and goes leave differences at other times, too.
            let parts = transients(without).map { range in
                (range.lowerBound - Self.transientMargin..<range.upperBound + Self.transientMargin)
            }.filter { part in found.contains { $0.overlaps(part) } }
            let others = aligned.indices.filter { index in !parts.contains { $0.contains(index) } }
            let rest = others.reduce(0) { $0 + without[$1].energy }
            let gain = others.reduce(0) { $0 + without[$1].energy - aligned[$1].energy }
            guard !parts.isEmpty, gain < Explanation.minDecrease * rest else { continue }
            model = reduced
            adopted.removeAll { $0.hypothesis.isSame(as: one.hypothesis) }
            isChanged = true
        }
        return isChanged
    }

    /// Returns the parts of a recording in which it differs from the model more than elsewhere.
    func transients(_ aligned: [AlignedFrame]) -> [Range<Int>] {
        let drawings = AlignedFrame.drawings(aligned)
        let residuals = zip(aligned, drawings).map { $0.alignedEnergy / $1 }
        let limit = AlignedFrame.otherContentLimit(residuals)
        let findings = timeFindings(aligned)
        let flashing = Set(findings.flashes.flatMap(\.frames))
        var ranges: [Range<Int>] = []
        for index in findings.body
        where !flashing.contains(index) && min(residuals[index], aligned[index].energy / drawings[index]) > limit {
            if let last = ranges.last, index - last.upperBound <= 2 {
                ranges[ranges.count - 1] = last.lowerBound..<index + 1
            } else {
                ranges.append(index..<index + 1)
            }
        }
        ranges += findings.insertions.filter { part in !ranges.contains { $0.overlaps(part) } }
        return ranges.filter { $0.count > TimeFindings.maxOtherFrames && $0.count < 7 * aligned.count / 10 }
            .sorted { $0.lowerBound < $1.lowerBound }
    }

    private func transientDeviation(_ range: Range<Int>, _ aligned: [AlignedFrame]) throws -> [Deviation] {
        let time = aligned[range.lowerBound].time...aligned[range.upperBound - 1].time
        let found = try partDeviations(range, aligned, time: time)
        guard found.isEmpty else { return found }
        return [
            Deviation(
                kind: .unexplained, time: time, unit: nil,
                text: "the frames from \(DeviationWriter.seconds(time.lowerBound)) to "
                    + "\(DeviationWriter.seconds(time.upperBound)) differ without an explanation")
        ]
    }

    /// Returns the deviations of a few frames with other content by the change that explains them,
    /// such as another colour; others unchanged.
    func explainedFlash(_ flash: Deviation, _ aligned: [AlignedFrame], _ flashes: [Flash]) throws -> [Deviation] {
        guard flash.isFlash, let time = flash.time,
            let frames = flashes.first(where: { aligned[$0.frames.lowerBound].time == time.lowerBound })?.frames,
            flashes.contains(where: { $0.frames == frames && !$0.showsOtherTime })
        else { return [flash] }
        let found = try partDeviations(frames, aligned, time: time, maxResidual: Self.maxFlashResidual)
        return found.isEmpty ? [flash] : found
    }

    /// The maximum energy with the change that explains a flash, relative to that before. Frames of
    /// something else often become more alike by some change, but not equal.
    private static let maxFlashResidual = 0.2

    /// Returns the change that explains some frames best, and its alternatives.
    ///
    /// - Parameters:
    ///   - time: the seconds of the recording in which the difference shows.
    ///   - maxResidual: the maximum energy with the change, relative to that before.
    private func partDeviations(
        _ range: Range<Int>, _ aligned: [AlignedFrame], time: ClosedRange<Double>, maxResidual: Double = 1
    ) throws -> [Deviation] {
        let chosen = Judge.sampled(range.count, 8).map { range.lowerBound + $0 }
        var part = ModelSolver(view, builder, frames: chosen, mask: mask)
        // The frames have the lead of their neighbours. Their own times would hide the difference.
        let reach = Self.nearFrames
        let near = (range.lowerBound - reach..<range.upperBound + reach).clamped(to: aligned.indices)
        let leads = near.filter { !range.contains($0) }.map { aligned[$0].modelTime - aligned[$0].expected }
        let lead = leads.median ?? 0
        part.fixedTimes = chosen.map { aligned[$0].expected + lead }
        let before = try part.energy(model).energy
        let isSingle = builder.elements.judged.count == 1
        let moved = isSingle ? [] : [Self.moved]
        let fitted = try Explanation(solver: part, nuisance: []).best(model, partHypotheses + moved)
        guard let best = fitted.first, best.energy <= maxResidual * before else { return [] }
        var writer = writer
        writer.time = time
        writer.design = model
        var found = fitted.compactMap { writer.deviation($0.hypothesis, $0.model) }
        for index in found.indices.dropFirst() { found[index].isAlternative = true }
        return found
    }

    /// The hypothesis that the whole loader is elsewhere.
    private static let moved = Hypothesis(
        kind: .position, variables: [.originX, .originY], starts: [[10, 0], [-10, 0], [0, 10], [0, -10]], rank: 1)

    /// The hypotheses of changes that a part of a recording may have: those of elements, and the
    /// colours of several elements.
    private var partHypotheses: [Hypothesis] {
        let others: [Deviation.Kind] = [.speed, .size, .easing, .order, .cornerRadius, .anchorPoint, .amplitude]
        return builder.hypotheses(model).filter { hypothesis in
            hypothesis.kind == .parameter ? hypothesis.isColor : !others.contains(hypothesis.kind)
        }
    }
}
