/// The options as tables of the documentation, in Markdown.
public enum OptionReference {
    /// A row for each option of some groups, as a command line has it.
    public static func commandLineRows(_ groups: ClipOption.Group...) -> [String] {
        OptionRegistry.current.options.filter { groups.contains($0.group) }.map { option in
            var name = "--\(option.key)"
            if case .flag = option.form {} else { name += " \(option.valueName)" }
            return row(["`\(name)`", option.summary, option.standard ?? ""])
        }
    }

    /// A row for each option, as presets have it.
    public static func presetRows() -> [String] {
        let registry = OptionRegistry.current
        return registry.options.map { option in
            var standard = option.standard ?? ""
            if case .flag = option.form { standard = "false" }
            let excluded = registry.excluded(by: option.key).map { "`\($0)`" }.joined(separator: ", ")
            return row(["`\(option.key)`", option.expected, standard, excluded])
        }
    }

    /// The options that outputs may have of their own.
    public static func outputKeys() -> String {
        OptionRegistry.current.options.filter(\.outputsMayDiffer).map { "`\($0.key)`" }.joined(separator: ", ")
    }

    private static func row(_ cells: [String]) -> String {
        let plain = cells.map { $0.hasSuffix(".") && !$0.hasSuffix("..") ? String($0.dropLast()) : $0 }
        let escaped = plain.map { $0.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") }
        return "| " + escaped.map { $0.isEmpty ? "|" : $0 + " |" }.joined(separator: " ")
    }
}
