import Foundation
import TestSupport
import Testing

/// Timecode tracks of MOV and MP4, read by ffprobe.
@Suite struct TimecodeTests {
    private func encode(
        _ workspace: CommandFixture, _ rate: String, _ code: String, _ output: String
    ) throws -> Outcome {
        try workspace.run([
            "encode", "qq", "--size", "32x32", "--fps", rate, "--duration", "1", "--timecode", code, "--progress",
            "none", "-o", output,
        ])
    }

    /// The codec tag and the timecode of each track.
    private func tracks(_ path: String) throws -> [String] {
        let entries = ["-show_entries", "stream=codec_tag_string:stream_tags=timecode", "-of", "csv=p=0", path]
        return try TestSupport.run("ffprobe", ["-v", "error"] + entries).lines
    }

    @Test(
        .slow,
        arguments: [
            "24 01:00:00:23 mov", "25 23:59:59:24 mp4", "24000/1001 00:00:00:00 mov", "29.97 01:00:00;12 mp4",
            "29.97 00:10:00;00 mov", "59.94 00:01:00;04 mov", "60000/1001 10:00:00:59 mp4", "60 00:00:00:59 mov",
        ])
    func tracksHaveTheTimecode(settings: String) throws {
        let words = settings.split(separator: " ").map(String.init)
        let workspace = try CommandFixture()
        let outcome = try encode(workspace, words[0], words[1], "a.\(words[2])")
        try #require(outcome.code == 0, "\(outcome.errorText)")
        #expect(try tracks(workspace.directory.file("a.\(words[2])")) == ["avc1,\(words[1])", "tmcd,\(words[1])"])
    }

    /// `verify` compares the timecode with the expected one, which a file may lack.
    @Test func verifyChecksTheTimecode() throws {
        let workspace = try CommandFixture()
        try #require(try encode(workspace, "29.97", "01:00:00;12", "a.mov").code == 0)
        let options = ["--size", "32x32", "--fps", "29.97", "--duration", "1"]
        try #require(try workspace.run(["encode", "qq"] + options + ["-o", "b.mov"]).code == 0)
        // FFmpeg writes the frame with a single digit at 10 fps.
        let slow = ["--size", "32x32", "--fps", "10", "--duration", "1", "--timecode", "01:00:00:00"]
        try #require(try workspace.run(["encode", "qq"] + slow + ["-o", "c.mov"]).code == 0)
        let padded = try workspace.run(["verify", "c.mov", "--against", "qq"] + slow)
        #expect(padded.code == 0, "\(padded.text)")
        for (file, code, reason) in [
            ("a.mov", "01:00:00;12", nil), ("a.mov", "01:00:00;13", "is 01:00:00;12 instead of 01:00:00;13"),
            ("b.mov", "01:00:00;12", "is missing instead of"),
        ] {
            let outcome = try workspace.run(["verify", file, "--against", "qq", "--timecode", code] + options)
            #expect(outcome.code == (reason == nil ? 0 : 1), "\(outcome.text)")
            if let reason {
                #expect(outcome.text.contains("expected-timecode: the timecode \(reason)"), "\(outcome.text)")
            }
        }
    }

    @Test(arguments: [
        ("25", "01:00:00;12", "a.mov", "only 30000/1001 and 60000/1001"), ("25", "01:00:00:25", "a.mov", "0...24"),
        ("29.97", "00:01:00;01", "a.mov", "begins with frame 2"),
        ("59.94", "00:59:00;03", "a.mp4", "begins with frame 4"), ("12.5", "00:00:00:00", "a.mov", "whole frame rate"),
        ("25", "00:00:00:00", "a.mkv", "use .mov or .mp4"), ("25", "00:00:00:00", "a.gif", "use .mov or .mp4"),
        ("25", "00:00:61;00", "a.mov", "the second 61 is above the maximum of 59"),
        ("25", "0:00:00:00", "a.mov", "HH:MM:SS:FF"), ("25", "00;00:00:00", "a.mov", "HH:MM:SS:FF"),
        ("25", "00:60:00:00", "a.mov", "the minute 60 is above the maximum of 59"),
        ("25", "24:00:00:00", "a.mov", "the hour 24 is above the maximum of 23"),
    ])
    func impossibleTimecodesAreRefused(rate: String, code: String, output: String, reason: String) throws {
        let workspace = try CommandFixture()
        expectRefusal(try encode(workspace, rate, code, output), 64, [reason])
        #expect(try workspace.directory.names().isEmpty)
    }
}
