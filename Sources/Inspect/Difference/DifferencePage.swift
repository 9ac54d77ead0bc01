import Core
import Render

/// A self-contained HTML report of the differences between two directories.
package struct DifferencePage {
    private let difference: DirectoryDifference
    private let (expected, actual): (String, String)

    /// Creates a report on two directories or files.
    package init(_ difference: DirectoryDifference, expected: String, actual: String) {
        self.difference = difference
        self.expected = expected
        self.actual = actual
    }

    /// The first characters of every report, by which a later run recognizes it.
    package static let beginning = """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><meta name="generator" content="loadervid diff">
        """

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

    /// Returns the report as HTML. Throws `LoadervidError` if memory for the hash of its style runs
    /// out.
    package func html() throws -> String {
        let policy = try ContentPolicy(styles: [Self.style]).text
        let entries = difference.entries
        let wrong = entries.filter { !$0.state.isSame }
        let title = difference.isSame ? "No differences" : "\(wrong.count) of \(entries.count) files differ"
        let same = entries.filter(\.state.isSame).map { "<li>\($0.path.visible.xml)\(note($0).xml)</li>" }
        return """
            \(Self.beginning)<meta name="viewport" content="width=device-width">
            <meta http-equiv="Content-Security-Policy" content="\(policy.xml)">
            <title>\(title)</title><style>\(Self.style)</style></head><body>
            <h1>\(title)</h1>
            <p>Expected: \(expected.visible.xml)<br>Actual: \(actual.visible.xml)</p>
            \(wrong.map(article).joined(separator: "\n"))
            <details><summary>\(same.count) alike</summary><ul>\(same.joined())</ul></details>
            </body></html>

            """
    }

    private func note(_ entry: DirectoryDifference.Entry) -> String {
        if case .alike = entry.state { ": different bytes, same frames" } else { "" }
    }

    private func article(_ entry: DirectoryDifference.Entry) -> String {
        let (state, lines) = entry.summary
        let items = lines.map { "<li>\($0.visible.xml)</li>" }.joined()
        let image = entry.image.map { png in
            "<img alt=\"the frame that differs most: expected, actual, difference\" src=\"data:image/png;base64,"
                + "\(png.base64)\">"
        }
        return "<article class=\"\(state)\"><h2>\(entry.path.visible.xml)</h2><span class=\"state\">\(state)</span>"
            + "<ul>\(items)</ul>\(image ?? "")</article>"
    }
}

extension DirectoryDifference.Entry {
    /// The state of the entry in one word, and descriptions of its differences.
    package var summary: (state: String, lines: [String]) {
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
    /// The maximum number of changes among the lines.
    private static let maxChanges = 5

    /// Descriptions of the differences, one per line.
    package var lines: [String] {
        var lines = remarks + changes.prefix(Self.maxChanges).map(\.text)
        if changes.count > Self.maxChanges { lines.append("and \(changes.count - Self.maxChanges) smaller changes") }
        let requirement = minPSNR.map { "minimum \(decimal($0)) dB" } ?? "equal frames required"
        if differing > 0 {
            let unit = expected.frames == actual.frames ? "frames" : "pairs of frames"
            lines.append("\(differing) of \(compared) \(unit) differ: \(reasons)")
        } else if compared > 0 {
            lines.append(
                worst == nil
                    ? "all \(compared) frames are equal"
                    : "all \(compared) frames are alike (\(requirement))")
        }
        if differing > 0, let first { lines.append("first \(words(first))") }
        if let worst, worst != first || differing == 0 { lines.append("most \(words(worst))") }
        return lines + motion
    }

    /// The violated rules and their limits.
    private var reasons: String {
        guard let minPSNR, let maxBlockDifference else { return "equal frames required" }
        let rules: [(Rule, String)] = [
            (.psnr, "below the minimum of \(decimal(minPSNR)) dB"),
            (.block, "with a block of 8x8 pixels off by more than the maximum of \(decimal(maxBlockDifference)) codes"),
            (.spot, "with a spot off by more than \(decimal(DifferenceLimits.flatSpot)) codes"),
            (.area, "with a flat area whose mean differs by more than coding noise"),
        ]
        return rules.compactMap { rule, words in differingByRule[rule].map { "\($0) \(words)" } }
            .joined(separator: ", ")
    }

    private func words(_ pair: DifferingPair) -> String {
        let frames =
            pair.frame == pair.otherFrame
            ? "frame \(pair.frame)"
            : "frames \(pair.frame) and \(pair.otherFrame)"
        let box =
            pair.box.count == 4
            ? ", \(pair.box[2])x\(pair.box[3]) pixels at \(pair.box[0]),\(pair.box[1])" : ""
        let location = hasTimes ? "at \(decimal(pair.time)) s, \(frames)" : "in \(frames)"
        return "\(location): \(pair.psnr.map { "\(decimal($0)) dB" } ?? "equal")\(box)"
            + (pair.rule == .block || pair.rule == .spot
                ? pair.blockDifference.map { ", a block is off by \(decimal($0)) codes" } ?? "" : "")
            + (pair.areaDifference.map {
                ", an area of \(pair.areaSide ?? 0)x\(pair.areaSide ?? 0) pixels is off by \(decimal($0)) codes"
            } ?? "")
    }
}
