import Core
import Media
import Render

/// The differences between two directories, file by file.
package struct DirectoryDifference: Sendable {
    /// A file in either directory, identified by its relative path.
    package struct Entry: Sendable {
        /// The result of comparing the two files.
        package enum State: Sendable {
            /// The files have equal bytes.
            case equal
            /// The bytes differ, but the clips are alike.
            case alike(ClipDifference)
            /// The clips differ in frames, durations or dimensions.
            case differs(ClipDifference)
            /// The bytes differ, and the files are not clips.
            case otherBytes
            /// The second directory does not have the file.
            case missing
            /// Only the second directory has the file.
            case new
            /// One of the files cannot be read.
            case failed(LoadervidError)

            /// True if the files are the same.
            package var isSame: Bool {
                switch self {
                case .equal, .alike: true
                case .differs, .otherBytes, .missing, .new, .failed: false
                }
            }
        }

        /// The path relative to both directories.
        package let path: String
        /// The result of the comparison.
        package let state: State
        /// A small PNG image of the worst pair of frames; nil if there is none.
        package let image: [UInt8]?
        /// The reason why one of the two files cannot be read; nil if both can.
        package var failure: LoadervidError? { if case .failed(let error) = state { error } else { nil } }
    }

    /// All files, sorted by path.
    package private(set) var entries: [Entry] = []

    /// True if all files are the same.
    package var isSame: Bool { entries.allSatisfy(\.state.isSame) }

    /// The file extensions of clips. Other files, and still images, are compared byte by byte.
    private static let clipExtensions: Set = [
        "mp4", "mov", "m4v", "mkv", "webm", "gif", "png", "apng", "webp", "avif", "y4m", "avi",
    ]
    /// The maximum number of files in a directory.
    private static let maxFiles = 100_000
    /// The maximum number of images in a report.
    private static let maxImages = 100

    /// Compares two directories. Skips links and hidden files, such as the folder of a batch's
    /// records. Throws `LoadervidError` if a directory cannot be read or both are empty.
    ///
    /// - Parameters:
    ///   - drawsImages: true to create images of the worst pairs.
    ///   - observer: called with each entry after its comparison.
    package init(
        _ expected: String, _ actual: String, _ options: DifferenceOptions, drawsImages: Bool,
        cancellation: CancellationToken, observer: (Entry) -> Void = { _ in }
    ) throws {
        let old = try Self.files(in: expected)
        let new = try Self.files(in: actual)
        guard !old.isEmpty || !new.isEmpty else {
            throw LoadervidError(
                .missingInput, "no files in \(expected) and \(actual); name directories that contain files")
        }
        var imageCount = 0
        for path in old.union(new).sorted() {
            try cancellation.check()
            var options = options
            options.keepsWorst = drawsImages && imageCount < Self.maxImages
            let entry: Entry
            if !new.contains(path) {
                entry = Entry(path: path, state: .missing, image: nil)
            } else if !old.contains(path) {
                entry = Entry(path: path, state: .new, image: nil)
            } else {
                entry = try Self.entry(path, "\(expected)/\(path)", "\(actual)/\(path)", options, cancellation)
            }
            if entry.image != nil { imageCount += 1 }
            entries.append(entry)
            observer(entry)
        }
    }

    private static func entry(
        _ path: String, _ expected: String, _ actual: String, _ options: DifferenceOptions,
        _ cancellation: CancellationToken
    ) throws -> Entry {
        do {
            if try hasEqualBytes(expected, actual, cancellation) {
                return Entry(path: path, state: .equal, image: nil)
            }
            guard clipExtensions.contains(path.fileExtension), try !isStill(expected), try !isStill(actual) else {
                return Entry(path: path, state: .otherBytes, image: nil)
            }
            var difference = try ClipDifference(expected, actual, options, cancellation: cancellation)
            guard !difference.isSame else {
                difference.worstPixels = nil
                return Entry(path: path, state: .alike(difference), image: nil)
            }
            let image = try DifferenceImage(difference)?.png(maxPanelWidth: 240)
            // The pixels of many clips would not fit in memory.
            difference.worstPixels = nil
            return Entry(path: path, state: .differs(difference), image: image)
        } catch {
            let error = LoadervidError(unreadable: error, path: path) ?? LoadervidError(error)
            guard [.badData, .missingInput].contains(error.kind) else { throw error }
            return Entry(path: path, state: .failed(error), image: nil)
        }
    }

    /// Returns true if a file is a PNG or AVIF without animation, which is not a clip. A WebP is
    /// compared as a clip of one frame.
    private static func isStill(_ path: String) throws -> Bool {
        let structure = try FileStructure(InputFile(path: path))
        return structure.isStill && structure.kind != .webp
    }

    /// The number of bytes that are compared at a time.
    private static let blockSize = 1 << 18

    /// Returns true if two files have equal bytes. Reads up to the first difference, since a sparse
    /// file may be of any size.
    fileprivate static func hasEqualBytes(
        _ a: String, _ b: String, _ cancellation: CancellationToken
    ) throws -> Bool {
        let one = try InputFile(path: a)
        let two = try InputFile(path: b)
        guard one.byteCount == two.byteCount else { return false }
        var offset = 0
        while true {
            try cancellation.check()
            let block = try one.bytes(at: offset, count: blockSize)
            guard try block == two.bytes(at: offset, count: blockSize) else { return false }
            guard block.count == blockSize else { return true }
            offset += blockSize
        }
    }

    /// Returns the paths of all regular files below a directory. Throws `LoadervidError` if the
    /// directory or a subdirectory cannot be read.
    package static func files(in directory: String) throws -> Set<String> {
        var files: Set<String> = []
        var folders = [""]
        while let folder = folders.popLast() {
            let location = folder.isEmpty ? directory : "\(directory)/\(folder)"
            for name in try FileSystem.readableNames(in: location) where !name.hasPrefix(".") {
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                var status = stat()
                guard lstat("\(directory)/\(path)", &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR { folders.append(path) }
                if status.st_mode & S_IFMT == S_IFREG { files.insert(path) }
                guard files.count + folders.count <= maxFiles else {
                    throw LoadervidError(
                        .badData,
                        "\(directory) has more than the maximum of \(maxFiles) files; compare its subdirectories")
                }
            }
        }
        return files
    }
}

extension LoadervidError {
    /// Creates an error for a file that no longer exists or may not be read; nil for others.
    fileprivate init?(unreadable error: any Error, path: String) {
        guard let error = error as? FFmpegError, [ENOENT, ENOTDIR, EACCES, EPERM, ELOOP].contains(-error.code) else {
            return nil
        }
        self.init(unreadable: path, error)
    }
}

extension DirectoryDifference {
    /// Creates a difference from entries, for example from that of two single files.
    package init(_ entries: [Entry]) { self.entries = entries }
}

extension DirectoryDifference.Entry {
    /// Creates an entry for two files of which one cannot be read.
    package init(actual: String, _ error: LoadervidError) {
        self.init(path: FileSystem.split(actual).name, state: .failed(error), image: nil)
    }

    /// Creates an entry for two files whose bytes are compared. Throws `LoadervidError` if one
    /// cannot be read.
    package init(bytesOf expected: String, _ actual: String, cancellation: CancellationToken) throws {
        do {
            let isEqual = try DirectoryDifference.hasEqualBytes(expected, actual, cancellation)
            self.init(path: FileSystem.split(actual).name, state: isEqual ? .equal : .otherBytes, image: nil)
        } catch { throw LoadervidError(error) }
    }

    /// Creates an entry for two files that were compared.
    package init(expected: String, actual: String, _ difference: ClipDifference) throws {
        self.init(
            path: FileSystem.split(actual).name, state: difference.isSame ? .alike(difference) : .differs(difference),
            image: try DifferenceImage(difference)?.png(maxPanelWidth: 240))
    }
}
