import Foundation
import TestSupport
import Testing

/// What is one system's own lies in one place, so that another system needs a look at that place alone.
@Suite struct BoundaryTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// The Swift files below a folder that are not in a module of the platform, with their text.
    private func files(in folder: String) throws -> [(path: String, text: String)] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(Self.root)/\(folder)")
        let others = paths.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Platform/") && !$0.hasPrefix("PlatformF") }
        #expect(others.count > 30)
        return try others.map {
            ("\(folder)/\($0)", String(decoding: try bytes(of: "\(Self.root)/\(folder)/\($0)"), as: UTF8.self))
        }
    }

    @Test(arguments: ["Sources", "Tests"]) func theCLibraryIsImportedByThePlatformAlone(folder: String) throws {
        let names = /(?m)^\s*(@\S+\s+)*(public |package )?import (Glibc|Musl|Darwin|MachO|FoundationEssentials)\b/
        for file in try files(in: folder) {
            #expect(file.text.firstMatch(of: names) == nil, "\(file.path) imports what only some systems have")
        }
    }

    /// Loading Foundation takes longer than a still; its small part has another name on a Mac.
    @Test func theProgramDoesWithoutTheWholeOfFoundation() throws {
        for file in try files(in: "Sources") {
            #expect(file.text.firstMatch(of: /(?m)^\s*import Foundation\b/) == nil, "\(file.path)")
        }
    }

    /// Tests may use such paths as places where no file can be made.
    @Test func theKernelsFilesAreReadByThePlatformAlone() throws {
        for file in try files(in: "Sources") {
            #expect(!file.text.contains("/proc/") && !file.text.contains("/sys/"), "\(file.path)")
        }
    }

    /// Who uses a library has other options than the command line, or none.
    @Test func librariesKnowNoOptionsOfTheCommandLine() throws {
        let rooms = [
            "Motion", "Scene", "Loaders", "Raster", "Timing", "Annotations", "Media", "Pipeline", "Analysis",
            "LoaderVideo",
        ]
        for file in try files(in: "Sources") where rooms.contains(file.path.split(separator: "/").map(String.init)[1]) {
            for line in file.text.split(separator: "\n") where line.firstMatch(of: /^\s*\/\//) == nil {
                #expect(line.firstMatch(of: /[" (](--[a-z]|-o\b)|loadervid/) == nil, "\(file.path): \(line)")
            }
        }
    }

    /// What is longer holds more than one thing.
    @Test(arguments: ["Sources", "Tests"]) func filesAreShort(folder: String) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(Self.root)/\(folder)")
        for path in paths where path.hasSuffix(".swift") {
            let lines = try bytes(of: "\(Self.root)/\(folder)/\(path)").count { $0 == UInt8(ascii: "\n") }
            #expect(lines <= 300, "\(folder)/\(path) has \(lines) lines: split it by what it is about")
        }
    }
}
