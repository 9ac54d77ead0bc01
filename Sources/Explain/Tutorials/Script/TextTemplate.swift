import Animations

/// A text with facts about the loader in double braces, such as `{{period}} s`. A number after `|`
/// is the maximum number of decimals: `{{red.x at 0.1 | 1}}`.
struct TextTemplate: Sendable {
    private enum Part: Sendable {
        case text(String)
        case fact(FactExpression, places: Int)
    }

    private let parts: [Part]

    /// Parses a text. Throws `ValueProblem` if a fact is malformed.
    init(_ text: String) throws(ValueProblem) {
        var parts: [Part] = []
        var rest = Substring(text)
        while let start = rest.firstRange(ofText: "{{") {
            parts.append(.text(String(rest[..<start.lowerBound])))
            guard let end = rest[start.upperBound...].firstRange(ofText: "}}") else {
                throw ValueProblem(
                    problem: "a fact is not closed", remedy: "end it with }}", found: String(rest[start.lowerBound...]))
            }
            parts.append(try Self.fact(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        self.parts = parts + [.text(String(rest))]
    }

    private static func fact(_ text: Substring) throws(ValueProblem) -> Part {
        guard let bar = text.lastIndex(of: "|") else {
            return .fact(try FactExpression(String(text)), places: FactValue.maxDigits)
        }
        let digits = text[text.index(after: bar)...].filter { $0 != " " }
        guard let places = Int(digits), 0...FactValue.maxDigits ~= places else {
            throw ValueProblem(
                problem: "invalid number of decimals", remedy: "use 0...\(FactValue.maxDigits) after |", found: digits)
        }
        return .fact(try FactExpression(String(text[..<bar])), places: places)
    }

    /// Returns the text with its facts filled in. Throws `ValueProblem` if a fact cannot be
    /// evaluated.
    func filled(with facts: TemplateContext, in language: Language) throws(ValueProblem) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let literal): text += literal
            case .fact(let expression, let places):
                text += try expression.value(in: facts).text(in: language, places: places)
            }
        }
        return text
    }
}

extension Substring {
    fileprivate func firstRange(ofText text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
