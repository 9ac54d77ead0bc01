import TestSupport

@testable import Lottie

/// Makes invalid and hostile Lottie files out of valid ones. A seed always gives the same file.
struct LottieMutator {
    private let seeds: [LottieText]
    private var random: SeededGenerator

    init(seeds: [LottieText], seed: Int) {
        self.seeds = seeds
        // Spreads neighbouring seeds.
        random = SeededGenerator(seed: seed &* 0x1_0000_01B3 &+ 77)
    }

    /// Returns a file with one to six mutations, usually few, so that many files are still drawn.
    mutating func next() -> [UInt8] {
        var text = seeds[random.int(0...seeds.count - 1)]
        for _ in 0..<random.int(1...random.int(1...6)) { mutate(&text) }
        var bytes = text.bytes
        if random.int(0...7) == 0 { damage(&bytes) }
        return bytes
    }

    /// Changes, removes or inserts bytes at random, as in a damaged archive.
    mutating func damage(_ bytes: inout [UInt8]) {
        for _ in 0..<random.int(1...4) where !bytes.isEmpty {
            let index = random.int(0...bytes.count - 1)
            switch random.int(0...4) {
            case 0: bytes.removeLast(bytes.count - index)
            case 1: bytes.removeSubrange(index..<min(bytes.count, index + random.int(1...40)))
            case 2: bytes.insert(contentsOf: Array(repeating: bytes[index], count: random.int(1...300)), at: index)
            default: bytes[index] = UInt8(truncatingIfNeeded: random.next())
            }
        }
    }

    // MARK: Structure

    private mutating func mutate(_ text: inout LottieText) {
        let count = text.count
        // Numbers (0...2), values and inserted members, layers and shape items (3...5) get more
        // attempts: they are most of a file, and most failures were found with them.
        let kind = random.int(0...13)
        for _ in 0..<(kind < 6 ? 12 : 4) {
            var isDone = false
            text.change(random.int(0...count - 1)) { key, value in isDone = apply(kind, key, &value) }
            if isDone { return }
        }
    }

    private mutating func apply(_ kind: Int, _ key: String?, _ value: inout LottieText) -> Bool {
        switch (kind, value) {
        case (0...2, .raw) where value.isNumber: value = .raw(number(key))
        case (3, .raw): value = scalar()
        case (4, .object(var members)):
            members.append(member())
            value = .object(members)
        case (5, .list(var items)) where items.contains { if case .object = $0 { true } else { false } }:
            items.insert(item(), at: random.int(0...items.count))
            value = .list(items)
        case (6, .object(var members)) where !members.isEmpty:
            members.remove(at: random.int(0...members.count - 1))
            value = .object(members)
        case (7, .list(var items)) where !items.isEmpty:
            items.remove(at: random.int(0...items.count - 1))
            value = .list(items)
        case (8, .list(var items)) where !items.isEmpty:
            let copies = Array(repeating: items[random.int(0...items.count - 1)], count: random.int(1...30))
            items.insert(contentsOf: copies, at: random.int(0...items.count))
            value = .list(items)
        case (9, .list(let items)): value = .list(random.int(0...2) == 0 ? [] : items.reversed())
        case (10, .list(var items)) where items.count > 1:
            items.swapAt(random.int(0...items.count - 1), random.int(0...items.count - 1))
            value = .list(items)
        case (11, .object(var members)) where members.count > 1:
            // Swaps the values of two members, or repeats a key.
            let a = random.int(0...members.count - 1)
            let b = random.int(0...members.count - 1)
            if random.int(0...1) == 0 {
                members[a].key = members[b].key
            } else {
                (members[a].value, members[b].value) = (members[b].value, members[a].value)
            }
            value = .object(members)
        case (12, _): value = random.int(0...3) == 0 ? nested(value) : scalar()
        case (13, .object): value = seeds[random.int(0...seeds.count - 1)].part(random.int(0...1000))
        default: return false
        }
        return true
    }

    private mutating func nested(_ value: LottieText) -> LottieText {
        (0..<random.int(1...300)).reduce(value) { inner, _ in .list([inner]) }
    }

    // MARK: New values

    /// Returns a number that is extreme for its key, or for any key.
    private mutating func number(_ key: String?) -> String {
        let small = ["0", "1", "2", "3", "4", "-1"]
        let byKey: [String: [String]] = [
            "ind": small, "parent": small, "tp": small, "tt": small, "ty": small, "ddd": small, "hd": small,
            "bm": small, "pe": ["0", "1e-9", "-100", "1e7"], "rx": ["90", "89.999", "1e7"],
            "ry": ["90", "180", "-1e7"],
            "c": ["1000", "999.5", "-3", "1e6", "0.4"], "sr": ["0.001", "-1", "1000", "0"],
            "w": ["0", "1", "1e5", "1e7", "-5"], "h": ["0", "1", "1e5", "1e7", "-5"],
            "op": ["0", "1e7", "1e-3", "-1"], "ip": ["1e7", "-1e7", "59.9"], "fr": ["0.01", "1000", "29.9700012", "0"],
            "t": ["0", "1e-300", "-1e7", "30", "1e7"],
        ]
        let any = [
            "0", "-0", "-1", "1", "0.5", "1e-9", "1e-300", "1e7", "-1e7", "9999999", "1e8", "1e308", "1e999", "-1e999",
            "NaN",
            "Infinity", "99999999999999999999999999", "100", "360", "1000", "2147483648", "9223372036854775807", "0x10",
            "1_000", ".5",
        ]
        if let key, let numbers = byKey[key], random.int(0...2) > 0 {
            return numbers[random.int(0...numbers.count - 1)]
        }
        // The later entries are not JSON numbers, so the whole file is refused. They are rare.
        return any[random.int(0...(random.int(0...4) == 0 ? any.count - 1 : 9))]
    }

    private mutating func scalar() -> LottieText {
        let texts = [
            "", "a", "c0", "c1", "i0", "../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd",
            "http://127.0.0.1/a.png",
            "data:image/png;base64,AAAA", "\u{1B}[2J\u{7}", "\u{202E}abc\u{2066}", "\u{85}\u{2028}\n\r\t", "\u{7F}",
            "\"\\",
            String(repeating: "x", count: 5000), "time*", "loopOut()", "[time,time]", "value/0", "((((((((((",
            "Math.pow(10,300)*time", "Math.exp(time*1000)", "1e999", "loopOut('continue')", "loopIn('pingpong', 1)",
            "red",
        ]
        switch random.int(0...9) {
        case 0: return .raw("null")
        case 1: return .raw("true")
        case 2: return .list([])
        case 3: return .object([])
        case 4: return .raw(number(nil))
        case 5: return .list((0..<random.int(1...400)).map { .raw("\($0)") })
        default: return .string(texts[random.int(0...texts.count - 1)])
        }
    }

    /// Returns a member that changes the rendering a lot.
    private mutating func member() -> (key: String, value: LottieText) {
        let expressions = [
            "loopOut()", "loopOut('offset')", "loopIn('continue')", "time*1e300", "value/0",
            "Math.pow(value,time*1000)",
            "[time*1e9,0/0]", "loopOut('continue',1)",
        ]
        let members: [(String, String)] = [
            ("parent", "1"), ("parent", "2"), ("parent", "3"), ("tt", "1"), ("tt", "2"), ("tt", "3"), ("tt", "4"),
            ("tp", "1"),
            ("tp", "2"), ("td", "1"), ("ind", "1"), ("ind", "2"), ("hd", "true"), ("bm", "3"), ("bm", "16"),
            ("ao", "1"),
            ("sr", "0.01"), ("st", "-1e6"), ("ty", "0"), ("ty", "4"), ("ddd", "1"), ("refId", "\"c0\""),
            ("refId", "\"c1\""),
            ("tm", #"{"k":[{"t":0,"s":[0]},{"t":60,"s":[1e6]}]}"#), ("op", "1e6"), ("v", "\"4.0.0\""),
            ("masksProperties", Self.masks), ("ef", Self.effects), ("d", Self.dashes),
        ]
        if random.int(0...3) == 0 { return ("x", .string(expressions[random.int(0...expressions.count - 1)])) }
        let (key, text) = members[random.int(0...members.count - 1)]
        return (key, LottieText(text))
    }

    private mutating func item() -> LottieText {
        LottieText(Self.items[random.int(0...Self.items.count - 1)])
    }

    private static let masks =
        #"[{"mode":"s","inv":true,"pt":{"k":{"v":[[0,0],[90,0],[50,90]],"i":[[0,0],[0,0],[0,0]],"o":[[0,0],[0,0],[0,0]],"c":true}},"o":{"k":50},"x":{"k":40}},{"mode":"i","pt":{"k":{"v":[[0,0],[90,0],[50,90]],"c":true}},"o":{"k":100},"x":{"k":-5}}]"#
    private static let effects =
        #"[{"ty":29,"ef":[{"v":{"k":1e6}},{"v":{"k":1}},{"v":{"k":0}}]},{"ty":25,"ef":[{"v":{"k":[1,0,0]}},{"v":{"k":200}},{"v":{"k":45}},{"v":{"k":1e5}},{"v":{"k":9e4}}]},{"ty":20,"ef":[]},{"ty":21,"ef":[]}]"#
    private static let dashes = #"[{"n":"d","v":{"k":0.001}},{"n":"g","v":{"k":0.001}},{"n":"o","v":{"k":1e7}}]"#

    /// Shape items and layers that are expensive to draw.
    private static let items = [
        #"{"ty":"rp","c":{"k":900},"o":{"k":0},"m":1,"tr":{"a":{"k":[0,0]},"p":{"k":[1,0]},"s":{"k":[101,-99]},"r":{"k":1},"so":{"k":100},"eo":{"k":50}}}"#,
        #"{"ty":"rp","c":{"k":30},"o":{"k":1e7},"m":2,"tr":{"a":{"k":[5,5]},"p":{"k":[3,1]},"s":{"k":[1000,1000]},"r":{"k":10}}}"#,
        #"{"ty":"sr","sy":1,"p":{"k":[50,50]},"pt":{"k":1000},"r":{"k":0},"or":{"k":1e5},"ir":{"k":1},"os":{"k":1000},"is":{"k":-1000}}"#,
        #"{"ty":"zz","s":{"k":50},"r":{"k":500},"pt":{"k":2}}"#, #"{"ty":"op","a":{"k":20},"lj":2,"ml":{"k":4}}"#,
        #"{"ty":"op","a":{"k":-1e4},"lj":1,"ml":{"k":1e7}}"#, #"{"ty":"mm","mm":3}"#, #"{"ty":"mm","mm":5}"#,
        #"{"ty":"mm","mm":2}"#,
        #"{"ty":"tw","a":{"k":1e6},"c":{"k":[0,0]}}"#, #"{"ty":"pb","a":{"k":500}}"#, #"{"ty":"rd","r":{"k":1e7}}"#,
        #"{"ty":"tm","s":{"k":0},"e":{"k":30},"o":{"k":1e7},"m":2}"#,
        #"{"ty":"st","c":{"k":[1,0,0]},"o":{"k":100},"w":{"k":2},"lc":2,"lj":2,"d":[{"n":"d","v":{"k":0.01}},{"n":"g","v":{"k":0.01}}]}"#,
        #"{"ty":"st","c":{"k":[1,0,0]},"o":{"k":100},"w":{"k":1e7},"lc":3,"lj":1,"ml":1e7}"#,
        #"{"ty":"gf","t":2,"s":{"k":[0,0]},"e":{"k":[0,0]},"h":{"k":500},"a":{"k":0},"g":{"p":2,"k":{"k":[0,1,0,0,1,0,1,0,0,1,1,0]}},"o":{"k":100}}"#,
        #"{"ty":"el","p":{"k":[0,0]},"s":{"k":[1e7,1e-7]}}"#,
        #"{"ty":"rc","p":{"k":[50,50]},"s":{"k":[-80,80]},"r":{"k":1e7}}"#,
        #"{"ty":"tr","p":{"k":[1e7,0]},"a":{"k":[0,0]},"s":{"k":[1e7,1e7]},"r":{"k":1e7},"o":{"k":1e7},"sk":{"k":90},"sa":{"k":45}}"#,
        #"{"ty":4,"ip":0,"op":60,"ks":{"s":{"k":[0,0]}},"shapes":[{"ty":"el","p":{"k":[0,0]},"s":{"k":[9,9]}},{"ty":"fl","c":{"k":[0,0,1]},"o":{"k":100}}]}"#,
        #"{"ty":0,"refId":"c0","ip":0,"op":60,"w":100,"h":100,"ks":{"o":{"k":50}}}"#,
        #"{"ty":1,"sw":1e6,"sh":1e6,"sc":"red","ip":0,"op":60,"ks":{}}"#, #"{"ty":"gr","it":[]}"#,
        #"{"t":30,"s":[1e7],"i":{"x":0,"y":1e7},"o":{"x":1,"y":-1e7}}"#,
        #"{"t":1e-300,"s":[5,5],"to":[1e6,0],"ti":[0,1e6]}"#,
    ]
}

extension LottieText {
    /// Returns the value at an index modulo the number of values.
    fileprivate func part(_ index: Int) -> LottieText {
        var copy = self
        var part = self
        copy.change(index % count) { part = $1 }
        return part
    }
}
