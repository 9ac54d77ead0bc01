import Foundation
import TestSupport
import Testing

/// Files whose codec, header or times `verify` and `diff` do not get from their options.
@Suite struct UndeclaredFileTests {
    private static let clip = ["qq-mail", "--size", "256x120", "--fps", "10", "--phase", "1"]

    /// MOV with an editor's codec has exact timing by default, also if `--codec` is not repeated.
    @Test(arguments: ["prores --profile proxy", "dnxhd"])
    func theCodecOfAnEditorsFileIsKnown(codec: String) throws {
        let fixture = try VerificationFixture()
        try fixture.encode((Self.clip + ["--codec", codec]).joined(separator: " "), to: "a.mov")
        let outcome = try fixture.run(["verify", "a.mov", "--against"] + Self.clip)
        #expect(outcome.code == 0 && !outcome.text.contains("expected-plan"), "\(outcome.text)\(outcome.errorText)")
    }

    /// The size of raw video is compared, and a note says that its frames are not.
    @Test func theSizeOfRawVideoIsCompared() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip.joined(separator: " "), to: "a.rawvideo")
        let right = try fixture.run(["verify", "a.rawvideo", "--against"] + Self.clip)
        #expect(right.code == 0 && right.text.contains("note raw-unread"), "\(right.text)\(right.errorText)")
        try fixture.write(Array(fixture.bytes("a.rawvideo").dropLast()), to: "a.rawvideo")
        let wrong = try fixture.run(["verify", "a.rawvideo", "--against"] + Self.clip)
        #expect(wrong.code == 1 && wrong.text.contains("error expected-frames"), "\(wrong.text)")
        for words in [["verify", "a.rawvideo"], ["diff", "a.rawvideo", "a.rawvideo"]] {
            let refused = try fixture.run(words)
            #expect(refused.code == 65 && refused.errorText.contains("raw video has no header"), "\(refused.errorText)")
        }
    }

    /// A missing frame of a sequence has a number, but no time.
    @Test func missingFramesOfSequencesHaveNoTimes() throws {
        let fixture = try VerificationFixture()
        let options = "--size 96x96 --fps 12 --duration 1"
        try fixture.encode("jelly \(options)", to: "a/%d.png")
        try fixture.encode("jelly \(options)", to: "b/%d.png")
        for number in 6..<12 {
            try fixture.write(fixture.bytes("a/\(number).png"), to: "b/\(number - 1).png")
        }
        try FileManager.default.removeItem(atPath: fixture.file("b/11.png"))
        let outcome = try fixture.run(["diff", "a/%d.png", "b/%d.png"])
        #expect(outcome.code == 1 && outcome.text.contains("frame 5 is missing"), "\(outcome.text)")
        #expect(!outcome.text.contains(" s frame") && !outcome.text.contains(" s is"), "\(outcome.text)")
    }

    /// A missing file of a sequence is one finding. The others have the times of their numbers.
    @Test func missingFilesOfSequencesMoveNoOthers() throws {
        let fixture = try VerificationFixture()
        let options = "jelly --size 48x32 --fps 10 --duration 1"
        let against = ["--against"] + options.split(separator: " ").map(String.init)
        for (number, id) in [(4, "sequence-gap"), (0, "sequence-start"), (9, "expected-frames")] {
            try fixture.encode(options, to: "\(number)/%d.png")
            try FileManager.default.removeItem(atPath: fixture.file("\(number)/\(number).png"))
            let verdict = try fixture.verify(["\(number)/%d.png"] + against)
            #expect(verdict.code == 1 && verdict.wrong == [id], "\(verdict)")
        }
        try fixture.write(fixture.bytes("4/1.png"), to: "4/7.png")
        let other = try fixture.verify(["4/%d.png"] + against)
        #expect(other.wrong == ["sequence-gap", "expected-picture"], "\(other)")
    }
}
