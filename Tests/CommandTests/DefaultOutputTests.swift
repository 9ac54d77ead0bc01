import Foundation
import TestSupport
import Testing

/// Without a file name, a clip is named after its source.
@Suite struct DefaultOutputTests {
    private static let film =
        ##"{"v":"5.5.0","fr":30,"ip":0,"op":3,"w":32,"h":32,"layers":[{"ty":1,"sw":32,"sh":32,"sc":"#ff0000","ip":0,"op":3}]}"##

    private func run(_ line: String, in fixture: CommandFixture) throws -> Outcome {
        try fixture.run(line.split(separator: " ").map(String.init) + ["--progress", "none"])
    }

    @Test(
        .slow,
        arguments: [
            ("encode qq --duration 0.1 --scale 1", "qq.mp4"),
            ("encode qq --duration 0.1 --scale 1 --codec vp9", "qq.webm"),
            ("encode qq --duration 0.1 --scale 1 --format gif", "qq.gif"),
            ("encode a/spinner.json", "spinner.mp4"),
            ("encode a/spinner.min.json --format webp", "spinner.min.webp"),
            ("encode a/spinner.json -o a/", "a/spinner.mp4"),
            ("encode qq --duration 0.1 --scale 1 --codec prores -o a/", "a/qq.mov"),
        ])
    func theSourceNamesTheClip(line: String, output: String) throws {
        let fixture = try CommandFixture()
        try FileManager.default.createDirectory(
            atPath: fixture.directory.file("a"), withIntermediateDirectories: false)
        try makeFile(Self.film, at: fixture.directory.file("a/spinner.json"))
        try makeFile(Self.film, at: fixture.directory.file("a/spinner.min.json"))
        let outcome = try run(line, in: fixture)
        #expect(outcome.code == 0 && outcome.text.hasPrefix("\(output): "), "\(outcome.errorText)")
        let path = fixture.directory.file(output)
        // FFmpeg reads no animated WebP before version 8.
        if !output.hasSuffix("webp") { #expect(try DecodedVideo(path: path).times.count > 1) }
        // An existing clip needs --force, as with -o.
        let again = try run(line, in: fixture)
        #expect(again.code == 73 && again.errorText.contains("\(output) already exists; "), "\(again.errorText)")
        #expect(try run(line + " --force", in: fixture).code == 0)
    }

    @Test func theLessonNamesTheClip() throws {
        let fixture = try CommandFixture()
        let script = """
            tutorial: qq
            title: {en: Drop, zh: 水滴}
            steps:
              - title: 1
              - play: 1
            """
        try makeFile(script, at: fixture.directory.file("drop.v1.yaml"))
        let outcome = try run("tutorial ./drop.v1.yaml --layout 480x270", in: fixture)
        #expect(outcome.code == 0 && outcome.text.hasPrefix("drop.v1.mp4: "), "\(outcome.errorText)")
    }

    @Test func aMissingDirectoryIsNotCreated() throws {
        let fixture = try CommandFixture()
        let outcome = try run("encode qq -o none/", in: fixture)
        #expect(outcome.code == 73 && outcome.errorLines.count == 1, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("none"))
        #expect(try fixture.directory.names().isEmpty)
    }

    /// The format that the user chose wins over the extension, with a note; an extension that names
    /// no format needs none. A sequence with another format's extension is refused, because readers
    /// of sequences go by it.
    @Test func contradictingExtensionsAreNoted() throws {
        let fixture = try CommandFixture()
        let line = "encode qq-mail --size 64x32 --fps 10 --format webm -o "
        let noted = try run(line + "a.mp4", in: fixture)
        #expect(noted.code == 0 && noted.errorText.contains("a.mp4: note: its format is webm"), "\(noted.errorText)")
        for silent in [line + "a.video", "encode qq-mail -o a.svg", "encode qq-mail -o a.json"] {
            let outcome = try run(silent, in: fixture)
            #expect(outcome.code == 0 && outcome.errorText.isEmpty, "\(outcome.errorText)")
        }
        let tiff = try run("encode qq-mail --size 64x32 --fps 10 --format tiff-sequence -o t/%02d.png", in: fixture)
        #expect(tiff.code == 64 && tiff.errorText.contains("ends in .png, but its format is tiff-sequence"))
    }

    /// Other programs read sequences and raw frames, and do not loop them.
    @Test(arguments: ["-o s/%02d.png", "-o a.y4m", "-o a.gif"]) func onlyLoopsHaveANoteAboutTheirSeam(_ output: String)
        throws
    {
        let fixture = try CommandFixture()
        let line = "encode qq-mail --size 64x32 --fps 10 --duration 1 " + output
        let outcome = try fixture.run(line.split(separator: " ").map(String.init))
        #expect(outcome.code == 0 && outcome.errorText.contains("jumps when it loops") == output.hasSuffix("gif"))
    }
}
