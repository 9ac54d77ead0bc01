import Dispatch

/// Vector graphics in memory, which are written when the clip's other files are complete.
struct VectorFile {
    private let bytes: [UInt8]
    private let plan: RenderPlan
    private let start: UInt64

    /// Makes the document. Throws `LoadervidError` if the format cannot express the clip.
    init(
        _ plan: RenderPlan, _ output: VectorOutput, _ progress: RenderProgress, _ cancellation: CancellationToken
    ) throws {
        start = DispatchTime.now().uptimeNanoseconds
        self.plan = plan
        bytes = try plan.vectorDocument(output, progress: progress, cancellation: cancellation)
    }

    /// Writes the document and gives a file its name.
    func commit(to target: RenderTarget) throws -> RenderReport {
        switch target {
        case .file(let file): try file.commit(bytes)
        case .standardOutput(let output): try bytes.withUnsafeBytes { try output.write($0) }
        case .sequence: preconditionFailure("vector graphics are one file")
        }
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        return RenderReport(
            frameCount: plan.frameCount, encodedFrames: plan.framesToEncode, keptFrames: 0, byteCount: bytes.count,
            seconds: seconds)
    }
}
