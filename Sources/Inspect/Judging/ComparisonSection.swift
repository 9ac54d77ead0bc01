import Animations
import Core
import Render

/// The section of a report about one recording.
struct ComparisonSection {
    /// The number of the recording in the report, from 1.
    let number: Int
    let verdict: Verdict
    let evidence: RecordingEvidence?
    let tolerance: JudgeTolerance

    /// The maximum number of pixels of a shown frame: 480 by 480.
    private static let panelPixels = 230_400

    /// Returns the outcome of a verdict as a label.
    static func badge(_ verdict: Verdict) -> String {
        let word =
            switch verdict.outcome {
            case .matches: "matches"
            case .differs: "differs"
            case .cannotJudge: "cannot be judged"
            }
        return "<span class=\"badge \(verdict.outcome.rawValue)\">\(word)</span>"
    }

    /// Returns the section as HTML. Throws `LoadervidError` if the recording cannot be read again.
    func html() throws -> String {
        let head =
            "<h2>\(Self.badge(verdict)) \(verdict.file.visible.xml)</h2>"
            + "<p class=\"verdict\">\(sentence.visible.xml)</p>"
        let shown = evidence?.shown ?? []
        var body = findings(shown) + notes
        if let evidence {
            body += try frames(shown, evidence) + strip(evidence) + charts(evidence) + ObjectTable(self, evidence).html
        }
        return "<section id=\"r\(number)\">\(head)\(body)\(facts)</section>"
    }

    private var sentence: String {
        let count = verdict.deviations.count { !$0.isAlternative }
        switch verdict.outcome {
        case .matches: return "It shows \(verdict.loader) as designed, within the tolerance."
        case .cannotJudge: return verdict.reason ?? ""
        case .differs:
            let first = verdict.deviations.first?.text ?? ""
            return count > 1
                ? "It differs from \(verdict.loader) in \(count) ways, most of all: \(first)."
                : "It differs from \(verdict.loader): \(first)."
        }
    }

    // MARK: Findings

    /// The number of each finding. An alternative has that of the finding before it.
    var findingNumbers: [Int] {
        var count = 0
        return verdict.deviations.map { finding in
            count += finding.isAlternative ? 0 : 1
            return count
        }
    }

    private func findings(_ shown: [MeasuredFrame]) -> String {
        guard !verdict.deviations.isEmpty else { return "" }
        let items = verdict.deviations.map { finding -> String in
            let sample = evidence?.sample(showing: finding)
            let isShown = shown.contains { $0.frame.index == sample?.frame.index }
            let text = swatches(finding) + finding.text.visible.xml
            let link = sample.flatMap { isShown ? "<a href=\"#\(anchor($0.frame.index))\">\(text)</a>" : nil } ?? text
            let meta = "<span class=\"meta\">\(details(finding, sample).visible.xml)</span>"
            return finding.isAlternative ? "<li class=\"or\">or: \(link)\(meta)</li>" : "<li>\(link)\(meta)</li>"
        }
        return "<h3>Findings</h3><ol class=\"findings\">\(items.joined())</ol>"
    }

    private func anchor(_ frame: Int) -> String { "r\(number)-frame\(frame)" }

    private func swatches(_ finding: Deviation) -> String {
        let colors = [finding.expected, finding.actual].compactMap { $0 }.filter { $0.hasPrefix("#") }
        return colors.compactMap { Color(css: $0) }.map(Self.swatch).joined()
    }

    /// Returns a small square of a colour.
    static func swatch(_ color: Color) -> String {
        "<svg class=\"swatch\" viewBox=\"0 0 10 10\" aria-hidden=\"true\">"
            + "<rect width=\"10\" height=\"10\" fill=\"\(color.opacity(1).hexString)\"/></svg>"
    }

    private func details(_ finding: Deviation, _ sample: MeasuredFrame?) -> String {
        let time = finding.time.map { "\(Self.seconds($0.lowerBound)) to \(Self.seconds($0.upperBound))" }
        let frame = sample.map { "frame \($0.frame.index) at \(Self.seconds($0.frame.time)) shows it" }
        return [finding.phase.map { "phase \($0)" }, time, frame].compactMap { $0 }.joined(separator: " · ")
    }

    private var notes: String {
        guard !verdict.notes.isEmpty else { return "" }
        return "<h3>Notes</h3><ul>\(verdict.notes.map { "<li>\($0.text.visible.xml)</li>" }.joined())</ul>"
    }

    // MARK: Frames

    private func frames(_ shown: [MeasuredFrame], _ evidence: RecordingEvidence) throws -> String {
        let panels = try evidence.panels(Set(shown.map(\.frame.index)), budget: Self.panelPixels)
        let figures = try shown.compactMap { sample in
            try panels.first { $0.frame.index == sample.frame.index }.map { try figure($0, sample, evidence) }
        }
        let title = verdict.outcome == .matches ? "Frames that differ most" : "Frames that show the findings"
        return "<h3>\(title)</h3><p class=\"hint\">The difference is red where the recording is not as designed.</p>"
            + figures.joined()
    }

    private func figure(
        _ panels: EvidencePanels, _ sample: MeasuredFrame, _ evidence: RecordingEvidence
    ) throws -> String {
        let time = Self.seconds(panels.frame.time)
        let images = [
            ("recorded", panels.frame.image), ("designed", panels.designed), ("difference", panels.difference),
        ]
        let cells = try images.map { name, image in
            "<div><span>\(name)</span>\(try Self.element(image, "\(name), at \(time)"))</div>"
        }
        let numbers = zip(verdict.deviations, findingNumbers).filter {
            evidence.sample(showing: $0.0)?.frame.index == panels.frame.index
        }.map(\.1)
        let shows = Set(numbers).sorted().map { "\($0)" }.joined(separator: ", ")
        let phase = evidence.design.phase(at: panels.frame.time)
        let words = [
            "frame \(panels.frame.index)",
            "model time \(Self.seconds(evidence.design.cycleTime(at: panels.frame.time)))",
            phase.isEmpty ? nil : "phase \(phase)", shows.isEmpty ? nil : "finding \(shows)",
        ].compactMap { $0 }
        return "<figure id=\"\(anchor(panels.frame.index))\"><div class=\"panels\">\(cells.joined())</div>"
            + "<figcaption><strong>\(time)</strong> · \(words.joined(separator: " · ").visible.xml)</figcaption></figure>"
    }

    /// Returns an image element with a PNG file in it.
    private static func element(_ image: ReportImage, _ description: String) throws -> String {
        "<img alt=\"\(description.visible.xml)\" width=\"\(image.width)\" height=\"\(image.height)\" "
            + "src=\"data:image/png;base64,\(try image.png().base64)\">"
    }

    private func strip(_ evidence: RecordingEvidence) throws -> String {
        let cells = try PhaseStrip.instants(evidence.design).map { instant -> String in
            let point = PhaseStrip.nearest(instant.modelTime, verdict, evidence.design)
            let sample = evidence.samples.first { $0.frame.index == point?.frame }
            let name = instant.name.isEmpty ? "" : "<b>\(instant.name.visible.xml)</b>"
            let label = "model time \(Self.seconds(instant.modelTime))"
            guard let sample else { return "<div><div class=\"none\">not recorded</div>\(name)\(label)</div>" }
            return "<div>\(try Self.element(sample.designed.cropped(to: evidence.focus), "designed, \(label)"))"
                + "\(try Self.element(sample.frame.image.cropped(to: evidence.focus), "recorded, \(label)"))\(name)\(label)<br>"
                + "frame \(sample.frame.index), \(Self.seconds(sample.frame.time))</div>"
        }
        return "<h3>Phases</h3><p class=\"hint\">The design above the recording, in the middle of each phase.</p>"
            + "<div class=\"strip\">\(cells.joined())</div>"
    }

    // MARK: Charts and figures

    private func charts(_ evidence: RecordingEvidence) -> String {
        let chart = TimeChart(evidence, tolerance)
        func key(_ style: String, _ shape: String, _ name: String) -> String {
            "<svg class=\"key\" viewBox=\"0 0 32 16\" aria-hidden=\"true\">\(shape)</svg>\(name)"
        }
        let dots = key("dots", "<path class=\"dots\" d=\"M4 8h0M16 8h0M28 8h0\"/>", "recorded frames")
        let line = key("design", "<path class=\"design\" d=\"M0 8H32\"/>", "design")
        let band = key("band", "<rect class=\"band\" width=\"32\" height=\"16\"/>", "findings")
        let row = key("tolerance", "<rect class=\"tolerance\" width=\"32\" height=\"16\"/>", "tolerance")
        return "<h3>Time</h3><p class=\"hint\">\(dots)\(line)\(band)\(row)</p>\(chart.modelTimes)\(chart.deviation)"
    }

    private var facts: String {
        var rows: [(String, String)] = []
        if let fit = verdict.fit {
            let (x, y) = (Self.decimal(fit.origin.x, 1), Self.decimal(fit.origin.y, 1))
            rows += [
                ("Scale", "\(Self.decimal(fit.scale, 3)) pixels per point"),
                ("Position", "\(x), \(y) px from the upper left corner of the recording"),
                ("Speed", "\(Self.decimal(fit.speed, 4)), designed \(Self.decimal(fit.expectedSpeed, 4))"),
                ("Start", "at \(Self.seconds(fit.start)) of the cycle"), ("Background", fit.background.hexString),
            ]
        }
        if let first = verdict.curve.first, let last = verdict.curve.last {
            let count = verdict.curve.count
            rows.append(("Judged", "\(count) frames, \(Self.seconds(first.time)) to \(Self.seconds(last.time))"))
        }
        rows.append(
            (
                "Tolerance",
                "\(Self.decimal(tolerance.points, 2)) pt, \(Self.decimal(tolerance.milliseconds, 1)) ms, "
                    + "colour distance \(Self.decimal(tolerance.color, 1)) (CIEDE2000)"
            ))
        let cells = rows.map { "<tr><th>\($0.0)</th><td>\($0.1.xml)</td></tr>" }.joined()
        return "<h3>Fit and tolerance</h3><table class=\"facts\"><tbody>\(cells)</tbody></table>"
    }

    static func decimal(_ value: Double, _ places: Int) -> String { NumberText.decimal(value, places: places) }

    static func seconds(_ value: Double) -> String { decimal(value, 3) + " s" }
}

/// The table of a loader's objects in a report.
struct ObjectTable {
    private let section: ComparisonSection
    private let evidence: RecordingEvidence

    init(_ section: ComparisonSection, _ evidence: RecordingEvidence) {
        self.section = section
        self.evidence = evidence
    }

    /// The table as HTML; empty without visible objects.
    var html: String {
        guard !evidence.objects.isEmpty else { return "" }
        let heads = [
            "<th>object</th>", "<th>designed</th>", "<th>recorded</th>", "<th class=\"number\">colour distance</th>",
            "<th class=\"number\">share of difference</th>", "<th class=\"number\">differs most at</th>",
            "<th class=\"number\">findings</th>",
        ]
        return "<h3>Objects</h3><p class=\"hint\">The median colours where the design draws the object. "
            + "An object that is elsewhere shows what is there instead. "
            + "The share is that of the differences in the same pixels.</p>"
            + "<div class=\"scroll\"><table><thead><tr>\(heads.joined())</tr></thead>"
            + "<tbody>\(evidence.objects.map(row).joined())</tbody></table></div>"
    }

    private func row(_ object: ObjectEvidence) -> String {
        let numbers = zip(section.verdict.deviations, section.findingNumbers).filter { $0.0.object == object.name }
        let findings = Set(numbers.map(\.1)).sorted().map { "\($0)" }.joined(separator: ", ")
        let worst = evidence.samples.first { $0.frame.index == object.worstFrame }
        let isFar = object.colorDistance > section.tolerance.color
        let distance =
            "<td class=\"number\(isFar ? " differs" : "")\">"
            + "\(ComparisonSection.decimal(object.colorDistance, 1))</td>"
        return "<tr><th>\(object.name.visible.xml)</th>\(cell(object.designed))\(cell(object.recorded))\(distance)"
            + "<td class=\"number\">\(ComparisonSection.decimal(100 * object.share, 0))%</td>"
            + "<td class=\"number\">\(worst.map { ComparisonSection.seconds($0.frame.time) } ?? "")</td>"
            + "<td class=\"number\">\(findings)</td></tr>"
    }

    private func cell(_ color: Color) -> String { "<td>\(ComparisonSection.swatch(color))\(color.hexString)</td>" }
}
