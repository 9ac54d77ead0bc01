/// Markdown tables of the options for the documentation.
package enum OptionReference {
    /// Returns the rows of the command line options in some groups.
    package static func commandLineRows(_ groups: ClipOption.Group...) -> [String] {
        OptionRegistry.current.options.filter { groups.contains($0.group) }.map { option in
            var name = "--\(option.key)"
            if case .flag = option.valueKind {} else { name += " \(option.valueName)" }
            return row(["`\(name)`", option.summary, option.defaultValue ?? ""])
        }
    }

    /// Returns the rows of the options in presets.
    package static func presetRows() -> [String] {
        let registry = OptionRegistry.current
        return registry.options.map { option in
            var defaultValue = option.defaultValue ?? ""
            if case .flag = option.valueKind { defaultValue = "false" }
            let excluded = registry.excluded(by: option.key).map { "`\($0)`" }.joined(separator: ", ")
            return row(["`\(option.key)`", option.expected, defaultValue, excluded])
        }
    }

    /// Returns the keys of the options that may differ between the outputs of a clip.
    package static func outputKeys() -> String {
        OptionRegistry.current.options.filter(\.outputsMayDiffer).map { "`\($0.key)`" }.joined(separator: ", ")
    }

    private static func row(_ cells: [String]) -> String {
        let plain = cells.map { $0.hasSuffix(".") && !$0.hasSuffix("..") ? String($0.dropLast()) : $0 }
        let escaped = plain.map { $0.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") }
        return "| " + escaped.map { $0.isEmpty ? "|" : $0 + " |" }.joined(separator: " ")
    }
}
