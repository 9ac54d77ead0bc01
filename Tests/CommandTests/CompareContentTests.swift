import Foundation
import TestSupport
import Testing

/// Recordings with other content than the loader's, compared.
@Suite struct CompareContentTests {
    private let workspace: CommandFixture

    init() throws {
        workspace = try CommandFixture()
        let own = ["--scale", "2", "--speed", "ultrafast", "--progress", "none", "-o", "own.mp4"]
        try #require(workspace.run(["encode", "qq-mail"] + own).code == 0)
    }

    private struct Finding: Decodable {
        var kind: String
        var time: [Double]?
        var size: Double?
        var actual: String?
        var text: String
    }

    private struct Recording: Decodable {
        var reason: String?
        var findings: [Finding]
    }

    private struct Report: Decodable {
        var recordings: [Recording]
    }

    /// Records the loader through a filter of FFmpeg, and compares the recording with it.
    private func compare(input: [String] = ["-i", "own.mp4"], _ filter: String) throws -> (Int32, Recording) {
        let output = ["-vf", filter, "-pix_fmt", "yuv420p", "changed.mp4"]
        try TestSupport.run("ffmpeg", ["-v", "error"] + input + output, directory: workspace.directory)
        let outcome = try workspace.run(["compare", "changed.mp4", "--as", "qq-mail", "--json"])
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output))
        return (outcome.code, try #require(report.recordings.first, "\(outcome.errorText)"))
    }

    /// A spot of 6 points that is shown for ten frames.
    @Test(.slow) func shortContentIsFound() throws {
        let (code, recording) = try compare("drawbox=x=30:y=20:w=12:h=12:color=blue:t=fill:enable='between(n,30,39)'")
        let finding = try #require(recording.findings.first)
        #expect(code == 1 && recording.findings.map(\.kind) == ["extra"], "\(recording)")
        let time = try #require(finding.time)
        #expect(abs(time[0] - 0.5) < 0.02 && abs(time[1] - 40.0 / 60) < 0.02 && abs((finding.size ?? 0) - 6) < 1.5)
    }

    @Test(.slow, arguments: ["black", "blue"]) func blankFramesAreNamed(color: String) throws {
        let (code, recording) = try compare("drawbox=color=\(color):t=fill:enable='between(n,40,51)'")
        #expect(code == 1 && recording.findings.map(\.kind) == ["missing"], "\(recording)")
        #expect(recording.findings.first?.text.contains("blank") == true, "\(recording)")
    }

    /// A layer of one colour over the whole canvas for a few frames belongs to the design.
    @Test(.slow) func designedFlashesMatch() throws {
        let flash = ##"{"ty":1,"sw":100,"sh":100,"sc":"#ff0000","ip":101,"op":104,"st":0,"ks":{}}"##
        let keys = #"{"a":1,"k":[{"t":0,"s":[20,50],"o":{"x":0,"y":0},"i":{"x":1,"y":1}},{"t":240,"s":[80,50]}]}"#
        let motion = #"{"a":{"k":[10,10]},"p":\#(keys)}"#
        let dot = ##"{"ty":1,"sw":20,"sh":20,"sc":"#0000ff","ip":0,"op":240,"st":0,"ks":\##(motion)}"##
        let file = #"{"v":"5.7.0","fr":60,"ip":0,"op":240,"w":100,"h":100,"layers":[\#(flash),\#(dot)]}"#
        try Data(file.utf8).write(to: URL(filePath: workspace.directory.file("flash.json")))
        try #require(try workspace.run(["encode", "flash.json", "-o", "flash.mp4", "--progress", "none"]).code == 0)
        let outcome = try workspace.run(["compare", "flash.mp4", "--as", "flash.json"])
        #expect(outcome.code == 0, "\(String(decoding: outcome.output, as: UTF8.self))")
    }

    @Test(.slow) func mirroringIsNamed() throws {
        let (code, recording) = try compare("hflip")
        #expect(code == 1 && recording.findings.map(\.kind) == ["mirrored"], "\(recording)")
    }

    /// The ring starts at its top, so that the rotated one starts at another place. The canvas of
    /// qq-mail is twice as wide as high.
    @Test(.slow, arguments: ["iqiyi", "qq-mail"]) func rotationIsNamed(loader: String) throws {
        let own = ["encode", loader, "--scale", "2", "--progress", "none", "--force", "-o", "own.mp4"]
        try #require(try workspace.run(own).code == 0)
        let turn = ["-i", "own.mp4", "-vf", "transpose=clock", "-pix_fmt", "yuv420p", "rotated.mp4"]
        try TestSupport.run("ffmpeg", ["-v", "error"] + turn, directory: workspace.directory)
        let outcome = try workspace.run(["compare", "rotated.mp4", "--as", loader, "--json"])
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output))
        let findings = report.recordings.first?.findings ?? []
        #expect(outcome.code == 1 && findings.map(\.kind) == ["rotated"], "\(outcome.text)")
        #expect(outcome.text.contains("rotated by 90°"), "\(outcome.text)")
    }

    @Test(.slow) func otherContentIsRefused() throws {
        let (code, recording) = try compare(input: ["-f", "lavfi", "-i", "testsrc2=s=480x240:r=60:d=2"], "null")
        #expect(code == 65 && recording.reason?.contains("does not show qq-mail") == true, "\(recording)")
    }
}
