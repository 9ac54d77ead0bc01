import Analysis
import Media

/// Goes to key frames by the file's index, as players do, and compares what is decoded there with what came in order.
final class SeekCheck {
    private let stream: LibAVStream
    private let stride: Int
    private var keyCount = 0
    /// How many were gone to.
    private(set) var soughtCount = 0
    private(set) var finding: Finding?

    /// So many at most, evenly spread.
    private static let most = 64

    init(_ file: InputFile, keyCount: Int, _ limits: ClipLimits) throws {
        var limits = limits
        // The pictures were counted once.
        limits.gigapixels = 1e6
        stream = try LibAVStream(file, limits)
        stride = max(1, (keyCount + Self.most - 1) / Self.most)
    }

    /// Takes a key frame as it came in order.
    func add(_ picture: StreamPicture, frame: Int, time: Double) throws {
        defer { keyCount += 1 }
        guard keyCount % stride == 0, soughtCount < Self.most, finding == nil, let pts = picture.time else { return }
        soughtCount += 1
        let words: String?
        do {
            let found = try stream.picture(at: pts)
            let error = found.flatMap { picture.frame.squaredError(from: $0.frame) }
            // Decoders are exact; formats that cannot be compared have been found at least.
            words = found == nil ? "nothing is found" : error.map { $0.psnr < 60 } ?? false ? "another picture is" : nil
        } catch let error as FFmpegError { words = "it fails (\(error.reason)), so that nothing is" }
        guard let words else { return }
        finding = Finding(
            .notSeekable, .error, time: time, frame: frame,
            "\(words) where players go to this key frame: write the file's index anew (ffmpeg -c copy)")
    }
}
