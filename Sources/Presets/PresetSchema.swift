import Loaders
import Media
import Pipeline

/// A JSON value.
public indirect enum JSONValue: Encodable, Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Writes the value as what it is.
    public func encode(to encoder: any Encoder) throws {
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

/// The JSON Schema of presets, from the tables that reading goes by.
public enum PresetSchema {
    /// Draft 7, which editors know.
    public static var schema: JSONValue {
        object(
            [
                "name": described(
                    ["type": .text("string"), "pattern": .text("^[\\w-][\\w.-]*$")], "The preset's name in paths.",
                    "the file's name"),
                "description": described(["type": .text("string")], "What the preset is for, in a line."),
                "extends": described(
                    oneOrMore(string), "Presets whose defaults and clips are taken unless given here."),
                "defaults": .object(["$ref": .text("#/definitions/defaults")]),
                "clips": described(
                    ["type": .text("array"), "minItems": .number(1), "items": reference("clip")], "What is rendered."),
            ],
            more: [
                "$schema": .text("http://json-schema.org/draft-07/schema#"), "title": .text("Clips of loaders"),
                "definitions": .object(
                    clipValues.merging([
                        "defaults": object(references(clipValues.keys), "What clips have unless they say otherwise."),
                        "clip": object(
                            references(clipValues.keys).merging(["matrix": matrix]) { $1 },
                            "Pictures that are drawn once, and their files."),
                        "output": output,
                    ]) { $1 }),
            ])
    }

    // MARK: Parts

    private static var registered: [ClipOption] { OptionRegistry.current.options }

    private static let string = JSONValue.object(["type": .text("string"), "minLength": .number(1)])
    private static let scalar = JSONValue.object(["type": types("string", "number", "boolean")])

    private static func types(_ names: String...) -> JSONValue { .list(names.map(JSONValue.text)) }

    private static func reference(_ name: String) -> JSONValue { .object(["$ref": .text("#/definitions/\(name)")]) }

    /// Keys whose values are defined once, whatever has them.
    private static func references(_ keys: some Sequence<String>) -> [String: JSONValue] {
        Dictionary(keys.map { ($0, reference($0)) }) { first, _ in first }
    }

    private static func words(_ words: [String]) -> JSONValue { .object(["enum": .list(words.map(JSONValue.text))]) }

    private static func oneOrMore(_ item: JSONValue) -> [String: JSONValue] {
        ["anyOf": .list([item, .object(["type": .text("array"), "minItems": .number(1), "items": item])])]
    }

    private static func described(_ schema: [String: JSONValue], _ text: String, _ standard: String? = nil) -> JSONValue
    {
        let description = text + (standard.map { " Default: \($0)." } ?? "")
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
        switch option.form {
        case .flag: ["type": .text("boolean")]
        case .word(let words): ["enum": .list(words.map(JSONValue.text))]
        case .words(let words): oneOrMore(.object(["enum": .list((["all"] + words).map(JSONValue.text))]))
        case .text, .number: ["type": types("string", "number")]
        case .file: ["type": .text("string")]
        }
    }

    private static func schema(of option: ClipOption) -> JSONValue {
        let value = JSONValue.object(value(of: option))
        let orNothing: [String: JSONValue] = ["anyOf": .list([value, .object(["type": .text("null")])])]
        let text: String
        var standard = option.standard
        switch option.form {
        case .text(let expected), .number(let expected), .file(let expected):
            text = "\(option.summary) Takes \(expected)."
        case .flag: (text, standard) = (option.summary, "false")
        case .word, .words: text = option.summary
        }
        return described(orNothing, text, standard)
    }

    private static var loader: JSONValue {
        words([PresetSourceReader.allLoaders] + LoaderCatalog.current.ids)
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
            (name, described(["type": types("string", "number", "null")], parameter(name)))
        }
        let output = JSONValue.object([
            "anyOf": .list([words(Container.allCases.map(\.rawValue)), reference("output")])
        ])
        let options = Dictionary(registered.map { ($0.key, schema(of: $0)) }) { first, _ in first }
        return options.merging([
            "name": described(
                ["type": .text("string"), "minLength": .number(1)],
                "Path of the outputs without suffix; placeholders such as {loader} and {slowmo} are filled in.",
                "{preset}/{loader} and a part for each axis of the matrix"),
            "loader": described(oneOrMore(loader), "The loader's id, several, or all: one clip for each."),
            "tutorial": described(
                oneOrMore(string),
                "Scripts of lessons, in place of a loader: files beside or below the preset, or shipped ones by name."),
            "set": object(
                Dictionary(parameters) { first, _ in first },
                "Parameters of the loader, as 'list' shows them."),
            "outputs": described(oneOrMore(output), "The clip's files.", "mp4"),
        ]) { $1 }
    }

    private static var output: JSONValue {
        object(
            references(registered.filter(\.outputsMayDiffer).map(\.key)).merging([
                "format": described(
                    ["enum": .list(Container.allCases.map { .text($0.rawValue) })], "The container.",
                    "by the file's suffix"),
                "file": described(
                    ["type": .text("string"), "minLength": .number(1)],
                    "The path with its suffix, instead of the clip's name."),
                "suffix": described(
                    ["type": .text("string"), "minLength": .number(1)], "What is put behind the clip's name."),
            ]) { $1 }, "A file of the clip: the same pictures, encoded in its own way.")
    }

    private static var matrix: JSONValue {
        func axis(_ item: JSONValue) -> JSONValue {
            .object(["type": .text("array"), "minItems": .number(1), "items": item])
        }
        var keys = Dictionary(
            registered.map { ($0.key, axis(.object(value(of: $0)))) }
        ) { first, _ in first }
        keys["loader"] = axis(loader)
        keys["tutorial"] = axis(string)
        for name in LoaderCatalog.current.parameterNames { keys["set." + name] = axis(scalar) }
        return object(keys, "Options with lists of values: one clip for each combination.")
    }
}
