import Core

/// Texts that an expression computes.
extension TextModel {
    /// The maximum number of characters of a text that an expression computes.
    static let maxComputedCharacters = 200

    /// The characters of texts that no string of the expression contains, such as the digits of
    /// numbers.
    private static let commonCharacters = String(String.UnicodeScalarView((32..<127).compactMap(Unicode.Scalar.init)))

    /// Returns the characters that a text can have besides those in the file; none without an
    /// expression. Throws `LottieError` if the file has too many characters.
    static func computableCharacters(_ program: String, at field: Field) throws -> String {
        guard !program.isEmpty else { return "" }
        try field.context.countCharacters(maxComputedCharacters, at: field)
        return commonCharacters + program
    }

    /// Reads the expression of the Source Text property; nil without one.
    static func computedText(_ field: Field, _ documents: [Document]) throws -> Property<String>? {
        guard let expression = try field.expression() else { return nil }
        let segments = zip(documents, documents.dropFirst()).filter { $0.start < $1.start }.map { document, next in
            Property<String>.KeyframeSegment(
                start: document.start, end: next.start, from: document.source, to: next.source, ease: .hold)
        }
        return Property(
            initial: documents[0].source, segments: segments, expression: expression,
            singleKey: segments.isEmpty ? documents[0].start : nil)
    }

    /// Returns the document at a frame, with the text that the expression computes. If the text is
    /// too long, or has characters without a glyph, the context records the error.
    func document(at frame: Double, in context: FrameContext) -> Document {
        if documents.count > 1 { context.recordChange() }
        var document = documents.last { $0.start <= frame } ?? documents[0]
        guard let computedText, let expression = computedText.expression else { return document }
        let text = computedText.value(at: frame, in: context)
        guard text != document.source else { return document }
        guard text.count <= Self.maxComputedCharacters else {
            let limit = Self.maxComputedCharacters
            context.record(
                EvaluationError("has a text of more than the maximum of \(limit) characters"), of: expression)
            return document
        }
        document.text = document.isUppercase ? text.uppercased() : text
        let missing = document.text.first {
            document.glyphs[$0] == nil && !$0.isWhitespace && !Self.lineBreaks.contains($0)
        }
        if let missing {
            context.record(
                EvaluationError("has \(quoted(String(missing))), for which there is no glyph"), of: expression)
        }
        return document
    }
}

/// Texts have keyframes that hold.
extension String: Animatable {
    func interpolated(to other: String, by fraction: (Int) -> Double) -> String { self }
    func distance(to other: String) -> Double { 0 }
    func offset(from start: String, to end: String, times: Double) -> String { self }
    var expressionResult: ExpressionResult { .text(self) }

    func replaced(by result: ExpressionResult) -> String? {
        switch result {
        case .text(let text): text
        case .number(let number): number.expressionText
        case .numbers(let numbers): numbers.map(\.expressionText).joined(separator: ",")
        case .none, .path: nil
        }
    }
}
