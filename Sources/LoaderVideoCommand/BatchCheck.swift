import Batch
import Core
import Dispatch
import Inspect
import Media
import Render

/// A check that a file is the one that its preset describes.
struct OutputCheck: Sendable {
    /// True to draw every frame again and compare it.
    let comparesFrames: Bool

    /// Throws `LoadervidError` with the first problem of the file at a path.
    ///
    /// - Parameter file: the open file; nil opens the path.
    func check(_ output: PresetOutput, _ path: String, opened file: InputFile? = nil) throws {
        var options = VerificationOptions()
        options.plan = output.plan
        options.comparesFrames = comparesFrames
        // The program made this file, so it is trusted even if its few bytes decode to many pixels.
        options.limits.gigapixels = 1e6
        let certificate: Certificate
        do {
            certificate =
                try output.plan.vector.map { try Verification.certificate(ofVectors: path, $0.format, options) }
                ?? Verification.certificate(of: path, options, opened: file)
        } catch let error as LoadervidError where error.kind == .badData {
            throw LoadervidError(.internal, "the new file cannot be read: \(error.reason)")
        }
        guard let finding = certificate.findings.first(where: { $0.severity == .error }) else { return }
        throw LoadervidError(.internal, "the file failed verification: \(VerifyResults.line(finding))")
    }
}

/// A check of a batch's existing outputs, without rendering.
struct BatchCheck {
    private let plan: BatchPlan
    private let directory: String
    private let options: BatchRun.Options
    private let check: OutputCheck

    init(_ plan: BatchPlan, in directory: String, _ options: BatchRun.Options, comparesFrames: Bool) {
        self.plan = plan
        self.directory = directory
        self.options = options
        check = OutputCheck(comparesFrames: comparesFrames)
    }

    /// Checks all outputs. Throws `LoadervidError` if the batch's records cannot be read.
    func report(_ cancellation: CancellationToken) throws -> BatchReport {
        let start = DispatchTime.now().uptimeNanoseconds
        let states = try OutputState.all(of: plan, in: directory, options)
        var results: [OutputResult] = []
        var isStopped = false
        for clip in plan.clips {
            for output in clip.outputs {
                let outputStart = DispatchTime.now().uptimeNanoseconds
                let state = states[output.requested.path]
                let error = isStopped || cancellation.isCancelled ? nil : problem(of: output, state)
                results.append(
                    OutputResult(
                        checked: output, preset: clip.preset, record: state?.record, error: error,
                        wasReached: !isStopped && !cancellation.isCancelled,
                        seconds: Double(DispatchTime.now().uptimeNanoseconds - outputStart) / 1e9))
                isStopped = isStopped || error != nil && options.failFast
            }
        }
        return BatchReport(
            outputs: results.sorted { $0.path < $1.path },
            seconds: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9, isInterrupted: cancellation.isCancelled
        )
    }

    private func problem(of output: BatchPlan.Output, _ state: OutputState?) -> LoadervidError? {
        let path = output.requested.path
        switch state {
        case .upToDate(let record)?:
            do {
                let made = try output.requested.making(record.reducedSettings ?? [:])
                // Not by its path, which another process may have replaced since `state` was found.
                let file = try OutputDirectory(directory, creates: false).openedFile(path)
                try check.check(made, OutputDirectory.path(of: path, in: directory), opened: file)
                return nil
            } catch {
                let error = LoadervidError(error)
                return LoadervidError(error.kind, "\(path): \(error.description)")
            }
        case .stale(let reason, _, _)?:
            let kind: LoadervidError.Kind = state?.isDamaged == true ? .badData : .missingInput
            let problem =
                switch reason {
                case .new: "has not been made yet"
                case .missing: "is missing"
                default: "is not up to date (\(reason))"
                }
            return LoadervidError(kind, "\(path) \(problem); run the batch without --check")
        case .refused(let error)?: return error
        case nil: return LoadervidError(.internal, "the state of \(path) is unknown")
        }
    }
}
