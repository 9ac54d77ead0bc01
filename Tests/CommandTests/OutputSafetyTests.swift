import Foundation
import TestSupport
import Testing

/// The files that commands read. They are made once, and each test gets a copy.
private let inputs: Result<CommandFixture, any Error> = Result {
    let fixture = try CommandFixture()
    try fixture.makeInputs()
    // Globals are never released.
    atexit {
        guard case .success(let fixture) = inputs else { return }
        try? FileManager.default.removeItem(atPath: fixture.directory.path)
    }
    return fixture
}

/// No command's output destroys a user's file: an input, another output or a file that is not a
/// report. `--force` does not change the first two.
@Suite struct OutputSafetyTests {
    private let workspace: CommandFixture
    private var directory: TemporaryDirectory { workspace.directory }

    init() throws { workspace = try CommandFixture() }

    private func run(_ line: String) throws -> Outcome {
        try workspace.run(line.split(separator: " ").map(String.init))
    }

    private func succeed(_ line: String) throws {
        let outcome = try run(line)
        try #require(outcome.code == 0, "\(line): \(outcome.errorText)")
    }

    /// Copies the inputs, with hard links and symbolic links among them.
    private func copyInputs() throws {
        try workspace.shellMustSucceed("tar -cf - -C '\(inputs.get().directory.path)' . | tar -xf -")
    }

    /// Inputs are never replaced, by any path to them, even with `--force`.
    @Test(.slow) func inputsAreNeverReplaced() throws {
        try copyInputs()
        try succeed("batch ok.yaml -o out --progress none")
        let before = try workspace.everything()
        let lottieClip = "encode sp.json --scale 1 --progress none"
        let lines = [
            "still douyin --at 0 --set cover=s.png -o s.png", "still douyin --at 0 --set cover=s.png -o ./A/../s.png",
            "still douyin --at 0 --set cover=s.png -o hard.png", "still douyin --at 0 --set cover=s.png -o link.png",
            "still douyin --at 0 --set cover=hard.png -o s.png", "still qq --at 0 --mark s.png -o s.png",
            "sheet douyin --set cover=s.png -o s.png",
            "still sp.json --at 0 -o s.png", "encode sp.json --format mp4 -o sp.json",
            "\(lottieClip) --format mp4 -o s.png",
            "tutorial new sp.json -o sp.json",
            "tutorial t.yaml --format mp4 --fps 5 -o t.yaml",
            "encode qq --audio a.m4a --duration 1 --format mp4 -o a.m4a",
            "page sp.json -o link.html",
            "analyze s.mp4 --annotate-to hard.mp4", "analyze s.mp4 --annotate-to s.mp4",
            "verify s.mp4 --junit s.mp4", "verify s.mp4 --junit hard.mp4", "verify A/x.gif s.mp4 --junit B/../s.mp4",
            "verify s.mp4 --frames-sha256 ok.yaml --junit ok.yaml",
            "compare s.mp4 --as qq --report s.mp4", "compare s.mp4 --as qq --overlay hard.mp4",
            "compare s.mp4 --as douyin --set cover=s.png --picture link.png",
            "diff A B --junit A/x.gif", "diff A B --report B/../A/only.gif", "diff A/x.gif B/x.gif --junit hard.gif",
            "batch ok.yaml -o out2 --junit ok.yaml", "batch ok.yaml -o out2 --json-report A/../ok.yaml",
            "batch merge out -o out3 --junit out/ok/qq.mp4",
        ]
        try workspace.shellMustSucceed("ln -s sp.json link.html")
        let all = try workspace.everything()
        for line in lines {
            let outcome = try run(line + " --force")
            expectRefusal(outcome, 64, ["read"])
            let after = try workspace.everything().filter { !$0.key.hasPrefix("out2") && !$0.key.hasPrefix("out3") }
            #expect(after == all, "\(line): \(outcome.errorText)")
        }
        #expect(before.count + 1 == all.count)
    }

    private static let script =
        "tutorial: qq-mail\ntitle: {en: Balls, zh: 球}\nsteps: [{play: 1, say: {en: One., zh: 一。}}]\n"

    /// A merge reads clips, sidecars and records.
    @Test(.slow) func mergesReplaceNoneOfTheirSources() throws {
        try makeFile(Self.script, at: directory.file("l.yaml"))
        try makeFile(
            "defaults: {fps: 5, layout: 320x320, speed: ultrafast}\nclips: [{tutorial: l.yaml, name: p/l}]\n",
            at: directory.file("p.yaml"))
        try succeed("batch p.yaml -o out --progress none")
        let sources = ["p/l.mp4", "p/l.vtt", "p/l.png", ".loadervid/manifest.json", ".loadervid/lock"]
        for name in sources { try workspace.shellMustSucceed("ln -s out/\(name) \(name.replacing("/", with: "-"))") }
        let before = try workspace.everything()
        let reports = sources.flatMap { (name: String) -> [(name: String, report: String)] in
            ["out/\(name)", name.replacing("/", with: "-")].flatMap { path in
                ["--junit", "--json-report"].map { (name, "\($0) \(path)") }
            }
        }
        for (target, (name, report)) in some(of: ["", " -o all"], and: reports, each: 3) {
            let ownDirectory = "in the batch's own directory"
            let words = name.hasPrefix(".") ? [ownDirectory] : target.isEmpty ? ["output"] : ["read"]
            expectRefusal(try run("batch merge out\(target) \(report) --force"), 64, words)
        }
        #expect(try workspace.everything().filter { !$0.key.hasPrefix("all") } == before)
    }

    /// A report's path may be a link, but not to a file of the batch.
    @Test(.slow) func reportsReplaceNothingOfTheirBatch() throws {
        try makeFile(smallPreset, at: directory.file("ok.yaml"))
        try succeed("batch ok.yaml -o out --progress none")
        let lines = [
            "batch ok.yaml -o out --progress none", "batch ok.yaml -o out --progress none --force", "batch merge out",
            "batch merge out --force", "batch ok.yaml -o out --check",
        ]
        for (name, target) in [
            ("clip", "out/ok/qq.mp4"), ("again", "clip"), ("manifest", "out/.loadervid/manifest.json"),
        ] {
            try workspace.shellMustSucceed("ln -s \(target) \(name)")
            let before = try workspace.everything()
            for (option, line) in some(of: ["--junit", "--json-report"], and: lines, each: 3) {
                let outcome = try run("\(line) \(option) \(name)")
                expectRefusal(outcome, 64, ["\(option) \(name) is ", "; name another file"])
            }
            #expect(try workspace.everything() == before)
        }
    }

    /// A sidecar follows the same rules as any output.
    @Test func sidecarsNeverReplaceInputs() throws {
        try copyInputs()
        let old = try bytes(of: directory.file("s.png"))
        try makeFile(Self.script, at: directory.file("l.yaml"))
        let options = "--mark s.png --layout 320x320 --fps 5 --progress none"
        expectRefusal(try run("tutorial l.yaml \(options) -o s.mov --force"), 64, ["s.png", "read"])
        #expect(try bytes(of: directory.file("s.png")) == old)
        #expect(try !directory.names().contains { $0 == "s.mov" || $0 == "s.vtt" || $0.hasSuffix(".part") })
    }

    @Test(arguments: [
        "diff s.mp4 s.mp4 --report x.html --junit x.html", "diff s.mp4 s.mp4 --report x.html --junit ./x.html",
        "diff s.mp4 s.mp4 --report x.html --junit A/../x.html", "diff s.mp4 t.mp4 --picture x.png --junit x.png",
        "diff s.mp4 s.mp4 --report there --junit link", "analyze s.mp4 --plot x.svg --annotate-to there.mp4",
        "batch ok.yaml --junit r --json-report r", "batch ok.yaml --junit there --json-report link",
    ])
    func twoOutputsAreTwoFiles(line: String) throws {
        try copyInputs()
        try workspace.shellMustSucceed("cp s.mp4 t.mp4; echo mine >there; ln -s there link; ln -s x.svg there.mp4")
        let before = try workspace.everything()
        // A dangling link is rejected because it is a link.
        expectRefusal(try run(line + " --force"), line.contains("there.mp4") ? 73 : 64, [])
        #expect(try workspace.everything() == before)
    }

    // MARK: Reports

    private static let reports = [
        "verify s.mp4 --junit r", "diff s.mp4 s.mp4 --junit r", "diff s.mp4 s.mp4 --report r", "diff A B --report r",
        "batch ok.yaml -o out --progress none --junit r", "batch ok.yaml -o out --progress none --json-report r",
        "batch ok.yaml -o out --progress none --check --junit r", "batch merge out --junit r",
        "batch merge out --json-report r",
    ]

    /// CI writes reports in every run, but a file that is not such a report belongs to the user.
    @Test(.slow, arguments: reports) func reportsReplaceReportsAlone(line: String) throws {
        try copyInputs()
        try FileManager.default.removeItem(atPath: directory.file("A/only.gif"))
        try succeed("batch ok.yaml -o out --progress none")
        for _ in 0..<2 { try succeed(line) }
        let report = try bytes(of: directory.file("r"))
        #expect(report.count > 100)
        let others = [
            "", "mine", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"other\" tests=\"1\">", "{}",
        ]
        for other in others {
            try makeFile(other, at: directory.file("r"))
            expectRefusal(try run(line), 73, ["r already exists and is not a", "report of loadervid"])
            #expect(try bytes(of: directory.file("r")) == Array(other.utf8))
        }
        guard !line.contains("--check") else { return }
        try succeed(line + " --force")
        #expect(try bytes(of: directory.file("r")).count > 100)
        // A report of one kind does not count as one of the other kind.
        try Data(report).write(to: URL(fileURLWithPath: directory.file("r")))
        let other =
            line.contains("--junit") ? "batch ok.yaml -o out --progress none --json-report r" : "verify s.mp4 --junit r"
        expectRefusal(try run(other), 73, ["r already exists"])
    }

    @Test(arguments: [
        "verify s.mp4 --junit notes.txt", "diff A B --junit A/x.gif", "batch ok.yaml --junit ok.yaml",
        "batch ok.yaml --json-report sp.json", "batch ok.yaml --check --junit ok.yaml",
        "batch ok.yaml --check --junit notes.txt", "diff A B --report notes.txt",
    ])
    func reportsReplaceNothingElse(line: String) throws {
        try copyInputs()
        try makeFile("notes", at: directory.file("notes.txt"))
        let before = try workspace.everything()
        let outcome = try run(line)
        #expect(
            [64, 73].contains(outcome.code) && outcome.errorLines.count == 1, "\(outcome.code) \(outcome.errorText)")
        #expect(try workspace.everything() == before)
    }
}

extension CommandFixture {
    /// Makes the files that commands read.
    fileprivate func makeInputs() throws {
        let manager = FileManager.default
        for folder in ["A", "B"] {
            try manager.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
        }
        for line in [
            "still qq-mail --at 0 --size 32x16 -o s.png",
            "encode qq-mail --size 32x16 --set radius=9 --fps 5 --speed ultrafast --progress none -o s.mp4",
            "encode qq-mail --scale 1 --fps 10 --progress none -o A/x.gif", "tutorial new iqiyi -o t.yaml",
        ] {
            let outcome = try run(line.split(separator: " ").map(String.init))
            try #require(outcome.code == 0, "\(line): \(outcome.errorText)")
        }
        for name in ["B/x.gif", "A/only.gif"] {
            try manager.copyItem(atPath: directory.file("A/x.gif"), toPath: directory.file(name))
        }
        let lottie = """
            {"v": "5.7.0", "fr": 10, "ip": 0, "op": 5, "w": 20, "h": 20, "assets": [
              {"id": "a", "w": 8, "h": 8, "u": "", "p": "s.png", "e": 0}
            ], "layers": [
              {"ty": 2, "refId": "a", "ip": 0, "op": 5, "st": 0, "ks": {"p": {"a": 0, "k": [10, 10]}}}
            ]}
            """
        try makeFile(lottie, at: directory.file("sp.json"))
        try makeFile(smallPreset, at: directory.file("ok.yaml"))
        try shellMustSucceed(
            "ffmpeg -v error -f lavfi -i sine=duration=0.3 -c:a aac a.m4a && ln s.png hard.png && ln -s s.png link.png")
        try shellMustSucceed("ln s.mp4 hard.mp4 && ln A/x.gif hard.gif")
    }

    /// Runs a script, which must succeed.
    func shellMustSucceed(_ script: String) throws {
        let outcome = try shell(script)
        try #require(outcome.code == 0, "\(script): \(outcome.errorText)")
    }

    /// All files with their contents, including hidden ones.
    func everything() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in FileManager.default.enumerator(atPath: directory.path)?.compactMap({ $0 as? String }) ?? [] {
            var isDirectory: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: directory.file(name), isDirectory: &isDirectory)
            if exists, !isDirectory.boolValue { files[name] = try bytes(of: directory.file(name)) }
        }
        return files
    }
}
