import Core
import Media
import Render

extension Verification {
    /// Verifies raw video, which has no header, against a plan: the file must have the size of the
    /// plan's frames. Their content is not compared.
    ///
    /// Throws `LoadervidError` if the file cannot be opened, or if the options ask for more.
    static func certificate(
        ofRawVideo path: String, _ plan: RenderPlan, _ options: VerificationOptions, opened: InputFile?
    ) throws -> Certificate {
        try options.refuseFrameChecks("\(path) is raw video, whose frames are not read")
        let file = try opened ?? InputFile.clip(path: path)
        let format = plan.encoder.pixelFormat
        let frameBytes = format.byteCount(width: plan.width, height: plan.height)
        var certificate = Certificate(file: path)
        certificate.container = "raw video"
        certificate.pixelFormat = format.description
        certificate.width = plan.width
        certificate.height = plan.height
        certificate.rate = plan.encoder.frameRate.framesPerSecond.double
        certificate.frames = plan.frameCount
        certificate.duration = plan.duration.double
        certificate.bytes = file.byteCount
        certificate.alpha.isPresent = format.hasAlpha
        certificate.findings = [
            Finding(
                .rawUnread, .note,
                "raw video has no header, so only the file's size was compared; encode the clip as .y4m or .mkv to "
                    + "have its frames compared")
        ]
        let expected = plan.frameCount * frameBytes
        guard file.byteCount != expected else { return certificate }
        certificate.findings.insert(
            Finding(
                .expectedFrames, .error,
                "the file has \(file.byteCount) bytes instead of \(expected), which are \(plan.frameCount) frames of "
                    + "\(plan.width)x\(plan.height) pixels in \(format); render the clip again"), at: 0)
        return certificate
    }
}

extension VerificationOptions {
    /// Throws a usage error if the options ask for a check of frames, which is impossible for the
    /// given reason. A requested check is never skipped.
    func refuseFrameChecks(_ reason: String) throws {
        let asked: [(option: String, isAsked: Bool)] = [
            ("frames-sha256", hashes != nil), ("alpha", needsAlpha), ("looped", loops),
        ]
        guard let first = asked.first(where: \.isAsked) else { return }
        throw LoadervidError(
            .usage,
            "--\(first.option): \(reason); omit the option, or verify these files in a separate run")
    }
}
