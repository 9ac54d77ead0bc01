import Animations
import Core
import Render

/// The argument parser's messages in the form of this program's own: the option or argument, the
/// problem, and a remedy.
///
/// ArgumentParser has no interface for its wording, so its messages are recognised by their text.
/// Others are kept as they are.
enum ParserMessage {
    /// Returns a message in this program's form.
    static func reworded(_ message: String, _ arguments: [String]) -> String {
        unknownOption(message, arguments) ?? unexpectedArguments(message, arguments) ?? invalidValue(message)
            ?? missing(message) ?? unneededValue(message) ?? message
    }

    // MARK: Unknown options

    /// The names that other programs have for an option, and the options that they may mean.
    private static let synonyms = [
        "overwrite": ["force"], "yes": ["force"], "y": ["force"],
        "crf": ["quality"], "framerate": ["fps"], "frame-rate": ["fps"], "r": ["fps"],
        "resolution": ["size", "layout"], "size": ["layout"], "width": ["size", "layout"],
        "height": ["size", "layout"],
        "range": ["from"], "start": ["from"], "end": ["to"], "alpha": ["background"], "transparent": ["background"],
        "rate": ["fps"], "bitrate": ["max-bytes"], "threads": ["jobs"], "workers": ["jobs"], "language": ["lang"],
        "quiet": ["progress"], "silent": ["progress"],
    ]

    private static func unknownOption(_ message: String, _ arguments: [String]) -> String? {
        let names = arguments.map { String($0.prefix { $0 != "=" }) }
        guard let name = names.first(where: { $0.hasPrefix("-") && message.hasPrefix("Unknown option '\($0)'") }) else {
            return nil
        }
        let word = String(name.drop { $0 == "-" })
        let known = UnknownNames.options(of: UnknownNames.command(in: arguments))
        // A single letter is the start of an option's name, or else no option is meant.
        let starting = known.filter { $0.hasPrefix(word.lowercased()) }
        let synonym = synonyms[word.lowercased()]?.first(where: known.contains)
        let meant =
            synonym ?? (word.count > 1 ? NearestName.of(word, in: known) : starting.count == 1 ? starting[0] : nil)
        return "unknown option \(name)" + (meant.map { "; did you mean --\($0)?" } ?? "")
    }

    // MARK: Unexpected arguments

    private static func unexpectedArguments(_ message: String, _ arguments: [String]) -> String? {
        guard message.hasSuffix("'") else { return nil }
        let words: [String]
        if let word = text(of: message, after: "Unexpected argument '") {
            words = [word]
        } else if let list = text(of: message, after: " unexpected arguments: '") {
            words = list.split(separator: "', '", omittingEmptySubsequences: false).map(String.init)
        } else {
            return nil
        }
        let shown = words.map { quoted($0) }.joined(separator: ", ")
        let problem = words.count == 1 ? "unexpected argument \(shown)" : "unexpected arguments \(shown)"
        return problem + (remedy(for: words, arguments).map { "; \($0)" } ?? "")
    }

    /// Returns the text between a prefix, which may follow a number, and the final quote.
    private static func text(of message: String, after prefix: String) -> String? {
        guard let range = message.firstRange(of: prefix),
            message[..<range.lowerBound].allSatisfy(\.isNumber)
        else { return nil }
        return String(message[range.upperBound...].dropLast())
    }

    private static func remedy(for words: [String], _ arguments: [String]) -> String? {
        let takesOutput = UnknownNames.options(of: UnknownNames.command(in: arguments)).contains("output")
        let hasOutput = arguments.contains { $0.hasPrefix("-o") || $0.hasPrefix("--output") }
        let file = words.first { Double($0) == nil && ($0.contains(".") || $0.hasSuffix("/")) }
        if takesOutput, !hasOutput, let file { return "to write to it, pass -o \(shellQuoted(file))" }
        guard let first = words.first, let index = arguments.firstIndex(of: first), index >= 2,
            arguments[index - 2].hasPrefix("--"),
            let option = OptionRegistry.current[String(arguments[index - 2].dropFirst(2))]
        else { return nil }
        return joined([arguments[index - 1]] + words, of: option)
    }

    /// Returns the remedy for a value that spaces split into several arguments; nil if the parts
    /// together are not a value of the option either.
    private static func joined(_ parts: [String], of option: ClipOption) -> String? {
        switch option.valueKind {
        case .text:
            let text = parts.joined(separator: " ")
            return option.refusal(of: text) == nil ? "quote its value: --\(option.key) \(shellQuoted(text))" : nil
        // A second number is not a part of the first one.
        case .number where parts.dropFirst().contains { $0.first?.isNumber == true }: return nil
        case .words, .number:
            // Such as phases clock, and 2 MB.
            let separator = if case .words = option.valueKind { "," } else { "" }
            let text = parts.joined(separator: separator)
            return option.refusal(of: text) == nil ? "write its value without spaces: --\(option.key) \(text)" : nil
        case .file, .flag, .word: return nil
        }
    }

    // MARK: Values

    private static func invalidValue(_ message: String) -> String? {
        let start = "The value '"
        guard message.hasPrefix(start), let middle = message.firstRange(of: "' is invalid for '") else { return nil }
        let value = String(message[..<middle.lowerBound].dropFirst(start.count))
        let rest = message[middle.upperBound...]
        guard let end = rest.firstIndex(of: "'") else { return nil }
        let name = optionName(rest[..<end])
        let reason = String(rest[rest.index(after: end)...])
        if reason.isEmpty {
            // Values without a reason are those of the parser's own type, whole numbers.
            return "\(name): \(quoted(value)) is invalid; give a whole number"
        }
        let list = ". Please provide one of "
        if reason.hasPrefix(list) {
            let words = reason.dropFirst(list.count)
            return "\(name): \(quoted(value)) is invalid; give \(words.last == "." ? words.dropLast() : words)"
        }
        guard reason.hasPrefix(": ") else { return nil }
        let text = String(reason.dropFirst(2))
        if ["give ", "use "].contains(where: text.lowercased().hasPrefix) {
            return "\(name): \(quoted(value)) is invalid; \(text)"
        }
        // A reason that names the value needs no other subject.
        let isComplete = text.prefix { $0 != ";" }.contains(value) && !text.hasPrefix("did you mean")
        if isComplete { return "\(name): \(text)" }
        return "\(name): \(quoted(value)) is invalid\(text.hasPrefix("did you mean") ? "; " : ": ")\(text)"
    }

    /// Returns the name of an option without its placeholder, or an argument's placeholder.
    private static func optionName(_ label: Substring) -> String {
        label.hasPrefix("<") ? String(label) : String(label.prefix { $0 != " " })
    }

    private static func unneededValue(_ message: String) -> String? {
        let start = "The option '"
        guard message.hasPrefix(start), let end = message.firstRange(of: "' does not take any value, but '") else {
            return nil
        }
        let name = message[..<end.lowerBound].dropFirst(start.count)
        let value = message[end.upperBound...].prefix { $0 != "'" }
        return "\(name): takes no value, but \(quoted(String(value))) was given; pass \(name) alone"
    }

    private static func missing(_ message: String) -> String? {
        guard message.hasSuffix("'") else { return nil }
        if let label = text(of: message, after: "Missing value for '") {
            // Shells take an unquoted # for the start of a comment.
            let remedy =
                label.hasSuffix("<color>")
                ? "; quote a colour that begins with #, such as '#fff'"
                : ["<file>", "<directory>", "<dir>"].contains(where: label.hasSuffix)
                    ? "; for a name that begins with -, write ./-NAME" : ""
            return "missing value for \(label)\(remedy)"
        }
        guard let label = text(of: message, after: "Missing expected argument '") else { return nil }
        return label.hasPrefix("-") ? "missing option \(label)" : "missing argument \(label)"
    }
}
