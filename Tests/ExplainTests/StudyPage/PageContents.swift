import Foundation
import TestSupport
import Testing

/// The contents of a page, read by an independent decoder.
struct PageContents: Decodable {
    struct Phase: Decodable {
        var name: [String]
        var start: String
        var duration: String
        var first: Int
    }
    struct Caption: Decodable {
        var first: Int
        var text: [String]
    }
    struct Object: Decodable {
        var name: String
        var title: [String]
    }
    struct Structure: Decodable {
        var code: String
        var columns: Int
    }

    var languages: [String]
    var title: [String]
    var settings: [String]
    var rate: Int
    var step: Int
    var frames: Int
    var period: Double
    var phases: [Phase]
    var captions: [Caption]
    var objects: [Object]
    var structures: [Structure]
    var runs: [Int]
    var images: [String]
    var numbers: String

    /// Decodes the data of a page.
    init(_ text: String) throws {
        let match = try #require(text.firstMatch(of: /<script id="data" type="application\/json">([^<]*)<\/script>/))
        self = try JSONDecoder().decode(PageContents.self, from: Data(match.1.utf8))
    }

    /// Returns the columns of the structures and of the objects.
    func columns() throws -> (drawing: [[[Double]]], objects: [[[Double]]]) {
        var reader = Reader(bytes: Array(try #require(Data(base64Encoded: numbers))))
        let drawing = try structures.indices.map { index in
            let rows = stride(from: 0, to: runs.count, by: 2).reduce(0) { $0 + (runs[$1] == index ? runs[$1 + 1] : 0) }
            return try (0..<structures[index].columns).map { _ in try reader.column(rows: rows) }
        }
        let objects = try objects.map { _ in try (0..<3).map { _ in try reader.column(rows: frames) } }
        // The page stores values in an `Int32Array`.
        #expect(reader.isAtEnd && reader.largest < 1 << 31)
        return (drawing, objects)
    }
}

/// A decoder of columns.
private struct Reader {
    let bytes: [UInt8]
    var position = 0
    /// The largest stored integer of all columns.
    var largest = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    private mutating func varint() throws -> Int {
        var (number, shift) = (0, 0)
        while true {
            try #require(position < bytes.count && shift < 56)
            let byte = Int(bytes[position])
            position += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128 { return number }
        }
    }

    private mutating func signed() throws -> Int {
        let number = try varint()
        return number & 1 == 1 ? -(number >> 1) - 1 : number >> 1
    }

    mutating func column(rows: Int) throws -> [Double] {
        let head = try varint()
        let unit = pow(2, -Double(head >> 2))
        if head & 3 == 0 { return Array(repeating: Double(try signed()) * unit, count: rows) }
        var (value, step) = (0, 0)
        return try (0..<rows).map { _ in
            if head & 3 == 1 {
                value += try signed()
            } else {
                step += try signed()
                value += step
            }
            largest = max(largest, abs(value))
            return Double(value) * unit
        }
    }
}

/// Runs the built program in a temporary directory.
struct PageMaker {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    func run(_ arguments: [String]) throws -> Outcome {
        try Subprocess(builtProgram, arguments, directory: directory).wait()
    }

    /// Makes a page and returns its text. Throws if the program fails.
    func page(_ arguments: String...) throws -> String {
        let outcome = try run(["page"] + arguments + ["--force", "--progress", "none", "-o", "page.html"])
        try #require(outcome.code == 0, "\(arguments): \(outcome.errorText)")
        #expect(outcome.errors.isEmpty && outcome.lines.count == 1 && outcome.text.hasPrefix("page.html: "))
        return String(decoding: try bytes(of: directory.file("page.html")), as: UTF8.self)
    }
}
