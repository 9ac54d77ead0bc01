import Foundation
import Media
import TestSupport
import Testing

/// A program that uses the library needs no set-up of logs, memory or environment.
@Suite struct LibraryUserTests {
    /// The path of a program that only uses the library, which is built next to the tests.
    private static let program: String = {
        let arguments = CommandLine.arguments
        let bundle = arguments.firstIndex(of: "--test-bundle-path").flatMap { arguments.dropFirst($0 + 1).first }
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let neighbours = [own, bundle, arguments.first].compactMap { $0 }.map { path in
            URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("LibraryUser").path
        }
        return neighbours.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "LibraryUser-was-not-built"
    }()

    /// The installed codecs that encode small frames.
    private static let codecs = CodecProfile.named.filter { name, profile in
        profile.traits.minWidth == 1 && CodecProfile.find(name) != nil
    }.map(\.name)

    @Test(.slow, arguments: some(of: codecs, each: 2))
    func outputIsSilentAndDoesNotDependOnUninitializedMemory(codec: String) throws {
        let directory = try TemporaryDirectory()
        let files = try (0..<3).map { number in
            let path = directory.file("\(number).mkv")
            let outcome = try Subprocess(Self.program, [codec, path, "\(127 * number)"]).wait()
            try #require(outcome.code == 0, "\(outcome.errorText)")
            #expect(outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome.text) \(outcome.errorText)")
            return try Data(contentsOf: URL(filePath: path))
        }
        #expect(Set(files).count == 1 && files[0].count > 1000, "\(files.map(\.count))")
    }
}
