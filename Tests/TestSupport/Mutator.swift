/// A generator of invalid documents from valid ones. The same seed gives the same documents.
package struct Mutator {
    private let seeds: [[UInt8]]
    private var random: SeededGenerator

    package init(seeds: [[UInt8]], seed: Int) {
        self.seeds = seeds
        random = SeededGenerator(seed: seed)
    }

    /// Returns a document with one to five mutations. Small numbers are more frequent, so that many
    /// documents are still valid YAML and reach the later checks.
    package mutating func next() -> [UInt8] {
        var bytes = seeds[random.int(0...seeds.count - 1)]
        for _ in 0..<random.int(1...random.int(1...5)) {
            switch random.int(0...13) {
            case 0: flip(&bytes)
            case 1: splice(&bytes)
            case 2, 3: replaceToken(&bytes)
            case 4: insert(hostile(), into: &bytes)
            case 5: remove(&bytes)
            case 6: repeatLine(&bytes)
            case 7: insert(structure(), into: &bytes)
            case 8: replaceValue(&bytes)
            case 9: indent(&bytes)
            default: replaceToken(&bytes)
            }
        }
        return bytes
    }

    // MARK: Mutations

    private mutating func offset(in bytes: [UInt8]) -> Int { random.int(0...bytes.count) }

    private mutating func flip(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let index = random.int(0...bytes.count - 1)
        bytes[index] = UInt8(truncatingIfNeeded: random.next())
    }

    private mutating func splice(_ bytes: inout [UInt8]) {
        let other = seeds[random.int(0...seeds.count - 1)]
        bytes = Array(bytes.prefix(offset(in: bytes)) + other.suffix(offset(in: other)))
    }

    private mutating func remove(_ bytes: inout [UInt8]) {
        let start = offset(in: bytes)
        bytes.removeSubrange(start..<min(bytes.count, start + random.int(1...40)))
    }

    private mutating func insert(_ text: [UInt8], into bytes: inout [UInt8]) {
        bytes.insert(contentsOf: text, at: offset(in: bytes))
    }

    private mutating func repeatLine(_ bytes: inout [UInt8]) {
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
        let line = lines[random.int(0...lines.count - 1)]
        lines.insert(contentsOf: Array(repeating: line, count: random.int(1...3)), at: random.int(0...lines.count))
        bytes = Array(lines.joined(separator: [10]))
    }

    private mutating func indent(_ bytes: inout [UInt8]) {
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
        let index = random.int(0...lines.count - 1)
        lines[index] = random.int(0...1) == 0 ? lines[index].dropFirst(random.int(1...4)) : [32, 32] + lines[index]
        bytes = Array(lines.joined(separator: [10]))
    }

    /// Replaces a word by another one.
    private mutating func replaceToken(_ bytes: inout [UInt8]) {
        func isWord(_ byte: UInt8) -> Bool { byte == 45 || (48...57).contains(byte) || (97...122).contains(byte | 32) }
        guard let start = bytes[random.int(0...max(0, bytes.count - 1))...].firstIndex(where: isWord) else { return }
        let end = bytes[start...].firstIndex { !isWord($0) } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: random.int(0...2) == 0 ? hostile() : word())
    }

    /// Replaces the rest of a line after a colon.
    private mutating func replaceValue(_ bytes: inout [UInt8]) {
        guard let colon = bytes[offset(in: bytes)...].firstIndex(of: 58) else { return }
        let end = bytes[colon...].firstIndex(of: 10) ?? bytes.count
        bytes.replaceSubrange(colon + 1..<end, with: [32] + (random.int(0...1) == 0 ? hostile() : structure()))
    }

    // MARK: Insertions

    private mutating func word() -> [UInt8] {
        let words = [
            "clips", "defaults", "extends", "matrix", "outputs", "loader", "name", "file", "suffix", "format", "set",
            "fps", "slowmo", "cycles", "duration", "step", "ramp", "hold", "phase", "from", "to", "gop", "chapters",
            "size", "scale", "codec", "quality", "speed", "pixel-format", "annotate", "background", "motion", "tick",
            "ticksPerPhase", "all", "qq", "qq-mail", "iqiyi", "jelly", "mp4", "webm", "mkv", "vp9", "hevc", "true",
        ]
        return Array(words[random.int(0...words.count - 1)].utf8)
    }

    private mutating func hostile() -> [UInt8] {
        let values = [
            "../../../../etc/passwd", "/etc/passwd", "..", ".", ".loadervid/manifest.json", "a//b", "a/../../b",
            "99999999999999999999999999999999999999", "-1", "0", "1e308", "nan", "-.inf", ".5", "1/0", "1/999999",
            "8192x8192", "9999999999999999999x2", "16x16", "36000", "999999999", "0.000001", "1000", "10000000",
            "~", "null", "''", "\"\"", "{}", "[]", "yes", "0x10", "0o17", "1_000", "12:30:45", "2001-12-14",
            "phase:0+1", "phase:99999999999999999999", "{loader}", "{..}", "{preset}/../{loader}", "{", "}}{{",
            "\0", "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{202E}", "\u{301}/", "\\\\", "\"\\x00\"",
            "\"\\u0000\"",
            "!!python/object:os.system", "!<tag:yaml.org,2002:binary>", "%YAML 1.9", "---", "...", "&a", "*a", "<<: *a",
            "? ", ": ", "- ", "|", ">", "'", "\"", "#", "\t", "\r\n", "/dev/zero", "/dev/stdin", "/proc/self/mem",
        ]
        switch random.int(0...9) {
        case 0: return [0xFF, 0xFE]
        case 1: return [0xC0, 0xAF, 0xED, 0xA0, 0x80]
        case 2: return (0..<random.int(1...3000)).map { _ in 65 }
        default: return Array(values[random.int(0...values.count - 1)].utf8)
        }
    }

    private mutating func structure() -> [UInt8] {
        let depth = random.int(1...3000)
        switch random.int(0...6) {
        case 0: return Array(repeating: 91, count: depth)
        case 1: return Array(String(repeating: "{a: ", count: depth).utf8)
        case 2: return Array(String(repeating: "- ", count: depth).utf8)
        case 3: return Array(("\n" + bomb()).utf8)
        case 4:
            let list = (1...random.int(1...300)).map(String.init).joined(separator: ", ")
            return Array(" [\(list)]".utf8)
        case 5:
            let axes = ["fps", "slowmo", "gop", "cycles", "set.radius", "scale"].map { key in
                "      \(key): [\((1...random.int(1...60)).map(String.init).joined(separator: ","))]\n"
            }
            return Array(("\n  - loader: all\n    matrix:\n" + axes.joined()).utf8)
        default: return Array("\n? {? [*a, {b: c}] : d}\n: e\n".utf8)
        }
    }

    private mutating func bomb() -> String {
        var text = "b0: &b0 [x, x, x]\n"
        for level in 1...random.int(2...40) {
            let alias = "*b\(level - 1)"
            text += "b\(level): &b\(level) [\(alias), \(alias), \(alias), \(alias)]\n"
        }
        return text + "? *b1\n: x\n"
    }
}
