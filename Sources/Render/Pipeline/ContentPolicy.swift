import Core
import Media

/// The Content Security Policy of a page. Its hashes allow only the page's own scripts and style
/// sheets, so text that escapes its element can neither run nor load anything.
package struct ContentPolicy {
    /// The policy as the content of a `meta` element.
    package let text: String

    /// A policy for a page with exactly these contents of its `script` and `style` elements.
    package init(scripts: [String] = [], styles: [String] = []) throws {
        let parts = [("script-src", scripts), ("style-src", styles)].filter { !$0.1.isEmpty }
        let sources = try parts.map { name, contents in
            "; \(name) " + (try contents.map { "'sha256-\(try Self.digest($0).base64)'" }).joined(separator: " ")
        }
        text = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:" + sources.joined()
    }

    private static func digest(_ text: String) throws -> [UInt8] {
        let digits = Array(try SHA256.hash(Array(text.utf8)).utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap { start in
            UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16)
        }
    }
}
