import Media

/// The check of seeking to keyframes with the file's index, as players do, which compares the
/// decoded frames with those of sequential decoding.
final class SeekCheck {
    private let stream: LibAVStream
    private let stride: Int
    private var keyCount = 0
    /// The number of keyframes that were sought.
    private(set) var seekCount = 0
    private(set) var finding: Finding?

    /// The maximum number of keyframes, evenly spread over the clip.
    private static let maxSeeks = 64

    init(_ file: InputFile, keyCount: Int, _ limits: ClipLimits) throws {
        var limits = limits
        // The packet survey has already applied the limits.
        limits.gigapixels = 1e6
        stream = try LibAVStream(file, limits)
        stride = max(1, (keyCount + Self.maxSeeks - 1) / Self.maxSeeks)
    }

    /// Checks a keyframe of the sequential decoding.
    func add(_ decoded: DecodedFrame, frame: Int, time: Double) throws {
        defer { keyCount += 1 }
        guard keyCount % stride == 0, seekCount < Self.maxSeeks, finding == nil, let pts = decoded.time else { return }
        seekCount += 1
        let problem: String?
        do {
            let found = try stream.keyframe(at: pts)
            let error = found.flatMap { decoded.frame.squaredError(from: $0.frame) }
            // Decoders are deterministic. In formats that cannot be compared, the keyframe was at
            // least found.
            problem =
                found == nil ? "finds no frame" : error.map { $0.psnr < 60 } ?? false ? "finds another frame" : nil
        } catch let error as FFmpegError { problem = "fails (\(error.reason))" }
        guard let problem else { return }
        finding = Finding(
            .notSeekable, .error, time: time, frame: frame,
            "seeking to this keyframe \(problem); rebuild the file's index (ffmpeg -c copy)")
    }
}
