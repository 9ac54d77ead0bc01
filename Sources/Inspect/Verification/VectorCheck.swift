import Core
import Media
import Render

extension Verification {
    /// Verifies vector graphics: their bytes must be those that the plan gives.
    ///
    /// Throws `LoadervidError` if the file cannot be read, or without a plan, because vector
    /// graphics have no frames to check without one.
    package static func certificate(
        ofVectors path: String, _ format: VectorFormat, _ options: VerificationOptions,
        cancellation: CancellationToken = CancellationToken()
    ) throws -> Certificate {
        try options.refuseFrameChecks("\(format.title) has no frames")
        let file = try InputFile.clip(path: path)
        guard file.byteCount <= RenderPlan.maxVectorBytes else {
            throw LoadervidError(
                .badData,
                "\(path) has \(file.byteCount) bytes, above the maximum of \(RenderPlan.maxVectorBytes); use a file "
                    + "that encode wrote")
        }
        guard let plan = options.plan, let output = plan.vector, output.format == format else {
            throw LoadervidError(
                .badData,
                "\(path): \(format.title) has no frames to check; pass \(commandOption: "against") with its "
                    + "loader and options to compare it with what encode writes")
        }
        let expected = try plan.vectorDocument(output, cancellation: cancellation)
        let isEqual: Bool
        do {
            isEqual = try file.byteCount == expected.count && file.bytes(at: 0, count: file.byteCount) == expected
        } catch { throw LoadervidError(error) }
        var certificate = Certificate(file: path)
        certificate.container = format.title
        certificate.width = output.width
        certificate.height = output.height
        certificate.rate = plan.duration == .zero ? nil : (Rational(plan.frameCount) / plan.duration).double
        certificate.frames = plan.frameCount
        certificate.duration = plan.duration.double
        certificate.bytes = file.byteCount
        certificate.isCompared = true
        if !isEqual { certificate.findings = [difference(from: expected.count)] }
        return certificate
    }

    private static func difference(from byteCount: Int) -> Finding {
        Finding(
            .expectedPicture, .error,
            "the file differs from the \(byteCount) bytes that encode writes with these options; encode it again")
    }
}
