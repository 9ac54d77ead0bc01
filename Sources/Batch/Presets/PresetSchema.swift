import Animations
import Media
import Render

/// A JSON value.
package indirect enum JSONValue: Encodable, Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Encodes the value as plain JSON.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}

/// The JSON Schema of presets, generated from the tables that the reader uses.
package enum PresetSchema {
    /// The schema, in draft 7, which editors support.
    package static var schema: JSONValue {
        object(
            [
                "name": described(
                    ["type": scalarTypes, "pattern": .text(namePattern)], "The preset's name in paths.",
                    "the file's name"),
                "description": described(text, "The purpose of the preset, on one line."),
                "extends": described(
                    valueOrList(.object(text), minCount: 0),
                    "Presets to inherit from: the defaults that this one lacks, and its clips if it has none."),
                "defaults": .object(["$ref": .text("#/definitions/defaults")]),
                "clips": described(
                    ["type": .text("array"), "minItems": .number(1), "items": reference("clip")],
                    "The clips to render."),
            ],
            more: [
                "$schema": .text("http://json-schema.org/draft-07/schema#"), "title": .text("Preset of loader clips"),
                "definitions": .object(
                    clipValues.merging([
                        "defaults": object(
                            references(clipValues.keys), "Options of all clips, unless a clip sets its own."),
                        "clip": object(
                            references(clipValues.keys).merging(["matrix": matrix]) { $1 },
                            "A clip, whose frames are drawn once, and its output files."),
                        "output": output,
                    ]) { $1 }),
            ])
    }

    // MARK: Parts

    private static var registered: [ClipOption] { OptionRegistry.current.options }

    /// The JSON types of a text value: YAML reads some texts as numbers or booleans.
    private static let scalarTypes = types("string", "number", "boolean")
    private static let text = ["type": scalarTypes, "minLength": .number(1)]
    private static let scalar = JSONValue.object(["type": scalarTypes])

    /// Names accepted by `FileName.plain`. The pattern allows all non-ASCII characters for letters
    /// of other scripts, since `\w` means ASCII in editors and all letters in Python.
    private static let namePattern = "^[^\\x00-/:-@\\[-\\^`{-\\x7f][^\\x00-,/:-@\\[-\\^`{-\\x7f]*$"

    /// Returns a pattern that ignores case: schema patterns have no flag for that.
    private static func anyCase(_ text: String) -> String {
        text.map { $0.isLetter ? "[\($0.lowercased())\($0.uppercased())]" : $0 == "." ? "\\." : String($0) }.joined()
    }

    private static func types(_ names: String...) -> JSONValue { .list(names.map(JSONValue.text)) }

    private static func reference(_ name: String) -> JSONValue { .object(["$ref": .text("#/definitions/\(name)")]) }

    /// References to the definitions of keys, which several objects share.
    private static func references(_ keys: some Sequence<String>) -> [String: JSONValue] {
        Dictionary(keys.map { ($0, reference($0)) }) { first, _ in first }
    }

    private static func words(_ words: [String]) -> JSONValue { .object(["enum": .list(words.map(JSONValue.text))]) }

    private static func valueOrList(_ item: JSONValue, minCount: Int = 1) -> [String: JSONValue] {
        ["anyOf": .list([item, .object(["type": .text("array"), "minItems": .number(minCount), "items": item])])]
    }

    private static func matching(_ pattern: String) -> JSONValue {
        .object(["type": .text("string"), "pattern": .text(pattern)])
    }

    private static func described(
        _ schema: [String: JSONValue], _ text: String, _ defaultValue: String? = nil
    ) -> JSONValue {
        let description = text + (defaultValue.map { " Default: \($0)." } ?? "")
        return .object(schema.merging(["description": .text(description)]) { $1 })
    }

    private static func object(
        _ keys: [String: JSONValue], _ text: String? = nil, more: [String: JSONValue] = [:]
    ) -> JSONValue {
        var schema = more
        schema["type"] = .text("object")
        schema["properties"] = .object(keys)
        schema["additionalProperties"] = .flag(false)
        if let text { schema["description"] = .text(text) }
        return .object(schema)
    }

    private static func value(of option: ClipOption) -> [String: JSONValue] {
        switch option.valueKind {
        case .flag: ["type": .text("boolean")]
        case .word(let words):
            // YAML reads 8 as a number and 'on' as a boolean.
            [
                "enum": .list(
                    words.map(JSONValue.text) + words.compactMap { Int($0).map(JSONValue.number) }
                        + booleans(among: words))
            ]
        case .words(let words): list(of: ["all"] + words)
        case .number: number(of: option)
        case .text, .file: text.merging(option.textPattern.map { ["pattern": .text($0)] } ?? [:]) { $1 }
        }
    }

    /// Returns the schema for a number, or for a text that may begin like one, such as a size.
    private static func number(of option: ClipOption) -> [String: JSONValue] {
        if let range = option.wholeRange { return whole(in: range) }
        guard let pattern = option.textPattern else { return ["type": types("string", "number")] }
        let number = JSONValue.object(["type": .text("number"), "minimum": .number(0)])
        return ["anyOf": .list([matching(pattern)] + (option.refusal(of: "1") == nil ? [number] : []))]
    }

    /// Returns the schema for a whole number in a range, or its digits as text.
    private static func whole(in range: ClosedRange<Int>) -> [String: JSONValue] {
        let number: [String: JSONValue] = [
            "type": .text("integer"), "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
        ]
        return ["anyOf": .list([.object(number), matching("^[0-9]+$")])]
    }

    /// Returns the booleans that YAML 1.1 reads from the words: there, `on` is true; in YAML 1.2 it
    /// is a string.
    private static func booleans(among words: [String]) -> [JSONValue] {
        words.contains { ["on", "off", "yes", "no", "y", "n"].contains($0) } ? [.flag(true), .flag(false)] : []
    }

    /// Returns the schema for one word, several words separated by commas, or a list of words.
    private static func list(of words: [String]) -> [String: JSONValue] {
        let item = self.words(words)
        let alternatives = words.joined(separator: "|")
        return [
            "anyOf": .list([
                item, matching("^(\(alternatives))(,(\(alternatives)))*$"),
                .object(["type": .text("array"), "minItems": .number(1), "items": item]),
            ])
        ]
    }

    private static func schema(of option: ClipOption) -> JSONValue {
        let value = JSONValue.object(value(of: option))
        let summary: String
        var defaultValue = option.defaultValue
        switch option.valueKind {
        case .text(let expected), .number(let expected), .file(let expected):
            summary = "\(option.summary) Takes \(expected)."
        case .flag:
            summary = option.summary
            defaultValue = "false"
        case .word, .words: summary = option.summary
        }
        return described(["anyOf": .list([value, nothing])], summary, defaultValue)
    }

    private static let nothing = JSONValue.object(["type": .text("null")])

    private static func orNothing(_ value: JSONValue) -> JSONValue { .object(["anyOf": .list([value, nothing])]) }

    private static var loader: JSONValue {
        let ids = words([PresetSourceReader.allLoaders] + LoaderCatalog.current.ids)
        let suffixes = LoaderCatalog.current.fileSuffixes.map(anyCase)
        guard !suffixes.isEmpty else { return ids }
        return .object(["anyOf": .list([ids, matching("(\(suffixes.joined(separator: "|")))$")])])
    }

    private static var format: JSONValue {
        let names = ClipFormat.names
        return .object(["anyOf": .list([words(names), matching("^(\(names.map(anyCase).joined(separator: "|")))$")])])
    }

    private static func parameter(_ name: String) -> String {
        let all = LoaderCatalog.current.definitions.flatMap { definition in
            definition.parameters.filter { $0.name == name }.map { (definition.id, $0) }
        }
        return all.map { id, parameter in
            "\(id): \(parameter.summary) (\(parameter.limits), default \(parameter.defaultText))."
        }
        .joined(separator: " ")
    }

    private static var clipValues: [String: JSONValue] {
        let parameters = LoaderCatalog.current.parameterNames.map { name in
            (name, described(["type": types("string", "number", "boolean", "null")], parameter(name)))
        }
        let output = JSONValue.object(["anyOf": .list([format, reference("output")])])
        let options = Dictionary(registered.map { ($0.key, schema(of: $0)) }) { first, _ in first }
        return options.merging([
            "name": described(
                text,
                "Path of the outputs without extension; can have placeholders such as {loader} and {slowmo}.",
                "{preset}/{loader}, followed by each axis of the matrix"),
            "loader": described(
                valueOrList(loader),
                "A loader ID, the path of a Lottie file, a list of them, or all. Makes one clip for each."),
            "tutorial": described(
                valueOrList(.object(text)),
                "Scripts of lessons, instead of a loader: files beside or below the preset, or names of built-in "
                    + "scripts."
            ),
            "set": object(
                Dictionary(parameters) { first, _ in first },
                "Parameters of the loader, as shown by the command 'list'."),
            "outputs": described(valueOrList(output), "The clip's files.", "mp4"),
        ]) { $1 }
    }

    private static var output: JSONValue {
        object(
            references(registered.filter(\.outputsMayDiffer).map(\.key)).merging([
                "format": described(
                    ["anyOf": .list([format])], "The container, or the format of vector graphics.",
                    "from the file extension"),
                "file": described(text, "The path with its extension, instead of the clip's name."),
                "suffix": described(text, "Text appended to the clip's name."),
            ]) { $1 }, "A file of the clip, with its own encoding options.")
    }

    private static var matrix: JSONValue {
        func axis(_ item: JSONValue) -> JSONValue {
            .object(["type": .text("array"), "minItems": .number(1), "items": item])
        }
        var keys = Dictionary(
            registered.map { ($0.key, axis(orNothing(.object(value(of: $0))))) }
        ) { first, _ in first }
        keys["loader"] = axis(loader)
        keys["tutorial"] = axis(.object(text))
        for name in LoaderCatalog.current.parameterNames { keys["set." + name] = axis(scalar) }
        return object(keys, "Options with lists of values. Makes one clip for each combination.")
    }
}
