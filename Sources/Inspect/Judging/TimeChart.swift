import Animations
import Core

/// The charts of a report that show model time against recorded time, as SVG elements.
///
/// The page's style sheet sets the colours, so that they suit light and dark pages.
struct TimeChart {
    private let points: [CurvePoint]
    private let design: PlacedDesign
    private let tolerance: JudgeTolerance
    /// The times of the findings in seconds.
    private let findings: [ClosedRange<Double>]
    private let times: ClosedRange<Double>

    /// The maximum number of points. Of a longer curve a sample is drawn.
    private static let maxPoints = 600
    /// The maximum number of points within a finding that are all drawn: sampling could leave out
    /// all points of a short one.
    private static let maxPointsOfFinding = 60

    init(_ evidence: RecordingEvidence, _ tolerance: JudgeTolerance) {
        let curve = evidence.verdict.curve
        let findings = evidence.verdict.deviations.compactMap(\.time)
        var shown = Set(Judge.sampled(curve.count, Self.maxPoints))
        for finding in findings {
            let inside = curve.indices.filter { finding.contains(curve[$0].time) }
            if inside.count <= Self.maxPointsOfFinding { shown.formUnion(inside) }
        }
        points = shown.sorted().map { curve[$0] }
        design = evidence.design
        self.tolerance = tolerance
        self.findings = findings
        let first = curve.first?.time ?? 0
        times = first...max(first + 1e-3, curve.last?.time ?? first)
    }

    /// The model time of each frame, and the line that it has by design.
    var modelTimes: String {
        let line = [times.lowerBound, times.upperBound].map { ($0, design.modelTimeFromStart(at: $0)) }
        let values = points.map(\.modelTime) + line.map(\.1)
        let plot = ChartPlot(
            x: times, y: (values.min() ?? 0)...max(values.max() ?? 1, (values.min() ?? 0) + 1e-3), height: 300,
            xTitle: "time in the recording (s)", yTitle: "model time (s)")
        let dots = certain.map { ($0.time, $0.modelTime) }
        return plot.svg(
            "model time against time in the recording",
            plot.bands(findings) + plot.line(line, "design") + plot.dots(dots))
    }

    /// The difference of each frame's model time from the design.
    var deviation: String {
        let dots = certain.map { ($0.time, 1000 * ($0.modelTime - design.modelTimeFromStart(at: $0.time))) }
        // The range shows at least twice the tolerance, so that noise looks like noise.
        let reach = max(2 * tolerance.milliseconds, dots.map { abs($0.1) }.max() ?? 0, 1)
        let plot = ChartPlot(
            x: times, y: -reach...reach, height: 220, xTitle: "time in the recording (s)",
            yTitle: "ahead of design (ms)")
        let limit = tolerance.milliseconds
        let line = [(times.lowerBound, 0.0), (times.upperBound, 0)]
        return plot.svg(
            "difference from the designed model time",
            plot.bands(findings) + plot.row(-limit...limit) + plot.line(line, "design") + plot.dots(dots))
    }

    private var certain: [CurvePoint] { points.filter(\.isCertain) }
}

/// The axes of a chart.
private struct ChartPlot {
    let x: ClosedRange<Double>
    let y: ClosedRange<Double>
    /// The height of the chart in units of its view box, which is 720 wide.
    let height: Double
    let xTitle: String
    let yTitle: String

    /// The width of the view box, and the left, right and upper edge of the plot in it.
    private static let width = 720.0
    private static let left = 66.0
    private static let right = 708.0
    private static let top = 10.0
    /// The height of the axis below the plot.
    private static let axis = 46.0
    /// The maximum number of intervals of an axis.
    private static let maxIntervals = 8.0

    private var bottom: Double { height - Self.axis }

    private func position(x value: Double) -> Double {
        Self.left + (Self.right - Self.left) * (value - x.lowerBound) / (x.upperBound - x.lowerBound)
    }

    private func position(y value: Double) -> Double {
        bottom - (bottom - Self.top) * (value - y.lowerBound) / (y.upperBound - y.lowerBound)
    }

    private static func number(_ value: Double) -> String { NumberText.decimal(value, places: 1) }

    /// Returns an SVG element with the axes and the contents.
    func svg(_ title: String, _ contents: String) -> String {
        "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 \(Self.number(Self.width)) \(Self.number(height))\">"
            + "<title>\(title.xml)</title>\(grid)\(contents)\(titles)</svg>"
    }

    private var titles: String {
        let middle = (Self.top + bottom) / 2
        return text(xTitle, (Self.left + Self.right) / 2, height - 6, "middle", "title")
            + "<text class=\"title\" text-anchor=\"middle\" transform=\"translate(14 \(Self.number(middle))) rotate(-90)\">"
            + "\(yTitle.xml)</text>"
    }

    private var grid: String {
        let columns = Self.ticks(x).map { tick in
            let left = Self.number(position(x: tick.value))
            return "<path class=\"grid\" d=\"M\(left) \(Self.number(Self.top))V\(Self.number(bottom))\"/>"
                + text(tick.label, position(x: tick.value), bottom + 18, "middle", "tick")
        }
        let rows = Self.ticks(y).map { tick in
            let level = Self.number(position(y: tick.value))
            return "<path class=\"grid\" d=\"M\(Self.number(Self.left)) \(level)H\(Self.number(Self.right))\"/>"
                + text(tick.label, Self.left - 8, position(y: tick.value) + 4, "end", "tick")
        }
        return (columns + rows).joined()
    }

    private func text(_ string: String, _ x: Double, _ y: Double, _ anchor: String, _ style: String) -> String {
        "<text class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor)\">"
            + "\(string.xml)</text>"
    }

    /// Returns round values within a range, a few of them, with their labels.
    private static func ticks(_ range: ClosedRange<Double>) -> [(value: Double, label: String)] {
        let rough = (range.upperBound - range.lowerBound) / maxIntervals
        let power = pow(10, log10(rough).rounded(.down))
        let step = ([1.0, 2, 5].first { $0 * power >= rough } ?? 10) * power
        let places = max(0, Int(-log10(step).rounded(.down)))
        let first = Int((range.lowerBound / step - 1e-9).rounded(.up))
        let last = Int((range.upperBound / step + 1e-9).rounded(.down))
        return (first...max(first, last)).map { index in
            let value = Double(index) * step
            return (value, NumberText.fixed(value, places: places, minus: "−"))
        }
    }

    /// Returns a polyline of points in units of the axes.
    func line(_ points: [(Double, Double)], _ style: String) -> String {
        let words = points.map { "\(Self.number(position(x: $0.0))) \(Self.number(position(y: $0.1)))" }
        return "<polyline class=\"\(style)\" points=\"\(words.joined(separator: " "))\"/>"
    }

    /// Returns one dot per point in units of the axes.
    func dots(_ points: [(Double, Double)]) -> String {
        let words = points.map { "M\(Self.number(position(x: $0.0))) \(Self.number(position(y: $0.1)))h0" }
        return "<path class=\"dots\" d=\"\(words.joined())\"/>"
    }

    /// Returns columns that mark ranges of the x axis; short ones stay visible.
    func bands(_ ranges: [ClosedRange<Double>]) -> String {
        ranges.map { range in
            let left = position(x: max(range.lowerBound, x.lowerBound))
            let right = max(left + 3, position(x: min(range.upperBound, x.upperBound)))
            return "<rect class=\"band\" x=\"\(Self.number(left))\" y=\"\(Self.number(Self.top))\" "
                + "width=\"\(Self.number(right - left))\" height=\"\(Self.number(bottom - Self.top))\"/>"
        }.joined()
    }

    /// Returns a row that marks a range of the y axis.
    func row(_ range: ClosedRange<Double>) -> String {
        let upper = position(y: min(range.upperBound, y.upperBound))
        let lower = position(y: max(range.lowerBound, y.lowerBound))
        return "<rect class=\"tolerance\" x=\"\(Self.number(Self.left))\" y=\"\(Self.number(upper))\" "
            + "width=\"\(Self.number(Self.right - Self.left))\" height=\"\(Self.number(lower - upper))\"/>"
    }
}
