import Batch
import Dispatch
import Pipeline
import Platform
import Presets
import Verification

/// Whether a file is what a preset asks for.
struct OutputCheck: Sendable {
    /// Whether every picture is drawn again and compared.
    let comparesPictures: Bool

    /// Throws `RenderError` with the first thing that is wrong with the file at a path.
    func check(_ output: PresetOutput, _ path: String) throws {
        var options = VerificationOptions()
        (options.plan, options.comparesPictures) = (output.plan, comparesPictures)
        // It is our own, however much it packs into few bytes.
        options.limits.gigapixels = 1e6
        let certificate: Certificate
        do { certificate = try Verification.certificate(of: path, options) } catch let error as RenderError
            where error.kind == .badData
        { throw RenderError(.internal, "it cannot be read back: \(error.reason)") }
        guard let finding = certificate.findings.first(where: { $0.severity == .error }) else { return }
        throw RenderError(.internal, "it is not right: \(VerifyResults.line(finding))")
    }
}

/// What there is of a batch, looked at without rendering anything.
struct BatchCheck {
    private let plan: BatchPlan
    private let directory: String
    private let options: BatchRun.Options
    private let check: OutputCheck

    init(_ plan: BatchPlan, in directory: String, _ options: BatchRun.Options, comparesPictures: Bool) {
        (self.plan, self.directory, self.options) = (plan, directory, options)
        check = OutputCheck(comparesPictures: comparesPictures)
    }

    /// Looks at all outputs. Throws `RenderError` if the batch's records cannot be read.
    func report(_ cancellation: CancellationToken) throws -> BatchReport {
        let start = DispatchTime.now().uptimeNanoseconds
        let states = try OutputState.all(of: plan, in: directory, options)
        var results: [OutputResult] = []
        for clip in plan.clips {
            for output in clip.outputs {
                let begin = DispatchTime.now().uptimeNanoseconds
                let error = cancellation.isCancelled ? nil : problem(of: output, states[output.wish.path])
                results.append(
                    OutputResult(
                        checked: output, preset: clip.preset, record: states[output.wish.path]?.record, error: error,
                        wasReached: !cancellation.isCancelled,
                        seconds: Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9))
            }
        }
        return BatchReport(
            outputs: results.sorted { $0.path < $1.path },
            seconds: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9, isInterrupted: cancellation.isCancelled
        )
    }

    private func problem(of output: BatchPlan.Output, _ state: OutputState?) -> RenderError? {
        let path = output.wish.path
        switch state {
        case .upToDate(let record)?:
            do {
                let made = try output.wish.making(record.concessions ?? [:])
                try check.check(made, OutputTree.file(path, in: directory))
                return nil
            } catch {
                let error = RenderError(error)
                return RenderError(error.kind, "\(path): \(error.description)")
            }
        case .stale(let reason, _)?: return RenderError(.missingInput, "\(path) is not up to date (\(reason)): make it")
        case .refused(let error)?: return error
        case nil: return RenderError(.internal, "nothing is known of \(path)")
        }
    }
}
