import Foundation
import TestSupport
import Testing

/// System-specific code is confined to `Core/Platform`, so that a port only needs changes there.
@Suite struct BoundaryTests {
    /// The path and text of each Swift file in a folder, except those of `Core/Platform`.
    private func files(in folder: String) throws -> [(path: String, text: String)] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(sourceTree)/\(folder)")
        let others = paths.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Core/Platform/") }
        #expect(others.count > 30)
        return try others.map {
            ("\(folder)/\($0)", String(decoding: try bytes(of: "\(sourceTree)/\(folder)/\($0)"), as: UTF8.self))
        }
    }

    @Test(arguments: ["Sources", "Tests"]) func onlyPlatformImportsTheCLibrary(folder: String) throws {
        let names = /(?m)^\s*(@\S+\s+)*(public |package )?import (Glibc|Musl|Darwin|MachO|FoundationEssentials)\b/
        for file in try files(in: folder) {
            #expect(file.text.firstMatch(of: names) == nil, "\(file.path) imports a system-specific module")
        }
    }

    /// Loading Foundation takes longer than drawing a still. FoundationEssentials has another name
    /// on macOS.
    @Test func sourcesDoNotImportFoundation() throws {
        for file in try files(in: "Sources") {
            #expect(file.text.firstMatch(of: /(?m)^\s*import Foundation\b/) == nil, "\(file.path)")
        }
    }

    /// Tests may use these paths as directories in which no file can be created.
    @Test func onlyPlatformReadsKernelFiles() throws {
        for file in try files(in: "Sources") {
            #expect(!file.text.contains("/proc/") && !file.text.contains("/sys/"), "\(file.path)")
        }
    }

    /// A program that uses the libraries has other options than the command line, or none.
    @Test func librariesDoNotMentionCommandLineOptions() throws {
        let modules = ["Core", "Animations", "Raster", "Media", "Render", "LoaderVideo"]
        for file in try files(in: "Sources")
        where modules.contains(file.path.split(separator: "/").map(String.init)[1]) {
            for line in file.text.split(separator: "\n") where line.firstMatch(of: /^\s*\/\//) == nil {
                #expect(line.firstMatch(of: /[" (](--[a-z]|-o\b)|loadervid/) == nil, "\(file.path): \(line)")
            }
        }
    }

    /// Every public name is a promise to programs that use the libraries.
    @Test func publicNamesAreFew() throws {
        let counts = try files(in: "Sources").map { $0.text.matches(of: /(?m)^\s*public\b/).count }
        #expect(counts.reduce(0, +) <= 900, "declare as package what no public declaration uses")
    }

    /// A longer file covers more than one subject.
    @Test(arguments: ["Sources", "Tests"]) func filesAreShort(folder: String) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(sourceTree)/\(folder)")
        for path in paths where path.hasSuffix(".swift") {
            let lines = try bytes(of: "\(sourceTree)/\(folder)/\(path)").count { $0 == UInt8(ascii: "\n") }
            #expect(lines <= 300, "\(folder)/\(path) has \(lines) lines; split it by subject")
        }
    }
}
