import Documents
import Loaders

/// Code beside the picture; the lines that act are lit while they act.
struct CodeStep: TutorialStep {
    static let key = "code"
    static let keys = ["slow", "cycles"]

    /// More is no excerpt.
    private static let mostLines = 60

    private let lines: [String]
    private let language: CodeLanguage
    private let location: SourceLocation
    /// The lit lines by phase, counted from 0.
    private let lit: [Int: ClosedRange<Int>]
    private let course: BoardCourse
    private let shared: StepShared

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        let pairs = reader.mapping(source.value, "'code'", ["file", "lines", "light"])
        guard let file = pairs["file"], let read = reader.fileBeside(file.value, "'file'") else {
            if pairs["file"] == nil {
                reader.note(
                    source.value.location, "'code' names no file", expected: "'file: ' and its name", found: "none")
            }
            return nil
        }
        location = file.value.location
        guard let text = String(validating: read.contents, as: UTF8.self) else {
            reader.note(location, "the code is not UTF-8", expected: "text", found: "other bytes")
            return nil
        }
        let all = CodeLanguage.lines(of: text)
        var (first, last) = (1, all.count)
        if let pair = pairs["lines"] {
            guard let range = CodeStep.range(pair.value, in: 1...max(1, last), &reader) else { return nil }
            (first, last) = (range.lowerBound, range.upperBound)
        }
        guard first <= last else {
            reader.note(location, "the code is empty", expected: "lines of code", found: "none")
            return nil
        }
        guard last - first < Self.mostLines else {
            reader.note(
                location, "too much code is shown",
                expected: "at most \(Self.mostLines) lines: choose some with 'lines'",
                found: "\(last - first + 1)")
            return nil
        }
        lines = Array(all[(first - 1)..<last])
        language = CodeLanguage(ofFile: read.path)
        lit = pairs["light"].map { CodeStep.lit($0.value, first...last, &reader) } ?? [:]
        (course, shared) = (BoardCourse(source, &reader), source.shared)
    }

    /// `3-5` or `4`, counted from 1 as in the file.
    private static func range(_ node: YAMLNode, in limits: ClosedRange<Int>, _ reader: inout ScriptReader)
        -> ClosedRange<Int>?
    {
        let expected = "lines such as 3-5 in \(limits.lowerBound)...\(limits.upperBound)"
        guard let text = reader.text(node, "'lines'", expected: expected) else { return nil }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0.filter { $0 != " " }) }
        if let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last,
            limits.contains(first), limits.contains(last)
        {
            return first...last
        }
        reader.note(node.location, "there are no such lines", expected: expected, found: quoted(text))
        return nil
    }

    private static func lit(
        _ node: YAMLNode, _ limits: ClosedRange<Int>, _ reader: inout ScriptReader
    ) -> [Int: ClosedRange<Int>] {
        guard case .mapping(let pairs) = node.content else {
            reader.note(
                node.location, "'light' is not of its form", expected: "phases, each with its lines", found: node.found)
            return [:]
        }
        var lit: [Int: ClosedRange<Int>] = [:]
        for (key, value) in pairs {
            guard let phase = key.text.flatMap({ Int($0) }), phase >= 0 else {
                reader.note(key.location, "this is no phase", expected: "its number", found: key.found)
                continue
            }
            guard let range = range(value, in: limits, &reader) else { continue }
            lit[phase] = (range.lowerBound - limits.lowerBound)...(range.upperBound - limits.lowerBound)
        }
        return lit
    }

    func passages(in lesson: LessonContext) throws(DocumentError) -> [Passage] {
        if let phase = lit.keys.first(where: { !lesson.loader.phases.indices.contains($0) }) {
            throw DocumentError(
                at: shared.location, "'light' names a phase that is not there",
                expected: "0...\(lesson.loader.phases.count - 1)", found: "\(phase)")
        }
        let board = CodeBoard(lines: lines, language: language, lit: lit, loader: lesson.loader, location: location)
        let title = LocalizedText("The code", zh: "代码")
        return [try course.passage(beside: board, shared, title, in: lesson)]
    }
}
