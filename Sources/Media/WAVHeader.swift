import Core

/// The length of the samples of a WAV file (RIFF, or RF64 of EBU Tech 3306). libavformat does not
/// report if the end is missing.
struct WAVHeader {
    /// The number of bytes that are missing at the end; 0 if the header does not say how many there
    /// are, as in files that were written to a pipe.
    let missingBytes: Int

    /// The maximum number of chunks before the samples.
    private static let maxChunks = 1000
    /// The minimum size that says nothing about the length: SoX, arecord and FFmpeg write such
    /// sizes to pipes, and RF64 stores the length elsewhere.
    private static let minUnknownSize = 0x7FFF_F000

    init(_ file: InputFile) throws(FFmpegError) {
        var offset = 12
        var wideSize: Int?
        for _ in 0..<Self.maxChunks {
            let chunk = try file.bytes(at: offset, count: 24)
            guard chunk.count >= 8 else { break }
            let size = LittleEndian.number(chunk[4..<8])
            switch String(decoding: chunk[..<4], as: UTF8.self) {
            case "ds64" where chunk.count == 24:
                // The size has 8 bytes, of which no file needs the last.
                wideSize = LittleEndian.number(chunk[16..<23])
            case "data":
                let declared = size >= Self.minUnknownSize ? wideSize ?? 0 : size
                missingBytes = max(0, declared - (file.byteCount - offset - 8))
                return
            default: break
            }
            // Chunks begin at even offsets.
            offset += 8 + size + size % 2
        }
        missingBytes = 0
    }
}
