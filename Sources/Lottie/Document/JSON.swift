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

    /// Parses the bytes of a file. Throws `LottieError` with the line and column of a syntax error,
    /// or with the limit that the file exceeds.
    init(parsing bytes: [UInt8]) throws(LottieError) {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        // Each value but the first follows one of these characters, so this bounds the number of
        // values before the parser allocates memory for them.
        let count = bytes.reduce(1) {
            $0 + ([UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{")].contains($1) ? 1 : 0)
        }
        guard count <= LottieLimits.maxValues else {
            throw LottieError(
                "the file has more than the maximum of \(LottieLimits.maxValues) values")
        }
        var error = json_error_t()
        let flags = size_t(JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY)
        let root = bytes.withUnsafeBytes { bytes in
            json_loadb(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, flags, &error)
        }
        guard let root else { throw LottieError("not valid JSON: \(JSON.reason(error))") }
        defer { json_decref(root) }
        self = try JSON(root, depth: 0)
    }

    private static func reason(_ error: json_error_t) -> String {
        let text = withUnsafeBytes(of: error.text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return "line \(error.line), column \(error.column): \(text)"
    }

    private init(_ value: UnsafeMutablePointer<json_t>, depth: Int) throws(LottieError) {
        guard depth <= LottieLimits.maxDepth else {
            throw LottieError("values are nested deeper than the maximum of \(LottieLimits.maxDepth) levels")
        }
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
            guard json_object_size(value) <= LottieLimits.maxMembers else {
                throw LottieError("an object has more than the maximum of \(LottieLimits.maxMembers) members")
            }
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
