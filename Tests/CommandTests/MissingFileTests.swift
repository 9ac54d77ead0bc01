import Foundation
import TestSupport
import Testing

/// Every command that takes a file, or a name that may be a file, exits with 66 if the file is
/// missing, and prints one line that names it.
@Suite struct MissingFileTests {
    private static let commands = [
        "encode none.json -o a.mp4", "encode none.lottie -o a.mp4", "encode none/film.json -o a.mp4",
        "encode qq-mail --audio none.m4a -o a.mp4", "encode qq-mail --mark none.png -o a.mp4",
        "encode douyin --set cover=none.png -o a.mp4", "still none.json -o a.png", "still qq --mark none.png -o a.png",
        "sheet none.json -o a.png", "page none.json -o a.html", "page none.yaml -o a.html", "page none/a -o a.html",
        "phases none.json", "telemetry none.json --fps 30", "list none.json", "bench --clip none.json",
        "analyze none.mp4", "analyze none/x.mp4", "compare none.mp4 --as qq-mail", "compare TEXT --as none.json",
        "verify none.mp4", "verify TEXT --against none.json", "verify TEXT --against none.yaml",
        "verify TEXT --against none/site", "verify TEXT --frames-sha256 none.txt", "diff none.mp4 TEXT",
        "diff TEXT none.mp4", "batch none.yaml", "batch none", "batch merge none", "presets validate none.yaml",
        "presets show none.yaml", "presets show none", "presets list --directory none", "tutorial none.yaml -o a.mp4",
        "tutorial none -o a.mp4", "tutorial check none.yaml", "tutorial sheet none.yaml -o a.png",
        "tutorial new none.json", "tutorial tokens none.swift",
    ]

    @Test(arguments: quickSample(of: commands, each: 4)) func missingFilesAreReported(command: String) throws {
        let workspace = try CommandFixture()
        try makeFile("text\n", at: workspace.directory.file("TEXT"))
        let outcome = try workspace.run(command.split(separator: " ").map(String.init))
        #expect(outcome.code == 66, "\(outcome.errorText)")
        #expect(outcome.errorLines.count == 1 && outcome.errorText.contains("none"), "\(outcome.errorText)")
        #expect(outcome.output.isEmpty)
        #expect(try workspace.directory.names() == ["TEXT"])
    }

    /// A file that may not be read counts as missing, too.
    @Test(arguments: [
        "still douyin --set cover=a.png -o b.png", "encode qq --mark a.png -o b.mp4",
        "encode qq --audio a.png -o b.mp4", "verify a.png", "diff a.png a.png",
    ])
    func filesWithoutPermissionAreMissing(command: String) throws {
        let asOtherUser = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
        let outcome = try CommandFixture().shell(
            "chmod 777 . && echo x > a.png && chmod 0 a.png && cp \"$LOADERVID\" program && exec \(asOtherUser) "
                + "./program \(command)")
        #expect(outcome.code == 66 && outcome.errorLines.count == 1, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("cannot be read: Permission denied"), "\(outcome.errorText)")
        #expect(outcome.errorText.contains("a.png"), "\(outcome.errorText)")
    }

    /// The message for an output names a remedy.
    @Test func aDirectoryWithoutPermissionIsRefused() throws {
        let asOtherUser = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
        let outcome = try CommandFixture().shell(
            "chmod 777 . && mkdir -m 555 no && cp \"$LOADERVID\" program && exec \(asOtherUser) ./program still qq -o no/a.png"
        )
        #expect(outcome.code == 73 && outcome.errorLines.count == 1, "\(outcome.errorText)")
        #expect(
            outcome.errorText.contains("create no/a.png: Permission denied; use a directory that you can write to"),
            "\(outcome.errorText)")
    }
}
