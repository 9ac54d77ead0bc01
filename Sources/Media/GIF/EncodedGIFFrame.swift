import Core

/// A GIF frame, except for its delay.
package struct EncodedGIFFrame: Sendable {
    /// The disposal method: the treatment of the frame before the next one is drawn.
    package enum Disposal: UInt8, Sendable {
        /// Do not dispose.
        case keep = 1
        /// Restore to background: the frame's box becomes transparent.
        case clear = 2
        /// Restore to previous: the pixels below the frame return.
        case restore = 3
    }

    /// The position and size in pixels.
    package let box: PixelRect
    /// The disposal method.
    package fileprivate(set) var disposal = Disposal.keep
    /// True if pixels of index 0 are transparent.
    package fileprivate(set) var hasHoles: Bool
    /// True if the frame does not change any pixel.
    package fileprivate(set) var isEmpty = false
    /// The minimum code size and the data sub-blocks.
    let data: [UInt8]

    /// The size of the compressed data in bytes.
    var byteCount: Int { data.count }

    /// A copy that is marked as empty.
    var empty: EncodedGIFFrame {
        var result = self
        result.isEmpty = true
        return result
    }

    /// A copy with a transparent index. Decoders also use the flag to decide whether the background
    /// is transparent after the frame is disposed of.
    var translucent: EncodedGIFFrame {
        var result = self
        result.hasHoles = true
        return result
    }

    /// Returns a copy with a disposal method.
    func disposed(_ disposal: Disposal) -> EncodedGIFFrame {
        var result = self
        result.disposal = disposal
        return result
    }
}

/// A compressor of boxes of a frame, given the pixels on the canvas. Not thread-safe.
final class BoxEncoder {
    private let width: Int
    private let encoder = LZWEncoder()
    /// The palette indices of the box's pixels.
    private var pixels: [UInt8] = []
    /// True for each pixel that the canvas already shows, which may be stored as a hole.
    private var isFree: [Bool] = []
    /// The symbols of the current attempt.
    private var symbols: [UInt8] = []
    /// The alternative symbols of the current attempt.
    private var alternatives: [UInt8] = []
    /// The minimum number of runs from a pixel to the end, with the pixel as a hole or filled.
    private var runs: [(hole: Int32, filled: Int32)] = []

    init(width: Int) { self.width = width }

    /// Compresses the pixels of a frame within a box. Stores all pixels if there is no canvas.
    ///
    /// Pixels that the canvas already shows may be stored as holes or as colours. The smallest
    /// choice depends on the frame: no holes, the fewest runs, or the longest matches in the
    /// dictionary. This tries all of them.
    func encode(_ frame: [UInt8], over canvas: [UInt8]?, in box: PixelRect) -> EncodedGIFFrame {
        gather(frame, canvas, box)
        let (fixedBits, bits, hasFree) = requiredBits()
        encoder.begin()
        attempt(pixels, bits: bits)
        // Index 0 is also a hole where the frame is transparent.
        var hasHoles = pixels.contains(0)
        guard hasFree else { return EncodedGIFFrame(box: box, hasHoles: hasHoles, data: encoder.bytes()) }
        for prefersHoles in [true, false] {
            fillWithFewestRuns(below: 1 << fixedBits, prefersHoles: prefersHoles)
            if attempt(symbols, bits: fixedBits) { hasHoles = true }
        }
        fillWithAlternatives(below: 1 << fixedBits)
        if attempt(symbols, alternatives: alternatives, bits: fixedBits) { hasHoles = true }
        return EncodedGIFFrame(box: box, hasHoles: hasHoles, data: encoder.bytes())
    }

    @discardableResult
    private func attempt(_ symbols: [UInt8], alternatives: [UInt8]? = nil, bits: Int) -> Bool {
        symbols.withUnsafeBufferPointer { symbols in
            guard let alternatives else {
                return encoder.attempt(
                    .init(symbols: symbols.baseAddress!, alternatives: nil, count: symbols.count, bits: bits))
            }
            return alternatives.withUnsafeBufferPointer {
                encoder.attempt(
                    .init(
                        symbols: symbols.baseAddress!, alternatives: $0.baseAddress!, count: symbols.count, bits: bits))
            }
        }
    }

    /// Sets `pixels` to the pixels in the box, and `isFree` to true for those that the canvas
    /// shows.
    private func gather(_ frame: [UInt8], _ canvas: [UInt8]?, _ box: PixelRect) {
        pixels.removeAll(keepingCapacity: true)
        isFree.removeAll(keepingCapacity: true)
        for y in box.y..<box.maxY {
            let row = y * width + box.x..<y * width + box.maxX
            pixels += frame[row]
            if let canvas { isFree += zip(frame[row], canvas[row]).lazy.map { $0 == $1 } }
        }
        if canvas == nil { isFree = [Bool](repeating: false, count: pixels.count) }
        symbols = pixels
        alternatives = pixels
    }

    /// Returns the bits for the indices of the pixels that must be stored, and for those of all
    /// pixels.
    private func requiredBits() -> (fixed: Int, all: Int, hasFree: Bool) {
        var maxFixed = UInt8(0)
        var maxFree = UInt8(0)
        var hasFree = false
        for (index, isFree) in zip(pixels, isFree) {
            if isFree {
                maxFree = max(maxFree, index)
                hasFree = true
            } else {
                maxFixed = max(maxFixed, index)
            }
        }
        func bits(_ index: UInt8) -> Int { max(2, 8 - index.leadingZeroBitCount) }
        return (bits(maxFixed), bits(max(maxFixed, maxFree)), hasFree)
    }

    /// Fills `symbols` and `alternatives` so that the LZW encoder chooses between hole and colour
    /// for each free pixel. Indices from `limit` on are only stored for pixels that are not free.
    private func fillWithAlternatives(below limit: Int) {
        symbols.removeAll(keepingCapacity: true)
        alternatives.removeAll(keepingCapacity: true)
        symbols += zip(pixels, isFree).lazy.map { $1 ? 0 : $0 }
        alternatives += zip(pixels, isFree).lazy.map { $1 && $0 >= limit ? 0 : $0 }
    }

    /// Fills `symbols` so that they have the fewest runs, by dynamic programming from the last
    /// pixel to the first. Indices from `limit` on are only stored for pixels that are not free.
    private func fillWithFewestRuns(below limit: Int, prefersHoles: Bool) {
        let pixels = self.pixels
        let isFree = self.isFree
        let count = pixels.count
        // Local variables avoid exclusivity checks on each access.
        var runs = exchange(&self.runs, with: [])
        var symbols = exchange(&self.symbols, with: [])
        defer {
            self.runs = runs
            self.symbols = symbols
        }
        if runs.count < count { runs = [(hole: Int32, filled: Int32)](repeating: (0, 0), count: count) }
        let infinity = Int32.max / 2
        var next = (hole: Int32(0), filled: Int32(0))
        for index in Swift.stride(from: count - 1, through: 0, by: -1) {
            let change: Int32 = index == count - 1 || pixels[index] == pixels[index + 1] ? 0 : 1
            let hole = min(next.hole, next.filled + 1)
            let filled = min(next.hole + 1, next.filled + change)
            let canBeHole = isFree[index]
            let canBeFilled = !isFree[index] || pixels[index] < limit
            next = (canBeHole ? hole : infinity, canBeFilled ? filled : infinity)
            runs[index] = next
        }
        var last = -1
        for index in 0..<count {
            let color = Int(pixels[index])
            let hole = runs[index].hole + (last == 0 ? 0 : 1)
            let filled = runs[index].filled + (last == color ? 0 : 1)
            last = hole < filled || hole == filled && prefersHoles ? 0 : color
            symbols[index] = UInt8(last)
        }
    }
}
