import Foundation
import TestSupport
import Testing

/// An untrusted repository may contain any links and files, and another process may change them
/// while a batch runs. A batch must not touch anything outside the output directory, or files in it
/// that no batch made.
@Suite struct BatchLinkTests {
    private let workspace: CommandFixture
    private var directory: TemporaryDirectory { workspace.directory }
    private let manager = FileManager.default

    init() throws {
        workspace = try CommandFixture()
        try makeFile(
            "tutorial: qq-mail\ntitle: {en: Balls, zh: 球}\nsteps: [{play: 1, say: {en: One., zh: 一。}}]\n",
            at: directory.file("l.yaml"))
        try workspace.preset(
            "defaults: {fps: 5, layout: 320x320, speed: ultrafast}\nclips: [{tutorial: l.yaml, name: p/l}]\n")
        try manager.createDirectory(atPath: directory.file("victim"), withIntermediateDirectories: true)
        try makeFile("precious", at: directory.file("victim/file"))
    }

    private func batch(_ options: String...) throws -> Outcome {
        try workspace.run(["batch", "p.yaml", "--progress", "none"] + options)
    }

    private func expectVictimUnchanged(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let names = try manager.contentsOfDirectory(atPath: directory.file("victim"))
        #expect(names == ["file"], sourceLocation: sourceLocation)
        let content = try bytes(of: directory.file("victim/file"))
        #expect(content == Array("precious".utf8), sourceLocation: sourceLocation)
    }

    private func linkToVictim(_ name: String) throws {
        try? manager.removeItem(atPath: directory.file(name))
        try manager.createSymbolicLink(
            atPath: directory.file(name), withDestinationPath: directory.file("victim/file"))
    }

    /// The clip is stale and listed in a manifest, so the batch would replace it and its sidecars.
    @Test(.slow, arguments: some(of: ["vtt", "png"], and: [[], ["--force"]], each: 3))
    func sidecarsAreNotWrittenThroughLinks(
        ending: String, options: [String]
    ) throws {
        #expect(try batch().code == 0)
        try makeFile("stale", at: directory.file("out/p/l.mp4"))
        try linkToVictim("out/p/l.\(ending)")
        let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none"] + options)
        #expect(outcome.code == 73 && outcome.errorText.contains("l.\(ending) is a link"), "\(outcome.errorText)")
        try expectVictimUnchanged()
        #expect(try bytes(of: directory.file("out/p/l.mp4")) == Array("stale".utf8))
        let check = try workspace.run(["batch", "p.yaml", "--check"])
        #expect(check.code == 1 && check.errorText.contains("is a link"), "\(check.errorText)")
    }

    @Test(arguments: ["vtt", "png"]) func lessonsAreNotWrittenThroughLinks(ending: String) throws {
        try linkToVictim("x.\(ending)")
        let lesson = ["tutorial", "l.yaml", "--layout", "320x320", "--fps", "5", "--progress", "none", "-o", "x.mp4"]
        expectRefusal(try workspace.run(lesson + ["--force"]), 73, ["x.\(ending) is a link"])
        try expectVictimUnchanged()
        #expect(try !directory.names().contains("x.mp4"))
    }

    /// A sidecar that no batch made belongs to the user, as a clip would.
    @Test(.slow) func sidecarsOfTheUserAreKept() throws {
        try manager.createDirectory(atPath: directory.file("out/p"), withIntermediateDirectories: true)
        try makeFile("mine", at: directory.file("out/p/l.vtt"))
        let refused = try batch()
        #expect(
            refused.code == 73 && refused.errorText.contains("l.vtt exists and was not made"), "\(refused.errorText)")
        #expect(try bytes(of: directory.file("out/p/l.vtt")) == Array("mine".utf8))
        #expect(try manager.contentsOfDirectory(atPath: directory.file("out/p")) == ["l.vtt"])
        #expect(try batch("--dry-run").text.contains("l.vtt"))
        #expect(try batch("--force").code == 0)
        #expect(try String(decoding: bytes(of: directory.file("out/p/l.vtt")), as: UTF8.self).hasPrefix("WEBVTT"))
        // The batch replaces its own sidecars even if the clip is missing.
        try manager.removeItem(atPath: directory.file("out/p/l.mp4"))
        let again = try batch()
        #expect(again.code == 0, "\(again.errorText)")
    }

    @Test(arguments: ["manifest.json", "manifest-0-of-2.json", "lock", "lock-0-of-2"])
    func linksInTheStateDirectoryAreRejected(name: String) throws {
        try manager.createDirectory(atPath: directory.file("out/.loadervid"), withIntermediateDirectories: true)
        try linkToVictim("out/.loadervid/\(name)")
        let outcome = try batch("--shard", "0/2")
        expectRefusal(outcome, 73, ["\(name) is a link"])
        try expectVictimUnchanged()
    }

    @Test(arguments: ["out/.loadervid", "out/p"]) func linkedDirectoriesAreRejected(name: String) throws {
        try manager.createDirectory(atPath: directory.file("out"), withIntermediateDirectories: true)
        try manager.createSymbolicLink(
            atPath: directory.file(name), withDestinationPath: directory.file("victim"))
        for options in [[], ["--force"]] {
            let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none"] + options)
            #expect(outcome.code == 73 && outcome.errorText.contains("\(name) is a link"), "\(outcome.errorText)")
        }
        try expectVictimUnchanged()
    }

    /// A hard link is a regular file: a batch replaces the name and not the contents.
    @Test func filesAreNotWrittenThroughHardLinks() throws {
        #expect(try batch().code == 0)
        let undisturbed = try workspace.files(in: "out")
        #expect(Set(undisturbed.keys) == ["p/l.mp4", "p/l.vtt", "p/l.png"])
        for options in [[], ["--force"]] {
            for name in undisturbed.keys {
                try manager.removeItem(atPath: directory.file("out/\(name)"))
                try manager.linkItem(
                    atPath: directory.file("victim/file"), toPath: directory.file("out/\(name)"))
            }
            let outcome = try workspace.run(["batch", "p.yaml", "--progress", "none"] + options)
            #expect(outcome.code == 0, "\(outcome.errorText)")
            #expect(try workspace.files(in: "out") == undisturbed)
            try expectVictimUnchanged()
        }
    }

    /// Swaps the targets of a batch's writes repeatedly while batches run. `LOADERVID_SWAP_SECONDS`
    /// sets the duration.
    @Test(.slow) func swappedTargetsAreNeverWritten() throws {
        let seconds = ProcessInfo.processInfo.environment["LOADERVID_SWAP_SECONDS"].flatMap(Double.init) ?? 2
        #expect(try batch("-o", "undisturbed").code == 0)
        let undisturbed = try workspace.files(in: "undisturbed")
        var (batches, swaps) = (0, 0)
        let deadline = Date().addingTimeInterval(seconds)
        // Other tests can delay this one for seconds, in which a batch sees no swap.
        while Date() < deadline || (swaps <= 10 && batches < 100) {
            // Swaps may leave it behind, but `swapOutput` needs that of the batch.
            try? manager.removeItem(atPath: directory.file("out/.loadervid/tmp"))
            let process = try workspace.start(
                ["batch", "p.yaml", "--force", "--progress", "none"], output: .path("/dev/null"))
            while process.isRunning {
                swap("out/p", with: "victim", for: useconds_t.random(in: 0...20_000))
                swap("out/p/l.vtt", with: "victim/file", for: useconds_t.random(in: 0...5_000))
                swap("out/.loadervid/tmp", with: "victim", for: useconds_t.random(in: 0...5_000))
                swap("out/.loadervid", with: "victim", for: useconds_t.random(in: 0...5_000))
                swapOutput(for: useconds_t.random(in: 0...20_000))
                swaps += 1
            }
            let code = try process.wait().code
            #expect([0, 73, 74, 65].contains(code), "it ended with \(code)")
            batches += 1
            guard code == 0 else { continue }
            for (name, bytes) in try workspace.files(in: "out") {
                #expect(bytes == undisturbed[name], "\(name) has other contents")
            }
        }
        try expectVictimUnchanged()
        #expect(batches > 0 && swaps > 10)
        // Files left by interrupted swaps must not stop the next batch.
        try? manager.removeItem(atPath: directory.file("out"))
        #expect(try batch().code == 0)
    }

    /// Replaces a file or directory with a link for a while.
    private func swap(_ name: String, with target: String, for duration: useconds_t) {
        let (path, aside) = (directory.file(name), directory.file("aside"))
        let wasThere = rename(path, aside) == 0
        if symlink(directory.file(target), path) == 0 {
            usleep(duration)
            unlink(path)
        }
        guard wasThere, rename(aside, path) != 0 else { return }
        // The batch has created a new one in the meantime.
        try? manager.removeItem(atPath: aside)
    }

    /// Replaces the output directory for a while with one in which the batch's temporary files are
    /// links to the victim. Does nothing before the batch has opened the directory, since it may
    /// use whichever directory it finds.
    private func swapOutput(for duration: useconds_t) {
        let (path, aside) = (directory.file("out"), directory.file("aside"))
        let temporaries = "/.loadervid/tmp"
        guard manager.fileExists(atPath: path + temporaries), rename(path, aside) == 0 else { return }
        try? manager.createDirectory(atPath: path + temporaries, withIntermediateDirectories: true)
        for name in (try? manager.contentsOfDirectory(atPath: aside + temporaries)) ?? [] {
            symlink(directory.file("victim/file"), path + temporaries + "/" + name)
        }
        usleep(duration)
        try? manager.removeItem(atPath: path)
        rename(aside, path)
    }
}
