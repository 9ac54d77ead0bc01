import Core

extension JudgedRecording {
    /// The number of frames that are fitted. They are spread over all phases.
    static let fittedFrameCount = 22
    /// The maximum number of those that are chosen because they fit worst.
    private static let maxWorstFrames = 8
    /// The distance, in frames, between the two frames that give a speed.
    private static let speedInterval = 10

    /// Replaces some of the fitted frames by those that fit worst at their aligned time, then at
    /// the designed time, because some differences show in few frames.
    mutating func chooseWorstFrames(_ aligned: [AlignedFrame]) {
        let left = stillFrames(aligned)
        unfittedFrames = left.count
        chooseWorstFrames(of: aligned.filter { !left.contains($0.index) }, aligned)
    }

    /// Returns the frames that the time findings cover, standstills and flashes, so that the fit
    /// uses the others.
    private func stillFrames(_ aligned: [AlignedFrame]) -> Set<Int> {
        let findings = timeFindings(aligned)
        return Set((findings.standstills + findings.flashes.map(\.frames)).joined())
    }

    /// Chooses the fitted frames again if fewer of them stand still than before. While a colour or
    /// a shape is wrong, moving frames may seem to stand still.
    mutating func chooseMoreFrames(_ aligned: [AlignedFrame]) {
        if stillFrames(aligned).count < unfittedFrames { chooseWorstFrames(aligned) }
    }

    /// Chooses the fitted frames from some of all aligned ones.
    mutating func chooseWorstFrames(of moving: [AlignedFrame], _ aligned: [AlignedFrame]) {
        let drawing = aligned.map(\.drawingEnergy).median ?? 0
        var chosen = Judge.sampled(moving.count, Self.fittedFrameCount - Self.maxWorstFrames).map { moving[$0].index }
        for energy in [\AlignedFrame.alignedEnergy, \AlignedFrame.energy] {
            for frame in moving.sorted(by: { $0[keyPath: energy] > $1[keyPath: energy] }) {
                guard chosen.count < Self.fittedFrameCount, frame[keyPath: energy] > Self.goodFit * drawing else {
                    break
                }
                let isFree = !chosen.contains { abs($0 - frame.index) < 3 }
                if isFree, frame.drawingEnergy > FrameEvidence.minDrawing * drawing { chosen.append(frame.index) }
            }
        }
        chosen.sort()
        solver = ModelSolver(view, builder, frames: chosen, mask: mask)
        let frames = chosen.map { aligned[$0] }
        solver.weights = frames.map { $0.drawingEnergy > FrameEvidence.minDrawing * drawing ? 1 : 0.01 }
    }

    /// The number of fits of the position to frames with known times.
    static let maxPositionFits = 2
    /// The change of the position in pixels of the view below which the times stay as they are.
    private static let minShift = 0.2

    /// Fits the position with one offset in time for each stretch between jumps and standstills.
    /// With one line through all frames, a shift of the loader would hide a jump. Returns true if
    /// the model was changed.
    mutating func fitPositionInSteps(_ aligned: [AlignedFrame]) throws -> Bool {
        let findings = timeFindings(aligned)
        guard let leads = findings.stepLeads else { return false }
        let known = aligned.indices.filter { leads[$0] != nil }
        let chosen = Judge.sampled(known.count, Self.fittedFrameCount).map { known[$0] }
        var steps = ModelSolver(view, builder, frames: chosen, mask: mask)
        steps.fixedTimes = chosen.map { aligned[$0].expected + (leads[$0] ?? 0) }
        let origin = try steps.refined(model, [.originX, .originY], steps: 4).model.pose.origin
        guard origin.distance(to: model.pose.origin) * view.factor > Self.minShift else { return false }
        model.pose.origin = origin
        design = model
        return true
    }

    /// Gives the model the designed speed again if the speed within short runs of frames is nearer
    /// to it. Missing frames and standstills look like another speed over the whole recording.
    /// Returns true if the model was changed.
    mutating func restoreSpeed(_ aligned: [AlignedFrame]) -> Bool {
        guard model.pose.speed != options.speed else { return false }
        let certain = timeFindings(aligned).certain.map { aligned[$0] }
        let rates = zip(certain, certain.dropFirst(Self.speedInterval)).map { a, b in
            (b.modelTime - a.modelTime) / (b.time - a.time)
        }
        guard rates.count >= Self.speedInterval, let rate = rates.median else { return false }
        guard abs(rate - options.speed) < abs(rate - model.pose.speed) else { return false }
        let offsets = certain.prefix(Self.speedInterval).map { $0.modelTime - options.speed * $0.time }
        model.pose.speed = options.speed
        model.pose.start = offsets.median ?? model.pose.start
        design = model
        return true
    }

    /// The maximum number of steps that fit a free scale to frames at their own times, and the
    /// energy after a step, relative to that before it, above which it is the last one.
    private static let maxScaleSteps = 6
    private static let scaleStepGain = 0.8
    /// The energy relative to that at the first scale below which the times explain the recording.
    private static let scaleGain = 0.2

    /// Fits a free scale to frames at their own times. At the designed times, a wrong scale can
    /// hide part of their differences. Returns the aligned frames; nil if the times do not explain
    /// much more at another scale.
    mutating func fitScaleInTime(_ aligned: [AlignedFrame]) throws -> [AlignedFrame]? {
        let before = fitResidual(aligned).atAlignedTimes
        guard scale.isFree, before > Self.goodFit else { return nil }
        var trial = self
        var share = before
        var best = aligned
        for _ in 0..<Self.maxScaleSteps {
            trial.solver.fixedTimes = solver.frames.map { best[$0].modelTime }
            guard let next = try trial.solver.steppedInTime(trial.model, [.originX, .originY, .scale]) else { break }
            let last = trial.model
            trial.model = next
            let aligned = try trial.align()
            let after = trial.fitResidual(aligned).atAlignedTimes
            guard after < share else {
                trial.model = last
                break
            }
            let isDone = after > Self.scaleStepGain * share
            share = after
            best = aligned
            if isDone { break }
        }
        guard share < Self.scaleGain * before else { return nil }
        let leads = timeFindings(best).certain.map { best[$0].modelTime - best[$0].expected }
        model.pose = trial.model.pose
        model.pose.start += leads.median ?? 0
        model = try solver.refined(model, [.start], steps: 4).model
        design = model
        settleScale()
        return try align()
    }
}
