/// Something about a file that is wrong, or worth knowing.
public struct Finding: Sendable, Hashable, Encodable {
    /// How bad it is.
    public enum Severity: String, Sendable, Hashable, Encodable, Comparable {
        /// It is worth knowing.
        case note
        /// It is unwise, and yet shows what it should in most players.
        case warning
        /// It is wrong.
        case error

        public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }
        private var rank: Int { self == .note ? 0 : self == .warning ? 1 : 2 }
    }

    /// What was checked, in short words that stay the same in all versions.
    public var id: Check
    /// How bad it is.
    public var severity: Severity
    /// When it shows, in seconds from the first picture; nil if it is about the file as such.
    public var time: Double?
    /// The picture that shows it, counted from 0; nil if it is about the file as such.
    public var frame: Int?
    /// What is wrong, and what to do, in one line.
    public var message: String

    init(_ id: Check, _ severity: Severity, time: Double? = nil, frame: Int? = nil, _ message: String) {
        (self.id, self.severity, self.message) = (id, severity, message)
        (self.time, self.frame) = (time?.millionths, frame)
    }
}

/// What is checked, by the names that findings have.
public enum Check: String, Sendable, Hashable, CaseIterable, Encodable {
    // The file.
    case unreadable
    case damaged
    case truncated
    case trailingBytes = "trailing-bytes"
    case fastStart = "fast-start"
    case noIndex = "no-index"
    case notSeekable = "not-seekable"
    case frameCount = "frame-count"
    case sizeChange = "size-change"
    case pixelAspect = "pixel-aspect"
    // Colours and alpha.
    case colorMissing = "color-missing"
    case colorConflict = "color-conflict"
    case colorUnusual = "color-unusual"
    case alphaMissing = "alpha-missing"
    case alphaUnused = "alpha-unused"
    case alphaUnmarked = "alpha-unmarked"
    case alphaPremultiplied = "alpha-premultiplied"
    // Times.
    case timeMissing = "time-missing"
    case timeStart = "time-start"
    case timeOrder = "time-order"
    case timeUneven = "time-uneven"
    case timeGap = "time-gap"
    case timeLast = "time-last"
    case delayShort = "delay-short"
    case rateRounded = "rate-rounded"
    // Pictures.
    case allBlank = "all-blank"
    case pictureBlank = "picture-blank"
    case pictureJumps = "picture-jumps"
    case pictureDoubled = "picture-doubled"
    // The loop.
    case loopOnce = "loop-once"
    case seamDropped = "seam-dropped"
    case seamDoubled = "seam-doubled"
    case seamBlank = "seam-blank"
    case seamJumps = "seam-jumps"
    // What was expected.
    case expectedSize = "expected-size"
    case expectedTimes = "expected-times"
    case expectedFrames = "expected-frames"
    case expectedPicture = "expected-picture"
    case frameHash = "frame-hash"

    /// Whether it says that the file is not whole, or cannot be read.
    var isDamage: Bool { [.unreadable, .damaged, .truncated].contains(self) }
}
