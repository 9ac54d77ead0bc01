import Loaders

/// A text with facts between double braces, which are looked up in the loader: `{{period}} s`.
struct TextTemplate: Sendable {
    private enum Part: Sendable {
        case text(String)
        case fact(FactExpression)
    }

    private let parts: [Part]

    /// Reads a text.
    init(_ text: String) throws(FactProblem) {
        var (parts, rest) = ([Part](), Substring(text))
        while let start = rest.firstRange(ofText: "{{") {
            parts.append(.text(String(rest[..<start.lowerBound])))
            guard let end = rest[start.upperBound...].firstRange(ofText: "}}") else {
                throw FactProblem(
                    what: "a fact is not closed", expected: "}} after {{", found: String(rest[start.lowerBound...]))
            }
            parts.append(.fact(try FactExpression(String(rest[start.upperBound..<end.lowerBound]))))
            rest = rest[end.upperBound...]
        }
        self.parts = parts + [.text(String(rest))]
    }

    /// The text with its facts as they are in a loader.
    func filled(with facts: Facts, in language: Language) throws(FactProblem) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let words): text += words
            case .fact(let expression): text += try expression.value(in: facts).text(in: language)
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
