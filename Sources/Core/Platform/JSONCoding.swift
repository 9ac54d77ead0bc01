// Loading FoundationEssentials takes less time than drawing a still image; Foundation takes longer.
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// JSON of `Codable` values. Keys are sorted, so equal values have equal bytes.
package enum JSONCoding {
    /// The layout of the output and the spelling of its keys.
    package enum Style {
        /// One line, with the names of the Swift properties.
        case compact
        /// One value per line, indented.
        case indented
        /// One line, with names in snake case. Infinity and NaN are the strings `inf` and `nan`.
        case snakeCase
    }

    /// Encodes a value. Throws `EncodingError` for numbers that JSON cannot represent.
    package static func encode(_ value: some Encodable, style: Style = .compact) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        switch style {
        case .compact: break
        case .indented: encoder.outputFormatting.insert(.prettyPrinted)
        case .snakeCase:
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return Array(try encoder.encode(value))
    }

    /// Encodes a value as text. Throws `EncodingError` for numbers that JSON cannot represent.
    package static func text(_ value: some Encodable, style: Style = .compact) throws -> String {
        String(decoding: try encode(value, style: style), as: UTF8.self)
    }

    /// Decodes a value. Throws `DecodingError` if the bytes are not JSON of that type.
    package static func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json))
    }
}
