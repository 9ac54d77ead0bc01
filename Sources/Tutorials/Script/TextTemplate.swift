import Loaders

/// A text with facts between double braces, which are looked up in the loader: `{{period}} s`, or with so many decimals at
/// most `{{red.x at 0.1 | 1}}`.
struct TextTemplate: Sendable {
    private enum Part: Sendable {
        case text(String)
        case fact(FactExpression, places: Int)
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
            parts.append(try Self.fact(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        self.parts = parts + [.text(String(rest))]
    }

    private static func fact(_ text: Substring) throws(FactProblem) -> Part {
        guard let bar = text.lastIndex(of: "|") else {
            return .fact(try FactExpression(String(text)), places: FactValue.mostPlaces)
        }
        let digits = text[text.index(after: bar)...].filter { $0 != " " }
        guard let places = Int(digits), 0...FactValue.mostPlaces ~= places else {
            throw FactProblem(
                what: "there are no such decimals", expected: "0...\(FactValue.mostPlaces) after |", found: digits)
        }
        return .fact(try FactExpression(String(text[..<bar])), places: places)
    }

    /// The text with its facts as they are in a loader.
    func filled(with facts: Facts, in language: Language) throws(FactProblem) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let words): text += words
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
