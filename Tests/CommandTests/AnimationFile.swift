import Foundation
import Motion
import TestSupport
import Testing

/// What a file of an animated picture says, read chunk by chunk.
struct AnimationFile {
    /// A picture's box, and how long it is shown, in seconds.
    struct Part: Equatable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        var delay: Rational
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var plays = 0
    /// How many pictures it says that it has; nil if it does not say.
    private(set) var count: Int?
    private(set) var parts: [Part] = []

    /// When each picture begins, in seconds, and when the last one ends.
    var times: [Rational] { parts.reduce(into: [.zero]) { $0.append(($0.last ?? .zero) + $1.delay) } }

    init(_ path: String) throws {
        let bytes = try TestSupport.bytes(of: path)
        try bytes.starts(with: Array("RIFF".utf8)) ? readWebP(bytes) : readAPNG(bytes)
    }

    private mutating func readAPNG(_ bytes: [UInt8]) throws {
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        var (offset, sequence) = (8, 0)
        while offset < bytes.count {
            let (length, body) = (number(offset, 4), offset + 8)
            switch String(decoding: bytes[offset + 4..<body], as: UTF8.self) {
            case "IHDR": (width, height) = (number(body, 4), number(body + 4, 4))
            case "acTL": (count, plays) = (number(body, 4), number(body + 4, 4))
            case "fcTL":
                try #require(number(body, 4) == sequence)
                sequence += 1
                parts.append(
                    Part(
                        x: number(body + 12, 4), y: number(body + 16, 4), width: number(body + 4, 4),
                        height: number(body + 8, 4),
                        delay: Rational(Int128(number(body + 20, 2)), Int128(number(body + 22, 2)))))
            case "fdAT":
                try #require(number(body, 4) == sequence)
                sequence += 1
            default: break
            }
            offset = body + length + 4
        }
    }

    private mutating func readWebP(_ bytes: [UInt8]) throws {
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        try #require(number(4, 4) == bytes.count - 8)
        var offset = 12
        while offset < bytes.count {
            let (length, body) = (number(offset + 4, 4), offset + 8)
            switch String(decoding: bytes[offset..<offset + 4], as: UTF8.self) {
            case "VP8X": (width, height) = (number(body + 4, 3) + 1, number(body + 7, 3) + 1)
            case "ANIM": plays = number(body + 4, 2)
            case "ANMF":
                parts.append(
                    Part(
                        x: 2 * number(body, 3), y: 2 * number(body + 3, 3), width: number(body + 6, 3) + 1,
                        height: number(body + 9, 3) + 1, delay: Rational(Int128(number(body + 12, 3)), 1000)))
            default: break
            }
            offset = body + length + length % 2
        }
    }
}

/// The pictures of an animated picture as straight RGBA, by a program that is none of ours.
func animatedPictures(of path: String, in workspace: Workspace) throws -> [[UInt8]] {
    guard path.hasSuffix(".webp") else { return try pictures(of: path, format: "rgba") }
    let folder = workspace.directory.file("pictures-\(UUID().uuidString)")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    // FFmpeg's decoder leaves animations out; libwebp's own program writes every picture with what is beneath.
    try run("anim_dump", ["-folder", folder, path])
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
        try pictures(of: "\(folder)/\($0)", format: "rgba")[0]
    }
}
