import Platform
import Loaders
import Media
import Raster

/// Why a picture or a clip was not made. What the user reads is the first cause, in one line.
public struct RenderError: Error, Hashable, CustomStringConvertible {
    /// What kind of trouble it is; a command turns it into its exit code.
    public enum Kind: Sendable {
        /// The request makes no sense: change it.
        case usage
        /// Input was read but is not right, such as a gesture that pulls too far.
        case badData
        /// An input file is not there.
        case missingInput
        /// This FFmpeg has no such codec or format.
        case unavailable
        /// A mistake of this program or its libraries.
        case `internal`
        /// The output cannot be created where it was asked for.
        case cannotCreate
        /// Writing failed, as on a full disk.
        case inputOutput
        /// The user stopped it.
        case interrupted
    }

    /// What kind of trouble it is.
    public let kind: Kind
    /// What is wrong, in one line: what, where, the value and the limit, and what to do unless `wayOut` says that.
    public let reason: String
    /// What to do, where that depends on who asked.
    public let wayOut: WayOut?
    /// What it is about, the likeliest first; nothing if no part of the request is to blame.
    public let about: [Topic]
    /// What else is wrong of the same kind, a line each.
    public let others: [String]

    /// One line: what, where, the value, the limit, and what to do.
    public var description: String { reason + (wayOut.map { ": \($0)" } ?? "") }

    /// A failure in words.
    public init(_ kind: Kind, _ reason: String, about: [Topic] = [], wayOut: WayOut? = nil, others: [String] = []) {
        (self.kind, self.reason, self.about, self.wayOut, self.others) = (kind, reason, about, wayOut, others)
    }

    /// A failure of a system call on a file.
    package init(errno code: Int32, _ operation: String) {
        let cannotCreate: [Int32] = [EACCES, EPERM, ENOENT, ENOTDIR, EISDIR, EROFS, EEXIST, ENAMETOOLONG, ELOOP]
        self.init(
            cannotCreate.contains(code) ? .cannotCreate : .inputOutput,
            "\(operation): \(String(cString: strerror(code)))\(RenderError.hint(code))")
    }

    /// The way out of a failure of the system, if there is one.
    private static func hint(_ code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT: ": free some space or write elsewhere"
        case EMFILE: ": raise the limit of open files (ulimit -n)"
        default: ""
        }
    }

    /// Any error as one of these: loaders', libav's and Cairo's keep their words.
    public init(_ error: any Error) {
        switch error {
        case let error as RenderError: self = error
        case let error as ParameterError:
            let kind: Kind =
                switch error.kind {
                case .usage: .usage
                case .data: .badData
                case .missingFile: .missingInput
                case .memory: .internal
                case .inputOutput: .inputOutput
                }
            self.init(kind, error.description, about: error.about, others: error.others)
        case let error as FFmpegError where error.isMemoryShort:
            self.init(.internal, error.description, wayOut: .lessAtOnce)
        case let error as FFmpegError:
            let isMissing = error.code == FFmpegError.encoderNotFound
            let isFile = error.isSystemFailure || [ENOENT, EACCES, ENOSPC, EROFS].contains(-error.code)
            self.init(
                isMissing ? .unavailable : isFile ? .inputOutput : .internal,
                error.description + RenderError.hint(-error.code))
        case let error as RasterError:
            self.init(.internal, error.description, wayOut: error.isMemoryShort ? .lessAtOnce : nil)
        default: self.init(.internal, "\(error)")
        }
    }
}
