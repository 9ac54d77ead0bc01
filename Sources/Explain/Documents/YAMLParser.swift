// This parser reads libyaml's events. libyaml's documents, and packages built on them, stop at the
// first error and do not limit the expansion of aliases or the nesting depth.
import CLibYAML
import Core
import Render

/// A parser of one YAML document within limits. It continues after every recoverable problem.
package final class YAMLParser {
    private let file: String
    private let form: String
    private let limits: DocumentLimits
    private var parser = yaml_parser_t()
    private var event = yaml_event_t()
    private var anchors: [String: YAMLNode] = [:]
    private var nodeCount = 0
    private(set) var problems: [DocumentProblem] = []

    /// The error after which parsing cannot continue. The problem is recorded before it is thrown.
    private struct Stop: Error {}

    private init(file: String, form: String, limits: DocumentLimits) {
        self.file = file
        self.form = form
        self.limits = limits
        yaml_parser_initialize(&parser)
        yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
    }

    deinit {
        yaml_event_delete(&event)
        yaml_parser_delete(&parser)
    }

    /// Parses a document. Returns its root, or nil if there is none, and all problems.
    ///
    /// - Parameter form: the content of a document, to follow "write" in the message about an empty
    ///   file.
    package static func parse(
        _ bytes: [UInt8], file: String, form: String, limits: DocumentLimits
    ) -> (
        root: YAMLNode?, problems: [DocumentProblem]
    ) {
        if let bad = invalidOffset(in: bytes) {
            let problem = DocumentProblem(
                location(of: bad, in: bytes, file: file), "the file is not UTF-8", remedy: "save it as UTF-8",
                found: "it has the byte \(bytes[bad])")
            return (nil, [problem])
        }
        let reader = YAMLParser(file: file, form: form, limits: limits)
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        let root = text.withUnsafeBufferPointer { buffer in
            yaml_parser_set_input_string(&reader.parser, buffer.baseAddress, buffer.count)
            return try? reader.document(in: Array(text))
        }
        return (root, reader.problems)
    }

    // MARK: Bytes

    /// Returns the offset of the first byte that is not UTF-8; nil if all bytes are.
    private static func invalidOffset(in bytes: [UInt8]) -> Int? {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += String(scalar).utf8.count
            case .emptyInput: return nil
            case .error: return min(offset, bytes.count - 1)
            }
        }
    }

    private static func location(of offset: Int, in bytes: some Collection<UInt8>, file: String) -> SourceLocation {
        let before = bytes.prefix(offset)
        let line = before.reduce(1) { $1 == 10 ? $0 + 1 : $0 }
        let column = before.reversed().prefix { $0 != 10 }.filter { $0 & 0xC0 != 0x80 }.count
        return SourceLocation(file: file, line: line, column: column + 1)
    }

    // MARK: Events

    private func location(_ mark: yaml_mark_t) -> SourceLocation {
        SourceLocation(file: file, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private func report(
        _ location: SourceLocation, _ problem: String, remedy: String? = nil, found: String? = nil
    ) {
        problems.append(DocumentProblem(location, problem, remedy: remedy, found: found))
    }

    private func reportDepth(at location: SourceLocation) {
        let remedy = "use at most \(limits.depth) levels (\(commandOption: "max-depth"))"
        report(location, "the file is nested too deeply", remedy: remedy)
    }

    /// Returns the remedy for common mistakes by libyaml's message, with a leading separator; empty
    /// for others.
    private static func remedy(_ message: String) -> String {
        switch message {
        case "mapping values are not allowed in this context":
            "; quote a text that contains ': ', and give keys of one mapping the same indentation"
        case "found character that cannot start any token":
            "; indent with spaces instead of tabs, and quote a text that begins with @, ` or %"
        case "found a tab character that violates indentation": "; indent with spaces instead of tabs"
        case "did not find expected key", "did not find expected '-' indicator":
            "; give keys of one mapping, and items of one list, the same indentation"
        default: ""
        }
    }

    private func next(_ text: [UInt8]) throws {
        yaml_event_delete(&event)
        guard yaml_parser_parse(&parser, &event) == 1 else {
            let message = parser.problem.map { String(cString: $0) } ?? "the text cannot be read"
            if parser.error == YAML_READER_ERROR {
                let problemLocation = Self.location(of: Int(parser.problem_offset), in: text, file: file)
                report(problemLocation, "invalid YAML", remedy: "remove the character", found: message)
            } else if parser.flow_level > limits.depth {
                reportDepth(at: location(parser.mark))
            } else {
                // The problem mark of an unclosed list is the end of the file, so the message also
                // gives the line where the list begins.
                let context = parser.context.map { String(cString: $0) + " on line \(parser.context_mark.line + 1), " }
                report(
                    location(parser.problem_mark), "invalid YAML: \(context ?? "")\(message)\(Self.remedy(message))")
            }
            throw Stop()
        }
    }

    private func document(in text: [UInt8]) throws -> YAMLNode {
        try next(text)
        try next(text)
        guard event.type != YAML_STREAM_END_EVENT else {
            report(location(event.start_mark), "the file is empty", remedy: "write \(form)")
            throw Stop()
        }
        try next(text)
        let root = try node(depth: 0, text)
        try next(text)
        try next(text)
        if event.type != YAML_STREAM_END_EVENT {
            report(location(event.start_mark), "the file has two documents", remedy: "move the second to another file")
        }
        return root
    }

    /// Returns the node that begins with the current event.
    private func node(depth: Int, _ text: [UInt8]) throws -> YAMLNode {
        let start = location(event.start_mark)
        guard depth < limits.depth else {
            reportDepth(at: start)
            throw Stop()
        }
        let (anchor, tag) = properties
        if let tag { report(start, "the tag \(quoted(tag)) is not supported", remedy: "remove it") }
        var node: YAMLNode
        switch event.type {
        case YAML_ALIAS_EVENT: node = try alias(at: start)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            node = YAMLNode(
                content: .scalar(String(decoding: bytes, as: UTF8.self), isPlain: isPlain), location: start, size: 1)
        case YAML_SEQUENCE_START_EVENT: node = try sequence(at: start, depth: depth, text)
        default: node = try mapping(at: start, depth: depth, text)
        }
        try count(node)
        if let anchor { anchors[anchor] = node }
        return node
    }

    /// Checks the limit of nodes. An alias counts as the nodes that it stands for: they share
    /// memory, but every traversal of the tree visits them all.
    private func count(_ node: YAMLNode) throws {
        if case .scalar = node.content { nodeCount += 1 }
        guard max(nodeCount, node.size) <= limits.nodes else {
            report(
                node.location, "the file has too many values",
                remedy: "use at most \(limits.nodes) with aliases expanded (\(commandOption: "max-nodes"))")
            throw Stop()
        }
    }

    private var properties: (anchor: String?, tag: String?) {
        func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
            pointer.map { String(cString: UnsafePointer<UInt8>($0)) }
        }
        switch event.type {
        case YAML_SCALAR_EVENT: return (text(event.data.scalar.anchor), text(event.data.scalar.tag))
        case YAML_SEQUENCE_START_EVENT:
            return (text(event.data.sequence_start.anchor), text(event.data.sequence_start.tag))
        case YAML_MAPPING_START_EVENT:
            return (text(event.data.mapping_start.anchor), text(event.data.mapping_start.tag))
        default: return (nil, nil)
        }
    }

    private func alias(at start: SourceLocation) throws -> YAMLNode {
        let name = String(cString: UnsafePointer<UInt8>(event.data.alias.anchor))
        guard var node = anchors[name] else {
            report(start, "unknown anchor \(quoted("*" + name))", remedy: "define it above with &\(name)")
            throw Stop()
        }
        node.location = start
        return node
    }

    private func sequence(at start: SourceLocation, depth: Int, _ text: [UInt8]) throws -> YAMLNode {
        var nodes: [YAMLNode] = []
        var size = 1
        while true {
            try next(text)
            if event.type == YAML_SEQUENCE_END_EVENT { break }
            let child = try node(depth: depth + 1, text)
            nodes.append(child)
            size += child.size
        }
        return YAMLNode(content: .sequence(nodes), location: start, size: size)
    }

    private func mapping(at start: SourceLocation, depth: Int, _ text: [UInt8]) throws -> YAMLNode {
        var pairs: [(key: YAMLNode, value: YAMLNode)] = []
        var size = 1
        var lines: [String: Int] = [:]
        while true {
            try next(text)
            if event.type == YAML_MAPPING_END_EVENT { break }
            let key = try node(depth: depth + 1, text)
            try next(text)
            let value = try node(depth: depth + 1, text)
            size += key.size + value.size
            guard let name = key.text else {
                report(key.location, "invalid key", remedy: "use a word", found: key.found)
                continue
            }
            if let line = lines[name] {
                report(key.location, "duplicate key \(quoted(name)), first given on line \(line)")
                continue
            }
            lines[name] = key.location.line
            pairs.append((key, value))
        }
        return YAMLNode(content: .mapping(pairs), location: start, size: size)
    }
}
