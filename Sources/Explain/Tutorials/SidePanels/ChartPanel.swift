import Animations
import Core
import Render

/// A chart of positions over one period, or over a part of it, with a playhead.
struct ChartPanel: SidePanel {
    private let curves: MotionCurves
    private let axis: MotionCurves.Axis
    private let objects: [Int]
    private let loader: any Loader
    /// The range of model time in seconds; nil if the chart shows the whole period.
    private let times: ClosedRange<Double>?

    /// Creates the chart; nil if none of the objects moves along the axis.
    ///
    /// - Parameters:
    ///   - names: the charted objects; nil for all.
    ///   - axis: the axis; nil for the one with the larger range of motion.
    ///   - times: the range of model time that is played, in seconds. The chart shows it if it ends
    ///     in the first period, and otherwise the whole period.
    init?(_ survey: LoaderSurvey, _ names: [String]?, _ axis: MotionCurves.Axis?, during times: Range<Rational>) {
        curves = survey.curves
        loader = survey.loader
        self.times =
            times.upperBound <= loader.period ? times.lowerBound.double...times.upperBound.double : nil
        let all = loader.objects(at: .zero).map(\.name)
        let requested = names.map { names in all.indices.filter { names.contains(all[$0]) } } ?? Array(all.indices)
        let curves = curves
        func shown(_ axis: MotionCurves.Axis) -> [Int] { curves.objects(on: axis).filter { requested.contains($0) } }
        let period = 0...loader.period.double
        func range(_ axis: MotionCurves.Axis) -> Double {
            let ranges = shown(axis).compactMap { curves.range(of: axis, objects: [$0], during: period) }
            return ranges.map { $0.upperBound - $0.lowerBound }.max() ?? -1
        }
        self.axis = axis ?? (range(.y) > range(.x) ? .y : .x)
        objects = shown(self.axis)
        if objects.isEmpty { return nil }
    }

    /// The width of the axis's numbers in points.
    private static let scaleWidth = 38.0
    /// The length of a line of the legend in points, and the space between it and its name.
    private static let sample = (length: 21.0, gap: 4.0)
    /// The space between two entries of the legend in points.
    private static let entryGap = 16.0
    private static var lineHeight: Double { LessonStyle.lineHeight(LessonStyle.small) }

    /// The objects in lines of a maximum width, with the width of each entry and the names as they
    /// are written.
    private struct Legend {
        let lines: [[Int]]
        let widths: [Int: Double]
        let titles: [String]
    }

    private func legend(width: Double, _ style: LessonStyle) -> Legend {
        let extra = Self.sample.length + Self.sample.gap + Self.entryGap
        let titles = ShortName.fitting(
            ObjectTitles.texts(of: loader.objects(at: .zero).map(\.title), in: style.language), width: width - extra,
            fontSize: LessonStyle.small)
        let widths = Dictionary(
            uniqueKeysWithValues: objects.map { ($0, style.width(titles[$0], LessonStyle.small) + extra) })
        var lines: [[Int]] = []
        var x = Double.infinity
        for index in objects {
            let entryWidth = widths[index] ?? 0
            if x + entryWidth > width {
                lines.append([])
                x = 0
            }
            lines[lines.count - 1].append(index)
            x += entryWidth
        }
        return Legend(lines: lines, widths: widths, titles: titles)
    }

    func sizes(width: Double, style: LessonStyle) -> [Size] {
        let lines = legend(width: max(180, width), style).lines.count
        // Curves are hard to tell apart in a flat plot, so it is at least a third as high as wide.
        let plot = min(150, max(70, (width - Self.scaleWidth) / 3))
        let rest = Double(lines + 2) * Self.lineHeight
        return [Size(180, plot + rest), Size(180, 70 + rest)]
    }

    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedPanel {
        let dashes = MotionPlot.dashes(of: objects, in: loader.objects(at: .zero))
        let legend = legend(width: frame.width, style)
        let line = Self.lineHeight
        let theme = style.theme
        let colors = theme.colors(for: loader.objects(at: .zero))
        var fixed: [Node] = []
        for (row, indices) in legend.lines.enumerated() {
            var x = frame.x
            for index in indices {
                let start = Point(x, frame.y + (Double(row) + 0.5) * line)
                fixed += legendEntry(legend.titles[index], at: start, colors[index], dash: dashes[index], style)
                x += legend.widths[index] ?? 0
            }
        }
        let top = frame.y + Double(legend.lines.count) * line
        let title = curves.title(of: axis, in: style.language)
        fixed.append(
            style.line(title, at: frame.x, middle: top + line / 2, size: LessonStyle.small, color: theme.faint))
        let box = Rect(
            x: frame.x + Self.scaleWidth, y: top + line, width: frame.width - Self.scaleWidth - 1,
            height: min(230, frame.maxY - top - 2 * line))
        let plot = MotionPlot(
            curves, axis, in: box, theme: theme, colors: colors, fontSize: LessonStyle.small, objects: objects,
            dashes: dashes, during: times)
        fixed += timeAxis(of: plot, style)
        return Placed(
            plot: plot, fixed: fixed, objects: objects, colors: colors, loader: loader, theme: theme)
    }

    /// Returns the line sample and the name of an object in the legend.
    private func legendEntry(
        _ title: String, at start: Point, _ color: Color, dash: Stroke.Dash?, _ style: LessonStyle
    ) -> [Node] {
        let end = Point(start.x + Self.sample.length, start.y)
        return [
            Draw.polyline([start, end], color, width: 3, dash: dash),
            style.line(
                title, at: end.x + Self.sample.gap, middle: start.y, size: LessonStyle.small, color: style.theme.ink),
        ]
    }

    /// The space between two times below the plot in points.
    private static let timeGap = 14.0

    /// Returns the times below the plot: the ends, and round times between them that have room.
    private func timeAxis(of plot: MotionPlot, _ style: LessonStyle) -> [Node] {
        let box = plot.frame
        let times = plot.times
        func text(_ time: Double) -> String { NumberText.decimal(time, places: 3) }
        func label(_ text: String, at x: Double, _ alignment: Text.Alignment) -> Node {
            style.line(
                text, at: x, middle: box.maxY + Self.lineHeight / 2, size: LessonStyle.small, color: style.theme.faint,
                alignment: alignment)
        }
        let last = "\(text(times.upperBound)) s"
        let end = box.maxX - style.width(last, LessonStyle.small) - Self.timeGap
        var free = box.x + style.width(text(times.lowerBound), LessonStyle.small) + Self.timeGap
        var nodes = [label(text(times.lowerBound), at: box.x, .left)]
        let step = MotionPlot.step(for: (times.upperBound - times.lowerBound) / 6)
        for time in stride(from: (times.lowerBound / step).rounded(.up) * step, to: times.upperBound, by: step) {
            let half = style.width(text(time), LessonStyle.small) / 2
            let x = plot.x(time)
            guard x - half >= free, x + half <= end else { continue }
            nodes.append(label(text(time), at: x, .center))
            free = x + half + Self.timeGap
        }
        return nodes + [label(last, at: box.maxX, .right)]
    }

    private struct Placed: PlacedPanel {
        let plot: MotionPlot
        let fixed: [Node]
        let objects: [Int]
        let colors: [Color]
        let loader: any Loader
        let theme: AnnotationTheme

        private var box: Rect { plot.frame }

        /// Returns the curves as far as they have been drawn.
        private func curves(_ instant: PanelInstant) -> [Node] {
            guard instant.drawn < 1 else { return plot.curveNodes }
            let drawn = Rect(x: box.x, y: box.y, width: box.width * max(0, instant.drawn), height: box.height)
            return [.group(Group(clip: .rectangle(drawn), nodes: plot.curveNodes))]
        }

        func nodes(at instant: PanelInstant) -> [Node] {
            let time = instant.time.double
            // The end of a period is also the start of the next one.
            let x = plot.x(plot.times.contains(time) ? time : plot.times.upperBound)
            let positions = loader.objects(at: instant.time)
            let dots = objects.filter { positions[$0].isVisible }.map {
                Draw.dot(
                    Point(x, plot.y(of: positions[$0])), radius: 4, fill: colors[$0], outline: theme.backdrop)
            }
            return plot.frameNodes + fixed + curves(instant) + [
                Draw.line(Point(x, box.y), Point(x, box.maxY), theme.accent, width: 1.5)
            ] + dots
        }
    }
}
