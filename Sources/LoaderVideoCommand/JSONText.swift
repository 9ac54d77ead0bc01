import PlatformFoundation
import Pipeline

/// A value as JSON over several lines, with its keys in order so that the same value gives the same text.
func jsonText(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self).visibleLines
}
