import CJansson
import Core

/// A JSON value.
indirect enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Parses a JSON document, such as a Lottie file or the manifest of an archive. Throws
    /// `LottieError` with the line and column of a syntax error, or with the limit that the
    /// document exceeds.
    init(parsing bytes: [UInt8]) throws(LottieError) {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        try JSON.checkLimits(of: bytes)
        var error = json_error_t()
        let flags = size_t(JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY)
        let root = bytes.withUnsafeBytes { bytes in
            json_loadb(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, flags, &error)
        }
        guard let root else {
            guard bytes.contains(where: { !JSON.whitespace.contains($0) }) else {
                throw LottieError("the file is empty; export it again")
            }
            guard !bytes.starts(with: JSON.pointerStart) else {
                throw LottieError("the file is a Git LFS pointer; run 'git lfs pull'")
            }
            throw LottieError("not valid JSON: \(JSON.reason(error)); export the file again")
        }
        defer { json_decref(root) }
        self = try JSON(root, depth: 0)
    }

    /// The start of the files that Git LFS leaves in place of large files.
    private static let pointerStart = Array("version https://git-lfs".utf8)
    private static let whitespace = Set(" \t\r\n".utf8)

    /// Checks the numbers of values and members, and the depth, before the parser allocates memory
    /// for them. Every value but the first needs its own comma or opening bracket or brace outside
    /// of strings before it, so their number is an upper bound.
    private static func checkLimits(of bytes: [UInt8]) throws(LottieError) {
        var count = 1
        // An upper bound of the number of members of each open object; negative for an array.
        var members: [Int] = []
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: ","):
                count += 1
                if !members.isEmpty { members[members.count - 1] += 1 }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                count += 1
                members.append(byte == UInt8(ascii: "{") ? 1 : -LottieLimits.maxValues)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = members.popLast()
            default: continue
            }
            guard count <= LottieLimits.maxValues else {
                throw LottieError("the file has more than the maximum of \(LottieLimits.maxValues) values")
            }
            guard members.last ?? 0 <= LottieLimits.maxMembers else { throw tooManyMembers }
            // The innermost value may be in an array or object of the maximum depth.
            guard members.count <= LottieLimits.maxDepth + 1 else { throw tooDeep }
        }
    }

    private static var tooManyMembers: LottieError {
        LottieError("an object has more than the maximum of \(LottieLimits.maxMembers) members")
    }

    private static var tooDeep: LottieError {
        LottieError("values are nested deeper than the maximum of \(LottieLimits.maxDepth) levels")
    }

    private static func reason(_ error: json_error_t) -> String {
        var error = error
        if json_error_code(&error) == json_error_null_character {
            return "line \(error.line), column \(error.column): \\u0000 in a text is not supported"
        }
        let text = withUnsafeBytes(of: error.text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return "line \(error.line), column \(error.column): \(text)"
    }

    private init(_ value: UnsafeMutablePointer<json_t>, depth: Int) throws(LottieError) {
        guard depth <= LottieLimits.maxDepth else { throw JSON.tooDeep }
        switch value.pointee.type {
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        case JSON_REAL, JSON_INTEGER: self = .number(json_number_value(value))
        case JSON_STRING:
            let bytes = UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
            self = .string(String(decoding: bytes, as: UTF8.self))
        case JSON_ARRAY:
            var items: [JSON] = []
            items.reserveCapacity(json_array_size(value))
            for index in 0..<json_array_size(value) {
                guard let item = json_array_get(value, index) else { continue }
                items.append(try JSON(item, depth: depth + 1))
            }
            self = .array(items)
        case JSON_OBJECT:
            var members: [String: JSON] = [:]
            var iterator = json_object_iter(value)
            while let current = iterator {
                if let key = json_object_iter_key(current), let member = json_object_iter_value(current) {
                    members[String(cString: key)] = try JSON(member, depth: depth + 1)
                }
                iterator = json_object_iter_next(value, current)
            }
            self = .object(members)
        default: self = .null
        }
    }
}

extension JSON {
    /// A member of an object; nil if it is missing or null.
    subscript(key: String) -> JSON? {
        guard case .object(let members) = self, let member = members[key], member != .null else { return nil }
        return member
    }

    var items: [JSON]? { if case .array(let items) = self { items } else { nil } }

    var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// True if a shape item (`closed`) or a mask (`cl`) of an older file closes its path, false if
    /// it opens it; nil if neither key exists.
    var isClosedPath: Bool? {
        switch self["closed"] ?? self["cl"] {
        case .bool(let flag): flag
        case .number(let number): number != 0
        default: nil
        }
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }
}
