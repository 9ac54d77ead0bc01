import Foundation
import TestSupport
import Testing

/// A first script about a file is valid, or the command refuses to write it, for any file name and
/// location.
@Suite struct NewScriptTests {
    private static let names = [
        "sp.json", "a b.json", "a: b.json", "a #b.json", "a'b.json", "a\"b.json", "-a.json", "@a.json", "`a.json",
        "*a.json",
        "&a.json", "!a.json", "%a.json", "|.json", "{a}.json", "{{a}}.json", "{{{.json", "[a].json", "a,b.json",
        "null.json",
        "true.json", "7.json", "点 é.json", "😀.json", "e\u{301}.json", "\u{A0}.json", "a\u{FEFF}b.json", "a\tb.json",
        "a\nb.json", "a\\b.json", ".a.json", " a.json", "a\u{2028}b.json", "a\u{E000}b.json", "<<.json", "=.json",
        "~.json",
        "?.json", "a: [.json", "\u{10FFFD}.json", "a.LOTTIE.json", String(repeating: "long ", count: 30) + "x.json",
        "\u{E000}.json", String(repeating: "W", count: 40) + ".json", String(repeating: "点", count: 60) + ".json",
        "an-unbreakable_name.of.parts.json",
    ]
    /// A directory, the animation's path prefix in the command, and the script's path if it is
    /// valid.
    private static let locations: [(folder: String, prefix: String, script: String)] = [
        ("", "./", "o.yaml"), ("", "", "./o.yaml"), ("", "ABSOLUTE/", "o.yaml"), ("", "", "ABSOLUTE/o.yaml"),
        ("sub dir/x: y", "sub dir/x: y/", "o.yaml"), ("sub dir", "ABSOLUTE/sub dir/", "sub dir/o.yaml"),
        ("lessons", "lessons/../lessons/", "lessons/o.yaml"), ("#1", "./#1//", "o.yaml"),
    ]

    private static let animation = lottie(
        disc(["k": [["t": 0, "s": [20, 20], "h": 1], ["t": 5, "s": [60, 70]]], "a": 1])
    ).text

    private func writeAnimation(_ name: String, in folder: String, _ fixture: LottieCommandFixture) throws {
        let path = fixture.directory.file(folder.isEmpty ? "." : folder)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try makeFile(Self.animation, at: path + "/" + name)
    }

    private func run(_ fixture: LottieCommandFixture, _ words: [String]) throws -> Outcome {
        let words = words.map { $0.replacingOccurrences(of: "ABSOLUTE", with: fixture.directory.path) }
        return try Subprocess(builtProgram, words, directory: fixture.directory).wait()
    }

    /// Checks that the script is written and valid, or that one line gives the reason for refusing
    /// it.
    private func check(_ name: String, _ location: (folder: String, prefix: String, script: String)) throws -> Bool {
        let fixture = try LottieCommandFixture()
        try writeAnimation(name, in: location.folder, fixture)
        let loader = location.prefix + name
        let made = try run(fixture, ["tutorial", "new", "-o", location.script, "--", loader])
        guard made.code == 0 else {
            #expect(made.code == 64 && made.errorLines.count == 1, "\(loader): \(made.errorText)")
            #expect(made.errorText.contains("rename"), "\(loader): \(made.errorText)")
            return false
        }
        let checked = try run(fixture, ["tutorial", "check", location.script])
        #expect(checked.code == 0, "\(loader) in \(location.script): \(checked.errorText)")
        return true
    }

    /// True for names that a script cannot contain: hidden files, control and format characters,
    /// backslashes, and leading or trailing blanks.
    private static func isRefused(_ name: String) -> Bool {
        ["\t", "\n", "\\", "\u{FEFF}", "\u{2028}"].contains { name.contains($0) } || name.hasPrefix(".")
            || name.hasPrefix(" ")
    }

    @Test(.slow, arguments: names.filter(isRefused) + some(of: names.filter { !isRefused($0) }, each: 3))
    func validNamesGiveValidScripts(name: String) throws {
        #expect(try check(name, Self.locations[0]) != Self.isRefused(name), "\(name)")
    }

    @Test(.slow, arguments: some(of: ["sp.json", "a: 'b' #c.json", "-x.json"], and: Array(locations.indices), each: 3))
    func anyLocationGivesAValidScript(name: String, index: Int) throws {
        #expect(try check(name, Self.locations[index]))
    }

    /// The message states the rule that the name breaks, and no other.
    @Test(arguments: [
        (
            "a\u{202E}b.json",
            "is not a valid path in a script; rename the file or its directory: remove control characters"
        ),
        (".hid.json", "rename the file or its directory: use names that do not begin with '.'"),
    ])
    func refusedNamesAreExplained(name: String, words: String) throws {
        let fixture = try LottieCommandFixture()
        try makeFile(Self.animation, at: fixture.directory.file(name))
        expectRefusal(try run(fixture, ["tutorial", "new", name, "-o", "o.yaml"]), 64, words)
    }

    /// A script names files in or below its own directory. For other files, the command refuses and
    /// suggests a path that works.
    @Test(
        .slow,
        arguments: [
            ("../sp.json", "o.yaml", "../sp.yaml"), ("sp.json", "lessons/o.yaml", "sp.yaml"),
            ("../sp.json", "-", "../sp.yaml"), ("ABSOLUTE/sp.json", "lessons/o.yaml", "ABSOLUTE/sp.yaml"),
        ])
    func filesElsewhereAreRefused(loader: String, script: String, remedy: String) throws {
        let fixture = try LottieCommandFixture()
        try writeAnimation("x", in: "lessons", fixture)
        try makeFile(Self.animation, at: fixture.directory.file("sp.json"))
        func start(_ script: String) throws -> Outcome {
            guard loader.hasPrefix("..") else { return try run(fixture, ["tutorial", "new", loader, "-o", script]) }
            let line = "cd lessons && exec \"$0\" tutorial new \(loader) -o \(script)"
            return try Subprocess("sh", ["-c", line, builtProgram], directory: fixture.directory).wait()
        }
        let refused = try start(script)
        let path = remedy.replacingOccurrences(of: "ABSOLUTE", with: fixture.directory.path)
        expectRefusal(refused, 64, "is outside the script's directory", "use -o \(path)")
        #expect(try start(remedy).code == 0)
    }

    /// A printed script is meant for a file in the current directory.
    @Test func printedScriptsUsePathsFromTheCurrentDirectory() throws {
        let fixture = try LottieCommandFixture()
        try writeAnimation("sp.json", in: "sub", fixture)
        let text = try run(fixture, ["tutorial", "new", "./sub/sp.json"]).text
        #expect(text.contains("\ntutorial: sub/sp.json\n"))
        try makeFile(text, at: fixture.directory.file("o.yaml"))
        #expect(try run(fixture, ["tutorial", "check", "o.yaml"]).code == 0)
    }

    /// A link out of the directory is refused, as `check` would refuse it.
    @Test func linksOutOfTheDirectoryAreRefused() throws {
        let fixture = try LottieCommandFixture()
        try writeAnimation("sp.json", in: "away", fixture)
        try writeAnimation("x", in: "lessons", fixture)
        try FileManager.default.createSymbolicLink(
            atPath: fixture.directory.file("lessons/link.json"), withDestinationPath: "../away/sp.json")
        let refused = try run(fixture, ["tutorial", "new", "lessons/link.json", "-o", "lessons/o.yaml"])
        expectRefusal(refused, 64, "a link out of the script's directory")
    }
}
