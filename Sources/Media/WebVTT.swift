import Motion

/// Captions as a WebVTT file, which browsers show beside any clip.
public enum WebVTT {
    /// A file of captions that are in order of time. Times are rounded to the millisecond, of both ends alike, so that what
    /// touches still does; captions without anything to see, or shorter than that, are left out.
    public static func text(of captions: [Caption]) -> String {
        let cues = captions.compactMap { caption -> String? in
            let (start, end) = (milliseconds(caption.start), milliseconds(caption.end))
            let payload = payload(of: caption)
            return payload.isEmpty || end <= start ? nil : "\(stamp(start)) --> \(stamp(end))\n\(payload)\n"
        }
        return (["WEBVTT\n"] + cues).joined(separator: "\n")
    }

    /// A cue's lines with the characters replaced that would begin a tag or a character reference, or end a cue.
    static func payload(of caption: Caption) -> String {
        caption.plainText.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func milliseconds(_ time: Rational) -> Int { (time * 1000).rounded }

    /// Such as `00:01:02.500`.
    private static func stamp(_ milliseconds: Int) -> String {
        func digits(_ value: Int, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let seconds = milliseconds / 1000
        return "\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
            + ".\(digits(milliseconds % 1000, 3))"
    }
}
