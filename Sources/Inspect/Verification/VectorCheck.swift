import Core
import Media
import Render

extension Verification {
    /// The maximum size of a vector file in bytes, that of `encode`.
    private static let maxVectorBytes = 64 << 20

    /// Verifies vector graphics: their bytes must be those that the plan gives.
    ///
    /// Throws `LoadervidError` if the file cannot be read, or without a plan, because vector
    /// graphics have no frames that could be checked by themselves.
    package static func certificate(
        ofVectors path: String, _ format: VectorFormat, _ options: VerificationOptions,
        cancellation: CancellationToken = CancellationToken()
    ) throws -> Certificate {
        guard let plan = options.plan, let output = plan.vector, output.format == format else {
            throw LoadervidError(
                .badData,
                "\(path): \(format.title) has no frames to check; pass --against with its loader and options to "
                    + "compare it with what encode writes")
        }
        let expected = try plan.vectorDocument(output, cancellation: cancellation)
        let byteCount: Int
        let isEqual: Bool
        do {
            byteCount = try InputFile(path: path, maxBytes: maxVectorBytes).byteCount
            isEqual = try InputHash.file(path, maxBytes: maxVectorBytes) == SHA256.hash(expected)
        } catch { throw LoadervidError(error) }
        var certificate = Certificate(file: path)
        certificate.container = format.title
        certificate.width = output.width
        certificate.height = output.height
        certificate.rate = plan.duration == .zero ? nil : (Rational(plan.frameCount) / plan.duration).double
        certificate.frames = plan.frameCount
        certificate.duration = plan.duration.double
        certificate.bytes = byteCount
        certificate.isCompared = true
        if !isEqual {
            certificate.findings = [
                Finding(
                    .expectedPicture, .error,
                    "the file differs from the \(expected.count) bytes that encode writes with these options; encode it "
                        + "again")
            ]
        }
        return certificate
    }
}
