/// A fault in a file, or a fact worth knowing.
package struct Finding: Sendable, Hashable, Encodable {
    /// The severity of a finding.
    package enum Severity: String, Sendable, Hashable, Encodable, Comparable {
        /// A fact worth knowing.
        case note
        /// A risk: some players show the clip wrongly, late or without seeking.
        case warning
        /// A fault.
        case error

        package static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }
        private var rank: Int { self == .note ? 0 : self == .warning ? 1 : 2 }
    }

    /// The kind of finding. Its raw value stays the same in all versions.
    package var id: FindingID
    /// The severity.
    package var severity: Severity
    /// The time of the fault in seconds from the first frame; nil if it has none or is unknown. A
    /// finding may have a frame without a time.
    package var time: Double?
    /// The index of the faulty frame, counted from 0; nil if it concerns the whole file.
    package var frame: Int?
    /// The fault or fact and, if there is one, the remedy, in one line.
    package var message: String

    init(_ id: FindingID, _ severity: Severity, time: Double? = nil, frame: Int? = nil, _ message: String) {
        self.id = id
        self.severity = severity
        self.message = message
        self.time = time?.roundedToMillionths
        self.frame = frame
    }
}

/// The kinds of findings, as documented in `docs/verify.md`.
package enum FindingID: String, Sendable, Hashable, CaseIterable, Encodable {
    // File.
    case unreadable
    case damaged
    case truncated
    case trailingBytes = "trailing-bytes"
    case fastStart = "fast-start"
    case noIndex = "no-index"
    case notSeekable = "not-seekable"
    case headerDuration = "header-duration"
    case audioLength = "audio-length"
    case gifInvalid = "gif-invalid"
    case apngInvalid = "apng-invalid"
    case webpInvalid = "webp-invalid"
    case sizeChange = "size-change"
    case pixelAspect = "pixel-aspect"
    case rotated
    case rawUnread = "raw-unread"
    // Sequence.
    case sequenceGap = "sequence-gap"
    case sequenceOther = "sequence-other"
    case sequenceStart = "sequence-start"
    // Colour and alpha.
    case colorMissing = "color-missing"
    case colorConflict = "color-conflict"
    case colorUnusual = "color-unusual"
    case alphaMissing = "alpha-missing"
    case alphaUnread = "alpha-unread"
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
    case timeLong = "time-long"
    case delayShort = "delay-short"
    case rateRounded = "rate-rounded"
    // Frames.
    case allBlank = "all-blank"
    case pictureBlank = "picture-blank"
    case pictureJumps = "picture-jumps"
    case pictureDoubled = "picture-doubled"
    case pictureMissing = "picture-missing"
    case pictureFrozen = "picture-frozen"
    case pictureSwapped = "picture-swapped"
    case pictureTorn = "picture-torn"
    // Loop.
    case loopOnce = "loop-once"
    case seamDropped = "seam-dropped"
    case seamDoubled = "seam-doubled"
    case seamBlank = "seam-blank"
    case seamJumps = "seam-jumps"
    // Expectation.
    case expectedSize = "expected-size"
    case expectedTimes = "expected-times"
    case expectedFrames = "expected-frames"
    case expectedPicture = "expected-picture"
    case expectedTimecode = "expected-timecode"
    case expectedProfile = "expected-profile"
    case expectedBytes = "expected-bytes"
    case expectedPlan = "expected-plan"
    case frameHash = "frame-hash"

    /// True if the finding means that the file is incomplete or unreadable.
    var isDamage: Bool { [.unreadable, .damaged, .truncated].contains(self) }
}
