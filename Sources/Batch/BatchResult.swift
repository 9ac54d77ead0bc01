import Animations
import Explain
import Render

/// The result of making one output file of a batch.
package struct OutputResult: Sendable {
    /// The kind of result.
    package enum State: String, Sendable, Codable, CaseIterable {
        /// The output was rendered, or copied by a merge.
        case made
        /// An existing file was up to date.
        case upToDate = "up-to-date"
        /// The output could not be made.
        case failed
        /// The batch ended before or while the output was made.
        case notRun = "not-run"
    }

    /// The path relative to the output directory.
    package let path: String
    /// The preset's name.
    package let preset: String
    /// The kind of result.
    package let state: State
    /// The reason for making the output; empty if it was up to date.
    package let reason: String
    /// The error of a failed output; nil otherwise.
    package let error: LoadervidError?
    /// The number of frames.
    package let frames: Int
    /// The clip's duration in seconds; nil if known only from a manifest of an earlier version.
    package let duration: Double?
    /// The timing of the frames; nil if the clip has only one, or if known only from a manifest of
    /// an earlier version.
    package var timing: TimeMap.Timing?
    /// The file's size in bytes; nil if there is no file.
    package let bytes: Int?
    /// The SHA-256 of the file's contents; nil if there is no file.
    package let sha256: String?
    /// The settings changed for a file size limit, as option values by their keys; empty for none.
    package var reducedSettings: [String: String] = [:]
    /// The output's location in its preset; nil if only a manifest lists the output.
    package var location: SourceLocation?
    /// The sidecars by their paths relative to the output directory; empty if the output is
    /// missing.
    package var sidecars: [String: FileRecord] = [:]
    /// Notes about the clip's frames, if the clip was made.
    package var notes: [ClipNote] = []
    /// The fingerprint of the requested output.
    package let fingerprint: String
    /// The wall time of rendering the clip in seconds; 0 if it was not rendered.
    package let seconds: Double
}

extension OutputResult {
    /// The result of an output of a plan, with the record of its file.
    init(
        _ output: BatchPlan.Output, preset: String, _ state: State, reason: String = "", error: LoadervidError? = nil,
        record: OutputRecord?, seconds: Double
    ) {
        let plan = output.plan(of: record)
        self.init(
            path: output.requested.path, preset: preset, state: state, reason: reason, error: error,
            frames: plan.frameCount, duration: plan.duration.double, timing: plan.source.timing, bytes: record?.bytes,
            sha256: record?.sha256,
            reducedSettings: record?.reducedSettings ?? [:], location: output.requested.location,
            sidecars: record?.sidecars(of: output.requested.path) ?? [:],
            fingerprint: output.fingerprint, seconds: seconds)
    }

    /// The result of an output that was checked and not rendered.
    package init(
        checked output: BatchPlan.Output, preset: String, record: OutputRecord?, error: LoadervidError?,
        wasReached: Bool,
        seconds: Double
    ) {
        let state = !wasReached ? State.notRun : error == nil ? .upToDate : .failed
        self.init(output, preset: preset, state, error: error, record: record, seconds: seconds)
    }
}

/// The result of a batch.
package struct BatchReport: Sendable {
    /// The results of all outputs, sorted by path.
    package let outputs: [OutputResult]
    /// The shards without a manifest in a merge.
    package var missingShards: [Shard] = []
    /// The sorted paths of files from earlier batches that are no longer in any preset. The files
    /// are kept.
    package var orphans: [String] = []
    /// The wall time in seconds.
    package let seconds: Double
    /// True if the user interrupted the batch.
    package let isInterrupted: Bool

    /// Creates a report.
    package init(
        outputs: [OutputResult], missingShards: [Shard] = [], orphans: [String] = [], seconds: Double,
        isInterrupted: Bool
    ) {
        self.outputs = outputs
        self.missingShards = missingShards
        self.orphans = orphans
        self.seconds = seconds
        self.isInterrupted = isInterrupted
    }

    /// The most severe kind of failure; nil if nothing failed.
    package var worst: LoadervidError.Kind? {
        isInterrupted
            ? .interrupted : outputs.compactMap { $0.error?.kind }.max { $0.severity < $1.severity }
    }

    /// Returns the number of outputs with a state.
    package func count(_ state: OutputResult.State) -> Int { outputs.count { $0.state == state } }
}

/// An event of a running batch.
package enum BatchEvent: Sendable {
    /// The batch began. `stale` of its outputs must be made, which takes `frames` frames.
    case began(outputs: Int, stale: Int, frames: Int)
    /// The rendering of a clip's outputs began, each with its reason.
    case started([(path: String, reason: String)])
    /// An output has its result.
    case finished(OutputResult)
}

extension LoadervidError.Kind {
    /// The rank among failures of a batch. The most severe one decides the exit code.
    fileprivate var severity: Int {
        switch self {
        case .usage: 0
        case .badData: 1
        case .missingInput: 2
        case .unavailable: 3
        case .cannotCreate: 4
        case .inputOutput: 5
        case .internal: 6
        case .interrupted: 7
        }
    }
}

extension ManifestEntry {
    /// Returns the result of the output in a merge.
    func result(
        _ path: String, _ state: OutputResult.State, error: LoadervidError? = nil, record: OutputRecord? = nil
    ) -> OutputResult {
        OutputResult(
            path: path, preset: preset, state: state, reason: state == .made ? "copied" : "", error: error,
            frames: frames, duration: duration, timing: timing, bytes: record?.bytes, sha256: record?.sha256,
            reducedSettings: record?.reducedSettings ?? [:], sidecars: record?.sidecars(of: path) ?? [:],
            fingerprint: fingerprint, seconds: 0)
    }
}
