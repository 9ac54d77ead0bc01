import Explain
import Foundation

/// A document as an editor parses it.
indirect enum Instance: Equatable {
    case null
    case flag(Bool)
    /// A number; NaN if its value does not matter.
    case number(Double)
    case text(String)
    case list([Instance])
    case object([String: Instance])

    /// The versions of YAML, which read different words as true.
    enum Version: CaseIterable { case yaml11, yaml12 }

    init(_ node: YAMLNode, _ version: Version) {
        switch node.content {
        case .sequence(let nodes): self = .list(nodes.map { Instance($0, version) })
        case .mapping(let pairs):
            self = .object(Dictionary(pairs.map { ($0.key.text ?? "", Instance($0.value, version)) }) { $1 })
        case .scalar(let text, isPlain: false): self = .text(text)
        case .scalar(let text, isPlain: true): self = Instance(plain: text, version)
        }
    }

    private init(plain text: String, _ version: Version) {
        let truths = version == .yaml12 ? ["true", "false"] : ["true", "false", "yes", "no", "on", "off"]
        let known = truths.flatMap { [$0, $0.capitalized, $0.uppercased()] }
        if ["", "~", "null", "Null", "NULL"].contains(text) {
            self = .null
        } else if known.contains(text) {
            self = .flag(["true", "yes", "on"].contains(text.lowercased()))
        } else if text.wholeMatch(of: /[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?/) != nil
            || text.wholeMatch(of: /0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)/) != nil
            || version == .yaml11 && text.wholeMatch(of: /[-+]?[0-9][0-9_]*(:[0-5]?[0-9])*(\.[0-9_]*)?/) != nil
        {
            self = .number(Double(text) ?? .nan)
        } else {
            self = .text(text)
        }
    }

    /// True for a whole number, or one whose value does not matter.
    var isWhole: Bool {
        guard case .number(let number) = self else { return false }
        return number.isNaN || number == number.rounded()
    }

    var typeName: String {
        switch self {
        case .null: "null"
        case .flag: "boolean"
        case .number: "number"
        case .text: "string"
        case .list: "array"
        case .object: "object"
        }
    }
}

/// The subset of JSON Schema draft 7 that the preset schema uses. An unknown keyword is an error.
struct JSONSchema {
    private let root: [String: Any]

    init(_ data: Data) throws {
        guard let root = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw CocoaError(.propertyListReadCorrupt)
        }
        self.root = root
    }

    /// The location of and reason for a rejection; nil if the document is accepted.
    func refusal(of instance: Instance) -> String? { refusal(of: instance, root, "$") }

    private func refusal(of instance: Instance, _ schema: [String: Any], _ path: String) -> String? {
        for (keyword, value) in schema.sorted(by: { $0.key < $1.key }) {
            if let refusal = refusal(of: instance, keyword, value, schema, path) { return refusal }
        }
        return nil
    }

    private func refusal(
        of instance: Instance, _ keyword: String, _ value: Any, _ schema: [String: Any], _ path: String
    ) -> String? {
        func unless(_ isValid: Bool) -> String? { isValid ? nil : "\(path): \(instance) against \(keyword) \(value)" }
        switch (keyword, instance) {
        case ("$schema", _), ("title", _), ("description", _), ("definitions", _): return nil
        case ("$ref", _):
            let name = (value as? String)?.split(separator: "/").last.map(String.init) ?? ""
            let known = (root["definitions"] as? [String: Any])?[name] as? [String: Any]
            return known.map { refusal(of: instance, $0, path) } ?? "no definition \(value)"
        case ("type", _):
            let types = value as? [String] ?? [value as? String ?? ""]
            return unless(types.contains(instance.typeName) || types.contains("integer") && instance.isWhole)
        case ("minimum", .number(let number)): return unless(!(number < value as? Double ?? 0))
        case ("maximum", .number(let number)): return unless(!(number > value as? Double ?? 0))
        case ("enum", _):
            return unless(
                (value as? [Any] ?? []).contains { item in
                    switch instance {
                    case .text(let text): item as? String == text
                    case .flag(let flag): !(item is String) && item as? Bool == flag
                    case .number(let number): !(item is Bool) && item as? Double == number
                    default: false
                    }
                })
        case ("anyOf", _):
            let schemas = value as? [[String: Any]] ?? []
            return unless(schemas.contains { refusal(of: instance, $0, path) == nil })
        case ("pattern", .text(let text)):
            return unless(text.range(of: value as? String ?? "", options: .regularExpression) != nil)
        case ("minLength", .text(let text)): return unless(text.unicodeScalars.count >= value as? Int ?? 0)
        case ("minItems", .list(let items)): return unless(items.count >= value as? Int ?? 0)
        case ("items", .list(let items)):
            return items.enumerated().lazy.compactMap { index, item in
                refusal(of: item, value as? [String: Any] ?? [:], "\(path)[\(index)]")
            }.first
        case ("properties", .object(let members)), ("additionalProperties", .object(let members)):
            let known = schema["properties"] as? [String: [String: Any]] ?? [:]
            return members.sorted { $0.key < $1.key }.lazy.compactMap { key, member in
                known[key].map { refusal(of: member, $0, "\(path).\(key)") } ?? "\(path) has \(key)"
            }.first
        case ("pattern", _), ("minLength", _), ("minItems", _), ("items", _), ("properties", _),
            ("additionalProperties", _), ("minimum", _), ("maximum", _):
            return nil
        default: return "\(path): unknown keyword \(keyword)"
        }
    }
}
