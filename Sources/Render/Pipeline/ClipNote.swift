/// A note about a rendered clip, such as one about padding.
public struct ClipNote: Sendable, Hashable, Encodable, CustomStringConvertible {
    /// The importance of a note.
    public enum Severity: String, Sendable, Encodable {
        /// A fact worth knowing.
        case note
        /// A likely mistake.
        case warning
    }

    /// The importance.
    public let severity: Severity
    /// The text, on one line.
    public let message: String

    /// A note with its severity.
    public init(_ severity: Severity, _ message: String) { (self.severity, self.message) = (severity, message) }

    /// The severity and the message: `note: ...` or `warning: ...`.
    public var description: String { "\(severity.rawValue): \(message)" }
}
