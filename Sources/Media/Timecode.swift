import Core

/// A SMPTE timecode (ST 12-1): the label of a frame, `HH:MM:SS:FF`, or `HH:MM:SS;FF` for drop
/// frame.
public struct Timecode: Sendable, Hashable {
    /// The reason why a timecode is not possible at a frame rate.
    public struct Problem: Error {
        /// A description that follows the timecode.
        public let reason: String
    }

    /// True for drop frame, which leaves out labels to follow the clock at 29.97 and 59.94 fps.
    public let isDropFrame: Bool
    private let hours: Int
    private let minutes: Int
    private let seconds: Int
    private let frames: Int

    /// Parses a timecode of two digits in each field; nil if it is invalid at any frame rate.
    public init?(_ text: String) {
        let characters = Array(text.utf8)
        func number(_ offset: Int) -> Int? { Int(String(decoding: characters[offset..<offset + 2], as: UTF8.self)) }
        let isLong = characters.count == 11
        let colon = UInt8(ascii: ":")
        let semicolon = UInt8(ascii: ";")
        let digits = characters.enumerated().filter { $0.offset % 3 != 2 }.map(\.element)
        guard isLong, digits.allSatisfy(\.isASCIIDigit), characters[2] == colon, characters[5] == colon,
            [colon, semicolon].contains(characters[8]), let hours = number(0), let minutes = number(3),
            let seconds = number(6), let frames = number(9), hours < 24, minutes < 60, seconds < 60
        else { return nil }
        isDropFrame = characters[8] == semicolon
        self.hours = hours
        self.minutes = minutes
        self.seconds = seconds
        self.frames = frames
    }

    /// Returns the first field that is out of range at any frame rate; nil if there is none, or if
    /// the text is malformed in another way.
    package static func problem(in text: String) -> String? {
        let fields = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == ";" }
        let areNumbers = fields.allSatisfy { $0.utf8.count == 2 && $0.hasOnlyASCIIDigits }
        guard fields.count == 4, areNumbers else { return nil }
        let limits = [("hour", 23), ("minute", 59), ("second", 59)]
        return zip(fields, limits).lazy.compactMap { field, limit in
            (Int(field) ?? 0) > limit.1 ? "the \(limit.0) \(field) is above the maximum of \(limit.1)" : nil
        }.first
    }

    /// The timecode in the form that `init` parses.
    public var text: String {
        let fields = [hours, minutes, seconds, frames].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return fields[..<3].joined(separator: ":") + (isDropFrame ? ";" : ":") + fields[3]
    }

    /// Throws a `Problem` if the timecode does not exist at a frame rate.
    public func check(at rate: FrameRate) throws(Problem) {
        let exact = rate.framesPerSecond
        let nominal = exact.rounded
        guard exact == Rational(nominal) || exact == Rational(Int128(nominal) * 1000, 1001), nominal > 1 else {
            throw Problem(reason: "needs a whole frame rate of at least 2, or one such as 30000/1001, not \(rate)")
        }
        guard nominal <= 255 else {
            throw Problem(reason: "needs a frame rate of at most 255, because MOV stores it in 8 bits")
        }
        guard frames < nominal else {
            throw Problem(
                reason: "has frame \(frames), but a second has the frames 0...\(nominal - 1) at \(rate) fps; "
                    + "use one of them")
        }
        guard isDropFrame else { return }
        let isNTSC = [30, 60].contains(nominal) && exact != Rational(nominal)
        guard isNTSC else {
            throw Problem(
                reason: "is drop frame, which only 30000/1001 and 60000/1001 fps have; use : instead of ;")
        }
        // Each minute but the tenth begins with frame 2, or with frame 4 at 60000/1001 fps.
        guard seconds > 0 || minutes % 10 == 0 || frames >= nominal / 15 else {
            throw Problem(
                reason: "is a label that drop frame leaves out; the minute begins with frame \(nominal / 15)")
        }
    }
}
