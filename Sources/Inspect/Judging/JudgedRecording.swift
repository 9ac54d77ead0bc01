import Animations
import Core
import Render

/// A recording whose loader has been located, while it is judged.
struct JudgedRecording {
    private let path: String
    let name: String
    /// The pixel aspect ratio of the recording, width by height.
    private let pixelAspect: Double
    let loader: any Loader
    let builder: ModelBuilder
    let options: JudgeOptions
    let survey: RecordingSurvey
    /// The scale that the size of the frame shows; nil if it shows none.
    private var shownScale: Double?
    private(set) var view: JudgedView
    private(set) var mask: [Float]
    var solver: ModelSolver
    /// The number of frames that are not fitted because they stand still or show a flash.
    var unfittedFrames = 0
    /// The loader by design at the position at which it was found.
    var design: LoaderModel
    /// The design with all differences that have been found.
    var model: LoaderModel
    /// The lines that are too thin for the usual view; nil if there are none.
    let thinLines: ThinLines?
    /// The view in which they are judged; nil if there are none, or if it would not show more.
    let detailView: JudgedView?
    /// The frames of one colour that are not judged.
    private let blanks: BlankFrames
    /// True if the view is the detail view.
    private(set) var isDetail = false
    var deviations: [Deviation] = []
    /// The explanations that the model contains, in the order in which they were found.
    var adopted: [AdoptedExplanation] = []

    /// The margin around the canvas that is judged, relative to its longer side.
    private static let margin = 0.06
    /// The maximum number of differences, which are searched for one after the other.
    private static let maxRounds = 5
    /// The maximum relative change of the scale by a fit, and by rounding to a plausible scale. The
    /// search has steps of 6%, and a loader of another size than designed has another scale.
    private static let maxScaleChange = 0.15
    /// The maximum energy, relative to the drawing's, that needs no explanation. Recordings at
    /// usual quality have 0.001 to 0.008.
    static let goodFit = 0.008
    /// The energy, relative to the drawing's, above which an unexplained difference is reported.
    static let poorFit = 0.045

    init(
        _ path: String, _ reader: ClipReader, _ location: RecordingLocation, _ builder: ModelBuilder,
        _ loader: any Loader, _ options: JudgeOptions, _ name: String
    ) throws {
        self.path = path
        self.name = name
        pixelAspect = reader.pixelAspect
        self.loader = loader
        self.builder = builder
        self.options = options
        survey = location.survey
        let canvas = Rect(size: location.loader.canvas)
        let margin = Self.margin * max(canvas.width, canvas.height)
        let usual = JudgedView(location.region(of: canvas.expanded(by: margin), options), survey)
        thinLines = ThinLines(builder, location.loader, scale: location.pose.scale, factor: usual.factor)
        let detail = thinLines.flatMap { $0.view(location, options, usual) }
        var views = try JudgedView.read([usual] + [detail].compactMap { $0 }, reader, survey)
        // The position is fitted with the timing function that was found.
        model = LoaderModel(loader: location.loader, pose: location.pose, background: survey.background)
        design = model
        var found: [BlankFrames] = []
        for index in views.indices {
            found.append(try BlankFrames(removedFrom: &views[index], survey, builder, model))
        }
        blanks = found[0]
        view = views[0]
        detailView = views.count > 1 ? views[1] : nil
        mask = try JudgedMask.mask(view, builder, model)
        solver = ModelSolver(view, builder, frames: Judge.sampled(view.frames.count, Self.fittedFrameCount), mask: mask)
    }

    // MARK: Position

    /// Switches to the detail view and forgets the adopted explanations, which belong to the usual
    /// one.
    mutating func switchToDetail(_ detail: JudgedView) throws {
        view = detail
        isDetail = true
        mask = try JudgedMask.mask(view, builder, model, margin: ThinLines.maskMargin)
        solver = ModelSolver(view, builder, frames: Judge.sampled(view.frames.count, Self.fittedFrameCount), mask: mask)
        adopted = []
    }

    /// Fits the position, and replaces the scale by the plausible one that is nearest.
    private mutating func fitPosition() throws {
        let variables: [FitVariable] =
            [.originX, .originY, .start] + (model.pose.speed == options.speed ? [] : [.speed])
        var fit = try solver.refined(model, variables, steps: 4)
        // Frames that fit nowhere, such as blank or frozen ones, lose their weight.
        let limit = 4 * (fit.frameEnergies.median ?? 0)
        solver.weights = fit.frameEnergies.map { $0 > limit ? max(0.01, limit / $0) : 1 }
        if options.scale == nil {
            let scaled = try solver.refined(fit.model, variables + [.scale], steps: 5)
            // Where much is missing, another scale only hides it. The motion already determined the
            // scale.
            let isNear = abs(scaled.model.pose.scale / fit.model.pose.scale - 1) < Self.maxScaleChange
            if isNear { fit = scaled }
            let free = fit.model.pose.scale
            shownScale = scale.filling(near: fit.model.pose, frame: survey.frame)
            let plausible = scale.plausible(near: fit.model.pose, survey)
            if shownScale != nil || abs(plausible / free - 1) < Self.maxScaleChange, plausible != free,
                let snapped = builder.changed(fit.model, .scale, by: plausible - free)
            {
                fit = try solver.refined(snapped, variables, steps: 4)
            }
        }
        model = fit.model
        model.loader = loader
        design = model
    }

    /// The scales that the loader may have.
    var scale: RecordedScale { RecordedScale(loader, options, shown: shownScale) }

    // MARK: Verdict

    /// Returns the verdict.
    mutating func verdict() throws -> Verdict {
        do { return try judged() } catch let error as UnjudgeableRecording {
            return Verdict(file: path, loader: name, reason: error.reason)
        }
    }

    private mutating func judged() throws -> Verdict {
        try fitPosition()
        let isPlausible = abs(design.pose.scale - scale.plausible(near: design.pose, survey)) < 1e-9
        if !scale.isFree, options.scale == nil, !isPlausible { deviations.append(scale.finding(design.pose.scale)) }
        let hypotheses = builder.hypotheses(model)
        var aligned = try align()
        if restoreSpeed(aligned) { aligned = try align() }
        for _ in 0..<Self.maxPositionFits {
            guard try fitPositionInSteps(aligned) else { break }
            aligned = try align()
        }
        if let better = try fitScaleInTime(aligned) { aligned = better }
        let designResidual = Self.residual(steady(aligned))
        chooseWorstFrames(aligned)
        let initial = try solver.energy(model).energy
        deviations += try explained(by: hypotheses, &aligned)
        // Another timing function makes elements late in a part of each phase.
        let isEased = deviations.contains { $0.kind == .easing }
        let content = ExtraContent(view: view, survey: survey, builder: builder, model: model, mask: mask)
        let extra = try ExtraFindings(content, aligned, timeFindings(aligned))
        deviations += try transientDeviations(aligned, besides: extra).filter { !isEased || $0.kind != .late }
        let others = transients(aligned)
        try judgeThinLines(hypotheses, initial: initial)
        deviations += extra.deviations(besides: others)
        return try result(aligned, designResidual: designResidual, foreign: extra.share)
    }

    /// Adds the changes that explain differences of the whole recording to the model. Returns these
    /// changes as deviations.
    ///
    /// - Parameter initial: the energy of all differences, to which the weights refer; nil for that
    ///   of the design in the frames that are fitted in the end.
    mutating func explained(
        by hypotheses: [Hypothesis], _ aligned: inout [AlignedFrame], initial: Double? = nil
    ) throws -> [Deviation] {
        let original = model
        if let better = try adoptParameterForTimes(hypotheses, aligned) { aligned = better }
        for _ in 0..<Self.maxRounds {
            if try explain(with: hypotheses, aligned: aligned) {
                aligned = try align()
            } else {
                // Another colour hides which frames stand still or flash.
                guard !adopted.isEmpty, let better = try adoptParameterForTimes(hypotheses, aligned) else { break }
                aligned = better
            }
            if !isDetail {
                try checkContent(aligned)
                chooseMoreFrames(aligned)
            }
        }
        if !isDetail { try checkContent(aligned) }
        aligned = try polish(aligned)
        if try replaceElementsByParameter(hypotheses) { aligned = try polish(try align()) }
        if try dropTransient(aligned) { aligned = try polish(try align()) }
        solver.fixedTimes = nil
        let initial = try initial ?? solver.energy(original).energy
        try weigh(initial: initial)
        return try explainedDeviations(aligned, initial: initial)
    }

    /// The writer of deviations from the design.
    var writer: DeviationWriter {
        let times = view.frames.map(\.time)
        var options = self.options
        options.tolerance.points *= design.pose.judgedPoint
        options.scale = options.scale ?? shownScale
        return DeviationWriter(
            builder: builder, view: view, design: design, options: options,
            duration: (times.last ?? 0) - (times.first ?? 0))
    }

    /// Returns deviations, the heaviest first. Each is followed by its alternatives.
    private func sorted(_ deviations: [Deviation]) -> [Deviation] {
        Deviation.groups(deviations).enumerated().sorted { a, b in
            (-a.element[0].weight, a.offset) < (-b.element[0].weight, b.offset)
        }.flatMap(\.element)
    }

    /// Aligns all frames with the model.
    func align() throws -> [AlignedFrame] {
        try FrameAligner(view: view, builder: builder, mask: mask, model: model).aligned()
    }

    /// Returns the energies of the fitted frames relative to the drawing's, at the designed times
    /// and at the aligned ones.
    func fitResidual(_ aligned: [AlignedFrame]) -> FitResidual {
        let frames = solver.frames.map { aligned[$0] }
        let weighted = zip(frames, solver.weights)
        let drawing = max(1, weighted.reduce(0) { $0 + $1.1 * $1.0.drawingEnergy })
        let line = weighted.reduce(0) { $0 + $1.1 * $1.0.energy }
        let best = weighted.reduce(0) { $0 + $1.1 * $1.0.alignedEnergy }
        return FitResidual(atPoseTimes: line / drawing, atAlignedTimes: best / drawing, drawingEnergy: drawing)
    }

    /// Returns the first deviation of each kind, object, phase and time.
    private func distinct(_ deviations: [Deviation]) -> [Deviation] {
        var result: [Deviation] = []
        for deviation in deviations {
            let isKnown = result.contains {
                $0.kind == deviation.kind && $0.object == deviation.object && $0.phase == deviation.phase
                    && $0.time == deviation.time
            }
            if !isKnown { result.append(deviation) }
        }
        return result
    }

    /// The model time of the first frame, reduced to the period; 0 if it is within the tolerance of
    /// the period's start.
    private var start: Double {
        let period = loader.period.double
        let turns = model.pose.start / period
        let start = (turns - turns.rounded(.down)) * period
        return min(start, period - start) < options.tolerance.milliseconds / 1000 ? 0 : start
    }

    /// Returns the findings of aligned frames in time.
    func timeFindings(_ aligned: [AlignedFrame]) -> TimeFindings {
        TimeFindings(aligned, model.loader, model.pose.speed, options, sampling: view.step)
    }

    private func result(_ aligned: [AlignedFrame], designResidual: Double, foreign: Double) throws -> Verdict {
        let findings = timeFindings(aligned)
        var deviations = sorted(distinct(deviations + blanks.deviations(in: view)))
        let steady = steady(aligned)
        let residual = Self.residual(steady)
        let fits = FitEvidence(residual: residual, designResidual: designResidual, foreign: foreign)
        if let reason = try refusal(fits, steady, findings, deviations) {
            return Verdict(file: path, loader: name, reason: reason)
        }
        let scaleNote = scale.note(design.pose.scale)
        let timeNotes = findings.notes + blanks.notes(in: view)
        if options.isStrict {
            deviations += timeNotes
            if scaleNote != nil { deviations.append(scale.finding(design.pose.scale)) }
        }
        let stretch = scale.stretchFinding(
            pixelAspect: pixelAspect, width: survey.width, model.pose, options.tolerance)
        deviations += [stretch].compactMap { $0 }
        let notes = options.isStrict ? [] : timeNotes + [scaleNote].compactMap { $0 }
        if residual > Self.poorFit {
            deviations.append(
                Deviation(
                    kind: .unexplained, size: residual, unit: "x",
                    text: "\(DeviationWriter.decimal(100 * residual, 1))% of what is drawn differs without an "
                        + "explanation by \(name)"))
        }
        if deviations.isEmpty, let local = try localDeviation(aligned) { deviations.append(local) }
        let fit = RecordingFit(
            scale: model.pose.scale, origin: model.pose.origin, speed: model.pose.speed, expectedSpeed: options.speed,
            start: start, background: model.background)
        return Verdict(
            file: path, loader: name, outcome: deviations.isEmpty ? .matches : .differs, fit: fit,
            deviations: deviations, notes: notes + backgroundNotes + samplingNotes,
            curve: curve(aligned, findings.evidence))
    }

    /// Returns the points of the chart of times.
    private func curve(_ aligned: [AlignedFrame], _ evidence: FrameEvidence) -> [CurvePoint] {
        aligned.enumerated().map { index, frame in
            CurvePoint(
                frame: view.frames[frame.index].index, time: frame.time, modelTime: frame.modelTime,
                expectedTime: frame.expected, isCertain: evidence.isCertain[index])
        }
    }
}
