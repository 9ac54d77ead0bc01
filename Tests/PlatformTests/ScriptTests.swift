import Foundation
import TestSupport
import Testing

/// The scripts that everybody runs, on machines that are not like this one.
@Suite struct ScriptTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// Runs `scripts/setup` where there are these programs of this machine only: no apt, no dpkg.
    private func setup(_ arguments: [String], programs: [String]) throws -> Outcome {
        let directory = try TemporaryDirectory()
        for program in programs {
            let path = try run("sh", ["-c", "command -v \(program)"]).text.split(separator: "\n").joined()
            try FileManager.default.createSymbolicLink(atPath: directory.file(program), withDestinationPath: path)
        }
        let script = Self.root + "/scripts/setup"
        return try Subprocess(directory.file("bash"), [script] + arguments, environment: ["PATH": directory.path])
            .wait()
    }

    @Test func whereNothingIsMissingSetupIsSilentWithoutApt() throws {
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
    func setupSaysInOneLineWhatIsMissing(programs: [String], arguments: [String], word: String) throws {
        let outcome = try setup(arguments, programs: programs)
        #expect(outcome.code == 69)
        #expect(outcome.errorLines.count == 1 && outcome.errorText.contains(word), "\(outcome.errorText)")
        #expect(outcome.errorText.hasPrefix("scripts/setup: "))
    }

    /// A Mac's bash is 3.2.
    @Test(arguments: ["scripts/setup", "scripts/loadervid", "scripts/test", "scripts/docs", ".ci/run"])
    func scriptsUseNoNewerBash(name: String) throws {
        let text = String(decoding: try bytes(of: "\(Self.root)/\(name)"), as: UTF8.self)
        for idiom in ["mapfile", "readarray", "declare -A", "local -A", ",,}", "^^}", "|&", "&>>", "wait -n"] {
            #expect(!text.contains(idiom), "\(idiom)")
        }
    }

    /// Every library that the sources import has its development files installed wherever the program is built.
    @Test(arguments: [
        "libavformat-dev", "libavcodec-dev", "libswscale-dev", "libcairo2-dev", "libpango1.0-dev", "libyaml-dev",
        "libwebp-dev", "libgeos-dev", "libjansson-dev", "libzip-dev",
    ])
    func librariesAreNamedWhereverTheyAreInstalled(package: String) throws {
        for name in ["Package.swift", "scripts/setup", "docker/Dockerfile"] {
            let text = String(decoding: try bytes(of: "\(Self.root)/\(name)"), as: UTF8.self)
            #expect(text.contains(package), "\(name)")
        }
    }
}
