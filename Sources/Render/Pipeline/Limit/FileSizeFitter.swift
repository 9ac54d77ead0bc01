import Media

/// A fitter for a clip that exceeds its file size limit: it renders the clip again until the file
/// is below the limit and fills most of it.
///
/// A trial ends as soon as its file is too large, and the full size is predicted from the frames so
/// far. The prediction depends only on the frames' sizes, so the same request has the same trials
/// on every machine.
struct FileSizeFitter {
    /// The requested clip.
    let plan: RenderPlan
    /// The maximum file size in bytes.
    let limit: Int
    /// The output file.
    let file: OutputFile
    /// Renders a step into a temporary file, as the trial with a number. Unless `isWhole` is true,
    /// the trial may end as soon as the file is too large.
    let render: (_ step: QualityStep, _ trial: OutputFile, _ number: Int, _ isWhole: Bool) throws -> RenderReport

    /// The maximum number of renderings, including the first. Most clips need two or three.
    static let maxTrials = 6

    /// Leaves the fitted clip in the unnamed output file. Throws `LoadervidError` if even the last
    /// step is too large.
    ///
    /// - Parameter first: the report on the requested clip.
    func run(after first: RenderReport) throws -> RenderReport {
        var trials = 1
        func rendered(_ step: QualityStep, isWhole: Bool) throws -> (file: OutputFile, report: RenderReport) {
            trials += 1
            let trial = try file.makeTrialFile()
            return (trial, try render(step, trial, trials, isWhole))
        }
        var steps = QualityLadder(plan).steps
        // No step is left, or lossy encoding of lossless frames may only enlarge them.
        guard steps.count > 1 else { throw refusal(first.byteCount, steps[0].step) }
        var best: (file: OutputFile, report: RenderReport)?
        var search = search(steps, first)
        if plan.isLossless, steps[1].step.quality != nil {
            let lossy = try rendered(steps[1].step, isWhole: false)
            if lossy.report.byteCount < first.byteCount {
                search.record(1, bytes: lossy.report.byteCount)
                if lossy.report.byteCount <= limit { best = lossy }
            } else {
                steps = QualityLadder(plan, keepsQuality: true).steps
                guard steps.count > 1 else { throw refusal(first.byteCount, steps[0].step) }
                search = self.search(steps, first)
            }
        }
        while let index = search.next(trialsLeft: Self.maxTrials - trials) {
            let isLast = index == steps.count - 1
            let trial = try rendered(steps[index].step, isWhole: isLast)
            search.record(index, bytes: trial.report.byteCount)
            if trial.report.byteCount <= limit { best = trial }
            if isLast, best == nil { throw refusal(trial.report.byteCount, steps[index].step) }
        }
        guard let best, let index = search.found else { throw refusal(first.byteCount, steps[0].step) }
        file.swapContents(with: best.file)
        var report = best.report
        report.fit = FitResult(limit: limit, step: steps[index].step, trials: trials)
        return report
    }

    private func search(_ steps: [QualityLadder.ExpectedStep], _ first: RenderReport) -> LadderSearch {
        LadderSearch(expected: steps.map(\.expected), limit: limit, first: first.byteCount)
    }

    private func refusal(_ bytes: Int, _ smallest: QualityStep) -> LoadervidError {
        let how = smallest.isNone ? "" : " (\(smallest.label))"
        return LoadervidError(
            .usage,
            "\(option: "max-bytes"): \(limit) bytes are below the smallest possible file of \(bytes) bytes\(how); "
                + "set \(option: "max-bytes") to \(bytes), or use a shorter \(option: "duration")",
            subjects: .options("max-bytes"))
    }
}
