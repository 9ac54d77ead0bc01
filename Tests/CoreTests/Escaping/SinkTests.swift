import Animations
import Core
import Explain
import Foundation
import Media
import Render
import TestSupport
import Testing

/// Independent parsers read untrusted text back unchanged from every format that contains it.
@Suite struct SinkTests {
    private static let texts = HostileText.all
    private static let unmarked: Set<Unicode.Scalar> = ["\t", "\n", "\r"]

    private func expectSame(
        _ found: [String], _ expected: [String], sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        #expect(found.count == expected.count, sourceLocation: sourceLocation)
        for (found, expected) in zip(found, expected) where found.scalars != expected.scalars {
            Issue.record("\(expected.visible) became \(found.visible)", sourceLocation: sourceLocation)
        }
    }

    @Test func jsonRoundTrips() throws {
        let document = "[" + Self.texts.map(JSONText.literal).joined(separator: ",\n") + "]"
        #expect(!document.unicodeScalars.contains { $0 != "\n" && $0.isHidden })
        expectSame(try JSONDecoder().decode([String].self, from: Data(document.utf8)), Self.texts)
        expectSame(try python("result = json.loads(given)", document), Self.texts)
    }

    @Test func jsonInScriptElementsRoundTrips() throws {
        let document = JSONText.inScriptElement(try JSONEncoder().encode(Self.texts))
        #expect(!document.utf8.contains { "<>&".utf8.contains($0) })
        expectSame(try JSONDecoder().decode([String].self, from: Data(document.utf8)), Self.texts)
        let found: [String] = try python(
            """
            from html.parser import HTMLParser
            class Reader(HTMLParser):
                def __init__(self):
                    super().__init__()
                    self.scripts, self.others = [], []
                def handle_starttag(self, tag, attributes): (self.scripts if tag == "script" else self.others).append("")
                def handle_data(self, data): self.scripts[-1] += data
            reader = Reader()
            reader.feed("<script type='application/json'>" + given + "</script>")
            reader.close()
            assert len(reader.scripts) == 1 and not reader.others
            result = json.loads(reader.scripts[0])
            """, document)
        expectSame(found, Self.texts)
    }

    /// The text with U+FFFD for scalars that XML does not allow.
    private static func replacingInvalidXML(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    $0.value < 0x20 && !unmarked.contains($0) || [0xFFFE, 0xFFFF].contains($0.value) ? "\u{FFFD}" : $0
                }))
    }

    @Test func xmlRoundTrips() throws {
        let items = Self.texts.map { "<i a=\"\($0.xml)\" b='\($0.xml)'>\($0.xml)</i>" }.joined()
        let found: [[String]] = try python(
            """
            import xml.etree.ElementTree as tree
            root = tree.fromstring(given.encode("utf-8"))
            assert all(item.tag == "i" and len(item) == 0 for item in root)
            result = [[item.get("a"), item.get("b"), item.text or ""] for item in root]
            """, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><r>\(items)</r>")
        for index in 0..<3 { expectSame(found.map { $0[index] }, Self.texts.map(Self.replacingInvalidXML)) }
    }

    @Test func htmlRoundTrips() throws {
        let items = Self.texts.map { "<p title=\"\($0.xml)\">\($0.xml)</p>" }.joined()
        let found: [[String]] = try python(
            """
            from html.parser import HTMLParser
            class Reader(HTMLParser):
                def __init__(self):
                    super().__init__(convert_charrefs=True)
                    self.items, self.depth = [], 0
                def handle_starttag(self, tag, attributes):
                    assert tag == "p" and len(attributes) == 1 and self.depth == 0, (tag, attributes)
                    self.items.append([attributes[0][1], ""])
                    self.depth += 1
                def handle_endtag(self, tag): self.depth -= 1
                def handle_comment(self, data): raise ValueError(data)
                def handle_data(self, data): self.items[-1][1] += data
            reader = Reader()
            reader.feed(given)
            reader.close()
            result = reader.items
            """, items)
        for index in 0..<2 { expectSame(found.map { $0[index] }, Self.texts.map(Self.replacingInvalidXML)) }
    }

    @Test func csvRoundTripsWithoutFormulas() throws {
        let lines = Self.texts.map { "1,\(CSV.cell($0)),2\r\n" }.joined()
        let rows: [[String]] = try python(
            "import csv, io\nresult = list(csv.reader(io.StringIO(given, newline='')))", lines)
        #expect(rows.allSatisfy { $0.count == 3 && $0[0] == "1" && $0[2] == "2" })
        let starts = "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars
        let expected = Self.texts.map { text in
            let replaced = text.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "\u{FFFD}")
            let text = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
            let isNumber = Double(replaced) != nil && replaced.wholeMatch(of: /[-+]?[0-9.]+([eE][-+]?[0-9]+)?/) != nil
            return text.unicodeScalars.first.map { starts.contains($0) && !isNumber } == true ? "'" + text : text
        }
        expectSame(rows.map { $0[1] }, expected)
        #expect(["-5", "+1.5e3", "-.5", "12"].allSatisfy { CSV.cell($0) == $0 })
        #expect(CSV.cell("=1+1") == "\"'=1+1\"" && CSV.cell("-") == "\"'-\"")
    }

    @Test func yamlRoundTrips() throws {
        let document = Self.texts.map { "- \(YAMLText.literal($0))\n- \(YAMLText.scalar($0))\n" }.joined()
        let (root, problems) = YAMLParser.parse(
            Array(document.utf8), file: "a.yaml", form: "a list", limits: DocumentLimits())
        #expect(problems.isEmpty, "\(problems)")
        guard case .sequence(let nodes)? = root?.content else { Issue.record("no list"); return }
        expectSame(nodes.map { $0.text ?? "not a scalar" }, Self.texts.flatMap { [$0, $0] })
        #expect(YAMLText.scalar("qq-mail") == "qq-mail" && YAMLText.scalar("null") == "\"null\"")
    }

    @Test func markdownCellsRoundTripWithoutMarkup() throws {
        let texts = Self.texts + ["www.example.com", "spinner@2x.webp", "@\u{301}name www.\u{301}a"]
        let rows = texts.map { "| \($0.markdownCell) | x |" }
        let found: [String] = try python(
            """
            import html, re
            result = []
            for row in given:
                assert "www." not in row and not re.search("&#64;(?!<!-- -->)", row), row
                row = row.replace("<!-- -->", "")
                cells = row.split("|")
                assert len(cells) == 4 and cells[2] == " x " and not re.search(r"[`<>*_\\[\\]\\\\~!#@:{}$^\\n\\r]", re.sub(r"&#\\d+;", "", row)), row
                result.append(html.unescape(cells[1][1:-1]))
            """, rows)
        expectSame(found, texts.map(\.visible))
        #expect("a@2x.b".markdown == "a&#64;2x.b")
    }

    @Test func workflowCommandsRoundTripOnOneLine() throws {
        let lines = Self.texts.map { WorkflowCommand("error", [("file", $0), ("title", $0)], message: $0).line }
        let found: [[String]] = try python(
            """
            import re
            def unescaped(text, codes):
                return re.sub("%(" + codes + ")", lambda match: chr(int(match[1], 16)), text)
            result = []
            for line in given:
                assert not re.search(r"[\\r\\n]", line)
                properties, message = re.fullmatch("::error (.*?)::(.*)", line, re.S).groups()
                pairs = [pair.split("=", 1) for pair in properties.split(",")]
                assert [name for name, _ in pairs] == ["file", "title"], line
                result.append([unescaped(value, "25|0D|0A|3A|2C") for _, value in pairs] + [unescaped(message, "25|0D|0A")])
            """, lines)
        for index in 0..<3 { expectSame(found.map { $0[index] }, Self.texts) }
    }

    @Test func otherLinesAreNotWorkflowCommands() {
        for text in Self.texts {
            let line = WorkflowCommand.disarmed(text.visible)
            let start = line.unicodeScalars.drop { $0.properties.isWhitespace }
            #expect(!start.starts(with: "::".unicodeScalars) && !line.utf8.contains("##["), "\(text.visible)")
        }
        #expect(WorkflowCommand.disarmed("a: b ## [x] ::") == "a: b ## [x] ::")
        #expect(WorkflowCommand.disarmed(" ::error::x ##[group]") == " \\::error::x ##\\[group]")
        // Comparisons that follow a culture's rules ignore these scalars.
        for ignored in ["\u{200D}", "\u{200C}", "\u{FE0F}", "\u{34F}", "\u{2060}"] {
            let start = WorkflowCommand.disarmed("\(ignored) :\(ignored):error::x")
            #expect(start.scalars == "\(ignored) \\:\(ignored):error::x".scalars, "\(ignored.visible)")
            let bracket = WorkflowCommand.disarmed("a #\(ignored)#\(ignored)[group]")
            #expect(bracket.scalars == "a #\(ignored)#\(ignored)\\[group]".scalars, "\(ignored.visible)")
            let json = WorkflowCommand.disarmedJSON("[\"#\(ignored)#[\"]")
            #expect(json.scalars == "[\"#\(ignored)#\\u005b\"]".scalars, "\(ignored.visible)")
        }
        #expect(WorkflowCommand.disarmedJSON("[[\"# #[\"]]") == "[[\"# #[\"]]")
    }

    @Test func captionsRoundTrip() throws {
        let captions = Self.texts.enumerated().map {
            Caption($1, start: Rational(Int128($0)), end: Rational(Int128($0 + 1)))
        }
        let found: [String] = try python(
            """
            import html, re
            blocks = given.split("\\n\\n")
            assert blocks[0] == "WEBVTT" and "\\r" not in given and "\\0" not in given
            result = []
            for block in blocks[1:]:
                head, *lines = block.rstrip("\\n").split("\\n")
                assert re.fullmatch(r"[0-9:.]+ --> [0-9:.]+", head), head
                assert lines and not any("-->" in line or "<" in line for line in lines), block
                result.append("\\n".join(html.unescape(line) for line in lines))
            """, WebVTT.text(of: captions))
        expectSame(found, captions.map { $0.lines.joined(separator: "\n") }.filter { !$0.isEmpty })
    }

    @Test func junitReportsRoundTrip() throws {
        let cases = Self.texts.map {
            JUnitReport.Case($0, .failed(kind: $0, message: $0, text: $0))
        }
        let report = JUnitReport(name: "\u{D4E}<\u{301}", [.init("\"\u{301}&", cases)]).text
        let found: [[String]] = try python(
            """
            import xml.etree.ElementTree as tree
            cases = tree.fromstring(given.encode("utf-8"))[0]
            result = [[case.get("name"), case[0].get("type"), case[0].get("message"), case[0].text or ""] for case in cases]
            """, report)
        for index in 0..<3 {
            expectSame(found.map { $0[index] }, Self.texts.map(\.visible).map(Self.replacingInvalidXML))
        }
        expectSame(found.map { $0[3] }, Self.texts.map(\.visibleLines).map(Self.replacingInvalidXML))
    }

    /// The ranges come from Unicode's data files and not from the code under test.
    private static let hidden: [ClosedRange<UInt32>] = [
        0...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
    ]

    @Test func hiddenCharactersAreEscaped() {
        func isHidden(_ scalar: Unicode.Scalar) -> Bool { Self.hidden.contains { $0.contains(scalar.value) } }
        func lineEnds(_ text: String) -> Int { text.unicodeScalars.filter { $0 == "\n" }.count }
        for text in Self.texts {
            #expect(!text.visible.unicodeScalars.contains(where: isHidden), "\(text.visible)")
            #expect(!quoted(text).unicodeScalars.contains(where: isHidden), "\(text.visible)")
            #expect(lineEnds(text.visibleLines) == lineEnds(text), "\(text.visible)")
        }
    }
}

extension String.UTF8View {
    fileprivate func contains(_ text: String) -> Bool {
        let bytes = Array(self)
        let wanted = Array(text.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }
}
