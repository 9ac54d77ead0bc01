import Core

/// A chart of the objects' positions over time, with vertical lines at the starts of phases.
package enum TrackChart {
    /// The size of the chart in points.
    private static let size = Size(976, 420)
    /// The rectangle of the curves, with room for the title above and the numbers of the axes.
    private static let frame = Rect(x: 64, y: 40, width: 872, height: 330)
    /// The colour of texts.
    private static let ink = Color(60, 60, 67)
    /// The colour of lines.
    private static let faint = Color(214, 214, 220)

    /// Returns the chart of an analysis. The x axis is time in seconds, and the y axis the position
    /// along the line of motion in pixels.
    package static func scene(_ analysis: ClipAnalysis) -> Scene {
        let axis = analysis.phases?.axis ?? wideAxis(analysis)
        let values = analysis.objects.map { object in object.positions.map { $0.x * axis.x + $0.y * axis.y } }
        let low = values.compactMap { $0.min() }.min() ?? 0
        let high = max(low + 1, values.compactMap { $0.max() }.max() ?? 1)
        let duration = max(1e-6, analysis.duration)
        func point(_ time: Double, _ value: Double) -> Point {
            Point(
                frame.x + frame.width * time / duration,
                frame.maxY - frame.height * (0.05 + 0.9 * (value - low) / (high - low)))
        }
        var nodes: [Node] = [.shape(Shape(.rectangle(frame), fill: .white, stroke: Stroke(faint)))]
        nodes += phaseLines(analysis) { point($0, low).x }
        for (object, row) in zip(analysis.objects, values) {
            let points = zip(analysis.times, row).map { point($0, $1) }
            // A darker line below keeps bright colours visible on white.
            nodes.append(line(points, Stroke(ink.opacity(0.55), width: 3.6, cap: .round, join: .round)))
            nodes.append(line(points, Stroke(object.color, width: 2.4, cap: .round, join: .round)))
        }
        nodes += labels(analysis, low: low, high: high, point: point)
        return Scene(size: size, background: Color(250, 250, 252), nodes: nodes)
    }

    private static func wideAxis(_ analysis: ClipAnalysis) -> Point {
        let boxes = analysis.objects.compactMap { Rect(enclosing: $0.positions) }
        let isWide = (boxes.map(\.width).max() ?? 0) >= (boxes.map(\.height).max() ?? 0)
        return isWide ? Point(1, 0) : Point(0, 1)
    }

    private static func line(_ points: [Point], _ stroke: Stroke) -> Node {
        .shape(Shape(.polyline(points), stroke: stroke))
    }

    private static func phaseLines(_ analysis: ClipAnalysis, x: (Double) -> Double) -> [Node] {
        guard let phases = analysis.phases else { return [] }
        let isDense = phases.phaseCount > 40
        return (0..<phases.phaseCount).flatMap { phase -> [Node] in
            let start = phases.firstPhase + Double(phase) * phases.phase
            let left = max(frame.x, x(start))
            guard left < frame.maxX else { return [] }
            let rule = line([Point(left, frame.y), Point(left, frame.maxY)], Stroke(faint))
            let right = min(frame.maxX, x(start + phases.phase))
            guard !isDense, right - left > 10 else { return [rule] }
            let box = Rect(x: left, y: frame.y + 4, width: right - left, height: 16)
            return [rule, .text(Text("\(phase)", frame: box, fontSize: 11, color: ink, alignment: .center))]
        }
    }

    private static func labels(
        _ analysis: ClipAnalysis, low: Double, high: Double, point: (Double, Double) -> Point
    ) -> [Node] {
        func text(_ string: String, _ box: Rect, _ alignment: Text.Alignment, bold: Bool = false) -> Node {
            .text(Text(string, frame: box, fontSize: 12, color: ink, alignment: alignment, bold: bold))
        }
        let title =
            analysis.phases.map {
                "table \($0.table.directions), phase \($0.phase.roundedToMillionths) s, offset \($0.offset.roundedToThousandths) px"
            } ?? "no phases of constant velocity"
        var nodes = [text(title, Rect(x: frame.x, y: 14, width: frame.width, height: 18), .left, bold: true)]
        for value in [low, (low + high) / 2, high] {
            let y = point(0, value).y
            nodes.append(
                text("\(Int(value.rounded()))", Rect(x: 4, y: y - 8, width: 52, height: 16), .right))
        }
        for step in 0...4 {
            let time = analysis.duration * Double(step) / 4
            let x = point(time, low).x
            nodes.append(
                text("\(time.roundedToThousandths)", Rect(x: x - 40, y: frame.maxY + 8, width: 80, height: 16), .center)
            )
        }
        let position = Rect(x: frame.x + 8, y: frame.y + 24, width: 400, height: 16)
        nodes.append(text(positionName(analysis), position, .left))
        nodes.append(text("time in s", Rect(x: frame.x, y: frame.maxY + 26, width: frame.width, height: 16), .center))
        return nodes + legend(analysis)
    }

    /// Returns the name of the y axis, whose direction depends on the motion.
    private static func positionName(_ analysis: ClipAnalysis) -> String {
        let axis = analysis.phases?.axis ?? wideAxis(analysis)
        let isSteep = abs(axis.y) > abs(axis.x)
        return "position in px, \(isSteep ? "downwards" : "to the right") along the line of motion"
    }

    /// Returns a line in the colour of each object, with its number.
    private static func legend(_ analysis: ClipAnalysis) -> [Node] {
        let shown = Array(analysis.objects.prefix(maxLegendEntries))
        let left = frame.maxX - legendWidth * Double(shown.count)
        return shown.enumerated().flatMap { index, object -> [Node] in
            let x = left + legendWidth * Double(index)
            let ends = [Point(x, 23), Point(x + 16, 23)]
            let box = Rect(x: x + 21, y: 14, width: legendWidth - 22, height: 18)
            return [
                line(ends, Stroke(ink.opacity(0.55), width: 3.6, cap: .round, join: .round)),
                line(ends, Stroke(object.color, width: 2.4, cap: .round, join: .round)),
                .text(Text("object \(index + 1)", frame: box, fontSize: 11, color: ink)),
            ]
        }
    }

    /// The number of entries beside the title, and the width of one in points.
    private static let maxLegendEntries = 5
    private static let legendWidth = 76.0
}
