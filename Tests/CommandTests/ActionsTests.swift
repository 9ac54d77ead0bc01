import Foundation
import TestSupport
import Testing

/// Output for GitHub's runner, and its absence elsewhere.
@Suite struct ActionsTests {
    private static let name = "x|y`<b>, 50% ::"
    private static let preset = """
        defaults: {size: 32x16, fps: 10, speed: ultrafast, duration: 0.2}
        clips:
          - loader: qq
          - loader: jelly
            name: "\(name)"

        """

    /// A batch with one output that cannot be made, because another file has its name.
    private func workspace() throws -> CommandFixture {
        let workspace = try CommandFixture()
        try workspace.preset(Self.preset, at: "p,1.yaml")
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file("out"), withIntermediateDirectories: true)
        try makeFile("mine", at: workspace.directory.file("out/\(Self.name).mp4"))
        return workspace
    }

    private func batch(_ workspace: CommandFixture, _ arguments: String..., summary: String? = nil) throws -> Outcome {
        var environment = ["GITHUB_ACTIONS": "true"]
        environment["GITHUB_STEP_SUMMARY"] = summary.map { workspace.directory.file($0) }
        return try workspace.run(["batch", "p,1.yaml", "-o", "out"] + arguments, environment: environment)
    }

    @Test func failuresAreAnnotatedAtTheirLocation() throws {
        let workspace = try workspace()
        try makeFile("# Before\n", at: workspace.directory.file("summary.md"))
        let outcome = try batch(workspace, summary: "summary.md")
        #expect(outcome.code == 73, "\(outcome.errorText)")
        let commands = outcome.errorLines.filter { $0.hasPrefix("::") }
        try #require(commands.count == 1, "\(outcome.errorText)")
        #expect(
            commands[0].hasPrefix("::error file=p%2C1.yaml,line=4,col=5,title=x|y`<b>%2C 50%25 %3A%3A.mp4::"),
            "\(commands)")
        #expect(commands[0].contains("exists") && commands[0].contains("50%25 ::"))
        #expect(!outcome.lines.contains { $0.hasPrefix("::") })

        let text = try String(contentsOfFile: workspace.directory.file("summary.md"), encoding: .utf8)
        #expect(text.hasPrefix("# Before\n### loadervid\n\n2 outputs&#58; 1 made, 1 failed; "), "\(text)")
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(rows.count == 4 && rows.allSatisfy { $0.split(separator: "|").count == 7 }, "\(text)")
        let table = rows.joined(separator: "\n")
        #expect(
            !table.contains("`") && !table.contains("<")
                && table.contains("x&#124;y&#96;&#60;b&#62;, 50% &#58;&#58;.mp4"))
        #expect(table.contains("failed&#58; ") && table.contains("made"))
    }

    @Test(.slow) func problemsInPresetsAndLessonsAreAnnotated() throws {
        let workspace = try CommandFixture()
        try workspace.preset("clips:\n  - loader: qq\n    fsp: 30\n")
        try makeFile("tutorial: qq-mail\nsteps:\n  - dance: 1\n", at: workspace.directory.file("l.yaml"))
        for (arguments, location) in [
            (["presets", "validate", "p.yaml"], "p.yaml,line=3,col=5"), (["batch", "p.yaml"], "p.yaml,line=3,col=5"),
            (["tutorial", "check", "l.yaml"], "l.yaml,line=3,col="), (["batch", "none.yaml"], "none.yaml,title="),
        ] {
            let outcome = try workspace.run(arguments, environment: ["GITHUB_ACTIONS": "true"])
            let commands = outcome.errorLines.filter { $0.hasPrefix("::error file=\(location)") }
            #expect(outcome.code != 0 && !commands.isEmpty, "\(outcome.errorText)")
            for variables in [[:], ["GITHUB_ACTIONS": "1"], ["GITHUB_ACTIONS": "false"]] {
                let other = try workspace.run(arguments, environment: variables)
                #expect(other.code == outcome.code && !other.errorText.contains("::error"), "\(other.errorText)")
            }
        }
    }

    /// GitHub resolves paths from the repository root.
    @Test func pathsAreRelativeToTheRepository() throws {
        let workspace = try CommandFixture()
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file("clips"), withIntermediateDirectories: true)
        try workspace.preset("clips: [{loader: none}]\n", at: "clips/p.yaml")
        let outcome = try workspace.shell(
            "root=$PWD; cd clips; GITHUB_ACTIONS=true GITHUB_WORKSPACE=$root \"$LOADERVID\" presets validate p.yaml")
        #expect(outcome.errorText.contains("::error file=clips/p.yaml,line=1,"), "\(outcome.errorText)")
    }

    @Test func nothingIsPrintedOutsideGitHubActions() throws {
        let workspace = try workspace()
        try makeFile("# Before\n", at: workspace.directory.file("summary.md"))
        let variables = ["GITHUB_STEP_SUMMARY": workspace.directory.file("summary.md")]
        let outside = try workspace.run(["batch", "p,1.yaml", "-o", "out"], environment: variables)
        #expect(outside.code == 73 && !outside.errorText.contains("::error"), "\(outside.errorText)")
        // Annotations would break JSON events. Without events they appear for every style.
        for style in ["json", "none", "bar"] {
            let outcome = try batch(workspace, "--progress", style, summary: "summary.md")
            #expect(outcome.code == 73, "\(outcome.errorText)")
            #expect(outcome.errorText.contains("::error") == (style != "json"), "\(style): \(outcome.errorText)")
        }
        try workspace.preset("clips:\n  - loader: qq\n    fsp: 30\n", at: "wrong.yaml")
        for (options, isAnnotated) in [(["--progress", "json"], false), (["--progress=json"], false), ([], true)] {
            let outcome = try workspace.run(
                ["batch", "wrong.yaml"] + options, environment: ["GITHUB_ACTIONS": "true"])
            #expect(outcome.code == 65, "\(outcome.errorText)")
            #expect(outcome.errorText.contains("::error") == isAnnotated, "\(outcome.errorText)")
        }
        #expect(try bytes(of: workspace.directory.file("summary.md")) == Array("# Before\n".utf8))
    }

    /// A summary is written only to a regular file, and a failure does not stop the batch.
    @Test func summariesAreWrittenOnlyToRegularFiles() throws {
        let workspace = try workspace()
        let directory = workspace.directory
        try makeFile("mine", at: directory.file("target"))
        try FileManager.default.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: "target")
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        try FileManager.default.createDirectory(atPath: directory.file("folder"), withIntermediateDirectories: true)
        for name in ["link", "pipe", "folder", "none/summary.md"] {
            let outcome = try batch(workspace, summary: name)
            #expect(outcome.code == 73, "\(outcome.errorText)")
            let warnings = outcome.errorLines.filter { $0.contains("GITHUB_STEP_SUMMARY") }
            #expect(warnings.count == 1 && warnings[0].hasPrefix("loadervid: "), "\(outcome.errorText)")
        }
        #expect(try bytes(of: directory.file("target")) == Array("mine".utf8))
        let full = [UInt8](repeating: 32, count: (1 << 20) - 5)
        try Data(full).write(to: URL(fileURLWithPath: directory.file("full.md")))
        let text = try batch(workspace, summary: "full.md").errorText
        #expect(
            text.contains(
                "full.md' has \(full.count) bytes, and the maximum is 1048576; write less into it in earlier steps"),
            "\(text)")
        #expect(try bytes(of: directory.file("full.md")) == full)
        #expect(try batch(workspace, summary: "link").errorText.contains("' is a symbolic link; name a regular file"))
        #expect(try batch(workspace, summary: "new.md").code == 73)
        #expect(try bytes(of: directory.file("new.md")).starts(with: "### loadervid".utf8))
    }

    /// The runner must not interpret a file name as a command.
    @Test(.slow) func namesAreNotWorkflowCommands() throws {
        let workspace = try CommandFixture()
        try workspace.preset(
            "defaults: {size: 32x16, fps: 10, speed: ultrafast, duration: 0.1}\nclips:\n"
                + "  - {loader: qq, name: '::stop-commands::x'}\n  - {loader: jelly, name: '##[error]x'}\n")
        let arguments = ["batch", "p.yaml", "-o", "out", "--progress", "plain"]
        let outcome = try workspace.run(arguments, environment: ["GITHUB_ACTIONS": "true"])
        #expect(outcome.code == 0, "\(outcome.errorText)")
        for line in outcome.lines + outcome.errorLines {
            #expect(!line.drop { $0 == " " }.hasPrefix("::") && !line.contains("##["), "\(line)")
        }
        let film =
            ###"{"v":"5.5.0","nm":"##[error]q","fr":10,"ip":0,"op":10,"w":32,"h":32,"layers":[{"ty":4,"###
            + ###""nm":"##[error]l","ip":0,"op":10,"ks":{"p":{"a":1,"k":[{"t":0,"s":[2,2]},{"t":9,"s":[30,30]}]}},"###
            + #""shapes":[{"ty":"rc","p":{"k":[0,0]},"s":{"k":[4,4]},"r":{"k":0}},{"ty":"fl","c":{"k":[1,0,0]},"o":{"k":100}}]}]}"#
        for name in ["::error::q", "##[error]q"] {
            try makeFile(film, at: workspace.directory.file("\(name).json"))
            try workspace.encode("qq-mail", "--size", "64x32", "--fps", "25", to: "\(name).mp4")
            for command in [
                ["phases", "\(name).json"], ["phases", "\(name).json", "--json"], ["list", "\(name).json"],
                ["list", "\(name).json", "--json"], ["telemetry", "\(name).json", "--fps", "10", "--json"],
                ["analyze", "\(name).mp4"], ["analyze", "\(name).mp4", "--json"],
                ["encode", "\(name).json", "--size", "32x32", "-o", "\(name).gif", "--progress", "json", "--force"],
                ["batch", "p.yaml", "-o", "out", "--progress", "json", "--force"],
            ] {
                let outcome = try workspace.run(command, environment: ["GITHUB_ACTIONS": "true"])
                for line in outcome.lines + outcome.errorLines {
                    #expect(
                        !line.drop { $0 == " " }.hasPrefix("::") && !line.contains("##["), "\(command): \(line)")
                }
                guard outcome.code == 0, command.contains("--json") else { continue }
                _ = try JSONSerialization.jsonObject(with: Data(outcome.output))
            }
        }
        let outside = try workspace.run(arguments + ["--force"])
        #expect(
            (outside.lines + outside.errorLines).contains { $0.drop { $0 == " " }.hasPrefix("::stop-commands::x.mp4") })
    }
}
