import Core
import Foundation
import TestSupport
import Testing

@testable import Lottie

/// A directory with Lottie files in which the program runs.
struct LottieCommandFixture {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Creates a directory with one animation.
    init(_ json: JSON, name: String = "film.json") throws {
        try self.init()
        try makeFile(json.text, at: directory.file(name))
    }

    func run(_ arguments: String...) throws -> Outcome {
        try Subprocess(builtProgram, arguments, directory: directory).wait()
    }

    /// Runs a command, which must succeed.
    @discardableResult
    func runSuccessfully(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> Outcome {
        let outcome = try Subprocess(builtProgram, arguments, directory: directory).wait()
        try #require(outcome.code == 0, "\(arguments): \(outcome.errorText)", sourceLocation: sourceLocation)
        return outcome
    }

    /// Returns a still of an animation at a time, with one pixel per point.
    func still(_ file: String, at time: String = "0", _ options: String...) throws -> PixelGrid {
        let arguments = ["still", file, "--at", time, "--scale", "1", "--force", "-o", "still.png"] + options
        let outcome = try Subprocess(builtProgram, arguments, directory: directory).wait()
        try #require(outcome.code == 0, "\(outcome.errorText)")
        return try #require(PixelGrid(png: bytes(of: directory.file("still.png"))))
    }

    /// Returns the JSON output of a command.
    func report<Report: Decodable>(_ type: Report.Type = Report.self, _ arguments: String...) throws -> Report {
        let outcome = try Subprocess(builtProgram, arguments + ["--json"], directory: directory).wait()
        try #require(outcome.code == 0, "\(outcome.errorText)")
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output))
    }

    /// Writes files and packs them into an archive.
    func zip(_ files: [String: String], to name: String) throws {
        for (path, text) in files {
            let file = directory.file("packed/" + path)
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try makeFile(text, at: file)
        }
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as archive:
                for name in sys.argv[2:]: archive.write('packed/' + name, name)
            """
        try TestSupport.run("python3", ["-c", script, name] + files.keys.sorted(), directory: directory)
    }
}

/// The output of `list --json` for an animation.
struct Listing: Decodable {
    struct Phase: Decodable {
        var index: Int
        var name: String
        var start: String
        var duration: String
    }

    var id: String
    var title: String
    var width: Double
    var height: Double
    var period: String
    var phases: [Phase]
    var details: [String: String]
    var omissions: [String]
}

extension LottieCommandFixture {
    func listing(_ file: String) throws -> Listing {
        try #require(report([Listing].self, "list", file).first)
    }
}

/// Checks that a command failed with an exit code and a one-line message that contains words.
func expectRefusal(
    _ outcome: Outcome, _ code: Int32, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(outcome.code == code, "\(outcome.errorText)", sourceLocation: sourceLocation)
    #expect(
        outcome.errorLines.count == 1 && outcome.output.isEmpty, "\(outcome.errorText)", sourceLocation: sourceLocation)
    for word in words {
        #expect(outcome.errorText.contains(word), "\(outcome.errorText)", sourceLocation: sourceLocation)
    }
}

/// Returns a shape layer with a black disc at a position.
func disc(_ position: JSON, _ more: [String: JSON] = [:]) -> JSON {
    shapes(ellipse([0, 0], [20, 20]), fill(black), at: ["p": position], more)
}
