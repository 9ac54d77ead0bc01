import Foundation
import TestSupport
import Testing

/// Sparse files, which take no space on the disk but hours to read.
@Suite struct LargeFileTests {
    private let fixture: VerificationFixture

    init() throws {
        fixture = try VerificationFixture()
        for folder in ["old", "new"] {
            try FileManager.default.createDirectory(atPath: fixture.file(folder), withIntermediateDirectories: true)
        }
    }

    private func makeFile(_ text: String, at name: String) throws {
        try TestSupport.makeFile(text, at: fixture.file(name))
        try #require(truncate(fixture.file(name), off_t(200 << 30)) == 0)
    }

    @Test func comparisonStopsAtTheFirstDifference() throws {
        try makeFile("one", at: "old/a.bin")
        try makeFile("two", at: "new/a.bin")
        let process = try Subprocess(builtProgram, ["diff", "old", "new"], directory: fixture.directory)
        let outcome = try process.wait(timeout: 20)
        #expect(outcome.code == 1 && outcome.text.contains("a.bin: differs"), "\(outcome.text)")
        #expect(outcome.cpuSeconds < 5)
    }

    /// The program ends normally, before the signal handler's limit of two seconds.
    @Test(.slow) func comparisonCanBeInterrupted() throws {
        try makeFile("one", at: "old/a.bin")
        try makeFile("one", at: "new/a.bin")
        let process = try Subprocess(builtProgram, ["diff", "old", "new"], directory: fixture.directory)
        usleep(1_000_000)
        let start = Date()
        process.send(SIGINT)
        let outcome = try process.wait(timeout: 20)
        #expect(outcome.code == 130 && Date().timeIntervalSince(start) < 2, "\(outcome.errorText)")
    }

    /// Files of equal size are compared past the first block.
    @Test func lateDifferencesAreFound() throws {
        let block = String(repeating: "x", count: 1 << 18)
        for (old, new, isSame) in [
            (block, block, true), (block + "a", block + "a", true), (block + "a", block + "b", false), ("", "", true),
        ] {
            try TestSupport.makeFile(old, at: fixture.file("old/a.bin"))
            try TestSupport.makeFile(new, at: fixture.file("new/a.bin"))
            #expect(try fixture.run(["diff", "old", "new"]).code == (isSame ? 0 : 1))
        }
    }
}
