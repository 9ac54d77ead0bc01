import Animations
import Core

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
                reader.report(
                    source.value.location, "'code' names no file", remedy: "add 'file: ' and its name")
            }
            return nil
        }
        location = file.value.location
        guard let text = String(validating: read.contents, as: UTF8.self) else {
            reader.report(location, "the code is not UTF-8", remedy: "save it as UTF-8")
            return nil
        }
        guard let (range, lines) = CodeStep.excerpt(text, pairs["lines"], location, &reader) else { return nil }
        self.lines = lines
        language = CodeLanguage(ofFile: read.path)
        highlights = pairs["light"].map { CodeStep.highlights($0.value, range, &reader) } ?? [:]
        playback = SlowPlayback(source, &reader)
        options = source.options
    }

    /// Returns the lines of a file that a step shows, with their numbers, counted from 1. Reports
    /// an excerpt that is empty or too large.
    private static func excerpt(
        _ text: String, _ pair: NodePair?, _ location: SourceLocation, _ reader: inout ScriptReader
    ) -> (range: ClosedRange<Int>, lines: [String])? {
        let all = CodeLanguage.lines(of: text)
        var first = 1
        var last = all.count
        if let pair {
            guard let range = CodeStep.range(pair.value, in: 1...max(1, last), &reader) else { return nil }
            first = range.lowerBound
            last = range.upperBound
        }
        guard first <= last else {
            reader.report(location, "the code is empty", remedy: "choose lines with code")
            return nil
        }
        guard last - first < maxLines else {
            reader.report(
                location, "the excerpt has \(last - first + 1) lines",
                remedy: "choose at most \(maxLines) with 'lines'")
            return nil
        }
        let lines = all[(first - 1)..<last].map { $0.count > maxColumns ? $0 : withoutTabs($0) }
        if let long = lines.firstIndex(where: { $0.count > maxColumns }) {
            reader.report(
                location, "line \(first + long) has \(lines[long].count) characters",
                remedy: "choose lines of at most \(maxColumns) with 'lines'")
            return nil
        }
        return (first...last, lines)
    }

    /// The number of columns between tab stops, as in Xcode.
    private static let tabWidth = 4

    /// Returns a line with spaces instead of tabs, so that its indent can be continued.
    private static func withoutTabs(_ line: String) -> String {
        var column = 0
        return line.reduce(into: "") { text, character in
            let width = character == "\t" ? tabWidth - column % tabWidth : 1
            text += character == "\t" ? String(repeating: " ", count: width) : String(character)
            column += width
        }
    }

    /// Reads a range of lines such as `3-5` or `4`, counted from 1.
    private static func range(_ node: YAMLNode, in limits: ClosedRange<Int>, _ reader: inout ScriptReader)
        -> ClosedRange<Int>?
    {
        let form = "lines such as 3-5 in \(limits.lowerBound)...\(limits.upperBound)"
        guard let text = reader.text(node, "'lines'", form: form) else { return nil }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0.filter { $0 != " " }) }
        if let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last,
            limits.contains(first), limits.contains(last)
        {
            return first...last
        }
        reader.report(node.location, "there are no such lines", remedy: "use \(form)", found: quoted(text))
        return nil
    }

    private static func highlights(
        _ node: YAMLNode, _ limits: ClosedRange<Int>, _ reader: inout ScriptReader
    ) -> [Int: ClosedRange<Int>] {
        guard case .mapping(let pairs) = node.content else {
            reader.report(
                node.location, "'light' is malformed",
                remedy: "use phases, each with its lines", found: node.found)
            return [:]
        }
        var highlights: [Int: ClosedRange<Int>] = [:]
        for (key, value) in pairs {
            guard let phase = key.text.flatMap({ Int($0) }), phase >= 0 else {
                reader.report(
                    key.location, "this is not a phase", remedy: "use the number of a phase", found: key.found)
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
                at: options.location, "'light' names phase \(phase), which does not exist",
                remedy: "use 0...\(lesson.loader.phases.count - 1)")
        }
        let panel = CodePanel(
            lines: lines, language: language, highlights: highlights, loader: lesson.loader, location: location)
        let title = LocalizedText("The code", zh: "代码")
        return [try playback.segment(beside: panel, options, title, in: lesson)]
    }
}
