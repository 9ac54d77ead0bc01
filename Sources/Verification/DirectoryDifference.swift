import Media
import Pipeline
import Platform

/// What differs between two directories, file by file.
public struct DirectoryDifference: Sendable {
    /// A file of either, by its path below both.
    public struct Entry: Sendable {
        /// How its two sides compare.
        public enum State: Sendable {
            /// Byte for byte the same.
            case equal
            /// Other bytes that show the same.
            case alike(ClipDifference)
            /// Other pictures, lengths or sizes.
            case differs(ClipDifference)
            /// Other bytes, of which nothing is known.
            case otherBytes
            /// The second directory does not have it.
            case missing
            /// Only the second directory has it.
            case new
            /// One of the two cannot be read.
            case failed(RenderError)

            /// Whether the two are the same.
            public var isSame: Bool {
                switch self {
                case .equal, .alike: true
                case .differs, .otherBytes, .missing, .new, .failed: false
                }
            }
        }

        /// The path below both directories.
        public let path: String
        /// How its two sides compare.
        public let state: State
        /// The worst pair as PNG, small; nil if there is none.
        public let picture: [UInt8]?
    }

    /// All files, by their paths.
    public private(set) var entries: [Entry] = []

    /// Whether all are the same.
    public var isSame: Bool { entries.allSatisfy(\.state.isSame) }

    /// What clips are called; all else, and stills, are compared byte for byte.
    private static let endings: Set = [
        "mp4", "mov", "m4v", "mkv", "webm", "gif", "png", "apng", "webp", "avi",
    ]
    /// How many files are looked at.
    private static let mostFiles = 100_000
    /// Pictures of so many files go into a report.
    private static let mostPictures = 100

    /// Compares two directories. What their names hide, as a batch's own folder, and links are passed over.
    ///
    /// - Parameters:
    ///   - drawsPictures: whether the worst pairs are drawn.
    ///   - observer: is told of each file when it has been compared.
    public init(
        _ expected: String, _ actual: String, _ options: DifferenceOptions, drawsPictures: Bool,
        cancellation: CancellationToken, observer: (Entry) -> Void = { _ in }
    ) throws {
        let (old, new) = (try Self.files(in: expected), try Self.files(in: actual))
        guard !old.isEmpty || !new.isEmpty else {
            throw RenderError(
                .missingInput, "there are no files in \(expected) and \(actual): name directories that hold some")
        }
        var pictures = 0
        for path in old.union(new).sorted() {
            try cancellation.check()
            var options = options
            options.keepsWorst = drawsPictures && pictures < Self.mostPictures
            let entry: Entry
            if !new.contains(path) {
                entry = Entry(path: path, state: .missing, picture: nil)
            } else if !old.contains(path) {
                entry = Entry(path: path, state: .new, picture: nil)
            } else {
                entry = try Self.entry(path, "\(expected)/\(path)", "\(actual)/\(path)", options, cancellation)
            }
            if entry.picture != nil { pictures += 1 }
            entries.append(entry)
            observer(entry)
        }
    }

    private static func entry(
        _ path: String, _ expected: String, _ actual: String, _ options: DifferenceOptions,
        _ cancellation: CancellationToken
    ) throws -> Entry {
        do {
            if try hasEqualBytes(expected, actual) { return Entry(path: path, state: .equal, picture: nil) }
            let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
            guard endings.contains(ending), try !isStill(expected), try !isStill(actual) else {
                return Entry(path: path, state: .otherBytes, picture: nil)
            }
            var difference = try ClipDifference(expected, actual, options, cancellation: cancellation)
            guard !difference.isSame else {
                difference.worstPixels = nil
                return Entry(path: path, state: .alike(difference), picture: nil)
            }
            let picture = try DifferencePicture(difference)?.png(widest: 240)
            // Many files' pictures have no room in memory.
            difference.worstPixels = nil
            return Entry(path: path, state: .differs(difference), picture: picture)
        } catch {
            let error = RenderError(error)
            guard [.badData, .missingInput].contains(error.kind) else { throw error }
            return Entry(path: path, state: .failed(error), picture: nil)
        }
    }

    /// Whether a file is a PNG of one picture, which is no clip.
    private static func isStill(_ path: String) throws -> Bool {
        let structure = try FileStructure(InputFile(path: path))
        return structure.kind == .apng && structure.saidFrames == nil
    }

    private static func hasEqualBytes(_ a: String, _ b: String) throws -> Bool {
        let (one, two) = (try InputFile(path: a).byteCount, try InputFile(path: b).byteCount)
        return try one == two && SHA256.file(a).hash == SHA256.file(b).hash
    }

    /// The paths of all ordinary files below a directory. Throws `RenderError` if it, or a folder in it, cannot be read.
    private static func files(in directory: String) throws -> Set<String> {
        var (files, folders): (Set<String>, [String]) = ([], [""])
        while let folder = folders.popLast() {
            let place = folder.isEmpty ? directory : "\(directory)/\(folder)"
            for name in try FileSystem.readableNames(in: place) where !name.hasPrefix(".") {
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                var status = stat()
                guard lstat("\(directory)/\(path)", &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR { folders.append(path) }
                if status.st_mode & S_IFMT == S_IFREG { files.insert(path) }
                guard files.count + folders.count <= mostFiles else {
                    throw RenderError(
                        .badData, "\(directory) has more than \(mostFiles) files: compare parts of it")
                }
            }
        }
        return files
    }
}

extension DirectoryDifference {
    /// What differs between two files, as if each were alone in a directory.
    public init(_ entries: [Entry]) { self.entries = entries }
}

extension DirectoryDifference.Entry {
    /// Two files that were compared.
    public init(expected: String, actual: String, _ difference: ClipDifference) throws {
        self.init(
            path: FileSystem.split(actual).name, state: difference.isSame ? .alike(difference) : .differs(difference),
            picture: try DifferencePicture(difference)?.png(widest: 240))
    }
}
