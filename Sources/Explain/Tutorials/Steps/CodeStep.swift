import Core
import Animations

/// A step that plays the loader beside its code, with the lines of the current phase highlighted.
struct CodeStep: TutorialStep {
    static let key = "code"
    static let keys = SlowPlayback.keys

    /// Maximum number of lines of an excerpt.
    private static let maxLines = 60
    /// Maximum number of characters of a line, several rows of the widest panel.
    private static let maxColumns = 400

    private let lines: [String]
    private let language: CodeLanguage
    private let location: SourceLocation
    /// The highlighted lines by phase, counted from 0.
    private let highlights: [Int: ClosedRange<Int>]
    private let playback: SlowPlayback
    private let options: StepOptions

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
        var first = 1
        var last = all.count
        if let pair = pairs["lines"] {
            guard let range = CodeStep.range(pair.value, in: 1...max(1, last), &reader) else { return nil }
            first = range.lowerBound
            last = range.upperBound
        }
        guard first <= last else {
            reader.note(location, "the code is empty", expected: "lines of code", found: "none")
            return nil
        }
        guard last - first < Self.maxLines else {
            reader.note(
                location, "the excerpt is too long",
                expected: "at most \(Self.maxLines) lines, chosen with 'lines'",
                found: "\(last - first + 1)")
            return nil
        }
        lines = Array(all[(first - 1)..<last])
        if let long = lines.firstIndex(where: { $0.count > Self.maxColumns }) {
            reader.note(
                location, "line \(first + long) is too long",
                expected: "lines of at most \(Self.maxColumns) characters, chosen with 'lines'",
                found: "\(lines[long].count)")
            return nil
        }
        language = CodeLanguage(ofFile: read.path)
        highlights = pairs["light"].map { CodeStep.highlights($0.value, first...last, &reader) } ?? [:]
        playback = SlowPlayback(source, &reader)
        options = source.options
    }

    /// Reads a range of lines such as `3-5` or `4`, counted from 1.
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

    private static func highlights(
        _ node: YAMLNode, _ limits: ClosedRange<Int>, _ reader: inout ScriptReader
    ) -> [Int: ClosedRange<Int>] {
        guard case .mapping(let pairs) = node.content else {
            reader.note(
                node.location, "'light' is malformed", expected: "phases, each with its lines", found: node.found)
            return [:]
        }
        var highlights: [Int: ClosedRange<Int>] = [:]
        for (key, value) in pairs {
            guard let phase = key.text.flatMap({ Int($0) }), phase >= 0 else {
                reader.note(key.location, "this is not a phase", expected: "its number", found: key.found)
                continue
            }
            guard let range = range(value, in: limits, &reader) else { continue }
            highlights[phase] = (range.lowerBound - limits.lowerBound)...(range.upperBound - limits.lowerBound)
        }
        return highlights
    }

    func segments(in lesson: LessonContext) throws(DocumentError) -> [LessonSegment] {
        if let phase = highlights.keys.first(where: { !lesson.loader.phases.indices.contains($0) }) {
            throw DocumentError(
                at: options.location, "'light' names an unknown phase",
                expected: "0...\(lesson.loader.phases.count - 1)", found: "\(phase)")
        }
        let panel = CodePanel(
            lines: lines, language: language, highlights: highlights, loader: lesson.loader, location: location)
        let title = LocalizedText("The code", zh: "代码")
        return [try playback.segment(beside: panel, options, title, in: lesson)]
    }
}
