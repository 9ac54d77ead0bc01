import Core
import Foundation
import Media
import Render
import TestSupport
import Testing

@testable import Batch

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct BatchRunTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A request with an encoder that FFmpeg lists, but that does not open without its hardware.
    private func broken() throws -> RenderRequest {
        try request {
            $0.codec = "h264_nvenc"
            $0.speed = nil
        }
    }

    @Test func newLibrariesMakeEverythingStale() throws {
        let clips = try [clip("a", [request()])]
        #expect(try run(clips, in: directory).results == ["a.mp4": "made new"])
        #expect(try run(clips, in: directory).results == ["a.mp4": "up-to-date "])
        let newer = Toolchain(versions: ["loadervid": "1", "FFmpeg": "6"])
        #expect(try run(clips, in: directory, toolchain: newer).results == ["a.mp4": "made FFmpeg 5 → 6"])
        // Going back renders again, since the record of the older version was replaced.
        #expect(try run(clips, in: directory).results == ["a.mp4": "made FFmpeg 6 → 5"])
    }

    @Test(.enabled(if: CodecProfile.find("h264_nvenc") != nil && CodecProfile.find("h264_nvenc")?.problem() != nil))
    func oneFailureDoesNotAffectOthers() throws {
        let clips = try [clip("a", [request()]), clip("b", [broken(), request { $0.container = .mkv }])]
        let report = try run(clips, in: directory)
        #expect(report.results == ["a.mp4": "made new", "b.mp4": "failed new", "b-1.mkv": "made new"])
        #expect(report.worst == .unavailable)
        #expect(report.outputs.first { $0.state == .failed }?.error?.description.contains("h264_nvenc") == true)
        #expect(try directory.names() == [".loadervid", "a.mp4", "b-1.mkv"])
        // Only the failed output is tried again.
        #expect(try run(clips, in: directory).results["a.mp4"] == "up-to-date ")
        #expect(try run(clips, in: directory).results["b.mp4"] == "failed new")
    }

    @Test(.enabled(if: CodecProfile.find("h264_nvenc") != nil && CodecProfile.find("h264_nvenc")?.problem() != nil))
    func failFastEndsTheBatch() throws {
        // The costliest clip is rendered first.
        let large = try broken()
        let clips =
            try [clip("a", [large])] + (0..<9).map { try clip("z\($0)", [request { $0.extent = .duration(1) }]) }
        let report = try run(clips, in: directory) {
            $0.failFast = true
            $0.cores = 1
        }
        #expect(report.count(.failed) == 1 && report.count(.notRun) == 9, "\(report.results)")
        #expect(report.worst == .unavailable && !report.isInterrupted)
        #expect(try directory.names() == [".loadervid"])
    }

    @Test func theWorstFailureCounts() {
        func report(_ kinds: [LoadervidError.Kind], isInterrupted: Bool = false) -> BatchReport {
            let outputs = kinds.map { kind in
                OutputResult.failure(LoadervidError(kind, "no"))
            }
            return BatchReport(outputs: outputs, seconds: 0, isInterrupted: isInterrupted)
        }
        #expect(report([]).worst == nil)
        #expect(report([.badData, .cannotCreate, .inputOutput, .unavailable]).worst == .inputOutput)
        #expect(report([.missingInput, .badData]).worst == .missingInput)
        #expect(report([.internal, .inputOutput]).worst == .internal)
        #expect(report([.internal], isInterrupted: true).worst == .interrupted)
    }

    @Test func duplicatePathsAreRejected() throws {
        let clips = try [clip("a", [request()]), clip("a", [request { $0.slowmo = 2 }])]
        let error = try #require(throws: LoadervidError.self) { try BatchPlan(clips, toolchain: toolchain) }
        #expect(error.kind == .badData)
        #expect(error.description.contains("a.mp4") && error.description.contains("test.yaml:1:1"))
    }

    @Test(arguments: ["../a", "/a", "a/../b", "./a", "a//b", "", ".loadervid/a", "a/", "a\0b"])
    func pathsOutsideAreRejected(name: String) throws {
        #expect(!OutputDirectory.isSafe(name + (name.hasSuffix("/") || name.isEmpty ? "" : ".mp4")))
        guard !name.isEmpty, !name.hasSuffix("/") else { return }
        let clips = try [clip(name, [request()])]
        #expect(throws: LoadervidError.self) { try BatchPlan(clips, toolchain: toolchain) }
    }

    /// Manifests may be untrusted, for example in downloaded artifacts.
    @Test(arguments: [
        "", "[]", "{\"schema\": 2}", "{\"schema\": 1}",
        "{\"schema\": 1, \"toolchain\": {}, \"plan\": {}, \"outputs\": {\"../a\": {}}}",
        "{\"schema\": 1, \"toolchain\": {}, \"plan\": {\"/etc/a\": {\"fingerprint\": \"\", \"preset\": \"\", \"frames\": 1}}, \"outputs\": {}}",
    ])
    func badManifestsAreRefused(text: String) throws {
        let error = try #require(throws: LoadervidError.self) { try Manifest(json: Array(text.utf8), path: "m.json") }
        #expect(error.kind == .badData)
        #expect(error.description.hasPrefix("m.json") && !error.description.contains("\n"))
    }

    /// Names that must be escaped in JSON and XML.
    @Test func strangeNamesAreReportedWhole() throws {
        let name = "a\"<&>'\\ 动画\u{301}\u{1}"
        let clips = try [clip(name, [request()]), clip("b", [request()])]
        try makeFile("mine", at: directory.file("b.mp4"))
        let report = try run(clips, in: directory)
        #expect(report.count(.made) == 1 && report.worst == .cannotCreate)
        #expect(try run(clips, in: directory).results[name + ".mp4"] == "up-to-date ")
        let reader = JUnitReader()
        let text = report.junit(name: "program")
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(text)")
        #expect(reader.cases == [name.replacing("\u{1}", with: "\\u0001") + ".mp4", "b.mp4"])
        #expect(reader.failures.count == 1 && reader.failures[0].contains("allow overwriting it"))
    }

    @Test func linksAreRefused() throws {
        let outside = try TemporaryDirectory()
        let clips = try [clip("sub/a", [request()]), clip("sub/deep/b", [request()]), clip("c", [request()])]
        let files = FileManager.default
        try files.createSymbolicLink(atPath: directory.file("sub"), withDestinationPath: outside.path)
        try files.createSymbolicLink(atPath: directory.file("c.mp4"), withDestinationPath: outside.file("c.mp4"))
        for force in [false, true] {
            let report = try run(clips, in: directory) { $0.force = force }
            #expect(report.count(.failed) == 3 && report.worst == .cannotCreate, "\(report.results)")
        }
        #expect(try outside.names().isEmpty)
        // Links are refused even if they stay within the directory, since another process could
        // redirect them at any time.
        try files.removeItem(atPath: directory.file("sub"))
        try files.createDirectory(atPath: directory.file("real"), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: directory.file("sub"), withDestinationPath: "real")
        #expect(try run(clips, in: directory).count(.failed) == 3)
        #expect(try files.contentsOfDirectory(atPath: directory.file("real")).isEmpty)
        let other = try TemporaryDirectory()
        try files.createSymbolicLink(atPath: other.file(".loadervid"), withDestinationPath: outside.path)
        #expect(throws: LoadervidError.self) { try run(clips, in: other) }
        #expect(try outside.names().isEmpty)
    }
}

extension OutputResult {
    fileprivate static func failure(_ error: LoadervidError) -> OutputResult {
        OutputResult(
            path: "a", preset: "p", state: .failed, reason: "", error: error, frames: 1, duration: 1, bytes: nil,
            sha256: nil, fingerprint: "", seconds: 0)
    }
}

private final class JUnitReader: NSObject, XMLParserDelegate {
    var cases: [String] = []
    var failures: [String] = []

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if element == "testcase" { cases.append(attributes["name"] ?? "") }
        if element == "failure" { failures.append(attributes["message"] ?? "") }
    }
}
