import Animations
import Core

// The types of values in steps. A value of another type is recorded as a problem.
extension ScriptReader {
    /// Reads two names of objects or points.
    mutating func pair(_ node: YAMLNode, _ subject: String) -> [SpannedText] {
        let names = list(node).compactMap { item in item.text.map { SpannedText(text: $0, location: item.location) } }
        if names.count == 2, names[0].text == names[1].text {
            report(
                node.location, "\(subject) names \(quoted(names[0].text)) twice", remedy: "name two objects or points")
            return []
        }
        guard names.count == 2 else {
            report(
                node.location, "\(subject) is malformed", remedy: "use two objects or points, such as [head, tail]",
                found: node.found)
            return []
        }
        return names
    }

    /// Reads an exact number in a range.
    mutating func number(_ node: YAMLNode, _ subject: String, _ range: ClosedRange<Rational>, unit: String) -> Rational?
    {
        let form = "\(range.lowerBound)...\(range.upperBound) \(unit)"
        guard let text = text(node, subject, form: form) else { return nil }
        if let number = Rational(text: text), range.contains(number) { return number }
        report(node.location, "\(subject) is invalid", remedy: "use \(form)", found: quoted(text))
        return nil
    }

    /// Reads a whole number in a range.
    mutating func count(_ node: YAMLNode, _ subject: String, _ range: ClosedRange<Int>, unit: String) -> Int? {
        number(node, subject, Rational(range.lowerBound)...Rational(range.upperBound), unit: unit).flatMap { number in
            if number.denominator == 1 { return number.floor }
            report(node.location, "\(subject) is invalid", remedy: "use a whole number of \(unit)", found: "\(number)")
            return nil
        }
    }

    /// Reads a slow-motion factor.
    mutating func slowmo(_ pair: NodePair?) -> Rational? {
        pair.flatMap { number($0.value, "'slow'", Rational(1, 20)...1000, unit: "as the factor") }
    }

    /// Reads a model time.
    mutating func time(_ node: YAMLNode, _ subject: String) -> ModelTime? {
        let form = "seconds such as 1.5, a percentage such as 50%, or phase:2+1/2"
        guard let text = text(node, subject, form: form) else { return nil }
        if let time = ModelTime(text: text) { return time }
        report(node.location, "\(subject) is not a time", remedy: "use \(form)", found: quoted(text))
        return nil
    }

    /// Reads a list of names; nil for `all`.
    mutating func names(_ node: YAMLNode, _ subject: String) -> [SpannedText]? {
        if node.text == "all" { return nil }
        return list(node).compactMap { item in
            text(item, subject, form: "a name").map { SpannedText(text: $0, location: item.location) }
        }
    }

    /// Reads a file in or below the script's directory and adds it to `sources`.
    mutating func fileBeside(_ node: YAMLNode, _ subject: String) -> (path: String, contents: [UInt8])? {
        guard let path = pathBeside(node, subject) else { return nil }
        switch DocumentFile.read(path, as: "file", limits: limits) {
        case .failure(let refusal):
            var problem = DocumentProblem(
                node.location, "\(subject) names \(quoted(node.text ?? "")), which \(refusal.problem)")
            if refusal.isAbsent { problem.remedy = "use a file beside or below the script" }
            problem.setCause(refusal)
            report(problem)
            return nil
        case .success(let contents):
            sources[path] = contents
            return (path, contents)
        }
    }

    /// Returns the path of a file in or below the script's directory. The file need not exist.
    mutating func pathBeside(_ node: YAMLNode, _ subject: String) -> String? {
        guard let name = text(node, subject, form: "a file beside the script") else { return nil }
        if let problem = FileName.problem(of: name) {
            report(node.location, subject: "\(subject) ", problem)
            return nil
        }
        guard let path = DocumentFile.path(of: name, beside: file) else {
            report(
                node.location, "\(subject) is a link out of the script's directory",
                remedy: "use a file beside or below the script", found: quoted(name))
            return nil
        }
        return path
    }
}
