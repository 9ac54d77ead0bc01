import Foundation
import TestSupport
import Testing

/// Pages run only their own script, even if their texts contain markup.
@Suite struct PagePolicyTests {
    private struct Page: Decodable {
        var scripts: Int
        var title: String
        var policy: [String: [String]]
        var allowed: [String: [String]]
        var data: [String]
        var inline: [String]
    }

    /// The page as an independent HTML parser reads it.
    private func read(_ text: String) throws -> Page {
        try python(
            """
            import base64, hashlib
            from html.parser import HTMLParser
            class Reader(HTMLParser):
                def __init__(self):
                    super().__init__()
                    self.elements, self.inline, self.policy, self.open = [], [], "", None
                def handle_starttag(self, tag, attributes):
                    found = dict(attributes)
                    self.elements.append([tag, found, ""])
                    self.inline += [f"{tag} {name}" for name in found if name == "style" or name.startswith("on")]
                    if found.get("http-equiv") == "Content-Security-Policy": self.policy = found["content"]
                    self.open = self.elements[-1]
                def handle_endtag(self, tag): self.open = None
                def handle_data(self, data):
                    if self.open: self.open[2] += data
            reader = Reader()
            reader.feed(given)
            reader.close()
            def contents(tag): return [text for name, found, text in reader.elements if name == tag and found.get("type") is None]
            def hashes(tag):
                return ["'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'" for text in contents(tag)]
            policy = {part.split()[0]: part.split()[1:] for part in reader.policy.split(";")}
            block = next(text for name, found, text in reader.elements if found.get("type") == "application/json")
            page = json.loads(block)
            result = {
                "scripts": sum(name == "script" for name, _, _ in reader.elements), "title": contents("title")[0],
                "policy": policy, "allowed": {"script-src": hashes("script"), "style-src": hashes("style")},
                "data": page["title"] + [name for phase in page["phases"] for name in phase["name"]],
                "inline": reader.inline,
            }
            """, text)
    }

    private func expectClosed(_ page: Page) {
        #expect(page.scripts == 2 && page.inline.isEmpty, "\(page.inline)")
        #expect(page.policy["default-src"] == ["'none'"] && page.policy["base-uri"] == ["'none'"])
        for part in ["script-src", "style-src"] {
            #expect(page.policy[part]?.count == 1 && page.policy[part] == page.allowed[part])
        }
        #expect(!page.policy.values.joined().contains { $0.hasPrefix("'unsafe") })
    }

    @Test(arguments: ["qq-mail", "jelly"]) func pagesAllowOnlyTheirOwnScript(loader: String) throws {
        expectClosed(try read(PageMaker().page(loader)))
    }

    @Test(.slow, arguments: HostileText.joiners) func markersRunNoScript(joiner: String) throws {
        let maker = try PageMaker()
        let attack = "\(joiner)<\(joiner)/script>\(joiner)<\(joiner)script>alert(1)"
        let names = [
            "</script><script>alert(1)</script>", attack, "\(joiner)</script\(joiner)><script>alert(2)</script>",
        ]
        let markers = names.enumerated().map { ["tm": $0 * 10, "dr": 10, "cm": $1] as [String: Any] }
        let animation: [String: Any] = [
            "v": "5.7.0", "fr": 30, "ip": 0, "op": 30, "w": 100, "h": 100, "markers": markers,
            "layers": [["ty": 3, "nm": "a", "ip": 0, "op": 30, "st": 0, "ks": [String: Any]()] as [String: Any]],
        ]
        let file = "a\(joiner)<\(joiner)b.json"
        try JSONSerialization.data(withJSONObject: animation).write(
            to: URL(fileURLWithPath: maker.directory.file(file)))
        let page = try read(maker.page(file))
        expectClosed(page)
        // Names keep all scalars except format characters, such as marks of direction.
        let isKept = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory != .format && scalar != " " }
        for name in names.map({ $0.unicodeScalars.filter(isKept) }) {
            #expect(
                page.data.contains { $0.unicodeScalars.filter(isKept).starts(with: name.prefix(30)) }, "\(page.data)")
        }
        #expect(page.title.unicodeScalars.contains("<"))
    }

    @Test(.slow, arguments: ["\u{301}", "\u{338}", "\u{D4E}"]) func titlesOfLessonsRunNoScript(joiner: String) throws {
        let maker = try PageMaker()
        let title = "a\(joiner)</script><\(joiner)script>alert(1)<\(joiner)/script>"
        try makeFile(
            "tutorial: qq-mail\ntitle: '\(title)'\nsteps: [{play: 1, say: Look.}]\n", at: maker.directory.file("l.yaml")
        )
        let page = try read(maker.page("l.yaml"))
        expectClosed(page)
        #expect(page.title.scalars == title.scalars && page.data[0].scalars == title.scalars)
    }
}
