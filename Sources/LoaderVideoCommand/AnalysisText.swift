import Core
import Inspect
import Render

/// Analyses and comparisons as text.
enum AnalysisText {
    static func json(_ value: some Encodable) throws -> String {
        try JSONCoding.text(value).visible
    }

    /// CSV with one line per object and frame.
    static func csv(_ analysis: ClipAnalysis) -> String {
        var lines = ["time,object,color,x,y,visibility,phase,stage,direction,guessed"]
        for (frame, time) in analysis.times.enumerated() {
            for (number, object) in analysis.objects.enumerated() {
                let position = object.positions[frame]
                let moment = analysis.phases?.moment(ofObject: number, at: time)
                let rest = moment.map { "\($0.phase),\($0.step),\($0.direction)" } ?? ",,"
                lines.append(
                    "\(decimal(time, 6)),\(number + 1),\(object.color.hexString),\(decimal(position.x, 3)),"
                        + "\(decimal(position.y, 3)),\(decimal(object.visibility[frame], 3)),\(rest),"
                        + (object.isGuessed(at: frame) ? "1" : "0"))
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the table in the article's form, the objects, and the matching loader.
    static func text(_ analysis: ClipAnalysis, name: String) -> String {
        var lines = [
            "\(name.visible): \(analysis.width)x\(analysis.height), \(analysis.times.count) frames, "
                + "\(decimal(analysis.duration, 3)) s"
        ]
        let report = AnalysisReport(analysis)
        if let phases = analysis.phases {
            lines += [
                "  table    \(phases.table.directions)",
                "  phase    \(decimal(phases.phase, 5)) s",
                "  period   \(decimal(phases.period, 5)) s, \(phases.table.directions.count) phases",
                "  offset   \(decimal(phases.offset, 3)) px",
                "  certain  \(percent(analysis.confidence))",
            ]
        } else {
            lines.append("  table    none: " + (analysis.doubt ?? "no phases were found"))
        }
        lines.append("  objects")
        lines += Table.lines(
            report.objects.enumerated().map { number, object in
                let stages = object.stages.map(String.init).joined(separator: " ")
                let start = object.start.map { "starts at step \($0)" } ?? "no steps"
                return ["\(number + 1)", object.color, start, percent(object.confidence), stages]
            })
        lines.append("  match    " + match(analysis.match))
        return lines.joined(separator: "\n")
    }

    /// Returns a description of the matching loader and its position, scale and speed in the clip.
    static func match(_ match: LoaderMatch?) -> String {
        guard let match else { return "no known loader" }
        return
            "\(match.loader.visible): \(decimal(match.scale, 4)) px/pt, speed \(decimal(match.speed, 4)), "
            + "begins at \(decimal(match.start, 4)) s of model time, "
            + "origin at (\(decimal(match.origin.x, 2)), \(decimal(match.origin.y, 2))) px, "
            + "rms \(decimal(match.rmsPx, 3)) px"
    }

    static func decimal(_ value: Double, _ places: Int) -> String { NumberText.decimal(value, places: places) }

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded()))%" }
}
