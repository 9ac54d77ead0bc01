import Foundation
import TestSupport
import Testing

/// File names are bytes, but Swift's strings are Unicode. Names that are not UTF-8 are rejected
/// before any file is touched.
@Suite struct NonTextNameTests {
    /// The name that Swift's repair of an invalid name gives, which may be another file's.
    private static let repaired = "\u{FFFD}.mp4"

    /// A fixture with files of repaired names and a preset.
    private func workspace() throws -> CommandFixture {
        let workspace = try CommandFixture()
        for name in [Self.repaired, "\u{FFFD}.png", "\u{FFFD}.json"] {
            try makeFile("other", at: workspace.directory.file(name))
        }
        try makeFile("clips: [{loader: qq, size: 64x64, duration: 0.1}]\n", at: workspace.directory.file("one.yaml"))
        return workspace
    }

    /// The word BAD is replaced by the byte 0xFF.
    @Test(arguments: [
        "encode qq --size 64x64 --force -o BAD.mp4", "encode qq --size 64x64 --force -oBAD.mp4",
        "encode qq --size 64x64 --force --output=BAD.mp4", "encode douyin --size 64x64 --set cover=BAD.png -o a.mp4",
        "still qq --at 0 --force -o BAD.png", "sheet qq --force -o BAD.png", "page qq --force -o BAD.html",
        "phases qq --force --plot BAD.png",
        "list qq --force --picture BAD.png", "analyze BAD.mp4", "analyze one.yaml --force --annotate-to BAD.mp4",
        "compare BAD.mp4 --as qq", "batch BAD.yaml", "batch one.yaml -o BAD", "batch one.yaml --junit BAD.json",
        "batch one.yaml --json-report BAD.json", "batch merge BAD", "presets validate one.yaml BAD.yaml",
        "presets list --directory BAD", "telemetry BAD",
    ])
    func argumentsAreRefused(command: String) throws {
        let workspace = try workspace()
        let names = try workspace.directory.names()
        let words = command.replacingOccurrences(of: "BAD", with: "$bad")
        let outcome = try workspace.shell("bad=$(printf '\\377'); \"$LOADERVID\" \(words)")
        expectRefusal(outcome, 64, ["argument", "UTF-8"])
        #expect(try workspace.directory.names() == names)
        for name in names where name.hasPrefix("\u{FFFD}") {
            #expect(try bytes(of: workspace.directory.file(name)) == Array("other".utf8))
        }
    }

    @Test func variablesAreRefused() throws {
        let workspace = try workspace()
        let bench = "bench --quick --clip qq --size 64x64 --duration 0.1"
        for (variable, command) in [("TMPDIR", bench), ("LOADERVID_PRESETS", "presets list")] {
            let outcome = try workspace.shell(
                "\(variable)=$(printf '/tmp/\\377'); export \(variable); exec \"$LOADERVID\" \(command)")
            expectRefusal(outcome, 64, [variable, "UTF-8"])
        }
    }

    /// Relative paths work in a directory with any name.
    @Test(.slow) func workingDirectoriesMayHaveAnyName() throws {
        let workspace = try workspace()
        let script = """
            set -e
            bad=$(printf 'in-\\377'); twin=$(printf 'in-\\357\\277\\275')
            mkdir "$bad" "$twin"
            cp one.yaml "$bad"; echo other >"$twin/a.mp4"; echo other >"$twin/b.mp4"
            cd "$bad"
            for run in 1 2; do
                "$LOADERVID" encode qq --size 64x64 --duration 0.1 --force --progress none -o a.mp4 >/dev/null
            done
            ln -s a.mp4 link.png
            "$LOADERVID" still qq --at 0 -o still.png >/dev/null
            for run in 1 2; do
                "$LOADERVID" batch one.yaml --force --progress none --junit junit.xml >/dev/null
            done
            "$LOADERVID" analyze a.mp4 >/dev/null || test $? = 65
            ls -A . out out/.loadervid
            test "$(cat "../$twin/a.mp4" "../$twin/b.mp4")" = "$(printf 'other\\nother')"
            test "$(ls "../$twin")" = "$(printf 'a.mp4\\nb.mp4')"
            rm -r "../$bad"
            """
        let outcome = try workspace.shell(script)
        #expect(outcome.code == 0 && !outcome.text.contains(".part"), "\(outcome.errorText)")
        for name in ["a.mp4", "still.png", "junit.xml", "manifest.json"] { #expect(outcome.text.contains(name)) }
    }

    /// The target of a link can have a name that cannot be given as an argument.
    @Test func linksToInvalidNamesAreRejected() throws {
        let workspace = try workspace()
        let outcome = try workspace.shell(
            """
            bad=$(printf '\\377.mp4'); echo mine >"$bad"; ln -s "$bad" link.mp4
            "$LOADERVID" encode qq --size 64x64 --duration 0.1 --force --progress none -o link.mp4; code=$?
            test "$(cat "$bad")" = mine && test -L link.mp4 && rm "$bad" && exit $code
            """)
        expectRefusal(outcome, 73, ["link.mp4", "UTF-8"])
        #expect(try bytes(of: workspace.directory.file(Self.repaired)) == Array("other".utf8))
    }

    @Test func presetsWithInvalidNamesAreReported() throws {
        let workspace = try workspace()
        let outcome = try workspace.shell(
            """
            mkdir presets; cp one.yaml presets; cp one.yaml "presets/$(printf '\\377.yaml')"
            "$LOADERVID" presets list --directory presets; code=$?
            rm -r presets; exit $code
            """)
        expectRefusal(outcome, 65, ["presets", "UTF-8"])
    }
}
