import Animations
import ArgumentParser
import Core
import Lottie
import Render

/// A subset of the registry's options that a command accepts.
protocol OptionChoice {
    /// Returns true if the subset includes the option.
    static func takes(_ option: ClipOption) -> Bool
    /// The keys of required options.
    static var required: Set<String> { get }
    /// The keys of the options that `--help` shows; `--help-hidden` shows all.
    static var common: Set<String> { get }
}

extension OptionChoice {
    static var required: Set<String> { [] }
    static var common: Set<String> { Set(options.map(\.key)) }
    static var options: [ClipOption] { OptionRegistry.current.options.filter(takes) }
}

/// Options of the registry as a group of command line options.
///
/// ArgumentParser finds a command's options by reflection. The custom mirror presents one child per
/// registered option, as if it were a property with an `@Option` or `@Flag` wrapper.
struct RegisteredOptions<Choice: OptionChoice>: ParsableArguments, CustomReflectable {
    /// The given values as text, by option key.
    private(set) var texts: [String: String] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: OptionKey.self)
        for option in Choice.options {
            let key = OptionKey(stringValue: option.key)
            if case .flag = option.valueKind {
                if try container.decode(Flag<Bool>.self, forKey: key).wrappedValue { texts[option.key] = "true" }
            } else if option.isRepeatable {
                let values = try container.decode(Option<[String]>.self, forKey: key).wrappedValue
                if !values.isEmpty { texts[option.key] = values.joined(separator: ",") }
            } else if Choice.required.contains(option.key) {
                texts[option.key] = try container.decode(Option<String>.self, forKey: key).wrappedValue
            } else {
                texts[option.key] = try container.decode(Option<String?>.self, forKey: key).wrappedValue
            }
        }
    }

    var customMirror: Mirror {
        let required = Choice.required
        let common = Choice.common
        let children: [Mirror.Child] = Choice.options.map { option in
            // Options that a program adds are always shown.
            let isCommon = common.contains(option.key) || OptionRegistry.standard[option.key] == nil
            let isRequired = required.contains(option.key)
            return ("_" + option.key, option.declaration(isRequired: isRequired, isCommon: isCommon))
        }
        return Mirror(self, children: children, displayStyle: .struct)
    }

    func validate() throws { try checkExclusions(texts) }
}

/// Throws `ValidationError` if two of the given options cannot be combined.
func checkExclusions(_ texts: [String: String]) throws {
    guard let (first, second) = OptionRegistry.current.exclusions(among: texts.keys).first else { return }
    throw ValidationError(conflict(of: "--\(first)", and: "--\(second)"))
}

/// Returns the message for two options that cannot be combined.
func conflict(of first: String, and second: String) -> String {
    "\(first) and \(second) cannot be combined; use one of them"
}

private struct OptionKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension ClipOption {
    /// Returns the property wrapper that declares the option to ArgumentParser.
    fileprivate func declaration(isRequired: Bool, isCommon: Bool) -> Any {
        let name = NameSpecification.customLong(key)
        let help = self.help(isRequired: isRequired, isCommon: isCommon)
        if case .flag = valueKind { return Flag<Bool>(wrappedValue: false, name: name, help: help) }
        let read: @Sendable (String) throws -> String = { text in
            if let refusal = refusal(of: text) { throw ValidationError(refusal) }
            return text
        }
        if isRepeatable {
            return Option<[String]>(
                wrappedValue: [], name: name, parsing: .singleValue, help: help, completion: completion, transform: read
            )
        }
        return isRequired
            ? Option<String>(name: name, parsing: parsing, help: help, completion: completion, transform: read)
            : Option<String?>(name: name, parsing: parsing, help: help, completion: completion, transform: read)
    }

    private func help(isRequired: Bool, isCommon: Bool) -> ArgumentHelp {
        let defaultValue = isRequired ? nil : self.defaultValue
        return ArgumentHelp(
            summary + (defaultValue.map { " (default: \($0))" } ?? ""),
            valueName: valueName, visibility: isCommon ? .default : .hidden)
    }

    /// The parsing strategy. Numbers may start with a minus sign, which would otherwise start
    /// another option.
    private var parsing: SingleValueParsingStrategy {
        if case .number = valueKind { .unconditional } else { .next }
    }

    private var completion: CompletionKind? {
        switch valueKind {
        case .word(let words): .list(words)
        case .words(let words): .list(["all"] + words)
        case .file: .file()
        case .text, .number, .flag: nil
        }
    }
}

extension CompletionKind {
    /// The IDs of all known loaders, and Lottie files.
    static var loaders: CompletionKind {
        .custom { _, _, start in
            LoaderCatalog.current.ids.filter { $0.hasPrefix(start) } + animations(startingWith: start)
        }
    }

    /// Returns the paths of Lottie files and directories that start with what has been typed.
    private static func animations(startingWith start: String) -> [String] {
        let (directory, name) = FileSystem.split(start)
        let names = FileSystem.names(in: directory).filter { $0.hasPrefix(name) && !$0.hasPrefix(".") }
        let parent = String(decoding: start.utf8.dropLast(name.utf8.count), as: UTF8.self)
        return names.compactMap { found in
            let path = parent + found
            if FileSystem.kind(path) == S_IFDIR { return path + "/" }
            return LottieFiles.kind.suffixes.contains(where: found.lowercased().hasSuffix) ? path : nil
        }
    }

    /// YAML files: presets and lessons.
    static var yamlFiles: CompletionKind { .file(extensions: ["yaml", "yml"]) }
}
