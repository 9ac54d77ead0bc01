import Animations
import ArgumentParser
import Explain
import Render

/// Suggestions for unknown commands.
enum UnknownNames {
    /// Throws if the arguments begin with an unknown command. The parser would report the argument
    /// after it.
    static func checkCommand(_ arguments: [String]) throws {
        let words = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
        guard let word = words.first, !word.hasPrefix("-") else { return }
        guard let command = subcommand(word, of: Loadervid.self) else {
            throw unknown(word, of: Loadervid.self, path: "")
        }
        guard let next = words.dropFirst().first, !next.hasPrefix("-"), !command.configuration.subcommands.isEmpty,
            next != "help", subcommand(next, of: command) == nil
        else { return }
        if command.configuration.defaultSubcommand != nil {
            // The unknown word is usually the name of a document.
            guard NearestName.of(next, in: names(of: command)) != nil, !next.contains(where: { "./".contains($0) }),
                !isDocument(next, arguments)
            else { return }
        }
        throw unknown(next, of: command, path: word + " ")
    }

    private static func unknown(_ word: String, of command: any ParsableCommand.Type, path: String) -> LoadervidError {
        let names = names(of: command)
        let nearest = NearestName.of(word, in: names).map { path + $0 }
        let meant = (path.isEmpty ? meaning(of: word) : nil) ?? nearest
        let hint = meant.map { "did you mean '\($0)'?" } ?? "use one of \(names.joined(separator: ", "))"
        return LoadervidError(.usage, "unknown command '\(path)\(word)'; \(hint)")
    }

    /// Returns the arguments that a word instead of a command stands for; nil if it is none of
    /// them.
    private static func meaning(of word: String) -> String? {
        // Many programs have these commands instead of the options.
        if ["version", "help"].contains(word) { return "--" + word }
        if let synonym = synonyms[word] { return synonym }
        let isLoader = LoaderCatalog.current.ids.contains(word) || LoaderCatalog.current.isFile(word)
        return isLoader ? "encode " + word : nil
    }

    /// The names that other programs have for commands.
    private static let synonyms = [
        "render": "encode", "convert": "encode", "export": "encode", "make": "encode", "screenshot": "still",
        "info": "list", "ls": "list", "check": "verify", "probe": "verify", "validate": "presets validate",
    ]

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
            .compactMap { $0.configuration.commandName }
    }

    private static func subcommand(_ name: String, of command: any ParsableCommand.Type) -> (any ParsableCommand.Type)?
    {
        command.configuration.subcommands.first { $0.configuration.commandName == name }
    }

    /// Returns the names of the command and its subcommands that the arguments begin with.
    static func path(in arguments: [String]) -> [String] {
        var (command, path): (any ParsableCommand.Type, [String]) = (Loadervid.self, [])
        for word in arguments {
            guard let next = subcommand(word, of: command) else { break }
            command = next
            path.append(word)
        }
        return path
    }

    /// Returns the command that the arguments name, or the default command.
    static func command(in arguments: [String]) -> any ParsableCommand.Type {
        let command = path(in: arguments).reduce(Loadervid.self as any ParsableCommand.Type) { command, name in
            subcommand(name, of: command) ?? command
        }
        return command.configuration.defaultSubcommand ?? command
    }

    /// Returns the long options of a command, as listed in its help.
    static func options(of command: any ParsableCommand.Type) -> [String] {
        let help = Loadervid.helpMessage(for: command, includeHidden: true, columns: 500)
        return help.split(separator: "\n").flatMap { line -> [String] in
            let line = line.drop { $0 == " " }
            guard line.hasPrefix("-") else { return [] }
            return line.split { " ,/".contains($0) }.prefix { $0.hasPrefix("-") }.filter { $0.hasPrefix("--") }
                .map { String($0.dropFirst(2)) }
        }
    }

    private static func isDocument(_ name: String, _ arguments: [String]) -> Bool {
        guard !arguments.contains(where: { $0.hasPrefix("--directory") }) else { return true }
        let shipped = (try? PresetOptions.shipped(in: nil)) ?? nil
        let folders = [shipped, shipped.map { $0 + "/tutorials" }]
        return folders.contains { FileSystem.exists(DocumentFile.find(name, shipped: $0)) }
    }
}
