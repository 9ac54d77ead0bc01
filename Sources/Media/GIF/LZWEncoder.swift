/// An encoder of GIF's LZW compression. Each code stands for a string of symbols and adds another
/// string to the dictionary: the previous string and the first symbol of its own.
///
/// Some symbols have an alternative. The encoder chooses the symbols that give the longest match. A
/// full dictionary is kept or cleared, whichever gives fewer bits. Not thread-safe.
final class LZWEncoder {
    /// Symbols to compress.
    struct Input {
        /// The preferred symbols.
        let symbols: UnsafePointer<UInt8>
        /// The alternative symbol at each position, which may be equal to the preferred one; nil if
        /// there are no alternatives.
        let alternatives: UnsafePointer<UInt8>?
        let count: Int
        /// The bits per symbol, 2...8 (GIF's minimum code size).
        let bits: Int
    }

    /// The size of a full dictionary, since codes have a maximum of 12 bits.
    private static let maxCodes = 4096
    /// The bits of a slot index. The hash table has four slots per code.
    private static let slotBits = 14

    /// A hash table of strings: (prefix code << 8 | last symbol) << 12 | code, or 0 if the slot is
    /// empty.
    private let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: 1 << slotBits)
    private var codes: [UInt16] = []
    private var bestCodes: [UInt16] = []
    /// The number of codes of the last attempt.
    private var codeCount = 0
    private var bestBits = Int.max
    private var bestSymbolBits = 8

    /// A string in the dictionary.
    private struct Match: Equatable {
        var length = 0
        var code = 0
        /// The number of alternative symbols in the string.
        var alternatives = 0
    }

    /// A placeholder for the clear code in a list of codes.
    private static let clearMarker = UInt16.max

    init() { slots.initialize(repeating: 0, count: 1 << LZWEncoder.slotBits) }

    deinit { slots.deallocate() }

    /// Discards the best result.
    func begin() { bestBits = .max }

    /// Compresses symbols. Keeps the result and returns true if it is the smallest one since
    /// `begin()`.
    @discardableResult
    func attempt(_ input: Input) -> Bool {
        var isBest = attempt(input, clears: false)
        // Clearing only changes the result if the dictionary was full.
        if codeCount > LZWEncoder.maxCodes - (1 << input.bits) { isBest = attempt(input, clears: true) || isBest }
        return isBest
    }

    private func attempt(_ input: Input, clears: Bool) -> Bool {
        guard let bits = encode(input, clears: clears), bits < bestBits else { return false }
        bestBits = bits
        bestSymbolBits = input.bits
        swap(&codes, &bestCodes)
        return true
    }

    /// The size of the best result in bytes, without the sizes of sub-blocks.
    var byteCount: Int { bestBits == .max ? .max : (bestBits + 7) / 8 }

    // MARK: Codes

    /// Fills `codes`. Returns their number of bits, including the first clear code and the end
    /// code; nil as soon as it reaches that of the best result.
    private func encode(_ input: Input, clears: Bool) -> Int? {
        // A local variable avoids exclusivity checks on each access.
        var codes = exchange(&self.codes, with: [])
        defer {
            codeCount = codes.count
            self.codes = codes
        }
        codes.removeAll(keepingCapacity: true)
        let firstCode = 1 << input.bits + 2
        var next = firstCode
        var width = input.bits + 1
        var last = -1
        var position = 0
        var bits = width
        clearDictionary()
        while position < input.count {
            if clears, next == LZWEncoder.maxCodes {
                codes.append(LZWEncoder.clearMarker)
                bits += width
                next = firstCode
                width = input.bits + 1
                last = -1
                clearDictionary()
            }
            let match = findMatch(input, at: position, after: last, next)
            if last >= 0, next < LZWEncoder.maxCodes {
                if next == 1 << width, width < 12 { width += 1 }
                next += 1
            }
            codes.append(UInt16(match.code))
            bits += width
            guard bits < bestBits else { return nil }
            last = match.code
            position += match.length
        }
        if next == 1 << width, width < 12 { width += 1 }
        return bits + width
    }

    /// Returns the longest match at a position, and adds the string that the decoder adds at this
    /// point: the previous string and the first symbol of the match.
    private func findMatch(_ input: Input, at position: Int, after last: Int, _ next: Int) -> Match {
        let symbol = input.symbols[position]
        var match = Match()
        let entry = add(last, symbol, next)
        extend(input, at: position, Match(length: 1, code: Int(symbol)), &match)
        guard let alternative = input.alternatives?[position], alternative != symbol else { return match }
        let preferredMatch = match
        if let entry { slots[entry] = 0 }
        let alternativeEntry = add(last, alternative, next)
        extend(input, at: position, Match(length: 1, code: Int(alternative), alternatives: 1), &match)
        guard match == preferredMatch else { return match }
        if let alternativeEntry { slots[alternativeEntry] = 0 }
        _ = add(last, symbol, next)
        return match
    }

    /// Adds a string to the dictionary. Returns its slot; nil if there is no previous string, the
    /// dictionary is full or contains the string.
    @inline(__always)
    private func add(_ last: Int, _ symbol: UInt8, _ code: Int) -> Int? {
        guard last >= 0, code < LZWEncoder.maxCodes else { return nil }
        let key = UInt32(last) << 8 | UInt32(symbol)
        var slot = LZWEncoder.slot(key)
        while slots[slot] != 0 {
            if slots[slot] >> 12 == key { return nil }
            slot = (slot + 1) & (1 << LZWEncoder.slotBits - 1)
        }
        slots[slot] = key << 12 | UInt32(code)
        return slot
    }

    /// Extends a match as far as the dictionary has longer strings, recursively for alternative
    /// symbols. Stores the longest match in `longest`; of equal lengths, the one with fewer
    /// alternative symbols.
    private func extend(_ input: Input, at position: Int, _ match: Match, _ longest: inout Match) {
        var match = match
        while true {
            if match.length > longest.length
                || match.length == longest.length && match.alternatives < longest.alternatives
            {
                longest = match
            }
            let end = position + match.length
            guard end < input.count else { return }
            let symbol = input.symbols[end]
            let code = find(match.code, symbol)
            var alternativeCode = 0
            if let alternative = input.alternatives?[end], alternative != symbol {
                alternativeCode = find(match.code, alternative)
            }
            guard code != 0 || alternativeCode != 0 else { return }
            match.length += 1
            let alternativeMatch = Match(
                length: match.length, code: alternativeCode, alternatives: match.alternatives + 1)
            if code == 0 {
                match = alternativeMatch
            } else {
                if alternativeCode != 0 { extend(input, at: position, alternativeMatch, &longest) }
                match.code = code
            }
        }
    }

    /// Returns the code of a string that is extended by a symbol; 0 if it is not in the dictionary.
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

    /// Returns the first slot of a string: the upper bits of a multiplicative hash, whose factor is
    /// 2^32 divided by the golden ratio.
    @inline(__always)
    private static func slot(_ key: UInt32) -> Int { Int((key &* 2_654_435_761) >> (32 - UInt32(slotBits))) }

    private func clearDictionary() { slots.update(repeating: 0, count: 1 << LZWEncoder.slotBits) }

    // MARK: Bytes

    /// Returns the best result as stored in the file: the minimum code size, sub-blocks of up to
    /// 255 bytes, and an empty sub-block.
    func bytes() -> [UInt8] {
        var writer = BlockWriter(capacity: byteCount + byteCount / 255 + 4)
        writer.bytes.append(UInt8(bestSymbolBits))
        let clearCode = 1 << bestSymbolBits
        let endCode = clearCode + 1
        var next = clearCode + 2
        var width = bestSymbolBits + 1
        var hasLast = false
        writer.append(clearCode, width)
        for code in bestCodes {
            if code == LZWEncoder.clearMarker {
                writer.append(clearCode, width)
                next = clearCode + 2
                width = bestSymbolBits + 1
                hasLast = false
                continue
            }
            if hasLast, next < LZWEncoder.maxCodes {
                if next == 1 << width, width < 12 { width += 1 }
                next += 1
            }
            writer.append(Int(code), width)
            hasLast = true
        }
        if next == 1 << width, width < 12 { width += 1 }
        writer.append(endCode, width)
        return writer.finish()
    }
}

/// A writer of bits, lowest first, into GIF sub-blocks.
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
            pending >>= 8
            pendingBits -= 8
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
