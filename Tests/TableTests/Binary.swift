import Foundation
import TestSupport
import Testing

/// Runs the built program.
struct Binary {
    /// What a run left behind.
    struct Result {
        let code: Int32
        let output: Data
        let errors: String
        var text: String { String(decoding: output, as: UTF8.self) }
        var lines: [String] {
            text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    static func run(_ arguments: String...) throws -> Result { try run(arguments) }

    static func run(_ arguments: [String]) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: builtProgram)
        process.arguments = arguments
        let files = try (0..<2).map { _ in try temporaryFile() }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return Result(
            code: process.terminationStatus, output: try Data(contentsOf: files[0]),
            errors: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self))
    }

    private static func temporaryFile() throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: "loadervid-run-\(UUID().uuidString)")
        try Data().write(to: file)
        return file
    }

    /// A directory of its own for a test's files.
    static func directory<T>(_ body: (URL) throws -> T) throws -> T {
        let url = FileManager.default.temporaryDirectory.appending(path: "loadervid-tables-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url)
    }
}

/// Reads comma-separated values with quotation marks.
func parseCSV(_ text: String) -> [[String]] {
    var (rows, row, cell, isQuoted) = ([[String]](), [String](), "", false)
    for character in text {
        switch character {
        case "\"": isQuoted.toggle()
        case "," where !isQuoted:
            row.append(cell)
            cell = ""
        case "\n" where !isQuoted:
            rows.append(row + [cell])
            (row, cell) = ([], "")
        default: cell.append(character)
        }
    }
    return rows
}
