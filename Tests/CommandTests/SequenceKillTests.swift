import Foundation
import TestSupport
import Testing

/// Sequences that are killed, and those that replace others.
@Suite struct SequenceKillTests {
    /// Starts an encoding of `f/%d.png` that takes minutes, and waits for frames in its temporary
    /// directory. Returns that directory's name too.
    private func startLong(_ workspace: CommandFixture) throws -> (process: Subprocess, directory: String) {
        let process = try workspace.start([
            "encode", "jelly", "--size", "320x240", "--duration", "1000", "--force", "--progress", "none", "-o",
            "f/%d.png",
        ])
        while true {
            if let hidden = try workspace.directory.names().first(where: { $0.hasPrefix(".f.") }),
                try workspace.names(in: hidden).count >= 3
            {
                return (process, hidden)
            }
            usleep(20_000)
        }
    }

    /// An interrupted or killed run leaves the earlier sequence complete, and the next run removes
    /// what a killed one left.
    @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
    func killsLeaveTheEarlierSequence(signal: Int32) throws {
        let workspace = try CommandFixture()
        #expect(try workspace.encodeSequence("qq", to: "f/%d.png").code == 0)
        let first = try workspace.files(in: "f")
        let (process, directory) = try startLong(workspace)
        process.send(signal)
        #expect(try process.wait().code != 0)
        #expect(try workspace.files(in: "f") == first)
        #expect(try workspace.directory.names() == (signal == SIGKILL ? [directory, "f"] : ["f"]))
        #expect(try workspace.encodeSequence("qq", to: "f/%d.png", "--force").code == 0)
        #expect(try workspace.directory.names() == ["f"])
        #expect(try workspace.files(in: "f") == first)
    }

    /// Kills at any instant, also during the exchange of the directories, leave the old or the new
    /// sequence under the name.
    @Test(.slow) func killsAtAnyInstantLeaveAWholeSequence() throws {
        let workspace = try CommandFixture()
        for (loader, directory) in [("qq", "old"), ("jelly", "new"), ("qq", "f")] {
            #expect(try workspace.encodeSequence(loader, to: "\(directory)/%d.png").code == 0)
        }
        let (old, new) = (try workspace.files(in: "old"), try workspace.files(in: "new"))
        let start = Date()
        #expect(try workspace.encodeSequence("jelly", to: "f/%d.png", "--force").code == 0)
        let whole = Date().timeIntervalSince(start)
        for number in some(of: Array(0..<24), each: 2) {
            let words =
                ["encode", "jelly"] + CommandFixture.tenFrames + ["--progress", "none", "--force", "-o", "f/%d.png"]
            let process = try workspace.start(words)
            usleep(UInt32(whole * Double(number + 1) / 20 * 1e6))
            process.send(SIGKILL)
            _ = try process.wait()
            let found = try workspace.files(in: "f")
            #expect(found == old || found == new, "kill \(number) left \(found.keys.sorted())")
            let hidden = try workspace.directory.names().filter { $0.hasPrefix(".f.") }
            #expect(hidden.count <= 1, "kill \(number) left \(hidden)")
            if number == 12 { #expect(try workspace.encodeSequence("qq", to: "f/%d.png", "--force").code == 0) }
        }
        #expect(try workspace.encodeSequence("qq", to: "f/%d.png", "--force").code == 0)
        #expect(try workspace.directory.names() == ["f", "new", "old"])
    }

    /// A run removes no directory of a running one, and none with anything but frames.
    @Test func temporaryDirectoriesInUseAreKept() throws {
        let workspace = try CommandFixture()
        let (process, running) = try startLong(workspace)
        let foreign = ".f.0123456789abc.part"
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file(foreign), withIntermediateDirectories: false)
        try makeFile("mine", at: workspace.directory.file("\(foreign)/notes.txt"))
        #expect(try workspace.encodeSequence("qq", to: "f/%d.png").code == 0)
        #expect(try Set(workspace.directory.names()) == [foreign, running, "f"])
        process.send(SIGKILL)
        _ = try process.wait()
        #expect(try workspace.encodeSequence("qq", to: "f/%d.png", "--force").code == 0)
        #expect(try Set(workspace.directory.names()) == [foreign, "f"])
    }

    /// A sequence takes over the permissions of the one that it replaces.
    @Test func permissionsOutliveAReplacement() throws {
        let workspace = try CommandFixture()
        let manager = FileManager.default
        #expect(try workspace.encodeSequence("qq", to: "f/%d.png").code == 0)
        func mode(_ path: String) throws -> Int? {
            try manager.attributesOfItem(atPath: workspace.directory.file(path))[.posixPermissions] as? Int
        }
        try manager.setAttributes([.posixPermissions: 0o2750], ofItemAtPath: workspace.directory.file("f"))
        try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: workspace.directory.file("f/0.png"))
        #expect(try workspace.encodeSequence("jelly", to: "f/%d.png", "--force").code == 0)
        #expect(try mode("f") == 0o2750)
        for frame in 0..<10 { #expect(try mode("f/\(frame).png") == 0o640) }
    }
}
