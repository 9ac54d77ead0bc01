import Core

/// A pattern of file names with a number, such as `%04d.png`, in the notation of printf and FFmpeg.
public struct FramePattern: Sendable, Hashable {
    /// An error for a name that is not a pattern.
    public struct Problem: Error {
        /// The reason and a remedy, as a predicate: a message puts the name before it.
        public let reason: String
    }

    /// The pattern as given.
    public let text: String
    private let prefix: String
    private let suffix: String
    /// The minimum number of digits; shorter numbers are padded with zeros.
    private let digits: Int

    /// The maximum of `N` in `%0Nd`: more digits than any clip's frames need.
    private static let maxDigits = 12

    /// Parses the last component of a path. Throws a `Problem` unless it has exactly one `%d` or
    /// `%0Nd`.
    public init(_ name: String) throws(Problem) {
        let example = "use one %d or %0Nd, such as %04d"
        let parts = name.split(separator: "%", omittingEmptySubsequences: false)
        guard parts.count > 1 else { throw Problem(reason: "has no number for the frames; \(example)") }
        guard parts.count == 2 else { throw Problem(reason: "has \(parts.count - 1) percent signs; \(example)") }
        let width = parts[1].prefix { $0 != "d" }
        let isPlain = width.hasOnlyASCIIDigits
        guard isPlain, parts[1].dropFirst(width.count).first == "d", width.isEmpty || width.first == "0" else {
            throw Problem(reason: "has an unsupported placeholder; \(example)")
        }
        guard case let digits = width.isEmpty ? 1 : Int(width) ?? .max, (1...Self.maxDigits).contains(digits) else {
            let text = width.drop { $0 == "0" }
            throw Problem(
                reason: "pads numbers to \(text.isEmpty ? "0" : text) digits, outside the range "
                    + "1...\(Self.maxDigits); \(example)")
        }
        text = name
        prefix = String(parts[0])
        suffix = String(parts[1].dropFirst(width.count + 1))
        self.digits = digits
    }

    /// Returns true if a name contains the beginning of a printf number, valid or not.
    static func isLikely(_ name: String) -> Bool {
        guard let percent = name.firstIndex(of: "%") else { return false }
        return name[name.index(after: percent)...].drop { $0.isNumber }.first == "d"
    }

    /// Returns the file name for a frame number, which must not be negative.
    public func name(_ number: Int) -> String {
        let text = String(number)
        return prefix + String(repeating: "0", count: max(0, digits - text.utf8.count)) + text + suffix
    }

    /// Returns the frame number in a file name; nil if the name does not match the pattern.
    public func number(of name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.utf8.count > prefix.utf8.count + suffix.utf8.count,
            let number = Int(name.dropFirst(prefix.count).dropLast(suffix.count)), number >= 0
        else { return nil }
        return self.name(number) == name ? number : nil
    }
}
