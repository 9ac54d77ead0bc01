/// The properties of an image file that decoders ignore: its completeness and its EXIF orientation.
/// Assumes that files of unknown formats are complete and upright.
struct ImageMetadata {
    /// True if the data ends with the format's end marker or has the declared length.
    private(set) var isComplete = true
    private(set) var orientation = ImageOrientation.upright
    private let bytes: UnsafeBufferPointer<UInt8>

    /// Reads the bytes of a JPEG, PNG, WebP, QOI or TIFF file, which must outlive the instance.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        if has([0xFF, 0xD8], at: 0) {
            readJPEG()
        } else if has([0x89] + Array("PNG".utf8), at: 0) {
            readPNG()
        } else if has(Array("RIFF".utf8), at: 0), has(Array("WEBP".utf8), at: 8) {
            readWebP()
        } else if has(Array("qoif".utf8), at: 0) {
            isComplete = has([0, 0, 0, 0, 0, 0, 0, 1], at: bytes.count - 8)
        } else {
            readExif(at: 0)
        }
    }

    private func has(_ expected: [UInt8], at offset: Int) -> Bool {
        offset >= 0 && offset + expected.count <= bytes.count
            && bytes[offset..<offset + expected.count].elementsEqual(expected)
    }

    /// Walks the markers up to the end of the image (ITU-T T.81, annex B).
    private mutating func readJPEG() {
        var offset = 2
        while let first = bytes.number(at: offset, bytes: 2), first >> 8 == 0xFF {
            let marker = first & 0xFF
            if marker == 0xD9 { return }
            // Bytes of 0xFF before a marker are padding.
            if marker == 0xFF {
                offset += 1
            } else if marker == 0x01 || (0xD0...0xD8).contains(marker) {
                offset += 2
            } else {
                guard let length = bytes.number(at: offset + 2, bytes: 2), length >= 2 else { break }
                if marker == 0xE1, has(Array("Exif".utf8) + [0, 0], at: offset + 4) { readExif(at: offset + 10) }
                offset += 2 + length
                if marker == 0xDA { offset = endOfScan(from: offset) }
            }
        }
        isComplete = false
    }

    /// Returns the offset of the marker after a scan. Within a scan, 0xFF is followed by 0 or is
    /// part of a restart marker.
    private func endOfScan(from start: Int) -> Int {
        var offset = start
        while offset + 1 < bytes.count {
            let next = bytes[offset + 1]
            if bytes[offset] == 0xFF, next != 0, !(0xD0...0xD7).contains(next) { return offset }
            offset += 1
        }
        return bytes.count
    }

    private mutating func readPNG() {
        var offset = 8
        while let length = bytes.number(at: offset, bytes: 4) {
            if has(Array("IEND".utf8), at: offset + 4) { return }
            if has(Array("eXIf".utf8), at: offset + 4) { readExif(at: offset + 8) }
            offset += 12 + length
        }
        isComplete = false
    }

    private mutating func readWebP() {
        guard let size = bytes.number(at: 4, bytes: 4, isLittle: true), 8 + size <= bytes.count else {
            isComplete = false
            return
        }
        var offset = 12
        while let length = bytes.number(at: offset + 4, bytes: 4, isLittle: true) {
            if has(Array("EXIF".utf8), at: offset) {
                // Some programs write the identifier that EXIF has in JPEG.
                let hasIdentifier = has(Array("Exif".utf8) + [0, 0], at: offset + 8)
                readExif(at: offset + (hasIdentifier ? 14 : 8))
            }
            offset += 8 + length + length % 2
        }
    }

    /// Reads the orientation from the first directory of a TIFF file, which is also EXIF's format.
    private mutating func readExif(at start: Int) {
        let isLittle = has(Array("II".utf8) + [42, 0], at: start)
        guard isLittle || has(Array("MM".utf8) + [0, 42], at: start),
            let directory = bytes.number(at: start + 4, bytes: 4, isLittle: isLittle),
            let count = bytes.number(at: start + directory, bytes: 2, isLittle: isLittle)
        else { return }
        for entry in 0..<count {
            let offset = start + directory + 2 + 12 * entry
            guard let tag = bytes.number(at: offset, bytes: 2, isLittle: isLittle) else { return }
            guard tag == 0x0112 else { continue }
            let value = bytes.number(at: offset + 8, bytes: 2, isLittle: isLittle)
            orientation = value.flatMap(ImageOrientation.init) ?? .upright
            return
        }
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Returns an unsigned integer of up to 7 bytes; nil past the end. The indices must begin at 0.
    ///
    /// - Parameter isLittle: true if the least significant byte is first.
    package func number(at offset: Int, bytes count: Int, isLittle: Bool = false) -> Int? {
        guard offset >= 0, offset + count <= self.count else { return nil }
        let digits = self[offset..<offset + count].map(Int.init)
        return (isLittle ? digits.reversed() : digits).reduce(0) { $0 << 8 | $1 }
    }
}
