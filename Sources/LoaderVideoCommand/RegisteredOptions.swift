import ArgumentParser
import Loaders
import Pipeline

/// Which options of the registry a command takes.
protocol OptionChoice {
    /// Whether an option is among them.
    static func takes(_ option: ClipOption) -> Bool
    /// Those that must be given.
    static var required: Set<String> { get }
}

extension OptionChoice {
    static var required: Set<String> { [] }
    static var options: [ClipOption] { OptionRegistry.current.options.filter(takes) }
}

/// Options of the registry as a part of a command line, with their values as they were given.
///
/// The parser finds the declarations of a command by reflection, and so finds here what the registry has: each child of the
/// mirror is what a property with a wrapper would be.
struct RegisteredOptions<Choice: OptionChoice>: ParsableArguments, CustomReflectable {
    /// What was given, by the options' keys.
    private(set) var texts: [String: String] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: OptionKey.self)
        for option in Choice.options {
            let key = OptionKey(stringValue: option.key)
            if case .flag = option.form {
                if try container.decode(Flag<Bool>.self, forKey: key).wrappedValue { texts[option.key] = "true" }
            } else if Choice.required.contains(option.key) {
                texts[option.key] = try container.decode(Option<String>.self, forKey: key).wrappedValue
            } else {
                texts[option.key] = try container.decode(Option<String?>.self, forKey: key).wrappedValue
            }
        }
    }

    var customMirror: Mirror {
        let children: [Mirror.Child] = Choice.options.map { option in
            ("_" + option.key, option.declaration(isRequired: Choice.required.contains(option.key)))
        }
        return Mirror(self, children: children, displayStyle: .struct)
    }

    func validate() throws { try checkExclusions(texts) }
}

/// Throws for options that exclude each other.
func checkExclusions(_ texts: [String: String]) throws {
    guard let (first, second) = OptionRegistry.current.exclusions(among: texts.keys).first else { return }
    throw ValidationError("--\(first) and --\(second) exclude each other: give one of them")
}

private struct OptionKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension ClipOption {
    /// What declares the option to the parser.
    fileprivate func declaration(isRequired: Bool) -> Any {
        let name = NameSpecification.customLong(key)
        let help = self.help(isRequired: isRequired)
        if case .flag = form { return Flag<Bool>(wrappedValue: false, name: name, help: help) }
        let read: @Sendable (String) throws -> String = { text in
            if let refusal = refusal(of: text) { throw ValidationError(refusal) }
            return text
        }
        return isRequired
            ? Option<String>(name: name, parsing: parsing, help: help, completion: completion, transform: read)
            : Option<String?>(name: name, parsing: parsing, help: help, completion: completion, transform: read)
    }

    private func help(isRequired: Bool) -> ArgumentHelp {
        let standard = isRequired ? nil : self.standard
        return ArgumentHelp(
            summary + (standard.map { " (default: \($0))" } ?? ""),
            valueName: valueName)
    }

    /// A number may begin with a sign, which else would begin another option.
    private var parsing: SingleValueParsingStrategy {
        if case .number = form { .unconditional } else { .next }
    }

    private var completion: CompletionKind? {
        switch form {
        case .word(let words): .list(words)
        case .words(let words): .list(["all"] + words)
        case .file: .file()
        case .text, .number, .flag: nil
        }
    }
}

extension CompletionKind {
    /// The ids of the loaders that the program knows.
    static var loaders: CompletionKind { .list(LoaderCatalog.current.ids) }
}
