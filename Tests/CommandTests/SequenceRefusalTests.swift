import Foundation
import TestSupport
import Testing

/// Sequences that are refused before anything is drawn.
@Suite struct SequenceRefusalTests {
    /// A Lottie file that draws an image.
    private static let film = """
        {"v": "5.7.0", "fr": 10, "ip": 0, "op": 5, "w": 20, "h": 20, "assets": [
          {"id": "a", "w": 8, "h": 8, "u": "g/", "p": "0.png", "e": 0}
        ], "layers": [
          {"ty": 2, "refId": "a", "ip": 0, "op": 5, "st": 0, "ks": {"p": {"a": 0, "k": [10, 10]}}}
        ]}
        """

    /// Makes a directory g with an image that is named like a frame.
    private func fixture() throws -> CommandFixture {
        let workspace = try CommandFixture()
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file("g"), withIntermediateDirectories: true)
        let image = try workspace.run(["still", "qq-mail", "--at", "0", "--size", "32x16", "-o", "g/0.png"])
        try #require(image.code == 0, "\(image.errorText)")
        try FileManager.default.createSymbolicLink(
            atPath: workspace.directory.file("link.png"), withDestinationPath: "g/0.png")
        return workspace
    }

    /// A directory with an input is never replaced, by any path to the input, even with `--force`.
    @Test(arguments: [
        ["douyin", "--set", "cover=g/0.png"], ["qq", "--mark", "g/0.png"], ["qq", "--mark", "./g/../g/0.png"],
        ["qq", "--mark", "link.png"], ["a.json"],
    ])
    func directoriesOfInputsAreNeverReplaced(words: [String]) throws {
        let workspace = try fixture()
        try makeFile(Self.film, at: workspace.directory.file("a.json"))
        let image = try bytes(of: workspace.directory.file("g/0.png"))
        let options = ["--fps", "2", "--scale", "1", "--force", "--progress", "none", "-o", "g/%d.png"]
        let outcome = try workspace.run(["encode"] + words + options)
        expectRefusal(outcome, 64, ["g/0.png: the file is also read as input; use another directory"])
        #expect(try bytes(of: workspace.directory.file("g/0.png")) == image)
        #expect(try workspace.names(in: "g") == ["0.png"])
    }

    /// The same in a batch.
    @Test func batchesReplaceNoDirectoriesOfInputs() throws {
        let workspace = try fixture()
        let image = try bytes(of: workspace.directory.file("g/0.png"))
        try workspace.preset(
            """
            clips:
              - {loader: douyin, fps: 2, scale: 1, set: {cover: g/0.png}, outputs: {file: 'g/%d.png'}}

            """)
        let outcome = try workspace.run(["batch", "p.yaml", "-o", ".", "--force", "--progress", "none"])
        #expect(outcome.code != 0)
        #expect(outcome.errorText.contains("g/0.png: the file is also read as input"), "\(outcome.errorText)")
        #expect(try bytes(of: workspace.directory.file("g/0.png")) == image)
    }

    /// Importers take the format of frames from the extension.
    @Test(arguments: [
        ("png-sequence", "m/%04d.tif", "m/%04d.png, or use --format tiff-sequence"),
        ("webp-sequence", "m/%d.JPG", "m/%d.webp, or use --format jpeg-sequence"),
        ("tiff-sequence", "m/%d.mp4", "m/%d.tif"),
    ])
    func extensionsOfOtherFormatsAreRefused(format: String, path: String, remedy: String) throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.encodeSequence("qq", to: path, "--format", format)
        expectRefusal(outcome, 64, ["but its format is \(format); rename it to \(remedy)"])
        #expect(try workspace.directory.names().isEmpty)
    }

    /// Messages have the names of `--format`.
    @Test func formatsAreNamedAsInTheOption() throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.encodeSequence("qq", to: "m/%04d.png", "--pixel-format", "rgb24")
        expectRefusal(outcome, 64, ["does not support 'rgb24' in png-sequence; use bgr0 or bgra"])
    }

    /// Two sequences of a clip would share its directory.
    @Test func sequencesOfAClipNeedASuffix() throws {
        let workspace = try CommandFixture()
        try workspace.preset("clips: [{loader: qq, outputs: [png-sequence, webp-sequence]}]\n")
        let outcome = try workspace.run(["presets", "validate", "p.yaml"])
        let remedy = "add a 'suffix' to one, such as {format: webp-sequence, suffix: -webp}"
        #expect(outcome.code == 65 && outcome.errorText.contains(remedy), "\(outcome.errorText)")
        try workspace.preset(
            "clips: [{loader: qq, outputs: [png-sequence, {format: webp-sequence, suffix: -webp}]}]\n")
        #expect(try workspace.run(["presets", "validate", "p.yaml"]).code == 0)
    }
}
