import Animations
import Core
import Media
import Raster

/// The reason why a frame or clip was not made. The user sees the first cause on one line.
public struct LoadervidError: Error, Hashable, CustomStringConvertible {
    /// The kind of error; a command maps it to its exit code.
    public enum Kind: String, Sendable, CaseIterable, Encodable {
        /// The request is invalid.
        case usage
        /// The input was read but is invalid, such as a gesture that pulls too far.
        case badData
        /// An input file does not exist.
        case missingInput
        /// This build of FFmpeg lacks the codec or format.
        case unavailable
        /// A bug in this program or its libraries.
        case `internal`
        /// The output cannot be created at its path.
        case cannotCreate
        /// Reading or writing failed, for example on a full disk.
        case inputOutput
        /// The user stopped the work.
        case interrupted
    }

    /// The kind of error.
    public let kind: Kind
    /// The problem on one line: the subject, the value and the limit, and the remedy unless `hint`
    /// gives it.
    public let reason: String
    /// The remedy, if its wording depends on the front end.
    public let hint: Hint?
    /// The parts of the request to blame, most likely first; empty if none is.
    public let subjects: [ErrorSubject]
    /// Further problems of the same kind, one line each.
    public let related: [String]

    /// The problem and its remedy on one line.
    public var description: String { reason + (hint.map { "; \($0)" } ?? "") }

    /// An error with a message.
    public init(
        _ kind: Kind, _ reason: String, subjects: [ErrorSubject] = [], hint: Hint? = nil, related: [String] = []
    ) {
        self.kind = kind
        self.reason = reason
        self.subjects = subjects
        self.hint = hint
        self.related = related
    }

    /// An operation on a file, as messages name it.
    package enum FileOperation: String {
        case create, open, read, write, replace, lock, examine
    }

    /// The error for a failed system call on a file.
    package init(errno code: Int32, _ operation: FileOperation, _ path: String) {
        let cannotCreate: [Int32] = [EACCES, EPERM, ENOENT, ENOTDIR, EISDIR, EROFS, EEXIST, ENAMETOOLONG, ELOOP]
        self.init(
            cannotCreate.contains(code) ? .cannotCreate : .inputOutput,
            "cannot \(operation.rawValue) \(path): \(String(cString: strerror(code)))"
                + LoadervidError.remedy(code, for: operation))
    }

    /// The error for an input file or directory that does not exist.
    ///
    /// - Parameter role: the noun before the path, such as `audio`; nil for none.
    package init(missing path: String, role: String? = nil, subjects: [ErrorSubject] = []) {
        let name = [role, path].compactMap(\.self).joined(separator: " ")
        self.init(
            .missingInput, "\(name) does not exist", subjects: subjects + [.file(path)], hint: .missingFile)
    }

    /// The error for a path at which there is no directory: nothing, or another kind of file.
    package init(noDirectory path: String, kind: Kind = .missingInput) {
        guard FileSystem.exists(path) else {
            self.init(missing: path, role: "directory")
            return
        }
        self.init(kind, "\(path) is not a directory; use another path")
    }

    /// The error for an input that the system does not let this process read; nil if the contents
    /// are to blame.
    package init?(unreadable path: String, _ error: FFmpegError, role: String? = nil, subjects: [ErrorSubject] = []) {
        let remedy: String
        switch -error.code {
        case ENOENT, ENOTDIR:
            self.init(missing: path, role: role, subjects: subjects)
            return
        case EACCES, EPERM: remedy = "change its permissions"
        case ELOOP, ENAMETOOLONG: remedy = "use another path"
        default:
            guard error.isSystemFailure || error.isOutOfMemory else { return nil }
            self.init(error)
            return
        }
        let name = [role, path].compactMap(\.self).joined(separator: " ")
        self.init(
            .missingInput, "\(name) cannot be read: \(error.reason); \(remedy)", subjects: subjects + [.file(path)])
    }

    /// Returns the remedy for a system error, with a leading separator; empty if there is none.
    private static func remedy(_ code: Int32, for operation: FileOperation? = nil) -> String {
        switch (code, operation) {
        case (EACCES, .create?), (EPERM, .create?), (EROFS, .create?): "; use a directory that you can write to"
        case (ENAMETOOLONG, .create?): "; use a shorter name"
        case (ENOENT, .create?), (ENOTDIR, .create?), (ELOOP, .create?): "; use another directory"
        case (EACCES, .lock?), (EPERM, .lock?), (EROFS, .lock?): "; use a directory that you can write to"
        case (EISDIR, .lock?): "; remove it, or use another directory"
        // Some network file systems have no locks.
        case (EOPNOTSUPP, .lock?), (ENOLCK, .lock?), (ENOSYS, .lock?): "; use a directory on another file system"
        case (ENOSPC, _), (EDQUOT, _): "; free some space or write elsewhere"
        case (EMFILE, _): "; raise the limit on open files (ulimit -n)"
        default: ""
        }
    }

    /// Wraps any error. Errors of loaders, FFmpeg and Cairo keep their messages.
    public init(_ error: any Error) {
        switch error {
        case let error as LoadervidError: self = error
        case let error as ParameterError:
            let kind: Kind =
                switch error.kind {
                case .usage: .usage
                case .data: .badData
                case .missingFile, .unreadableFile: .missingInput
                case .memory: .internal
                case .inputOutput: .inputOutput
                }
            self.init(
                kind, error.description, subjects: error.subjects,
                hint: error.kind == .missingFile ? .missingFile : nil, related: error.related)
        case let error as FFmpegError where error.isOutOfMemory:
            self.init(.internal, error.description, hint: .lessAtOnce)
        // Of the errors about invalid data, only those about an input file have a remedy.
        case let error as FFmpegError where error.code == FFmpegError.invalidData && error.remedy != nil:
            self.init(.badData, error.description)
        case let error as FFmpegError:
            let isMissing = error.code == FFmpegError.encoderNotFound
            let isFile = error.isSystemFailure || [ENOENT, EACCES, ENOSPC, EROFS].contains(-error.code)
            self.init(
                isMissing ? .unavailable : isFile ? .inputOutput : .internal,
                error.description + LoadervidError.remedy(-error.code))
        case let error as RasterError:
            self.init(.internal, error.description, hint: error.isOutOfMemory ? .lessAtOnce : nil)
        default: self.init(.internal, "\(error)")
        }
    }
}
