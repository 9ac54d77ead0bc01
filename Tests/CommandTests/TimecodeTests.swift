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

    @Test(arguments: [
        "24 01:00:00:23 mov", "25 23:59:59:24 mp4", "24000/1001 00:00:00:00 mov", "29.97 01:00:00;12 mp4",
        "29.97 00:10:00;00 mov", "59.94 00:01:00;04 mov", "60000/1001 10:00:00:59 mp4", "60 00:00:00:59 mov",
    ])
    func tracksHaveTheTimecode(way: String) throws {
        let words = way.split(separator: " ").map(String.init)
        let workspace = try CommandFixture()
        let outcome = try encode(workspace, words[0], words[1], "a.\(words[2])")
        try #require(outcome.code == 0, "\(outcome.errorText)")
        #expect(try tracks(workspace.directory.file("a.\(words[2])")) == ["avc1,\(words[1])", "tmcd,\(words[1])"])
    }

    @Test(arguments: [
        ("25", "01:00:00;12", "a.mov", "only 30000/1001 and 60000/1001"), ("25", "01:00:00:25", "a.mov", "0...24"),
        ("29.97", "00:01:00;01", "a.mov", "begins with frame 2"),
        ("59.94", "00:59:00;03", "a.mp4", "begins with frame 4"), ("12.5", "00:00:00:00", "a.mov", "whole frame rate"),
        ("25", "00:00:00:00", "a.mkv", "use .mov or .mp4"), ("25", "00:00:00:00", "a.gif", "use .mov or .mp4"),
        ("25", "0:00:00:00", "a.mov", "HH:MM:SS:FF"), ("25", "00:60:00:00", "a.mov", "HH:MM:SS:FF"),
        ("25", "24:00:00:00", "a.mov", "HH:MM:SS:FF"), ("25", "00;00:00:00", "a.mov", "HH:MM:SS:FF"),
    ])
    func impossibleTimecodesAreRefused(rate: String, code: String, output: String, reason: String) throws {
        let workspace = try CommandFixture()
        expectRefusal(try encode(workspace, rate, code, output), 64, [reason])
        #expect(try workspace.directory.names().isEmpty)
    }
}
