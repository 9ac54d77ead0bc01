import Media
import Pipeline

/// The expected hashes of a clip's pictures, one a line.
public struct FrameHashes: Sendable {
    /// SHA-256 of each picture's samples, as 64 small hexadecimal digits.
    public let hashes: [String]

    /// The longest list that is read, in bytes.
    private static let mostBytes = 64 << 20

    /// Reads a list: lines that end with a hash, as `ffmpeg -f framehash` and `sha256sum` write them, and lines that begin with
    /// `#`. Throws `RenderError` if there is no such file or anything else in it.
    public init(path: String) throws {
        let bytes: [UInt8]
        do {
            let file = try InputFile(path: path)
            guard file.byteCount <= Self.mostBytes else {
                throw RenderError(.badData, "\(path) is longer than \(Self.mostBytes) bytes: give a list of hashes")
            }
            bytes = try file.bytes(at: 0, count: file.byteCount)
        } catch let error as FFmpegError { throw RenderError(.missingInput, "\(path) cannot be read: \(error.reason)") }
        var hashes: [String] = []
        for (number, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            let text = String(decoding: line, as: UTF8.self)
            let words = text.split { " ,\t\r".contains($0) }.map { $0.lowercased() }
            guard !words.isEmpty, !text.hasPrefix("#") else { continue }
            guard let hash = words.first(where: Self.isHash) else {
                throw RenderError(
                    .badData,
                    "\(path):\(number + 1): there is no SHA-256 in this line: give one of 64 digits for each picture")
            }
            hashes.append(hash)
        }
        guard !hashes.isEmpty else { throw RenderError(.badData, "\(path) has no hashes: give one for each picture") }
        self.hashes = hashes
    }

    private static func isHash(_ word: String) -> Bool { word.utf8.count == 64 && word.allSatisfy(\.isHexDigit) }
}

/// Compares the hashes of a clip's pictures with a list.
struct HashCheck {
    let expected: FrameHashes
    private(set) var count = 0
    private var wrong: (first: Int, time: Double, count: Int)?

    init(_ expected: FrameHashes) { self.expected = expected }

    mutating func add(_ frame: VideoFrame, time: Double) throws {
        defer { count += 1 }
        guard count < expected.hashes.count, try frame.sampleHash() != expected.hashes[count] else { return }
        wrong = (wrong?.first ?? count, wrong?.time ?? time, (wrong?.count ?? 0) + 1)
    }

    var findings: [Finding] {
        var findings: [Finding] = []
        if count != expected.hashes.count {
            findings.append(
                Finding(
                    .frameHash, .error, "it has \(count) pictures, the list \(expected.hashes.count): render it again"))
        }
        if let wrong {
            let others = wrong.count == 1 ? "" : ", nor are \(wrong.count - 1) others"
            findings.append(
                Finding(
                    .frameHash, .error, time: wrong.time, frame: wrong.first,
                    "the picture's hash is not the expected one\(others): render the clip again"))
        }
        return findings
    }
}

extension VideoFrame {
    /// SHA-256 of all samples, plane after plane and rows without padding, as `ffmpeg -f framehash` has it.
    func sampleHash() throws -> String {
        let hash = try SHA256()
        for index in 0..<4 {
            guard let plane = plane(index) else { break }
            let isChroma = (index == 1 || index == 2) && !format.isRGB
            if format.isPaletted, index == 1 {
                hash.update(UnsafeRawBufferPointer(start: plane.data, count: 1024))
                break
            }
            let count = format.bytesPerRow(ofPlane: index, width: width)
            for y in 0..<(isChroma ? (height + format.verticalStep - 1) / format.verticalStep : height) {
                hash.update(UnsafeRawBufferPointer(start: plane.data + y * plane.stride, count: count))
            }
        }
        return hash.finish()
    }
}
