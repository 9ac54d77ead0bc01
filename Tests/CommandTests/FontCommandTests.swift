import Foundation
import TestSupport
import Testing

/// The fonts of titles, notes and lessons, on a machine on which only DejaVu is installed.
@Suite struct FontCommandTests {
    /// Runs the program with two font families and no others.
    private func run(_ arguments: [String], in fixture: CommandFixture) throws -> Outcome {
        let directory = fixture.directory
        let fonts = directory.file("fonts")
        if !FileManager.default.fileExists(atPath: fonts) {
            try FileManager.default.createDirectory(atPath: fonts, withIntermediateDirectories: false)
            for family in ["DejaVu Sans", "DejaVu Sans Mono"] {
                let path = try Subprocess("fc-match", ["-f", "%{file}", family]).wait().text
                try FileManager.default.copyItem(
                    atPath: path, toPath: fonts + "/\(family.replacingOccurrences(of: " ", with: "-")).ttf")
            }
            try makeFile(
                "<?xml version='1.0'?><fontconfig><dir>\(fonts)</dir><cachedir>\(directory.file("cache"))</cachedir>"
                    + "</fontconfig>", at: directory.file("fonts.conf"))
        }
        return try fixture.run(arguments, environment: ["FONTCONFIG_FILE": directory.file("fonts.conf")])
    }

    /// Without a font that has colours, emoji are drawn in one colour, or left out if no font has
    /// them. The user is told once.
    @Test(
        .slow,
        arguments: [
            ["still", "qq", "--at", "0", "--annotate", "labels", "--title", "Done 🎉🎉", "-o", "a.png"],
            ["tutorial", "qq", "--fps", "1", "--title", "Done 🎉🎉", "-o", "a.mp4", "--speed", "ultrafast"],
        ])
    func emojiWithoutColorsAreNoted(arguments: [String]) throws {
        let fixture = try CommandFixture()
        let outcome = try run(arguments, in: fixture)
        #expect(outcome.code == 0, "\(outcome.errorText)")
        let notes = outcome.errorText.split(separator: "\n").filter { $0.contains("no installed font has") }
        let endings = ["has colours for 🎉; install", "has all of 🎉; install"]
        let isRight = endings.contains { notes.first?.contains($0) == true }
        #expect(notes.count == 1 && isRight, "\(outcome.errorText)")
        let plain = try run(arguments.map { $0 == "Done 🎉🎉" ? "Done" : $0 } + ["--force"], in: fixture)
        #expect(plain.code == 0 && !plain.errorText.contains("no installed font"), "\(plain.errorText)")
    }

    /// The default family is the only proportional one, so naming it changes nothing.
    @Test func lessonsAndSheetsUseTheRequestedFont() throws {
        for command in [["tutorial", "sheet", "qq"], ["sheet", "qq", "--scale", "1"]] {
            let fixture = try CommandFixture()
            func bytes(_ options: String...) throws -> Data {
                let outcome = try run(command + options + ["-o", "-"], in: fixture)
                #expect(outcome.code == 0, "\(outcome.errorText)")
                return Data(outcome.output)
            }
            let usual = try bytes()
            #expect(try bytes("--font", "dejavu sans") == usual)
            #expect(try bytes("--font", "DejaVu Sans Mono") != usual)
            let refused = try run(command + ["--font", "DejaVu Snas", "-o", "b.png"], in: fixture)
            expectRefusal(refused, 64, ["'DejaVu Snas' is not installed", "did you mean 'DejaVu Sans'?"])
            #expect(!FileManager.default.fileExists(atPath: fixture.directory.file("b.png")))
        }
    }
}
