import Pipeline

/// What differs between two directories as one HTML file, which asks for nothing else.
public struct DifferencePage {
    private let difference: DirectoryDifference
    private let (expected, actual): (String, String)

    /// A page on two directories, or on two files.
    public init(_ difference: DirectoryDifference, expected: String, actual: String) {
        (self.difference, self.expected, self.actual) = (difference, expected, actual)
    }

    private static let policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    private static let style = """
        body{font:14px/1.5 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#222;background:#fff}
        h1{font-size:1.4em}h2{font-size:1.1em;margin:0 0 .3em;overflow-wrap:anywhere}
        article{border:1px solid #ccc;border-left:.4em solid #b3261e;border-radius:4px;padding:.8em 1em;margin:1em 0}
        article.new,article.missing{border-left-color:#8a5a00}
        img{max-width:100%;height:auto;display:block;margin-top:.5em}
        ul{margin:.2em 0;padding-left:1.4em}li{overflow-wrap:anywhere}
        .state{font-weight:600}
        details{margin-top:1.5em}
        @media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}article{border-color:#444}}
        """

    /// The page.
    public var html: String {
        let entries = difference.entries
        let wrong = entries.filter { !$0.state.isSame }
        let title = difference.isSame ? "No differences" : "\(wrong.count) of \(entries.count) files differ"
        let same = entries.filter(\.state.isSame).map { "<li>\($0.path.visible.xml)\(note($0).xml)</li>" }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <title>\(title)</title><style>\(Self.style)</style></head><body>
            <h1>\(title)</h1>
            <p>Expected: \(expected.visible.xml)<br>Actual: \(actual.visible.xml)</p>
            \(wrong.map(article).joined(separator: "\n"))
            <details><summary>\(same.count) alike</summary><ul>\(same.joined())</ul></details>
            </body></html>

            """
    }

    private func note(_ entry: DirectoryDifference.Entry) -> String {
        if case .alike = entry.state { ": other bytes, the same pictures" } else { "" }
    }

    private func article(_ entry: DirectoryDifference.Entry) -> String {
        let (state, lines) = entry.words
        let items = lines.map { "<li>\($0.visible.xml)</li>" }.joined()
        let picture = entry.picture.map { png in
            "<img alt=\"the picture that differs most: expected, actual, difference\" src=\"data:image/png;base64,"
                + "\(png.base64)\">"
        }
        return "<article class=\"\(state)\"><h2>\(entry.path.visible.xml)</h2><span class=\"state\">\(state)</span>"
            + "<ul>\(items)</ul>\(picture ?? "")</article>"
    }
}

extension DirectoryDifference.Entry {
    /// What became of it in a word, and what there is to say.
    public var words: (state: String, lines: [String]) {
        switch state {
        case .equal: ("equal", [])
        case .alike(let difference): ("alike", difference.lines)
        case .differs(let difference): ("differs", difference.lines)
        case .otherBytes: ("differs", ["its bytes differ"])
        case .missing: ("missing", ["the second directory does not have it"])
        case .new: ("new", ["only the second directory has it"])
        case .failed(let error): ("failed", [error.description])
        }
    }
}

extension ClipDifference {
    /// What differs, in lines.
    public var lines: [String] {
        var lines = remarks
        let least = leastPSNR.map { "\(decimal($0)) dB" } ?? "equal pictures"
        if differing > 0 {
            lines.append("\(differing) of \(compared) pictures differ (\(least) needed)")
        } else if compared > 0 {
            lines.append(
                worst == nil
                    ? "all \(compared) pictures are equal"
                    : "all \(compared) pictures are alike (\(least) needed)")
        }
        if differing > 0, let first { lines.append("first at \(Self.words(first))") }
        if let worst, worst != first || differing == 0 { lines.append("most at \(Self.words(worst))") }
        return lines + motion
    }

    private static func words(_ place: Place) -> String {
        let frames =
            place.frame == place.otherFrame
            ? "frame \(place.frame)"
            : "frames \(place.frame) and \(place.otherFrame)"
        let box =
            place.box.count == 4
            ? ", \(place.box[2])x\(place.box[3]) pixels at \(place.box[0]),\(place.box[1])" : ""
        return "\(decimal(place.time)) s, \(frames): \(place.psnr.map { "\(decimal($0)) dB" } ?? "equal")\(box)"
    }
}

extension [UInt8] {
    /// The bytes as base 64 has them.
    var base64: String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(count * 4 / 3 + 4)
        for start in stride(from: 0, to: count, by: 3) {
            let rest = Swift.min(3, count - start)
            let value = (0..<3).reduce(0) { $0 << 8 | ($1 < rest ? Int(self[start + $1]) : 0) }
            for place in 0..<4 {
                text.append(place <= rest ? digits[value >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
