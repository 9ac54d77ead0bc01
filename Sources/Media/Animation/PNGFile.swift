/// The chunks of PNG files.
package enum PNGFile {
    private static let signatureSize = 8
    /// The bytes of a chunk besides its body: length, type and checksum.
    private static let overhead = 12

    /// Returns a valid file with its critical chunks only, whose types begin with a capital letter.
    /// It has no pixel density and no colour space, which FFmpeg's encoder writes and Cairo does
    /// not.
    package static func withoutAncillaryChunks(_ file: [UInt8]) -> [UInt8] {
        var result = Array(file.prefix(signatureSize))
        var offset = signatureSize
        while offset + overhead <= file.count {
            let end = offset + overhead + BigEndian.number(file[offset..<offset + 4])
            guard end <= file.count else { break }
            let isCritical = file[offset + 4] & 0x20 == 0
            if isCritical { result += file[offset..<end] }
            offset = end
        }
        return result
    }
}
