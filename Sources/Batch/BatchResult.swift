import Pipeline

/// What became of an output.
public struct OutputResult: Sendable {
    /// What became of it.
    public enum State: String, Sendable, Codable, CaseIterable {
        /// It was rendered.
        case made
        /// It was there already.
        case upToDate = "up-to-date"
        /// It could not be made.
        case failed
        /// The batch ended before its turn, or while it was made.
        case notRun = "not-run"
    }

    /// Its path below the output directory.
    public let path: String
    /// The preset's name.
    public let preset: String
    /// What became of it.
    public let state: State
    /// Why it was made, or was to be; empty if it was up to date.
    public let reason: String
    /// What went wrong, if it failed.
    public let error: RenderError?
    /// Frames in the clip.
    public let frames: Int
    /// The clip's length in seconds; nil if only a manifest without it tells.
    public let duration: Double?
    /// Size in bytes, if it is there.
    public let bytes: Int?
    /// SHA-256 of its contents, if it is there.
    public let sha256: String?
    /// What was given up for a limit of bytes, as options are written and by their keys; empty for nothing.
    public var concessions: [String: String] = [:]
    /// The fingerprint of what was asked for.
    public let fingerprint: String
    /// Wall time of its clip's rendering in seconds; 0 if it was not rendered.
    public let seconds: Double
}

extension OutputResult {
    /// What became of an output of a plan, with what is known of its file.
    init(
        _ output: BatchPlan.Output, preset: String, _ state: State, reason: String = "", error: RenderError? = nil,
        record: OutputRecord?, seconds: Double
    ) {
        let plan = output.plan(of: record)
        self.init(
            path: output.wish.path, preset: preset, state: state, reason: reason, error: error, frames: plan.frameCount,
            duration: plan.duration.double, bytes: record?.bytes, sha256: record?.sha256,
            concessions: record?.concessions ?? [:],
            fingerprint: output.fingerprint, seconds: seconds)
    }

    /// What was found of an output that was only looked at.
    public init(
        checked output: BatchPlan.Output, preset: String, record: OutputRecord?, error: RenderError?, wasReached: Bool,
        seconds: Double
    ) {
        let state = !wasReached ? State.notRun : error == nil ? .upToDate : .failed
        self.init(output, preset: preset, state, error: error, record: record, seconds: seconds)
    }
}

/// What became of a batch.
public struct BatchReport: Sendable {
    /// All its outputs, by their paths.
    public let outputs: [OutputResult]
    /// Shards of which nothing was found when they should be joined.
    public var missingShards: [Shard] = []
    /// Files of earlier batches that no preset asks for any more, sorted. They stay.
    public var orphans: [String] = []
    /// Wall time in seconds.
    public let seconds: Double
    /// Whether the user stopped it.
    public let isInterrupted: Bool

    /// A report of some outputs.
    public init(
        outputs: [OutputResult], missingShards: [Shard] = [], orphans: [String] = [], seconds: Double,
        isInterrupted: Bool
    ) {
        (self.outputs, self.missingShards, self.orphans) = (outputs, missingShards, orphans)
        (self.seconds, self.isInterrupted) = (seconds, isInterrupted)
    }

    /// The worst failure: a mistake of the program before failed output, that before missing encoders, that before bad
    /// input. The user's wish to stop is before all.
    public var worst: RenderError.Kind? {
        if isInterrupted { return .interrupted }
        let order: [RenderError.Kind] = [
            .internal, .inputOutput, .cannotCreate, .unavailable, .missingInput, .badData, .usage,
        ]
        let kinds = outputs.compactMap { $0.error?.kind }
        return order.first { kinds.contains($0) }
    }

    /// How many outputs ended in a state.
    public func count(_ state: OutputResult.State) -> Int { outputs.count { $0.state == state } }
}

/// What a batch tells while it runs.
public enum BatchEvent: Sendable {
    /// It begins: how many outputs there are, how many of them are to be made, and the frames to encode for these.
    case began(outputs: Int, stale: Int, frames: Int)
    /// A clip's outputs are being made, and why each.
    case started([(path: String, reason: String)])
    /// An output's fate is known.
    case finished(OutputResult)
}
