import Core

/// A language of listings.
enum CodeLanguage: Sendable {
    case swift
    case objectiveC
    /// Any other language, without highlighting.
    case plain

    /// The language of a file by its extension.
    init(ofFile path: String) {
        switch path.fileExtension {
        case "swift": self = .swift
        case "m", "mm", "h": self = .objectiveC
        default: self = .plain
        }
    }

    /// Splits a text into lines at LF, CRLF, CR and other newlines.
    static func lines(of text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// The keywords of the language, without those that begin with `@`.
    var keywords: Set<String> {
        switch self {
        case .plain: []
        case .swift:
            [
                "actor", "any", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue",
                "convenience", "default", "defer", "deinit", "didSet", "do", "dynamic", "else", "enum", "extension",
                "fallthrough", "false", "fileprivate", "final", "for", "func", "get", "guard", "if", "import", "in",
                "indirect", "infix", "init", "inout", "internal", "is", "lazy", "let", "mutating", "nil", "nonisolated",
                "nonmutating", "open", "operator", "optional", "override", "package", "postfix", "precedencegroup",
                "prefix", "private", "protocol", "public", "repeat", "required", "rethrows", "return", "Self", "self",
                "set",
                "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
                "typealias", "unowned", "var", "weak", "where", "while", "willSet",
            ]
        case .objectiveC:
            [
                "auto", "bool", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
                "extern", "float", "for", "goto", "if", "inline", "int", "long", "nil", "register", "restrict",
                "return",
                "self", "short", "signed", "sizeof", "static", "struct", "super", "switch", "typedef", "union",
                "unsigned", "void", "volatile", "while", "YES", "NO", "NULL", "id", "instancetype", "BOOL", "in",
                "strong", "weak", "nonatomic", "atomic", "assign", "copy", "readonly", "readwrite", "_Nullable",
                "_Nonnull", "__block", "__weak", "__strong",
            ]
        }
    }
}
