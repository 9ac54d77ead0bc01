import Media
import Pipeline
import Platform
import Scene

/// How much may be read of a clip, which may be a stranger's.
public struct ClipLimits: Sendable {
    /// Pixels of a picture.
    public var pixels = Bitmap.mostPixels
    /// Pixels of all pictures together, in billions; nil takes 0.5 and 0.05 more for each 1000 bytes of the file, three times
    /// what clips need that are easy to compress.
    public var gigapixels: Double?

    /// The limits as documented.
    public init() {}

    fileprivate func totalPixels(byteCount: Int) -> Double {
        gigapixels.map { $0 * 1e9 } ?? 5e8 + 5e4 * Double(byteCount)
    }
}

/// What is left of the limits while a file is read: a few bytes can ask for minutes of work.
package struct ClipBudget {
    private let path: String
    private let byteCount: Int
    private let total: Double
    private var pixelsLeft: Double
    private var packetsLeft: Double

    /// All that is allowed for a file.
    package init(_ limits: ClipLimits, for file: InputFile) {
        (path, byteCount) = (file.path, file.byteCount)
        total = limits.totalPixels(byteCount: byteCount)
        // Packets of all streams, each as much work as a thousand pixels at least.
        (pixelsLeft, packetsLeft) = (total, total / 1000)
    }

    /// Takes a packet off. Throws `RenderError` if it is one too many.
    package mutating func takePacket() throws {
        packetsLeft -= 1
        guard packetsLeft < 0 else { return }
        throw RenderError(
            .badData, "\(path) has more than \(Int(total / 1000)) packets, which is much for \(byteCount) bytes",
            wayOut: .morePictures)
    }

    /// Takes a picture's pixels off. Throws `RenderError` if they are too many.
    package mutating func takePicture(width: Int, height: Int) throws {
        // Streams by themselves may not say how large their pictures are.
        pixelsLeft -= Double(max(1, width * height))
        guard pixelsLeft < 0 else { return }
        throw RenderError(
            .badData,
            "\(path): its pictures have more than \((total / 1e5).rounded() / 1e4) billion pixels together, which is "
                + "much for \(byteCount) bytes", wayOut: .morePictures)
    }
}

extension InputFile {
    /// Opens a file in which a clip is expected. Throws `RenderError` in words for who named it.
    package static func clip(path: String) throws -> InputFile {
        let file: InputFile
        do { file = try InputFile(path: path) } catch {
            switch -error.code {
            case ENOENT, ENOTDIR: throw RenderError(.missingInput, "\(path): there is no such file")
            case EIO, EMFILE, ENFILE: throw RenderError(error)
            case EINVAL: throw RenderError(.badData, "\(path) is not an ordinary file: name a video file")
            default: throw RenderError(.missingInput, "\(path) cannot be read: \(error.reason)")
            }
        }
        guard file.byteCount > 0 else { throw RenderError(.badData, "\(path) is empty: there is no video in it") }
        return file
    }
}

extension RenderError {
    /// Why a file's pictures cannot be had, in words for who named it.
    package init(noVideo error: FFmpegError, path: String) {
        if error.isMemoryShort || error.isSystemFailure {
            self.init(error)
            return
        }
        let reason = error.code == FFmpegError.streamNotFound ? "it has no pictures" : error.reason
        self.init(
            .badData, "\(path) is no video that can be read: \(reason)",
            wayOut: error.code == FFmpegError.tooManyPixels ? .morePixels : nil)
    }
}
