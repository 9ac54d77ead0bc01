/// A strict check of the compressed data of GIF images (GIF89a, appendix F), without drawing them.
struct GIFData {
    /// The minimum code sizes in bits that the specification allows.
    private static let codeSizes = 2...8
    /// The maximum number of codes, which have up to 12 bits.
    private static let maxCode = 4096

    /// The length of the string of each code.
    private var lengths = [Int32](repeating: 1, count: maxCode)

    /// Returns what a strict decoder would refuse in an image; nil if there is nothing.
    ///
    /// - Parameters:
    ///   - offset: the offset of the code size, after the image's colour table.
    ///   - pixels: the number of pixels of the image.
    ///   - colors: the number of colours in its table. Indices beyond it are not refused, because
    ///     the transparent one may be.
    mutating func problem(at offset: Int, pixels: Int, colors: Int, _ reader: inout ByteReader) throws -> String? {
        guard let size = try reader.byte(at: offset), Self.codeSizes.contains(Int(size)) else {
            return "its minimum code size is not between 2 and 8"
        }
        guard colors > 0 else { return "it has no colour table" }
        var bits = BitReader(offset: offset + 1)
        let clear = 1 << Int(size)
        for code in 0..<clear {
            lengths[code] = 1
        }
        var next = clear + 2
        var width = Int(size) + 1
        var previous: Int?
        var count = 0
        while let code = try bits.next(width, &reader) {
            if code == clear {
                next = clear + 2
                width = Int(size) + 1
                previous = nil
                continue
            }
            if code == clear + 1 {
                return count < pixels ? "its data ends after \(count) of \(pixels) pixels" : nil
            }
            guard code < next || code == next && previous != nil && next < Self.maxCode else {
                return "it has code \(code), but the table ends at \(next - 1)"
            }
            if let previous, next < Self.maxCode {
                lengths[next] = min(lengths[previous] &+ 1, 1 << 20)
                next += 1
            }
            count += Int(lengths[code])
            if count > pixels { return "its data has more than \(pixels) pixels" }
            previous = code
            if next == 1 << width, width < 12 { width += 1 }
        }
        // Decoders stop after the last pixel, and gifsicle sometimes leaves out the end code.
        return count < pixels ? "its data has no end code" : nil
    }

    /// A reader of codes from a chain of data blocks, lowest bit first.
    private struct BitReader {
        var offset: Int
        private var left = 0
        private var buffer = 0
        private var count = 0

        init(offset: Int) { self.offset = offset }

        /// Returns the next code; nil at the end of the blocks.
        mutating func next(_ width: Int, _ reader: inout ByteReader) throws -> Int? {
            while count < width {
                if left == 0 {
                    guard let size = try reader.byte(at: offset), size > 0 else { return nil }
                    left = Int(size)
                    offset += 1
                }
                guard let byte = try reader.byte(at: offset) else { return nil }
                buffer |= Int(byte) << count
                count += 8
                offset += 1
                left -= 1
            }
            defer {
                buffer >>= width
                count -= width
            }
            return buffer & (1 << width - 1)
        }
    }
}
