/// What the bytes of a picture file say besides its pixels, which decoders pass over: whether they go on to the end, and
/// which way up the picture is. Formats that it does not know are whole and upright.
struct PictureNotes {
    private(set) var isWhole = true
    private(set) var orientation = PictureOrientation.upright
    private let bytes: UnsafeBufferPointer<UInt8>

    /// Looks at the bytes of a JPEG, PNG, WebP, QOI or TIFF file, which must live as long as this.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        if has([0xFF, 0xD8], at: 0) {
            readJPEG()
        } else if has([0x89] + Array("PNG".utf8), at: 0) {
            readPNG()
        } else if has(Array("RIFF".utf8), at: 0), has(Array("WEBP".utf8), at: 8) {
            readWebP()
        } else if has(Array("qoif".utf8), at: 0) {
            isWhole = has([0, 0, 0, 0, 0, 0, 0, 1], at: bytes.count - 8)
        } else {
            readExif(at: 0)
        }
    }

    private func has(_ expected: [UInt8], at offset: Int) -> Bool {
        offset >= 0 && offset + expected.count <= bytes.count
            && bytes[offset..<offset + expected.count].elementsEqual(expected)
    }

    /// A whole number of 2 or 4 bytes; nil past the end.
    private func number(at offset: Int, bytes count: Int, isLittle: Bool = false) -> Int? {
        guard offset >= 0, offset + count <= bytes.count else { return nil }
        let digits = bytes[offset..<offset + count].map(Int.init)
        return (isLittle ? digits.reversed() : digits).reduce(0) { $0 << 8 | $1 }
    }

    /// Goes from marker to marker to the end of the image.
    private mutating func readJPEG() {
        var offset = 2
        while let first = number(at: offset, bytes: 2), first >> 8 == 0xFF {
            let marker = first & 0xFF
            if marker == 0xD9 { return }
            // A byte 0xFF before a marker only fills up.
            if marker == 0xFF {
                offset += 1
            } else if marker == 0x01 || (0xD0...0xD8).contains(marker) {
                offset += 2
            } else {
                guard let length = number(at: offset + 2, bytes: 2), length >= 2 else { break }
                if marker == 0xE1, has(Array("Exif".utf8) + [0, 0], at: offset + 4) { readExif(at: offset + 10) }
                offset += 2 + length
                if marker == 0xDA { offset = endOfScan(from: offset) }
            }
        }
        isWhole = false
    }

    /// Where the marker after a scan is: in its data 0xFF is followed by 0 or the number of a restart.
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
        while let length = number(at: offset, bytes: 4) {
            if has(Array("IEND".utf8), at: offset + 4) { return }
            if has(Array("eXIf".utf8), at: offset + 4) { readExif(at: offset + 8) }
            offset += 12 + length
        }
        isWhole = false
    }

    private mutating func readWebP() {
        guard let size = number(at: 4, bytes: 4, isLittle: true), 8 + size <= bytes.count else {
            isWhole = false
            return
        }
        var offset = 12
        while let length = number(at: offset + 4, bytes: 4, isLittle: true) {
            if has(Array("EXIF".utf8), at: offset) {
                let hasHead = has(Array("Exif".utf8) + [0, 0], at: offset + 8)
                readExif(at: offset + (hasHead ? 14 : 8))
            }
            offset += 8 + length + length % 2
        }
    }

    /// Looks for the orientation in the first directory of a TIFF file, which EXIF is.
    private mutating func readExif(at start: Int) {
        let isLittle = has(Array("II".utf8) + [42, 0], at: start)
        guard isLittle || has(Array("MM".utf8) + [0, 42], at: start),
            let directory = number(at: start + 4, bytes: 4, isLittle: isLittle),
            let count = number(at: start + directory, bytes: 2, isLittle: isLittle)
        else { return }
        for entry in 0..<count {
            let offset = start + directory + 2 + 12 * entry
            guard let tag = number(at: offset, bytes: 2, isLittle: isLittle) else { return }
            guard tag == 0x0112 else { continue }
            let value = number(at: offset + 8, bytes: 2, isLittle: isLittle)
            orientation = value.flatMap(PictureOrientation.init) ?? .upright
            return
        }
    }
}
