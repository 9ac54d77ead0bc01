import Foundation
import LoaderVideo
import TestSupport
import Testing

/// The loader that docs/extending.md begins with is the one that these tests compile and render.
@Suite struct ExtendingTests {
    @Test func theDocumentShowsTheCompiledLoader() throws {
        let document = try String(contentsOfFile: sourceTree + "/docs/extending.md", encoding: .utf8)
        let source = try String(contentsOfFile: sourceTree + "/Tests/LoaderVideoTests/Blink.swift", encoding: .utf8)
        #expect(document.contains("```swift\n\(source)```\n"))
    }

    @Test func theLoaderRenders() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("blink.mkv")
        try await Clip(Blink()).write(to: path)
        #expect(try DecodedVideo(path: path).times.count == 60)
    }

    /// Every file that the document names exists.
    @Test func namedFilesExist() throws {
        let document = try String(contentsOfFile: sourceTree + "/docs/extending.md", encoding: .utf8)
        let names = document.matches(of: /[A-Za-z\/]+\.swift/).map { String($0.0) }
        #expect(names.count > 20)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sourceTree)
            .filter { $0.hasPrefix("Sources/") || $0.hasPrefix("Tests/") }
        for name in names {
            #expect(paths.contains { $0 == name || $0.hasSuffix("/" + name) }, "\(name)")
        }
    }
}
