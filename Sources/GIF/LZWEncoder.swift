/// GIF's compression. Codes stand for strings of symbols, of which each code adds one to the dictionary: the string before and
/// the first symbol of its own.
///
/// Where a symbol is free, either of two, the longest string that fits is taken. A dictionary that is full is kept, or begun
/// again, whichever gives fewer bits. Not for use from two threads at once.
final class LZWEncoder {
    /// Symbols to compress.
    struct Input {
        /// What stands at each place unless the other symbol fits better.
        let symbols: UnsafePointer<UInt8>
        /// The other symbol at each place, which may be the same; nil if none is free.
        let others: UnsafePointer<UInt8>?
        let count: Int
        /// Symbols are below two to the power of this, 2...8.
        let bits: Int
    }

    private static let mostCodes = 4096
    private static let slotBits = 14

    /// Strings by the one before and their last symbol: (string << 8 | symbol) << 12 | code, 0 for none.
    private let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: 1 << slotBits)
    private var codes: [UInt16] = []
    private var best: [UInt16] = []
    private var bestBits = Int.max
    private var bestSymbolBits = 8

    /// A string that the dictionary has.
    private struct Match: Equatable {
        var (length, code) = (0, 0)
        /// How many of its symbols are the others.
        var others = 0
    }

    /// The dictionary was begun again where this stands among the codes.
    private static let clearMark = UInt16.max

    init() { slots.initialize(repeating: 0, count: 1 << LZWEncoder.slotBits) }

    deinit { slots.deallocate() }

    /// Forgets what was compressed.
    func begin() { bestBits = .max }

    /// Compresses symbols, and keeps the result if it is the smallest since `begin`. Returns whether it is.
    @discardableResult
    func attempt(_ input: Input) -> Bool {
        var wins = tryOnce(input, clears: false)
        // Only what fills the dictionary can be smaller with another.
        if codes.count > LZWEncoder.mostCodes - (1 << input.bits) { wins = tryOnce(input, clears: true) || wins }
        return wins
    }

    private func tryOnce(_ input: Input, clears: Bool) -> Bool {
        guard let bits = encode(input, clears: clears), bits < bestBits else { return false }
        (bestBits, bestSymbolBits) = (bits, input.bits)
        swap(&codes, &best)
        return true
    }

    /// Bytes that the smallest result takes, without those that say how long blocks are.
    var byteCount: Int { bestBits == .max ? .max : (bestBits + 7) / 8 }

    // MARK: Codes

    /// Fills `codes`. Returns how many bits they take, the first and the last code included; nil as soon as there are more
    /// than in the best result.
    private func encode(_ input: Input, clears: Bool) -> Int? {
        // In a variable of its own: every use of an object's is checked.
        var codes = exchange(&self.codes, with: [])
        defer { self.codes = codes }
        codes.removeAll(keepingCapacity: true)
        let first = 1 << input.bits + 2
        var (next, width, last, place) = (first, input.bits + 1, -1, 0)
        var bits = width
        forgetStrings()
        while place < input.count {
            if clears, next == LZWEncoder.mostCodes {
                codes.append(LZWEncoder.clearMark)
                bits += width
                (next, width, last) = (first, input.bits + 1, -1)
                forgetStrings()
            }
            let match = findMatch(input, at: place, after: last, next)
            if last >= 0, next < LZWEncoder.mostCodes {
                if next == 1 << width, width < 12 { width += 1 }
                next += 1
            }
            codes.append(UInt16(match.code))
            bits += width
            guard bits < bestBits else { return nil }
            (last, place) = (match.code, place + match.length)
        }
        if next == 1 << width, width < 12 { width += 1 }
        return bits + width
    }

    /// Finds the longest string from a place on, which the decoder can make of the string before: its first symbol ends the
    /// entry that the decoder adds meanwhile. That entry is added here, too.
    private func findMatch(_ input: Input, at place: Int, after last: Int, _ next: Int) -> Match {
        let symbol = input.symbols[place]
        var match = Match()
        let entry = add(last, symbol, next)
        follow(input, at: place, Match(length: 1, code: Int(symbol)), &match)
        guard let other = input.others?[place], other != symbol else { return match }
        let usual = match
        if let entry { slots[entry] = 0 }
        let otherEntry = add(last, other, next)
        follow(input, at: place, Match(length: 1, code: Int(other), others: 1), &match)
        guard match == usual else { return match }
        if let otherEntry { slots[otherEntry] = 0 }
        _ = add(last, symbol, next)
        return match
    }

    /// Adds a string to the dictionary, if there is one before it, room, and no such string. Returns its slot.
    @inline(__always)
    private func add(_ last: Int, _ symbol: UInt8, _ code: Int) -> Int? {
        guard last >= 0, code < LZWEncoder.mostCodes else { return nil }
        let key = UInt32(last) << 8 | UInt32(symbol)
        var slot = LZWEncoder.slot(key)
        while slots[slot] != 0 {
            if slots[slot] >> 12 == key { return nil }
            slot = (slot + 1) & (1 << LZWEncoder.slotBits - 1)
        }
        slots[slot] = key << 12 | UInt32(code)
        return slot
    }

    /// Goes on from a string as far as there are longer ones, along both symbols where they are free, and keeps the longest.
    private func follow(_ input: Input, at place: Int, _ string: Match, _ longest: inout Match) {
        var string = string
        while true {
            if string.length > longest.length || string.length == longest.length && string.others < longest.others {
                longest = string
            }
            let end = place + string.length
            guard end < input.count else { return }
            let symbol = input.symbols[end]
            let longer = find(string.code, symbol)
            var otherLonger = 0
            if let other = input.others?[end], other != symbol { otherLonger = find(string.code, other) }
            guard longer != 0 || otherLonger != 0 else { return }
            string.length += 1
            let other = Match(length: string.length, code: otherLonger, others: string.others + 1)
            if longer == 0 {
                string = other
            } else {
                if otherLonger != 0 { follow(input, at: place, other, &longest) }
                string.code = longer
            }
        }
    }

    /// The code of a string and a symbol more; 0 if there is none.
    @inline(__always)
    private func find(_ code: Int, _ symbol: UInt8) -> Int {
        let key = UInt32(code) << 8 | UInt32(symbol)
        var slot = LZWEncoder.slot(key)
        while slots[slot] != 0 {
            if slots[slot] >> 12 == key { return Int(slots[slot] & 0xFFF) }
            slot = (slot + 1) & (1 << LZWEncoder.slotBits - 1)
        }
        return 0
    }

    @inline(__always)
    private static func slot(_ key: UInt32) -> Int { Int((key &* 2_654_435_761) >> (32 - UInt32(slotBits))) }

    private func forgetStrings() { slots.update(repeating: 0, count: 1 << LZWEncoder.slotBits) }

    // MARK: Bytes

    /// The smallest result as the file holds it: symbol bits, blocks of at most 255 bytes, and an empty one.
    func bytes() -> [UInt8] {
        var writer = BlockWriter(capacity: byteCount + byteCount / 255 + 4)
        writer.bytes.append(UInt8(bestSymbolBits))
        let clear = 1 << bestSymbolBits
        var (next, width, hasLast) = (clear + 2, bestSymbolBits + 1, false)
        writer.append(clear, width)
        for code in best {
            if code == LZWEncoder.clearMark {
                writer.append(clear, width)
                (next, width, hasLast) = (clear + 2, bestSymbolBits + 1, false)
                continue
            }
            if hasLast, next < LZWEncoder.mostCodes {
                if next == 1 << width, width < 12 { width += 1 }
                next += 1
            }
            writer.append(Int(code), width)
            hasLast = true
        }
        if next == 1 << width, width < 12 { width += 1 }
        writer.append(clear + 1, width)
        return writer.finish()
    }
}

/// Bits in blocks, the lowest bit first.
private struct BlockWriter {
    var bytes: [UInt8] = []
    private var block: [UInt8] = []
    private var pending = 0
    private var pendingBits = 0

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func append(_ code: Int, _ width: Int) {
        pending |= code << pendingBits
        pendingBits += width
        while pendingBits >= 8 {
            append(UInt8(pending & 0xFF))
            (pending, pendingBits) = (pending >> 8, pendingBits - 8)
        }
    }

    private mutating func append(_ byte: UInt8) {
        block.append(byte)
        if block.count == 255 { endBlock() }
    }

    private mutating func endBlock() {
        guard !block.isEmpty else { return }
        bytes.append(UInt8(block.count))
        bytes += block
        block.removeAll(keepingCapacity: true)
    }

    mutating func finish() -> [UInt8] {
        if pendingBits > 0 { append(UInt8(pending & 0xFF)) }
        endBlock()
        bytes.append(0)
        return bytes
    }
}
