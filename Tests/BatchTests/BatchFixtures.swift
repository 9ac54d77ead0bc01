import Batch
import Core
import Explain
import Media
import Render
import TestSupport
import Testing

/// A request for a small clip, with changes.
func request(_ id: String = "qq-mail", _ change: (inout RenderRequest) throws -> Void = { _ in }) throws
    -> RenderRequest
{
    var loader = try LoaderRequest(id: id)
    loader.size = .pixels(width: 32, height: 16)
    var request = RenderRequest(loader: loader, container: .mp4, frameRate: FrameRate(10))
    request.speed = "ultrafast"
    try change(&request)
    return request
}

/// A clip with an output for each request.
func clip(_ name: String, _ requests: [RenderRequest]) throws -> PresetClip {
    let outputs = try requests.enumerated().map { index, request in
        try PresetOutput(
            path: "\(name)\(index == 0 ? "" : "-\(index)").\(request.container.rawValue)", request: request,
            location: SourceLocation(file: "test.yaml", line: index + 1, column: 1))
    }
    return PresetClip(preset: "test", name: name, outputs: outputs)
}

let toolchain = Toolchain(versions: ["loadervid": "1", "FFmpeg": "5"])

/// Runs a batch in a directory.
@discardableResult
func run(
    _ clips: [PresetClip], in directory: TemporaryDirectory, toolchain: Toolchain = toolchain, shard: Shard? = nil,
    _ change: (inout BatchRun.Options) -> Void = { _ in }
) throws -> BatchReport {
    let plan = try BatchPlan(clips, toolchain: toolchain, shard: shard)
    let outputs = try OutputDirectory(directory.path, creates: false)
    let token = CancellationToken()
    let policy = WaitPolicy(waits: false, cancellation: token) { _ in }
    let state = try BatchState(outputs, shard: shard, policy)
    var options = BatchRun.Options(cores: 2, memory: 4 << 30)
    change(&options)
    return try BatchRun(plan, in: outputs, state: state, options: options, cancellation: token).run()
}

extension BatchReport {
    /// The state and reason of each output, by path.
    var results: [String: String] {
        Dictionary(uniqueKeysWithValues: outputs.map { ($0.path, "\($0.state.rawValue) \($0.reason)") })
    }
}
