import Documents

/// What the letters of a file of code are, for a comparison with other programs.
public enum CodeTokens {
    /// A line for each piece: its kind and how many letters it has; ends of lines are plain. Throws if it cannot be read.
    public static func lines(ofFile path: String) throws -> [String] {
        let bytes = try DocumentFile.read(path, as: "file", limits: DocumentLimits()).get()
        let lines = CodeLanguage.lines(of: String(decoding: bytes, as: UTF8.self))
        return CodeLexer.tokens(of: lines, CodeLanguage(ofFile: path)).flatMap { line in
            line.map { "\($0.kind) \($0.text.unicodeScalars.count)" } + ["plain 1"]
        }
    }
}
