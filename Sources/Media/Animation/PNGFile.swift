/// The chunks of PNG files.
package enum PNGFile {
    private static let signatureSize = 8
    /// The bytes of a chunk besides its body: length, type and checksum.
    private static let overhead = 12

    /// Returns the ranges of a file's chunks, from their lengths to their checksums; nil if one is
    /// incomplete.
    static func chunks(of file: UnsafeBufferPointer<UInt8>) -> [Range<Int>]? {
        var chunks: [Range<Int>] = []
        var offset = signatureSize
        while offset + overhead <= file.count {
            let end = offset + overhead + BigEndian.number(file[offset..<offset + 4])
            guard end <= file.count else { return nil }
            chunks.append(offset..<end)
            offset = end
        }
        return chunks
    }

    /// Returns a valid file with its critical chunks only, whose types begin with a capital letter.
    /// It has no pixel density and no colour space, which FFmpeg's encoder writes and Cairo does
    /// not.
    package static func withoutAncillaryChunks(_ file: [UInt8]) -> [UInt8] {
        let chunks = file.withUnsafeBufferPointer { PNGFile.chunks(of: $0) } ?? []
        let critical = chunks.filter { file[$0.lowerBound + 4] & 0x20 == 0 }
        return critical.reduce(into: Array(file.prefix(signatureSize))) { $0 += file[$1] }
    }
}
