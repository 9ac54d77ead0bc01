import Foundation
import TestSupport
import Testing

/// File names with control characters do not break lines, move the cursor or reverse the text
/// direction in printed messages.
@Suite struct NameTests {
    /// A name with colours, a new line, a bell, an 8-bit control sequence and right-to-left text.
    private static let name = "a\u{1B}[31m\nb\u{7}\u{9B}2J\r\u{202E}c\u{2028}"

    private func expectVisible(_ outcome: Outcome, _ what: [String], lines: ClosedRange<Int>? = nil) {
        let text = outcome.text + outcome.errorText
        let hidden = text.unicodeScalars.filter { scalar in
            scalar != "\n" && [.control, .format, .lineSeparator].contains(scalar.properties.generalCategory)
        }
        #expect(hidden.isEmpty, "\(what): \(text.debugDescription)")
        #expect(
            text.contains("a\\u001b[31m\\nb\\u0007\\u009b2J\\r\\u202ec\\u2028"), "\(what): \(text.debugDescription)")
        if let lines { #expect(lines.contains(text.split(separator: "\n").count), "\(what): \(text.debugDescription)") }
    }

    @Test(.slow) func controlCharactersInNamesAreEscaped() throws {
        let workspace = try CommandFixture()
        let (name, directory) = (Self.name, workspace.directory)
        try makeFile(
            "name: x\nclips: [{loader: qq, size: 32x32, duration: 0.1, fps: 20}]\n", at: directory.file("\(name).yaml"))
        try makeFile("clips: [{loader: qqq}]\n", at: directory.file("\(name)bad.yaml"))
        try makeFile("", at: directory.file("\(name).gif"))
        let clip = ["--size", "96x48", "--fps", "30"]
        let done = [
            ["encode", "qq-mail", "-o", "\(name).mp4"] + clip, ["analyze", "\(name).mp4"],
            ["compare", "\(name).mp4", "--as", "qq-mail"],
            ["encode", "qq-mail", "--progress", "json", "--force", "--duration", "0.1", "-o", "\(name).mp4"] + clip,
            ["still", "qq-mail", "--at", "0", "-o", "\(name).png"],
            ["sheet", "jelly", "--scale", "1", "--per-phase", "1", "-o", "\(name)s.png"],
            ["page", "qq-mail", "-o", "\(name).html"], ["phases", "qq-mail", "--plot", "\(name).svg"],
            ["list", "--picture", "\(name)l.png"],
            ["presets", "validate", "\(name).yaml"],
        ]
        for arguments in done {
            let outcome = try workspace.run(arguments)
            #expect(outcome.code == 0, "\(arguments): \(outcome.errorText)")
            expectVisible(outcome, arguments)
        }
        for (arguments, code) in [
            (["encode", "qq-mail", "-o", "\(name).mp4"], Int32(73)), (["encode", "qq-mail", "-o", "\(name).xyz"], 64),
            (["still", "qq-mail", "--at", "0", "-o", "\(name).png"], 73), (["analyze", "\(name).gif"], 65),
            (["analyze", "\(name)none.mp4"], 66), (["analyze", "\(name).yaml"], 65),
            (["compare", "\(name).gif", "--as", "qq-mail"], 65),
            (["encode", "douyin", "--set", "cover=\(name)", "-o", "b.mp4"], 66),
            (["encode", "douyin", "--set", "cover=\(name).yaml", "-o", "b.mp4"], 65),
            (["encode", "\(name)", "-o", "b.mp4"], 64),
            (["encode", "qq-mail", "--set", "\(name)=1", "-o", "b.mp4"], 64),
            (["presets", "validate", "\(name)bad.yaml"], 65), (["presets", "show", "\(name)none.yaml"], 66),
            (["batch", "\(name)bad.yaml", "-o", "out"], 65), (["batch", "merge", "\(name)none"], 66),
        ] as [([String], Int32)] {
            let outcome = try workspace.run(arguments)
            #expect(outcome.code == code, "\(arguments): \(outcome.errorText)")
            expectVisible(outcome, arguments, lines: 1...1)
        }
    }

    /// JSON events contain the unmodified name.
    @Test func eventsKeepTheName() throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.run([
            "encode", "qq-mail", "--size", "32x16", "--duration", "0.1", "--progress", "json", "-o", "\(Self.name).mp4",
        ])
        let last = try #require(outcome.errorLines.last)
        let event = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        #expect(event["output"] as? String == "\(Self.name).mp4")
    }
}
