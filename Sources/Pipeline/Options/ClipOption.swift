import Motion

/// An option of a clip: all that command lines, presets, recipes and the reference know about it.
public struct ClipOption: Sendable {
    /// How a value is written.
    public enum Form: Sendable {
        /// Text in words of its own.
        case text(expected: String)
        /// Likewise, but it may begin with a sign, as numbers do.
        case number(expected: String)
        /// The path of a file, whose contents count. In presets it is relative to the file that names it.
        case file(expected: String)
        /// true or false.
        case flag
        /// One of some words.
        case word([String])
        /// Some of the words between commas, or `all`.
        case words([String])
    }

    /// What it is about. Commands take whole groups.
    public enum Group: Sendable {
        /// How the loader moves.
        case motion
        /// How pictures look.
        case picture
        /// Which part of the motion is shown, and how slowly.
        case slowMotion
        /// How frames are laid out in time.
        case time
        /// What lessons alone have.
        case lesson
        /// How frames become packets.
        case encoding
    }

    /// How it stands in the names of a matrix's clips.
    public enum Naming: Sendable {
        /// The key and the value.
        case labelled
        /// The value alone.
        case bare
        /// The value and a unit.
        case suffixed(String)
    }

    /// The long option without its dashes, which is also the key in presets and recipes.
    public let key: String
    /// What it does, in a sentence.
    public let summary: String
    /// What its value is called where there are no words to choose from.
    private let valueLabel: String
    /// What it is unless given, in words; nil if the summary says it.
    public let standard: String?
    /// How a value is written.
    public let form: Form
    /// What it is about.
    public let group: Group
    /// Whether files of one clip may have one of their own, since it does not change the pictures.
    public var outputsMayDiffer = false
    /// Options, or parameters as `set.NAME`, that make no sense beside it; said by one of the two.
    public var excludes: [String] = []
    /// Options without which its value means something else.
    public var dependsOn: [String] = []
    /// How it stands in the names of a matrix's clips.
    public var naming = Naming.labelled
    /// Puts a value into a request, and tells whether it is one, as far as that can be told alone.
    public let read: @Sendable (String, inout RenderRequest) -> Bool
    /// The value that a request has, as `read` takes it; nil if it has none.
    public let write: @Sendable (RenderRequest) -> String?

    /// An option. See the properties.
    public init(
        _ key: String, _ group: Group, _ form: Form, value: String = "value", standard: String? = nil,
        _ summary: String, read: @escaping @Sendable (String, inout RenderRequest) -> Bool,
        write: @escaping @Sendable (RenderRequest) -> String?
    ) {
        (self.key, self.group, self.form, valueLabel) = (key, group, form, value)
        (self.standard, self.summary, self.read, self.write) = (standard, summary, read, write)
    }

    /// What its value is called, such as `N` or `on|off`.
    public var valueName: String {
        if case .word(let words) = form { words.joined(separator: "|") } else { valueLabel }
    }

    /// What values are taken, in words that follow "give".
    public var expected: String {
        switch form {
        case .text(let expected), .number(let expected), .file(let expected): expected
        case .flag: "true or false"
        case .word(let words): words.joined(separator: " or ")
        case .words(let words): "all, or a list of " + words.joined(separator: ", ")
        }
    }

    /// Why a text is no value, or nil if it is one, as far as that can be told alone.
    public func refusal(of text: String) -> String? {
        var request = RenderRequest.plain
        if read(text, &request) { return nil }
        guard case .words(let known) = form,
            let other = text.split(separator: ",", omittingEmptySubsequences: false)
                .first(where: { !known.contains(String($0)) && $0 != "all" })
        else { return "give \(expected)" }
        return "there is no '\(other)': give \(expected)"
    }

    /// The option with other properties.
    func with(_ change: (inout ClipOption) -> Void) -> ClipOption {
        var option = self
        change(&option)
        return option
    }
}
