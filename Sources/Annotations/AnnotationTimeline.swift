import Loaders
import Motion
import Scene
import Timing

/// The strip that shows all phases and how far the present one has come.
extension Annotator {
    func timeline(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        let bar = Rect(x: frame.x, y: frame.y + 13, width: frame.width, height: 22)
        func x(_ time: Rational) -> Double { bar.x + bar.width * (time / loader.period).double }
        let segments = table.rows.map(\.phase).map { phase in
            (
                phase: phase,
                frame: Rect(x: x(phase.start), y: bar.y, width: x(phase.end) - x(phase.start), height: bar.height)
            )
        }
        let fills = segments.map { segment in
            Node.shape(Shape(.rectangle(segment.frame), fill: fill(of: segment.phase, at: moment)))
        }
        let edges = segments.dropFirst().filter { $0.frame.width > 4 }.map { segment in
            Draw.line(Point(segment.frame.x, bar.y), Point(segment.frame.x, bar.maxY), theme.canvas, width: 1.5)
        }
        let captions = segments.compactMap { caption(of: $0.phase, in: $0.frame, at: moment) }
        let playhead = playhead(x(moment.time), from: segments[moment.phase.index].frame.x, over: bar)
        return fills + edges + playhead + captions + ticks(below: bar, x: x)
    }

    private func fill(of phase: Phase, at moment: AnnotatedMoment) -> Color {
        phase.index == moment.phase.index ? theme.canvas.mixed(with: theme.accent, 0.28) : theme.band
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
            color: isCurrent ? theme.ink : theme.faint, alignment: .center)
    }

    /// The phases' beginnings and the period's end in seconds, as many as have room.
    private func ticks(below bar: Rect, x: (Rational) -> Double) -> [Node] {
        func width(_ text: String) -> Double { TextExtent.width(text, fontSize: 11) }
        func tick(_ text: String, from x: Double) -> Node {
            Draw.text(
                text, at: Point(x, bar.maxY + 3), width: width(text), size: 11, color: theme.faint, alignment: .center)
        }
        let end = "\(Self.seconds(loader.period)) s"
        let last = bar.maxX - width(end) + 2
        var (free, nodes) = (-Double.infinity, [tick(end, from: last)])
        for phase in table.rows.map(\.phase) {
            let text = Self.seconds(phase.start)
            // The first one begins where the bar does.
            let left = max(x(phase.start) - width(text) / 2, bar.x - 2)
            guard left >= free, left + width(text) <= last - 2 else { continue }
            free = left + width(text) + 4
            nodes.append(tick(text, from: left))
        }
        return nodes
    }

    static func seconds(_ time: Rational) -> String { NumberText.decimal(time.double, places: 3) }

    /// A mark above the bar, and what has passed of the phase at the bar's lower edge: the letters between are left alone.
    private func playhead(_ x: Double, from start: Double, over bar: Rect) -> [Node] {
        let top = Point(x, bar.y - 1)
        let marker = Path.polygon([top, Point(x - 5, bar.y - 9), Point(x + 5, bar.y - 9)])
        let passed = Rect(x: start, y: bar.maxY - 3, width: x - start, height: 3)
        return [
            .shape(Shape(.rectangle(passed), fill: theme.accent)),
            Draw.line(Point(x, bar.maxY - 4), Point(x, bar.maxY + 2), theme.accent, width: 2),
            .shape(Shape(marker, fill: theme.accent)),
        ]
    }

    // MARK: Small plots

    /// The objects' positions over the period, with the present: one plot for each axis.
    func plots(at moment: AnnotatedMoment) -> [Node] {
        zip(curves.axes, layout.plots).flatMap { axis, frame -> [Node] in
            let box = Rect(
                x: frame.x + Self.scaleWidth, y: frame.y + AnnotationLayout.plotTitleHeight,
                width: frame.width - Self.scaleWidth - 1, height: frame.height - AnnotationLayout.plotTitleHeight - 1)
            let plot = MotionPlot(curves, axis, in: box, theme: theme, colors: colors, fontSize: 11)
            let now = plot.x(moment.time.double)
            let dots = curves.objects(on: axis).map { index in
                Draw.dot(Point(now, plot.y(of: moment.objects[index].position)), radius: 3, fill: colors[index])
            }
            let title = Draw.text(
                curves.title(of: axis, in: language), at: Point(frame.x, frame.y - 1), width: frame.width, size: 11,
                color: theme.faint)
            let line = Draw.line(Point(now, box.y), Point(now, box.maxY), theme.accent, width: 1.5)
            return plot.nodes + [line] + dots + [title]
        }
    }

    /// Room for a plot's scale at its left.
    private static let scaleWidth = 34.0
}
