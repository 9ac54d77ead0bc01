import Core
import Render

/// A self-contained HTML report on the verdicts of a comparison. It has no scripts.
package struct ComparisonPage {
    private let loader: String
    private let tolerance: JudgeTolerance
    private var sections: [(verdict: Verdict, html: String)] = []

    /// An empty report on recordings of a loader.
    package init(loader: String, tolerance: JudgeTolerance) {
        self.loader = loader
        self.tolerance = tolerance
    }

    /// The first characters of every report, by which a later run recognizes it.
    package static let beginning = """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><meta name="generator" content="loadervid compare">
        """

    /// Adds the section of a recording.
    ///
    /// - Parameter evidence: its frames and figures; nil if its loader was not found.
    package mutating func add(_ verdict: Verdict, _ evidence: RecordingEvidence?) throws {
        let section = ComparisonSection(
            number: sections.count + 1, verdict: verdict, evidence: evidence, tolerance: tolerance)
        sections.append((verdict, try section.html()))
    }

    /// Returns the report as HTML. Throws `LoadervidError` if memory for the hash of its style runs
    /// out.
    package func html() throws -> String {
        let policy = try ContentPolicy(styles: [Self.style]).text
        return """
            \(Self.beginning)<meta name="viewport" content="width=device-width">
            <meta http-equiv="Content-Security-Policy" content="\(policy.xml)">
            <title>\(title.visible.xml)</title><style>\(Self.style)</style></head><body>
            <header><h1>\(title.visible.xml)</h1>\(contents)</header>
            \(sections.map(\.html).joined(separator: "\n"))
            </body></html>

            """
    }

    private var title: String {
        let count = sections.count
        let wrong = sections.count { $0.verdict.outcome != .matches }
        guard count == 1, let only = sections.first else {
            return wrong == 0
                ? "All \(count) recordings show \(loader)"
                : "\(wrong) of \(count) recordings do not show \(loader) as designed"
        }
        switch only.verdict.outcome {
        case .matches: return "The recording shows \(loader) as designed"
        case .differs: return "The recording differs from \(loader)"
        case .cannotJudge: return "The recording cannot be judged"
        }
    }

    /// The list of several recordings.
    private var contents: String {
        guard sections.count > 1 else { return "" }
        let items = sections.enumerated().map { index, section in
            "<li>\(ComparisonSection.badge(section.verdict)) <a href=\"#r\(index + 1)\">"
                + "\(section.verdict.file.visible.xml)</a></li>"
        }
        return "<ol class=\"contents\">\(items.joined())</ol>"
    }

    private static let style = """
        :root{color-scheme:light dark;--text:#1d1d1f;--muted:#66666e;--line:#dfdfe4;--page:#fff;--panel:#f6f6f8;\
        --accent:#0b62c4;--good:#1a7340;--bad:#b3261e;--warn:#8a5a00}
        @media(prefers-color-scheme:dark){:root{--text:#e6e6ea;--muted:#9d9da6;--line:#3a3a40;--page:#161618;\
        --panel:#202024;--accent:#79b8ff;--good:#7fd39b;--bad:#ff9188;--warn:#e8b860}}
        *{box-sizing:border-box}
        body{font:16px/1.5 system-ui,sans-serif;color:var(--text);background:var(--page);max-width:60rem;\
        margin:0 auto;padding:2.5rem 1.25rem 4rem}
        h1{font-size:1.75rem;line-height:1.25;margin:0 0 1rem;overflow-wrap:anywhere}
        h2{font-size:1.2rem;margin:0;overflow-wrap:anywhere}
        h3{font-size:1rem;margin:2.25rem 0 .5rem}
        p{margin:.25rem 0 .75rem}a{color:var(--accent)}
        .hint,figcaption,.meta{color:var(--muted);font-size:.875rem}
        section{border-top:1px solid var(--line);padding-top:1.5rem;margin-top:2rem}
        .verdict{font-size:1.0625rem;overflow-wrap:anywhere}
        .badge{display:inline-block;font-size:.8125rem;font-weight:600;border:1px solid;border-radius:1rem;\
        padding:0 .65rem;margin-right:.4rem;vertical-align:.1em;white-space:nowrap}
        .matches{color:var(--good)}.differs{color:var(--bad)}.cannotJudge{color:var(--warn)}
        .contents{list-style:none;padding:0;margin:0}.contents li{margin:.35rem 0;overflow-wrap:anywhere}
        ol.findings{padding-left:1.6rem;margin:0}ol.findings li{margin:.5rem 0;overflow-wrap:anywhere}
        ol.findings li::marker{font-weight:600;color:var(--bad)}ol.findings li.or{list-style:none}
        ol.findings a{text-decoration-thickness:1px;text-underline-offset:3px}
        .meta{display:block}.swatch{height:.85em;width:.85em;vertical-align:-.08em;margin-right:.3em}
        .swatch rect{stroke:var(--muted)}
        figure{margin:0 0 1.25rem;padding:.75rem;background:var(--panel);border-radius:.6rem;\
        border:1px solid transparent;break-inside:avoid}
        figure:target{border-color:var(--accent)}
        .panels{display:grid;grid-template-columns:repeat(3,1fr);gap:.6rem}
        .panels img,.strip img{display:block;width:100%;height:auto;border-radius:.25rem}
        .panels span{display:block;font-size:.8125rem;color:var(--muted);margin-bottom:.2rem}
        figcaption{margin-top:.55rem}figcaption strong{color:var(--text)}
        .strip{display:grid;grid-template-columns:repeat(auto-fill,minmax(7.5rem,1fr));gap:.75rem}
        .strip div{font-size:.8125rem;color:var(--muted);break-inside:avoid}
        .strip img{margin-bottom:.3rem}.strip b{display:block;color:var(--text);font-weight:600;overflow-wrap:anywhere}
        .none{aspect-ratio:1;border:1px dashed var(--line);border-radius:.25rem;display:grid;place-items:center}
        .chart{display:block;width:100%;height:auto;margin:.25rem 0 1rem;break-inside:avoid}
        .chart text{fill:var(--muted);font-size:13px}.chart .title{fill:var(--text)}
        .grid{stroke:var(--line);stroke-width:1}.design{fill:none;stroke:var(--muted);stroke-width:1.5;stroke-dasharray:6 5}
        .dots{fill:none;stroke:var(--accent);stroke-width:3.5;stroke-linecap:round}
        .band{fill:var(--bad);opacity:.13}.tolerance{fill:var(--good);opacity:.14}
        .key{display:inline-block;width:1.6rem;height:.8rem;margin:0 .3rem 0 .9rem;vertical-align:-.06em}
        .key:first-child{margin-left:0}
        .scroll{overflow-x:auto}
        table{border-collapse:collapse;width:100%;font-size:.9375rem}
        th,td{text-align:left;padding:.4rem .9rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:baseline}
        thead th{color:var(--muted);font-weight:500;font-size:.875rem}tbody th{font-weight:600}
        td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        .scroll td,.scroll th{white-space:nowrap}.facts{max-width:40rem}.facts th{font-weight:500;color:var(--muted);width:12rem}
        @media(max-width:40rem){body{padding-top:1.5rem}.panels{gap:.35rem}figure{padding:.5rem}\
        .strip{grid-template-columns:repeat(auto-fill,minmax(6rem,1fr))}}
        @media print{:root{color-scheme:light;--text:#000;--muted:#555;--line:#ccc;--page:#fff;--panel:#fff;\
        --accent:#0b62c4;--good:#1a7340;--bad:#b3261e;--warn:#8a5a00}body{max-width:none;padding:0;font-size:11pt}\
        figure{padding:0}h3{break-after:avoid}section+section{break-before:page}*{print-color-adjust:exact}}
        """
}
