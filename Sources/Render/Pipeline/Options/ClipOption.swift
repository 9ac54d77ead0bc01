import Animations
import Core

/// An option of a clip, with everything that command lines, presets, recipes and the reference
/// need.
package struct ClipOption: Sendable {
    /// The kind of an option's value.
    package enum ValueKind: Sendable {
        /// Free text, described by `expected`.
        case text(expected: String)
        /// Text that may begin with a sign, such as a number.
        case number(expected: String)
        /// The path of a file. Recipes depend on the file's contents, not on its path. In presets
        /// the path is relative to the preset.
        case file(expected: String)
        /// `true` or `false`.
        case flag
        /// One of the words.
        case word([String])
        /// Several of the words, separated by commas, or `all`.
        case words([String])
    }

    /// A group of options. Commands accept whole groups.
    package enum Group: Sendable {
        /// The loader's motion.
        case motion
        /// The look of the frames.
        case picture
        /// The part of the motion to show, and its speed.
        case slowMotion
        /// The frame rate and length.
        case time
        /// Options of lessons only.
        case lesson
        /// The encoding.
        case encoding
    }

    /// The form of an option's value in the names of a matrix's clips.
    package enum NameStyle: Sendable {
        /// The key and the value.
        case labelled
        /// The value alone.
        case bare
        /// The value and a unit.
        case suffixed(String)
    }

    /// The long option without its dashes, which is also the key in presets and recipes.
    package let key: String
    /// The help text, a sentence.
    package let summary: String
    /// The placeholder of values that are not words.
    private let valueLabel: String
    /// A description of the default value; nil if there is none.
    package let defaultValue: String?
    /// The kind of value.
    package let valueKind: ValueKind
    /// The group.
    package let group: Group
    /// True if the outputs of a clip may have different values, because the option does not change
    /// the frames.
    package var outputsMayDiffer = false
    /// True if the command line takes it several times. The values are joined by commas.
    package var isRepeatable = false
    /// The keys of options, or of parameters as `set.NAME`, that cannot be combined with this one.
    /// It is enough if one of the two options lists the other.
    package var excludes: [String] = []
    /// The keys of options that change the meaning of this one's value.
    package var dependsOn: [String] = []
    /// The form of its value in the names of a matrix's clips.
    package var nameStyle = NameStyle.labelled
    /// The reason why a text is not a valid value, with the violated limit; nil if the expected
    /// form says enough.
    package internal(set) var problem: @Sendable (String) -> String? = { _ in nil }
    /// A regular expression that all valid texts match, for editors; nil if there is none.
    package internal(set) var textPattern: String?
    /// The range of a whole number; nil for other values.
    package internal(set) var wholeRange: ClosedRange<Int>?
    /// Parses a value and sets it in a request. Returns false if the value is invalid, regardless
    /// of other options.
    package let read: @Sendable (_ text: String, _ request: inout RenderRequest) -> Bool
    /// Formats a request's value such that `read` accepts it; nil if it has none.
    package let format: @Sendable (_ request: RenderRequest) -> String?

    /// An option; the parameters are the properties of the same names.
    ///
    /// - Parameter value: the placeholder of values that are not words.
    package init(
        _ key: String, _ group: Group, _ valueKind: ValueKind, value: String = "value", defaultValue: String? = nil,
        _ summary: String, read: @escaping @Sendable (String, inout RenderRequest) -> Bool,
        format: @escaping @Sendable (RenderRequest) -> String?
    ) {
        self.key = key
        self.group = group
        self.valueKind = valueKind
        valueLabel = value
        self.defaultValue = defaultValue
        self.summary = summary
        self.read = read
        self.format = format
    }

    /// The placeholder of the value, such as `seconds` or `on|off`.
    package var valueName: String {
        if case .word(let words) = valueKind { words.joined(separator: "|") } else { valueLabel }
    }

    /// A description of the valid values, to follow "give" in messages.
    package var expected: String {
        switch valueKind {
        case .text(let expected), .number(let expected), .file(let expected): expected
        case .flag: "true or false"
        case .word(let words): words.alternatives
        case .words(let words): "all, or a list of " + words.joined(separator: ", ")
        }
    }

    /// Returns the error message for a text that is invalid regardless of other options; nil if it
    /// is valid.
    package func refusal(of text: String) -> String? {
        var request = RenderRequest.plain
        if read(text, &request) { return nil }
        return RequestValue<String>.refusal(reason(against: text), expected)
    }

    /// Returns the reason why a text is not a valid value, with the violated limit or the most
    /// similar word; nil if there is none.
    package func reason(against text: String) -> String? {
        switch valueKind {
        case .words(let known):
            let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard let other = words.first(where: { !known.contains($0) && $0 != "all" }) else { return nil }
            if text.isEmpty { return "the list is empty" }
            // The shell splits a list after a space.
            if other.isEmpty { return "an entry of the list is empty; write the list without spaces" }
            let question = NearestName.question(other, in: ["all"] + known).map { "; \($0)" } ?? ""
            return "there is no \(quoted(other))\(question)"
        case .word(let known): return NearestName.question(text, in: known)
        default: return problem(text)
        }
    }

    /// Returns the option with changed properties.
    func with(_ change: (inout ClipOption) -> Void) -> ClipOption {
        var option = self
        change(&option)
        return option
    }
}
