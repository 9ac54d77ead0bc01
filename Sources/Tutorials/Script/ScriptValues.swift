import Documents
import Loaders
import Motion
import Platform

// The forms of values in steps.
extension ScriptReader {
    /// A number within limits, exactly.
    mutating func number(_ node: YAMLNode, _ what: String, _ range: ClosedRange<Rational>, unit: String) -> Rational? {
        let expected = "\(range.lowerBound)...\(range.upperBound) \(unit)"
        guard let text = text(node, what, expected: expected) else { return nil }
        if let number = Rational(text: text), range.contains(number) { return number }
        note(node.location, "\(what) is not possible", expected: expected, found: quoted(text))
        return nil
    }

    /// A whole number within limits.
    mutating func count(_ node: YAMLNode, _ what: String, _ range: ClosedRange<Int>, unit: String) -> Int? {
        number(node, what, Rational(range.lowerBound)...Rational(range.upperBound), unit: unit).flatMap { number in
            if number.denominator == 1 { return number.floor }
            note(node.location, "\(what) is not possible", expected: "a whole number of \(unit)", found: "\(number)")
            return nil
        }
    }

    /// How many times slower than normal.
    mutating func slowness(_ pair: NodePair?) -> Rational? {
        pair.flatMap { number($0.value, "'slow'", Rational(1, 20)...1000, unit: "times slower") }
    }

    /// A moment of model time.
    mutating func time(_ node: YAMLNode, _ what: String) -> ModelTime? {
        let expected = "seconds such as 1.5, or phase:2+1/2"
        guard let text = text(node, what, expected: expected) else { return nil }
        if let time = ModelTime(text: text) { return time }
        note(node.location, "\(what) is no time", expected: expected, found: quoted(text))
        return nil
    }

    /// A list of names with their places; `all` is nil.
    mutating func names(_ node: YAMLNode, _ what: String) -> [Located]? {
        if node.text == "all" { return nil }
        return list(node).compactMap { item in
            text(item, what, expected: "a name").map { Located(text: $0, location: item.location) }
        }
    }

    /// A file below the script's folder, whose contents the pictures depend on.
    mutating func fileBeside(_ node: YAMLNode, _ what: String) -> (path: String, contents: [UInt8])? {
        guard let path = pathBeside(node, what) else { return nil }
        switch DocumentFile.read(path, as: "file", limits: limits) {
        case .failure(let refusal):
            var problem = DocumentProblem(
                node.location, "\(what) cannot be read", expected: "a file beside the script",
                found: "\(quoted(node.text ?? "")): \(refusal.what)")
            problem.isMissingFile = refusal.isMissing
            problems.append(problem)
            isClean = false
            return nil
        case .success(let contents):
            sources[path] = contents
            return (path, contents)
        }
    }

    /// The path of a file below the script's folder, whether it is there or not.
    mutating func pathBeside(_ node: YAMLNode, _ what: String) -> String? {
        guard let name = text(node, what, expected: "a file beside the script") else { return nil }
        if let problem = FileName.problem(of: name) {
            note(node.location, "\(what) leads away", expected: problem.expected, found: quoted(name))
            return nil
        }
        guard let path = DocumentFile.path(of: name, beside: file) else {
            note(
                node.location, "\(what) leads away through a link", expected: "a file beside or below the script",
                found: quoted(name))
            return nil
        }
        return path
    }
}
