/// Untrusted texts that contain the syntax of output formats.
package enum HostileText {
    /// Scalars that Swift joins with an adjacent scalar into one `Character`: marks, prepended
    /// marks, joiners, variation selectors and an emoji modifier.
    package static let joiners = [
        "\u{301}", "\u{338}", "\u{20DD}", "\u{D4E}", "\u{600}", "\u{110BD}", "\u{200C}", "\u{200D}", "\u{FE0E}",
        "\u{FE0F}", "\u{E0101}", "\u{1F3FD}",
    ]
    /// Characters with a special meaning in some format.
    package static let signs = [
        "<", ">", "&", "\"", "'", "`", "|", "\\", "\n", "\r", "\r\n", "\t", ",", ";", ":", "=", "+", "-", "@", "#", "%",
        "{",
        "}", "[", "]", "*", "_", "~", "!", "/", " ",
    ]
    /// Characters that an editor or terminal interprets, and characters that some formats do not
    /// allow.
    package static let controls = [
        "\0", "\u{1}", "\u{7}", "\u{8}", "\u{B}", "\u{C}", "\u{1B}[31m", "\u{1F}", "\u{7F}", "\u{80}", "\u{85}",
        "\u{9B}", "\u{AD}",
        "\u{200E}", "\u{202E}", "\u{2028}", "\u{2029}", "\u{2066}", "\u{2069}", "\u{FEFF}", "\u{FFF9}", "\u{E0001}",
        "\u{D7FF}",
        "\u{E000}", noncharacter, "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{1FFFE}", "\u{10FFFF}",
    ]
    /// A scalar that a string literal cannot contain.
    private static let noncharacter = Unicode.Scalar(0xFDD0 as UInt32).map { String($0) } ?? ""
    private static let attacks = [
        "", " ", "</script><script>alert(1)</script>", "<!--<script>", "]]>", "&lt;&#60;&amp;", "\" onload=\"alert(1)",
        "-->",
        "=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "-5", "+1.5e3", "-.5", "-", "1,5", "-inf", "\u{FF1D}1",
        "00:00.000 --> 00:01.000", "WEBVTT\n\nNOTE", "a\n\n1\n00:00.000 --> 9", "NOTE x", "# a", "- a", "a: b", "? a",
        "%YAML", "null",
        "*a", "!a", "| a | b |", "```", "::error::x", "##[error]x", "%0A::error::x", "%25", "\\u003c", "\\", "\"",
        "{{period}}",
        "\u{212B}", "\u{37E}", "\u{1FEF}", "\u{212A}", "A\u{30A}", "深い", "👩‍👩‍👧", "🏳️‍🌈",
    ]

    /// All of the above, each sign and control with each joiner on either side, and some random
    /// combinations.
    package static let all: [String] = {
        var texts = attacks + joiners + controls
        for sign in signs + ["</script>", "--", "::"] {
            for joiner in joiners { texts += [sign + joiner, joiner + sign, "a\(joiner)\(sign)\(joiner)b"] }
            texts += [sign, sign + sign, "a\(sign)", "\(sign)a"]
        }
        for control in controls { texts += ["a\(control)<\(control)b", "\"\(control)\u{301}\""] }
        var random = SeededGenerator(seed: 21)
        let parts = signs + joiners + controls + attacks + ["a", "b", "1"]
        for _ in 0..<600 {
            texts.append((0..<random.int(1...6)).map { _ in parts[random.int(0...parts.count - 1)] }.joined())
        }
        return texts
    }()
}

extension String {
    /// The Unicode scalars. Unlike strings, they differ between canonical equivalents.
    package var scalars: [Unicode.Scalar] { Array(unicodeScalars) }
}
