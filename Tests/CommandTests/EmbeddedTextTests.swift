import Foundation
import TestSupport
import Testing

/// Names from untrusted files in the program's output and files.
@Suite struct EmbeddedTextTests {
    /// An animation with moving layers and markers of the given names.
    private func animation(_ names: [String], markers: [String] = ["a"]) throws -> Data {
        let move: [String: Any] = [
            "a": 1, "k": [["t": 0, "s": [10, 10]] as [String: Any], ["t": 29, "s": [90, 90]] as [String: Any]],
        ]
        let layers = names.map {
            ["ty": 1, "nm": $0, "ip": 0, "op": 30, "st": 0, "sw": 10, "sh": 10, "sc": "#ff0000", "ks": ["p": move]]
                as [String: Any]
        }
        let marked = markers.enumerated().map { ["tm": $0 * 3, "dr": 3, "cm": $1] as [String: Any] }
        let file: [String: Any] = [
            "v": "5.7.0", "fr": 30, "ip": 0, "op": 30, "w": 100, "h": 100, "layers": layers, "markers": marked,
        ]
        return try JSONSerialization.data(withJSONObject: file)
    }

    private func write(_ data: Data, _ name: String, in workspace: CommandFixture) throws {
        try data.write(to: URL(fileURLWithPath: workspace.directory.file(name)))
    }

    private static let names =
        [
            "q\"\u{301}", "\"\u{D4E}x", "a,\u{301}b", "=1+1", "@a", "\u{1B}[31mred", "\u{202E}gnp", "a\\\u{301}\"",
            "<\u{338}",
        ]

    @Test func otherParsersReadTelemetry() throws {
        let workspace = try CommandFixture()
        try write(animation(Self.names), "a.json", in: workspace)
        var objects: [String] = []
        for format in ["--json", "--csv"] {
            let outcome = try workspace.run(["telemetry", "a.json", "--fps", "10", format])
            try #require(outcome.code == 0, "\(outcome.errorText)")
            let rows: [[String]] = try python(
                """
                import csv, io
                if given.startswith("["): result = [[str(value) for value in row.values()] for row in json.loads(given)]
                else: result = list(csv.reader(io.StringIO(given, newline="")))
                """, outcome.text)
            #expect(Set(rows.map(\.count)) == [15])
            let found = rows.map { $0[4] }.filter { $0 != "object" }
            let isCSV = format == "--csv"
            if objects.isEmpty { objects = found }
            #expect(
                found.map(\.scalars)
                    == objects.map { isCSV && "=@".contains($0.first ?? " ") ? "'" + $0 : $0 }.map(\.scalars))
            #expect(Set(found).count == Self.names.count)
            #expect(
                !outcome.text.unicodeScalars.contains("\u{1B}") && !outcome.text.unicodeScalars.contains("\u{202E}"))
        }
        #expect(objects.contains { $0.scalars == "q\u{301}".scalars })
    }

    /// Many kinds of marker and layer names, in every command that prints them.
    @Test(
        .slow,
        arguments: [
            ["list", "a.json"], ["list", "a.json", "--json"], ["phases", "a.json"], ["phases", "a.json", "--csv"],
            ["phases", "a.json", "--json"], ["telemetry", "a.json", "--fps", "2", "--csv"],
            ["telemetry", "a.json", "--fps", "2", "--json"], ["tutorial", "new", "a.json"],
        ])
    func nothingHiddenReachesTheTerminal(arguments: [String]) throws {
        let workspace = try CommandFixture()
        // JSON with a NUL in a text is refused.
        let controls = HostileText.controls.filter { !$0.unicodeScalars.contains("\0") }
        let texts = controls.map { "a\($0)b" } + ["\r\nx", "\u{301}"]
        try write(animation(Self.names, markers: Array(texts.prefix(9))), "a.json", in: workspace)
        for name in ["a.json", "a\u{1B}[31m\u{202E}\u{9B}\n.json"] {
            try write(animation(Array(texts.suffix(20)), markers: Array(texts.prefix(9))), name, in: workspace)
            let outcome = try workspace.run(arguments.map { $0 == "a.json" ? name : $0 })
            // A script may not name a file with control characters.
            let isRefused = arguments[0] == "tutorial" && name != "a.json"
            #expect(outcome.code == (isRefused ? 64 : 0), "\(outcome.errorText)")
            for text in [outcome.text, outcome.errorText] {
                let hidden = text.unicodeScalars.filter { scalar in
                    scalar.value < 0x20 && scalar != "\n" || (0x7F...0x9F).contains(scalar.value)
                        || (0x2028...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
                }
                #expect(hidden.isEmpty, "\(hidden.map { String($0.value, radix: 16) }) in \(arguments)")
            }
            if arguments.contains("--json") {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(outcome.output)) }
            }
        }
    }

    /// A lone surrogate is not valid text.
    @Test func loneSurrogatesAreRefused() throws {
        let workspace = try CommandFixture()
        let text = String(decoding: try animation(["NAME"]), as: UTF8.self)
        for surrogate in ["\\ud800", "\\udc00", "\\ud800\\u0041"] {
            try makeFile(text.replacing("NAME", with: surrogate), at: workspace.directory.file("a.json"))
            expectRefusal(try workspace.run(["telemetry", "a.json", "--fps", "2", "--csv"]), 65, ["a.json"])
        }
    }

    @Test func featuresThatAreLeftOutAreWholeSentences() throws {
        let workspace = try CommandFixture()
        var text = String(decoding: try animation(["a"]), as: UTF8.self)
        text = text.replacing("\"ks\":{", with: "\"ks\":{\"o\":{\"a\":0,\"k\":100,\"x\":\"time > 1 ? 0 : foo(2)\"},")
        try makeFile(text, at: workspace.directory.file("a.json"))
        let outcomes = try [
            workspace.run(["list", "a.json"]), workspace.run(["list", "a.json", "--json"]),
            workspace.run(["phases", "a.json"]),
            workspace.run(["encode", "a.json", "--lenient", "--progress", "plain", "-o", "a.mp4"]),
        ]
        for outcome in outcomes {
            #expect(
                !(outcome.lines + outcome.errorLines).contains { $0.hasSuffix(",") && $0.contains("ks.o") },
                "\(outcome.text)")
            #expect(!outcome.text.contains(",\","), "\(outcome.text)")
        }
        let texts = outcomes.map { $0.text + $0.errorText }
        #expect(texts.contains { $0.contains("(it uses 'foo')") }, "\(texts)")
    }

    /// A long untrusted name never fills the screen.
    @Test(.slow) func longNamesAreShortened() throws {
        let workspace = try CommandFixture()
        let name = String(repeating: "n", count: 5000)
        let names = try ["other", name].map { try String(decoding: animation([$0]), as: UTF8.self) }
        let _: String = try python(
            """
            import zipfile
            for path, ids in (("held.lottie", given[:1]), ("lost.lottie", [])):
                with zipfile.ZipFile(given[3] + "/" + path, "w") as archive:
                    archive.writestr("manifest.json", json.dumps({"animations": [{"id": given[0]}]}))
                    for id in ids: archive.writestr("animations/" + id + ".json", given[2])
            result = ""
            """, [name] + names + [workspace.directory.path])
        try makeFile("clips: [{loader: \(name)}]\n", at: workspace.directory.file("p.yaml"))
        let commands = [
            ["list", "lost.lottie"], ["list", "held.lottie"],
            ["still", "held.lottie", "--at", "0", "--set", "animation=\(name)x"],
            ["list", name], ["list", name + ".json"], ["encode", "qq", "--\(name)"], ["encode", "qq", name],
            ["presets", "validate", "p.yaml"], ["encode", "qq", "--set", "\(name)=1", "-o", "a.mp4"],
            ["encode", "qq", "--annotate", name, "-o", "a.mp4"], ["page", "qq", "-o", name],
        ]
        for command in commands {
            let outcome = try workspace.run(command + (command[0] == "still" ? ["-o", "a.png"] : []))
            for line in outcome.lines + outcome.errorLines {
                #expect(!line.contains(String(repeating: "n", count: 401)), "\(command[0]): \(line)")
            }
            if outcome.code != 0 {
                #expect(
                    outcome.errorLines.count == 1 && (outcome.errorLines.first?.count ?? 0) < 1000,
                    "\(outcome.errorText)")
            }
        }
    }
}
