import Loaders
import Motion
import Scene
import Timing

/// The strip that shows all phases and how far the present one has come.
extension Annotator {
    /// The whole strip.
    func timeline(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        segments(in: frame, at: moment) + ticks(in: frame) + playhead(in: frame, at: moment)
    }

    private func bar(in frame: Rect) -> Rect { Rect(x: frame.x, y: frame.y + 13, width: frame.width, height: 22) }

    private func x(_ time: Rational, on bar: Rect) -> Double {
        bar.x + bar.width * (time / loader.period).double
    }

    /// The phases, of which the present one is lit.
    func segments(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        let bar = bar(in: frame)
        let segments = table.rows.map(\.phase).map { phase in
            let start = x(phase.start, on: bar)
            return (
                phase: phase,
                frame: Rect(x: start, y: bar.y, width: x(phase.end, on: bar) - start, height: bar.height)
            )
        }
        let fills = segments.map { segment in
            Node.shape(Shape(.rectangle(segment.frame), fill: fill(of: segment.phase, at: moment)))
        }
        let edges = segments.dropFirst().filter { $0.frame.width > 4 }.map { segment in
            Draw.line(Point(segment.frame.x, bar.y), Point(segment.frame.x, bar.maxY), surround.canvas, width: 1.5)
        }
        return fills + edges + segments.compactMap { caption(of: $0.phase, in: $0.frame, at: moment) }
    }

    private func fill(of phase: Phase, at moment: AnnotatedMoment) -> Color {
        phase.index == moment.phase.index ? surround.canvas.mixed(with: surround.accent, 0.28) : surround.band
    }

    /// The phase's number and name, or as much of it as fits.
    private func caption(of phase: Phase, in frame: Rect, at moment: AnnotatedMoment) -> Node? {
        let (number, name) = ("\(phase.index)", phase.name.text(in: language))
        let texts = ["\(number)  \(name)", number]
        guard let text = texts.first(where: { TextExtent.width($0, fontSize: 12) + 6 <= frame.width }) else {
            return nil
        }
        let isCurrent = phase.index == moment.phase.index
        return Draw.text(
            text, at: Point(frame.x, frame.y + 0.5), width: frame.width, size: 12,
            color: isCurrent ? surround.ink : surround.faint, alignment: .center)
    }

    /// The phases' beginnings and the period's end in seconds, as many as have room.
    func ticks(in frame: Rect) -> [Node] {
        let (bar, size) = (bar(in: frame), layout.metrics.small)
        func width(_ text: String) -> Double { TextExtent.width(text, fontSize: size) }
        func tick(_ text: String, from x: Double) -> Node {
            Draw.text(
                text, at: Point(x, bar.maxY + 3), width: width(text), size: size, color: surround.faint,
                alignment: .center)
        }
        let end = "\(Self.seconds(loader.period)) s"
        let last = bar.maxX - width(end) + 2
        var (free, nodes) = (-Double.infinity, [tick(end, from: last)])
        for phase in table.rows.map(\.phase) {
            let text = Self.seconds(phase.start)
            // The first one begins where the bar does.
            let left = max(x(phase.start, on: bar) - width(text) / 2, bar.x - 2)
            guard left >= free, left + width(text) <= last - 2 else { continue }
            free = left + width(text) + 4
            nodes.append(tick(text, from: left))
        }
        return nodes
    }

    static func seconds(_ time: Rational) -> String { NumberText.decimal(time.double, places: 3) }

    /// A mark above the bar, and what has passed of the phase at the bar's lower edge: the letters between are left alone.
    func playhead(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        let bar = bar(in: frame)
        let (x, start) = (x(moment.time, on: bar), x(moment.phase.start, on: bar))
        let top = Point(x, bar.y - 1)
        let marker = Path.polygon([top, Point(x - 5, bar.y - 9), Point(x + 5, bar.y - 9)])
        let passed = Rect(x: start, y: bar.maxY - 3, width: x - start, height: 3)
        return [
            .shape(Shape(.rectangle(passed), fill: surround.accent)),
            Draw.line(Point(x, bar.maxY - 4), Point(x, bar.maxY + 2), surround.accent, width: 2),
            .shape(Shape(marker, fill: surround.accent)),
        ]
    }

    // MARK: Small plots

    /// The objects' positions over the period, with the present: one plot for each axis.
    func plots(at moment: AnnotatedMoment) -> [Node] { fixedPlots.flatMap(\.self) + presents(at: moment) }

    /// The plots without the present.
    var fixedPlots: [[Node]] {
        placedPlots.map { axis, frame, plot in
            let size = layout.metrics.small
            let title = Draw.text(
                curves.title(of: axis, in: language), at: Point(frame.x, frame.y - 1), width: frame.width, size: size,
                color: surround.faint)
            return plot.nodes + [title]
        }
    }

    /// A line at the present in each plot, and a dot on each curve.
    func presents(at moment: AnnotatedMoment) -> [Node] {
        placedPlots.flatMap { axis, _, plot -> [Node] in
            let now = plot.x(moment.time.double)
            let dots = curves.objects(on: axis).map { index in
                Draw.dot(
                    Point(now, plot.y(of: moment.objects[index].position)), radius: 3, fill: stripColors[index])
            }
            return [Draw.line(Point(now, plot.frame.y), Point(now, plot.frame.maxY), surround.accent, width: 1.5)]
                + dots
        }
    }

    private var placedPlots: [(axis: MotionCurves.Axis, frame: Rect, plot: MotionPlot)] {
        let metrics = layout.metrics
        return zip(curves.axes, layout.plots).map { axis, frame in
            let box = Rect(
                x: frame.x + metrics.scaleWidth, y: frame.y + metrics.plotTitle,
                width: frame.width - metrics.scaleWidth - 1, height: frame.height - metrics.plotTitle - 1)
            let plot = MotionPlot(
                curves, axis, in: box, theme: surround, colors: stripColors, fontSize: metrics.small)
            return (axis, frame, plot)
        }
    }
}
