import Render

/// The token types of the characters of a code file, for a comparison with other programs.
package enum CodeTokens {
    /// Returns a line for each token: its kind and its length in Unicode scalars. The end of a line
    /// is a plain token of length 1.
    ///
    /// Throws `LoadervidError` if the file cannot be read.
    package static func lines(ofFile path: String) throws -> [String] {
        let bytes: [UInt8]
        switch DocumentFile.read(path, as: "file", limits: DocumentLimits()) {
        case .success(let read): bytes = read
        case .failure(let refusal):
            throw LoadervidError(refusal.kind, "\(path) \(refusal.problem)")
        }
        let lines = CodeLanguage.lines(of: String(decoding: bytes, as: UTF8.self))
        return CodeLexer.tokens(of: lines, CodeLanguage(ofFile: path)).flatMap { line in
            line.map { "\($0.kind) \($0.text.unicodeScalars.count)" } + ["plain 1"]
        }
    }
}
