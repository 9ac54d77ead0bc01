import Core
import Media
import Render

/// Limits for reading an untrusted clip.
package struct ClipLimits: Sendable {
    /// The maximum number of pixels of a frame.
    package var pixels = Bitmap.maxPixels
    /// The maximum number of pixels of all frames, in billions. Nil means 0.5 plus 0.05 per 1000
    /// bytes of the file, three times as much as easily compressed clips need.
    package var gigapixels: Double?

    /// Creates the documented limits.
    package init() {}

    fileprivate func totalPixels(byteCount: Int) -> Double {
        gigapixels.map { $0 * 1e9 } ?? 5e8 + 5e4 * Double(byteCount)
    }
}

/// The part of the limits that remains while a file is read. Without limits, a file of a few bytes
/// could require minutes of work.
package struct ClipBudget {
    private let path: String
    private let byteCount: Int
    private let total: Double
    private var pixelsLeft: Double
    private var packetsLeft: Double

    /// Creates the full budget for a file.
    package init(_ limits: ClipLimits, for file: InputFile) {
        path = file.path
        byteCount = file.byteCount
        total = limits.totalPixels(byteCount: byteCount)
        // Packets of all streams count, since each takes at least as much work as a thousand
        // pixels.
        pixelsLeft = total
        packetsLeft = total / 1000
    }

    /// Counts a packet. Throws `LoadervidError` if the limit is exceeded.
    package mutating func takePacket() throws {
        packetsLeft -= 1
        guard packetsLeft < 0 else { return }
        throw LoadervidError(
            .badData,
            "\(path): it has more than \(Int(total / 1000)) packets, the maximum for a file of \(byteCount) bytes",
            hint: .moreTotalPixels)
    }

    /// Counts a frame's pixels. Throws `LoadervidError` if the limit is exceeded.
    package mutating func takeFrame(width: Int, height: Int) throws {
        // Raw streams may not declare the size of their frames.
        pixelsLeft -= Double(max(1, width * height))
        guard pixelsLeft < 0 else { return }
        throw LoadervidError(
            .badData,
            "\(path): its frames have more than \((total / 1e5).rounded() / 1e4) billion pixels in total, the maximum "
                + "for a file of \(byteCount) bytes", hint: .moreTotalPixels)
    }
}

extension InputFile {
    /// Opens a file that should be a clip. Throws `LoadervidError` with a message for the user who
    /// named it.
    ///
    /// - Parameter allowsSequences: true if the caller also reads image sequences.
    package static func clip(path: String, allowsSequences: Bool = true) throws -> InputFile {
        let file: InputFile
        do { file = try InputFile(path: path) } catch {
            if let error = LoadervidError(unreadable: path, error) { throw error }
            guard FileSystem.kind(path) != S_IFDIR else {
                let pattern = allowsSequences ? ", or a pattern of images such as frames/%04d.png" : ""
                throw LoadervidError(.badData, "\(path) is a directory; use a video file\(pattern)")
            }
            guard error.code != -EINVAL else {
                throw LoadervidError(.badData, "\(path) is not a regular file; use a video file")
            }
            throw LoadervidError(.missingInput, "\(path) cannot be read: \(error.reason)")
        }
        guard file.byteCount > 0 else { throw LoadervidError(.badData, "\(path) is empty; use a video file") }
        return file
    }
}

extension LoadervidError {
    /// Creates the error for a file whose frames cannot be read, with a message for the user who
    /// named it.
    package init(noVideo error: FFmpegError, path: String) {
        if error.isOutOfMemory || error.isSystemFailure {
            self.init(error)
            return
        }
        let reason = error.code == FFmpegError.streamNotFound ? "it has no video stream" : error.reason
        if error.code == FFmpegError.tooManyPixels {
            self.init(.badData, "\(path): \(reason)", hint: .morePixels)
            return
        }
        if error.remedy != nil, RawVideo.isLikely(path) {
            self.init(
                .badData,
                "\(path) is not a readable video: raw video has no header with its size, frame rate and pixel format; "
                    + "encode the clip as .y4m, which has one, or compare raw files byte by byte, for example with cmp")
            return
        }
        let remedy = error.remedy ?? "use a complete video file"
        self.init(.badData, "\(path) is not a readable video: \(reason); \(remedy)")
    }
}

/// Frames without compression and without any header.
enum RawVideo {
    /// The usual file extensions.
    private static let extensions: Set = ["raw", "rawvideo", "rgb", "rgba", "yuv"]

    /// Returns true if a file that is in no known format is likely to be raw video, by its name.
    static func isLikely(_ path: String) -> Bool { extensions.contains(path.fileExtension) }
}
