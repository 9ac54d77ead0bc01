import Loaders
import Media
import Platform
import Scene

/// Pictures for parameters, read with libav. Those read last are kept: the clips of a batch mostly share theirs.
enum CoverPicture {
    /// Larger sides are shrunk once instead of for every frame.
    private static let largestSide = 1024
    private static let mostKept = 4

    /// A picture as it was asked for.
    private struct Identity: Hashable {
        let file: FileIdentity
        let mostPixels: Int
    }

    private static let kept = Locked<[(identity: Identity, picture: Bitmap)]>([])

    /// The picture of a file with at most `mostPixels` pixels.
    static func load(_ path: String, mostPixels: Int) throws(ParameterError) -> Bitmap {
        guard let identity = FileIdentity(path).map({ Identity(file: $0, mostPixels: mostPixels) }) else {
            throw ParameterError(.missingFile, "there is no picture '\(path)'", about: [.file(path)])
        }
        if let known = kept.withLock({ $0.first { $0.identity == identity }?.picture }) { return known }
        let picture: Bitmap
        do throws(FFmpegError) {
            picture = try Bitmap.load(path: path, fitting: largestSide, mostPixels: mostPixels)
        } catch { throw problem(error, with: path) }
        kept.withLock { $0 = [(identity, picture)] + $0.prefix(mostKept - 1) }
        return picture
    }

    /// What the system refuses says nothing about the picture.
    private static func problem(_ error: FFmpegError, with path: String) -> ParameterError {
        if error.isMemoryShort {
            return ParameterError(
                .memory,
                "there is too little memory to read '\(path)': raise its limit (ulimit -v), or take a smaller picture",
                about: [.file(path)])
        }
        if error.isSystemFailure {
            let hint = error.code == -EIO ? "" : ": raise the limit of open files (ulimit -n)"
            return ParameterError(
                .inputOutput, "'\(path)' cannot be read (\(error.reason))\(hint)", about: [.file(path)])
        }
        let wayOut = error.code == FFmpegError.tooManyPixels ? ": \(WayOut.morePixels)" : ""
        return ParameterError(
            .data, "'\(path)' is no picture that can be read (\(error.reason)\(wayOut))", about: [.file(path)])
    }
}
