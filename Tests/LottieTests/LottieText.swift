@testable import Lottie

/// A mutable JSON text that can also represent invalid files.
indirect enum LottieText: Sendable {
    /// A number, a literal or a string as written in the file.
    case raw(String)
    case list([LottieText])
    /// Members in order. Keys can be repeated.
    case object([(key: String, value: LottieText)])

    init(_ json: JSON) {
        switch json {
        case .null: self = .raw("null")
        case .bool(let flag): self = .raw("\(flag)")
        case .number(let number): self = .raw("\(number)")
        case .string(let text): self = .string(text)
        case .array(let items): self = .list(items.map(LottieText.init))
        case .object(let members):
            self = .object(members.sorted { $0.key < $1.key }.map { ($0.key, LottieText($0.value)) })
        }
    }

    /// Parses a JSON text.
    init(_ text: String) {
        self = (try? JSON(parsing: Array(text.utf8))).map(LottieText.init) ?? .raw("null")
    }

    static func string(_ text: String) -> LottieText {
        let escaped = text.unicodeScalars.map { scalar in
            scalar == "\"" || scalar == "\\"
                ? "\\\(scalar)"
                : scalar.value < 0x20
                    ? "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16) : "\(scalar)"
        }
        return .raw("\"\(escaped.joined())\"")
    }

    /// The bytes of a file.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .raw(let text): bytes += text.utf8
        case .list(let items):
            bytes.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                item.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                LottieText.string(member.key).write(to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    var isNumber: Bool { if case .raw(let text) = self { Double(text) != nil } else { false } }

    /// The number of values, including this one.
    var count: Int {
        switch self {
        case .raw: 1
        case .list(let items): items.reduce(1) { $0 + $1.count }
        case .object(let members): members.reduce(1) { $0 + $1.value.count }
        }
    }

    /// Calls `change` with the value at an index in the order of the text, and with its key if it
    /// is a member of an object.
    mutating func change(_ index: Int, _ change: (String?, inout LottieText) -> Void) {
        var remaining = index
        visit(nil, &remaining, change)
    }

    private mutating func visit(_ key: String?, _ remaining: inout Int, _ change: (String?, inout LottieText) -> Void) {
        if remaining == 0 { change(key, &self) }
        remaining -= 1
        guard remaining >= 0 else { return }
        switch self {
        case .raw: break
        case .list(var items):
            for index in items.indices where remaining >= 0 { items[index].visit(nil, &remaining, change) }
            self = .list(items)
        case .object(var members):
            for index in members.indices where remaining >= 0 {
                members[index].value.visit(members[index].key, &remaining, change)
            }
            self = .object(members)
        }
    }
}
