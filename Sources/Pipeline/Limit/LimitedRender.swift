import Media

/// Renders a clip that may have no more than so many bytes: as often as it takes to find the least that must be given up.
///
/// Concessions are in an order, and files become smaller along it. So a binary search finds the first that fits, of which the
/// one before was tried, too, and did not. At most seven renderings of the clip are needed.
struct LimitedRender {
    /// The clip as asked for.
    let plan: RenderPlan
    /// The most bytes of its file.
    let limit: Int
    /// Where it goes.
    let file: OutputFile
    /// Renders a plan into a file without giving that its name.
    let render: (RenderPlan, OutputFile) throws -> RenderReport

    /// One rendering, whole.
    private struct Trial {
        let file: OutputFile
        let report: RenderReport
    }

    /// Leaves the clip in the file, which has not got its name yet. Throws `RenderError` if even the least is too large.
    ///
    /// - Parameter first: what the clip became as asked for.
    func run(after first: RenderReport) throws -> RenderReport {
        var trials = 1
        func rendered(_ concession: Concession) throws -> Trial {
            trials += 1
            let trial = try file.another()
            return Trial(file: trial, report: try render(plan.making(concession), trial))
        }
        var concessions = plan.concessions()
        if plan.mayLose, concessions.count > 1, try rendered(concessions[1]).report.byteCount >= first.byteCount {
            concessions = plan.concessions(keepsQuality: true)
        }
        var (low, high) = (0, concessions.count - 1)
        // Where even the least does not fit, nothing else is tried.
        guard high > 0 else { throw refusal(first.byteCount, concessions[0]) }
        var best = try rendered(concessions[high])
        guard best.report.byteCount <= limit else { throw refusal(best.report.byteCount, concessions[high]) }
        while high - low > 1 {
            let middle = (low + high) / 2
            let trial = try rendered(concessions[middle])
            if trial.report.byteCount <= limit { (best, high) = (trial, middle) } else { low = middle }
        }
        file.takeContents(of: best.file)
        var report = best.report
        report.fit = SizeFit(limit: limit, concession: concessions[high], trials: trials)
        return report
    }

    private func refusal(_ bytes: Int, _ least: Concession) -> RenderError {
        let how = least.isNone ? "" : " with \(least.words(besides: plan))"
        return RenderError(
            .usage,
            "the clip has \(bytes) bytes\(how), more than max-bytes \(limit): allow more, or ask for a shorter or plainer clip",
            about: .options("max-bytes"))
    }
}
