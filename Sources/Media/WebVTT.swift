import Core

/// A writer of WebVTT files, which browsers can show with any clip.
package enum WebVTT {
    /// Returns a WebVTT file of captions in time order. Rounds start and end times to milliseconds
    /// in the same way, so that adjacent cues stay adjacent. Omits captions that are blank or
    /// shorter than a millisecond.
    package static func text(of captions: [Caption]) -> String {
        let cues = captions.compactMap { caption -> String? in
            let start = milliseconds(caption.start)
            let end = milliseconds(caption.end)
            let payload = payload(of: caption)
            return payload.isEmpty || end <= start ? nil : "\(timestamp(start)) --> \(timestamp(end))\n\(payload)\n"
        }
        return (["WEBVTT\n"] + cues).joined(separator: "\n")
    }

    /// Returns a cue's text with escapes for characters that would start a tag or a character
    /// reference or end the cue.
    static func payload(of caption: Caption) -> String { caption.plainText.webVTT }

    private static func milliseconds(_ time: Rational) -> Int { (time * 1000).rounded }

    /// Returns a timestamp such as `00:01:02.500`.
    private static func timestamp(_ milliseconds: Int) -> String {
        func digits(_ value: Int, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let seconds = milliseconds / 1000
        return "\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
            + ".\(digits(milliseconds % 1000, 3))"
    }
}
