/// A GIF89a file with a global colour table and a loop count, assembled from encoded frames.
package struct GIFFile: Sendable {
    private let width: Int
    private let height: Int
    private let colorTable: [UInt8]
    private let plays: Int?
    private let mergesEqual: Bool
    /// The last frame, whose delay may still increase.
    private var pending: (frame: [UInt8], delay: Int)?

    /// The maximum delay of a frame, in hundredths of a second.
    private static let maxDelay = 0xFFFF
    /// The offset of the delay in a frame's bytes.
    private static let delayOffset = 4

    /// A file of a size of 1...65535 by 1...65535 pixels.
    ///
    /// - Parameters:
    ///   - colorTable: the global colour table, as in `Palette.table`.
    ///   - plays: the number of times that the file plays, 1...65535; nil for endless.
    ///   - mergesEqual: true to extend the previous frame instead of storing an empty one, where
    ///     its disposal and the maximum delay allow it.
    package init(width: Int, height: Int, colorTable: [UInt8], plays: Int? = nil, mergesEqual: Bool = false) {
        self.width = width
        self.height = height
        self.colorTable = colorTable
        self.plays = plays
        self.mergesEqual = mergesEqual
    }

    /// The bytes before the first frame.
    package var header: [UInt8] {
        let bits = UInt8(max(0, (colorTable.count / 3).trailingZeroBitCount - 1))
        let screen = GIFFile.word(width) + GIFFile.word(height) + [0x80 | bits << 4 | bits, 0, 0]
        return Array("GIF89a".utf8) + screen + colorTable + loopExtension
    }

    /// Netscape's extension with the number of repetitions, 0 for endless. A file without it plays
    /// once.
    private var loopExtension: [UInt8] {
        if plays == 1 { return [] }
        return [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + GIFFile.word(plays.map { $0 - 1 } ?? 0) + [0]
    }

    /// Adds a frame with a delay in hundredths of a second, 0...65535. Returns the bytes of the
    /// frame before it; empty if there is none, or if the frame was merged with it.
    package mutating func add(_ frame: EncodedGIFFrame.Bytes, delay: Int) -> [UInt8] {
        if mergesEqual, frame.isMarkedEmpty, let last = pending, EncodedGIFFrame.Bytes(last.frame).hasKeepDisposal,
            last.delay + delay <= GIFFile.maxDelay
        {
            pending?.delay += delay
            return []
        }
        defer { pending = (frame.bytes, delay) }
        return finishedFrame
    }

    private var finishedFrame: [UInt8] {
        guard let (frame, delay) = pending else { return [] }
        var bytes = frame
        bytes[GIFFile.delayOffset - 1] &= ~EncodedGIFFrame.Bytes.emptyFlag
        bytes.replaceSubrange(GIFFile.delayOffset..<GIFFile.delayOffset + 2, with: GIFFile.word(delay))
        return bytes
    }

    /// The last frame and the end of the file.
    package var lastFrameAndTrailer: [UInt8] { finishedFrame + [0x3B] }

    /// Returns a little-endian 16-bit integer.
    static func word(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}

extension EncodedGIFFrame {
    /// A frame as stored in the file, with the delay 0.
    package struct Bytes: Sendable {
        /// The graphic control extension, the image descriptor and the compressed pixels.
        package let bytes: [UInt8]

        /// A reserved flag of the graphic control extension that marks empty frames. It is cleared
        /// before the frame is written.
        fileprivate static let emptyFlag: UInt8 = 0x80

        /// A frame from the bytes of another instance.
        package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

        fileprivate var isMarkedEmpty: Bool { bytes[3] & Bytes.emptyFlag != 0 }
        fileprivate var hasKeepDisposal: Bool { bytes[3] >> 2 & 7 == Disposal.keep.rawValue }
    }

    /// The frame as stored in the file, with the delay 0.
    package var bytes: Bytes {
        let flags = disposal.rawValue << 2 | (hasHoles ? 1 : 0) | (isEmpty ? Bytes.emptyFlag : 0)
        let rectangle = [box.x, box.y, box.width, box.height].flatMap(GIFFile.word)
        return Bytes([0x21, 0xF9, 4, flags, 0, 0, 0, 0, 0x2C] + rectangle + [0] + data)
    }
}
