import Scene

/// A picture as a GIF stores it, but for its delay.
public struct CodedPicture: Sendable {
    /// What becomes of it when the next one is shown.
    public enum Disposal: UInt8, Sendable {
        /// It stays.
        case keep = 1
        /// Its box shows nothing.
        case clear = 2
        /// What it covered is back.
        case restore = 3
    }

    /// Where it is.
    public let box: PixelRect
    /// What becomes of it.
    public fileprivate(set) var disposal = Disposal.keep
    /// Whether pixels of index 0 leave what is there.
    public fileprivate(set) var hasHoles: Bool
    /// Whether it shows nothing but what was there.
    public fileprivate(set) var isEmpty = false
    /// Symbol bits and blocks of codes.
    let data: [UInt8]

    /// Bytes of its codes.
    var byteCount: Int { data.count }

    /// The picture as one that changes nothing.
    var empty: CodedPicture {
        var result = self
        result.isEmpty = true
        return result
    }

    /// The picture as one of a clip with transparency: readers go by this, too, in what there is once it is taken away.
    var translucent: CodedPicture {
        var result = self
        result.hasHoles = true
        return result
    }

    /// The picture disposed of as told.
    func disposed(_ disposal: Disposal) -> CodedPicture {
        var result = self
        result.disposal = disposal
        return result
    }
}

/// Compresses boxes of pictures over what is shown already. Not for use from two threads at once.
final class BoxCoder {
    private let width: Int
    private let encoder = LZWEncoder()
    /// The indices of the box's pixels, and which of them are shown already.
    private var wanted: [UInt8] = []
    private var isFree: [Bool] = []
    /// What is tried.
    private var symbols: [UInt8] = []
    private var others: [UInt8] = []
    /// Runs from a pixel on, with it a hole or not.
    private var runs: [(hole: Int32, filled: Int32)] = []

    init(width: Int) { self.width = width }

    /// Codes the pixels of a picture within a box over a canvas of the same size; without a canvas all of them are stored.
    ///
    /// Pixels that the canvas shows already can be holes or not. What is smallest depends on the picture: no holes, as few
    /// runs as can be, or whatever continues a string that was there before.
    func code(_ picture: [UInt8], over canvas: [UInt8]?, in box: PixelRect) -> CodedPicture {
        gather(picture, canvas, box)
        let (fixedBits, bits, hasFree) = neededBits()
        encoder.begin()
        attempt(wanted, bits: bits)
        // Index 0 is a hole, too, where nothing shall be shown.
        var hasHoles = wanted.contains(0)
        guard hasFree else { return CodedPicture(box: box, hasHoles: hasHoles, data: encoder.bytes()) }
        for prefersHoles in [true, false] {
            fillShortestRuns(below: 1 << fixedBits, prefersHoles: prefersHoles)
            if attempt(symbols, bits: fixedBits) { hasHoles = true }
        }
        fillFreely(below: 1 << fixedBits)
        if attempt(symbols, others: others, bits: fixedBits) { hasHoles = true }
        return CodedPicture(box: box, hasHoles: hasHoles, data: encoder.bytes())
    }

    @discardableResult
    private func attempt(_ symbols: [UInt8], others: [UInt8]? = nil, bits: Int) -> Bool {
        symbols.withUnsafeBufferPointer { symbols in
            guard let others else {
                return encoder.attempt(
                    .init(symbols: symbols.baseAddress!, others: nil, count: symbols.count, bits: bits))
            }
            return others.withUnsafeBufferPointer {
                encoder.attempt(
                    .init(symbols: symbols.baseAddress!, others: $0.baseAddress!, count: symbols.count, bits: bits))
            }
        }
    }

    /// Copies the box's pixels to `wanted`, and whether each is shown already to `isFree`.
    private func gather(_ picture: [UInt8], _ canvas: [UInt8]?, _ box: PixelRect) {
        wanted.removeAll(keepingCapacity: true)
        isFree.removeAll(keepingCapacity: true)
        for y in box.y..<box.maxY {
            let row = y * width + box.x..<y * width + box.maxX
            wanted += picture[row]
            if let canvas { isFree += zip(picture[row], canvas[row]).lazy.map { $0 == $1 } }
        }
        if canvas == nil { isFree = [Bool](repeating: false, count: wanted.count) }
        (symbols, others) = (wanted, wanted)
    }

    /// Bits for the indices of the pixels that must be stored, and of all.
    private func neededBits() -> (fixed: Int, all: Int, hasFree: Bool) {
        var (fixed, free, hasFree) = (UInt8(0), UInt8(0), false)
        for (index, isFree) in zip(wanted, isFree) {
            if isFree { (free, hasFree) = (max(free, index), true) } else { fixed = max(fixed, index) }
        }
        func bits(_ index: UInt8) -> Int { max(2, 8 - index.leadingZeroBitCount) }
        return (bits(fixed), bits(max(fixed, free)), hasFree)
    }

    /// Leaves what is free to the encoder.
    private func fillFreely(below limit: Int) {
        symbols.removeAll(keepingCapacity: true)
        others.removeAll(keepingCapacity: true)
        symbols += zip(wanted, isFree).lazy.map { $1 ? 0 : $0 }
        others += zip(wanted, isFree).lazy.map { $1 && $0 >= limit ? 0 : $0 }
    }

    /// Fills `symbols` so that they have as few runs as can be. Indices from `limit` on are stored only where they must be.
    private func fillShortestRuns(below limit: Int, prefersHoles: Bool) {
        let (wanted, isFree, count) = (wanted, isFree, wanted.count)
        // In variables of their own: every use of an object's is checked.
        var (runs, symbols) = (exchange(&self.runs, with: []), exchange(&self.symbols, with: []))
        defer { (self.runs, self.symbols) = (runs, symbols) }
        if runs.count < count { runs = [(hole: Int32, filled: Int32)](repeating: (0, 0), count: count) }
        let never = Int32.max / 2
        var next = (hole: Int32(0), filled: Int32(0))
        for place in Swift.stride(from: count - 1, through: 0, by: -1) {
            let change: Int32 = place == count - 1 || wanted[place] == wanted[place + 1] ? 0 : 1
            let (hole, filled) = (min(next.hole, next.filled + 1), min(next.hole + 1, next.filled + change))
            let (mayHole, mayFill) = (isFree[place], !isFree[place] || wanted[place] < limit)
            next = (mayHole ? hole : never, mayFill ? filled : never)
            runs[place] = next
        }
        var last = -1
        for place in 0..<count {
            let (index, run) = (Int(wanted[place]), runs[place])
            let hole = run.hole + (last == 0 ? 0 : 1)
            let filled = run.filled + (last == index ? 0 : 1)
            last = hole < filled || hole == filled && prefersHoles ? 0 : index
            symbols[place] = UInt8(last)
        }
    }
}
