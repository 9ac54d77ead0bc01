import Media
import Render

/// A list of expected frame hashes.
package struct FrameHashes: Sendable {
    /// The SHA-256 of each frame's samples as 64 lowercase hexadecimal digits.
    package let hashes: [String]

    /// The maximum size of a list in bytes.
    private static let maxBytes = 64 << 20

    /// Reads a list from a file. Each line has a hash, as in the output of `ffmpeg -f framehash`
    /// and `sha256sum`, or begins with `#`. Throws `LoadervidError` if the file cannot be read or
    /// has any other line.
    package init(path: String) throws {
        let bytes: [UInt8]
        do {
            let file = try InputFile(path: path)
            guard file.byteCount <= Self.maxBytes else {
                throw LoadervidError(
                    .badData, "\(path) is larger than the maximum of \(Self.maxBytes) bytes; use a list of hashes")
            }
            bytes = try file.bytes(at: 0, count: file.byteCount)
        } catch let error as FFmpegError {
            throw LoadervidError(unreadable: path, error)
                ?? LoadervidError(.missingInput, "\(path) cannot be read: \(error.reason); use a text file")
        }
        var hashes: [String] = []
        for (number, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            let text = String(decoding: line, as: UTF8.self)
            let words = text.split { " ,\t\r".contains($0) }.map { $0.lowercased() }
            guard !words.isEmpty, !text.hasPrefix("#") else { continue }
            guard let hash = words.first(where: Self.isHash) else {
                throw LoadervidError(
                    .badData,
                    "\(path):\(number + 1): no SHA-256 in this line; use one hash of 64 hexadecimal digits per frame")
            }
            hashes.append(hash)
        }
        guard !hashes.isEmpty else {
            throw LoadervidError(.badData, "\(path) has no hashes; use one per frame")
        }
        self.hashes = hashes
    }

    private static func isHash(_ word: String) -> Bool { word.utf8.count == 64 && word.allSatisfy(\.isHexDigit) }
}

/// The comparison of the hashes of a clip's frames with a list.
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
                    .frameHash, .error,
                    "the clip has \(count) frames, but the list has \(expected.hashes.count); render the clip again"))
        }
        if let wrong {
            let others = wrong.count == 1 ? "" : ", as do \(wrong.count - 1) others"
            findings.append(
                Finding(
                    .frameHash, .error, time: wrong.time, frame: wrong.first,
                    "the frame's hash differs from the expected one\(others); render the clip again"))
        }
        return findings
    }
}

extension VideoFrame {
    /// Returns the SHA-256 of all samples, plane by plane and without row padding, as `ffmpeg -f
    /// framehash` computes it.
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
