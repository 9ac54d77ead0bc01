import Foundation
import TestSupport
import Testing

/// Scripts for users, on machines that lack some tools.
@Suite struct ScriptTests {
    /// Runs `scripts/setup` with only these programs in the search path, without apt and dpkg.
    private func setup(_ arguments: [String], programs: [String]) throws -> Outcome {
        let directory = try TemporaryDirectory()
        for program in programs {
            let path = try run("sh", ["-c", "command -v \(program)"]).text.split(separator: "\n").joined()
            try FileManager.default.createSymbolicLink(atPath: directory.file(program), withDestinationPath: path)
        }
        let script = sourceTree + "/scripts/setup"
        return try Subprocess(directory.file("bash"), [script] + arguments, environment: ["PATH": directory.path])
            .wait()
    }

    @Test func completeSetupIsSilentWithoutApt() throws {
        let programs = ["bash", "swift", "pkg-config", "ffmpeg", "ffprobe", "gifsicle", "python3", "uname"]
        let outcome = try setup(["test"], programs: programs)
        #expect(outcome.code == 0, "\(outcome.errorText)")
        #expect(outcome.output.isEmpty && outcome.errors.isEmpty)
    }

    @Test(arguments: [
        (["bash", "uname"], [String](), "no swift"), (["bash", "swift", "uname"], [], "pkg-config"),
        (["bash", "swift", "uname", "pkg-config"], ["test"], "ffmpeg"),
        (["bash", "swift", "uname", "pkg-config"], ["slurm"], "Debian"),
    ])
    func setupReportsMissingToolsInOneLine(programs: [String], arguments: [String], word: String) throws {
        let outcome = try setup(arguments, programs: programs)
        #expect(outcome.code == 69)
        #expect(outcome.errorLines.count == 1 && outcome.errorText.contains(word), "\(outcome.errorText)")
        #expect(outcome.errorText.hasPrefix("scripts/setup: "))
    }

    /// macOS has bash 3.2.
    @Test(arguments: ["scripts/setup", "scripts/loadervid", "scripts/test", "scripts/docs", ".ci/run"])
    func scriptsRunWithBash3(name: String) throws {
        let text = String(decoding: try bytes(of: "\(sourceTree)/\(name)"), as: UTF8.self)
        for idiom in ["mapfile", "readarray", "declare -A", "local -A", ",,}", "^^}", "|&", "&>>", "wait -n"] {
            #expect(!text.contains(idiom), "\(idiom)")
        }
    }

    /// Every imported library's development package is named wherever the program is built.
    @Test(arguments: [
        "libavformat-dev", "libavcodec-dev", "libswscale-dev", "libcairo2-dev", "libpango1.0-dev", "libyaml-dev",
        "libwebp-dev", "libgeos-dev", "libjansson-dev", "libzip-dev", "libicu-dev",
    ])
    func everySetupInstallsAllLibraries(package: String) throws {
        for name in ["Package.swift", "scripts/setup", "docker/Dockerfile"] {
            let text = String(decoding: try bytes(of: "\(sourceTree)/\(name)"), as: UTF8.self)
            #expect(text.contains(package), "\(name)")
        }
    }
}
