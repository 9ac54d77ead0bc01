import Animations
import Core
import Media

/// A cached reader of the images that parameters name: the clips of a batch usually share them.
enum ParameterImage {
    /// The maximum side of an image in pixels. Larger images are scaled down once instead of for
    /// every frame.
    private static let maxSide = 1024
    /// The number of cached images, each up to 4 MB.
    private static let maxCached = 4

    /// A cache key.
    private struct Identity: Hashable {
        let file: FileState
        let maxPixels: Int
    }

    private static let cache = Locked<[(identity: Identity, image: Bitmap)]>([])

    /// Reads an image. Throws `ParameterError` if the file does not exist, is not an image, or has
    /// more than `maxPixels` pixels.
    static func load(_ path: String, maxPixels: Int) throws(ParameterError) -> Bitmap {
        guard let identity = FileState(path).map({ Identity(file: $0, maxPixels: maxPixels) }) else {
            throw ParameterError(.missingFile, "image \(path) does not exist", subjects: [.file(path)])
        }
        // A cached image is not opened again, but it is still an input.
        FilesInUse.noteInputs([path])
        if let known = cache.withLock({ $0.first { $0.identity == identity }?.image }) { return known }
        let image: Bitmap
        do throws(FFmpegError) {
            image = try Bitmap.load(path: path, fitting: maxSide, maxPixels: maxPixels)
        } catch { throw problem(error, with: path) }
        cache.withLock { $0 = [(identity, image)] + $0.prefix(maxCached - 1) }
        return image
    }

    /// Returns the error for a failed read. Errors of the system are not blamed on the image.
    private static func problem(_ error: FFmpegError, with path: String) -> ParameterError {
        if error.isOutOfMemory {
            return ParameterError(
                .memory,
                "not enough memory to read image \(path); raise the memory limit (ulimit -v) or use a smaller image",
                subjects: [.file(path)])
        }
        if error.isSystemFailure {
            let hint = error.code == -EIO ? "" : "; raise the limit on open files (ulimit -n)"
            return ParameterError(
                .inputOutput, "image \(path) cannot be read: \(error.reason)\(hint)", subjects: [.file(path)])
        }
        if error.code == -EACCES {
            return ParameterError(
                .unreadableFile, "image \(path) cannot be read: \(error.reason); change its permissions",
                subjects: [.file(path)])
        }
        let hint = error.code == FFmpegError.tooManyPixels ? "; \(Hint.morePixels)" : ""
        return ParameterError(
            .data, "image \(path) cannot be read: \(error.explanation)\(hint)", subjects: [.file(path)])
    }
}
