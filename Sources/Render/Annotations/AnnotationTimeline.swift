import Animations
import Core

/// The timeline: all phases with a playhead, and the small plots.
extension Annotator {
    /// Returns the complete timeline.
    func timeline(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        segments(in: frame, at: moment) + ticks(in: frame) + playhead(in: frame, at: moment)
    }

    private func bar(in frame: Rect) -> Rect { Rect(x: frame.x, y: frame.y + 13, width: frame.width, height: 22) }

    private func x(_ time: Rational, on bar: Rect) -> Double {
        bar.x + bar.width * (time / loader.period).double
    }

    /// Returns the phases, with the current one highlighted.
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
            Draw.line(Point(segment.frame.x, bar.y), Point(segment.frame.x, bar.maxY), surround.surface, width: 1.5)
        }
        return fills + edges + segments.compactMap { caption(of: $0.phase, in: $0.frame, at: moment) }
    }

    private func fill(of phase: Phase, at moment: AnnotatedMoment) -> Color {
        phase.index == moment.phase.index ? surround.surface.mixed(with: surround.accent, 0.28) : surround.band
    }

    /// Returns the phase's number and name, the number only, or nil, depending on the width of the
    /// frame.
    private func caption(of phase: Phase, in frame: Rect, at moment: AnnotatedMoment) -> Node? {
        let number = "\(phase.number)"
        let name = phase.name.text(in: language)
        let texts = ["\(number)  \(name)", number]
        guard let text = texts.first(where: { TextExtent.width($0, fontSize: 12) + 6 <= frame.width }) else {
            return nil
        }
        let isCurrent = phase.index == moment.phase.index
        return Draw.text(
            text, at: Point(frame.x, frame.y + 0.5), width: frame.width, size: 12,
            color: isCurrent ? surround.ink : surround.faint, alignment: .center)
    }

    /// Returns the end of the period and the start times of the phases that have room, in seconds.
    func ticks(in frame: Rect) -> [Node] {
        let bar = bar(in: frame)
        let size = layout.metrics.small
        func width(_ text: String) -> Double { TextExtent.width(text, fontSize: size) }
        func tick(_ text: String, from x: Double) -> Node {
            Draw.text(
                text, at: Point(x, bar.maxY + 3), width: width(text), size: size, color: surround.faint,
                alignment: .center, isNumber: true)
        }
        let end = "\(Self.seconds(loader.period)) s"
        let last = bar.maxX - width(end) + 2
        var free = -Double.infinity
        var nodes = [tick(end, from: last)]
        for phase in table.rows.map(\.phase) {
            let text = Self.seconds(phase.start)
            // The first label is aligned with the start of the bar.
            let left = max(x(phase.start, on: bar) - width(text) / 2, bar.x - 2)
            guard left >= free, left + width(text) <= last - 2 else { continue }
            free = left + width(text) + 4
            nodes.append(tick(text, from: left))
        }
        return nodes
    }

    /// Returns a time in seconds with at most three decimals.
    package static func seconds(_ time: Rational) -> String { NumberText.decimal(time.double, places: 3) }

    /// Returns a marker above the bar and the elapsed part of the phase at the bar's lower edge.
    /// The text between them stays readable.
    func playhead(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        let bar = bar(in: frame)
        let start = x(moment.phase.start, on: bar)
        let now = x(moment.time, on: bar)
        let top = Point(now, bar.y - 1)
        let marker = Path.polygon([top, Point(now - 5, bar.y - 9), Point(now + 5, bar.y - 9)])
        let elapsed = Rect(x: start, y: bar.maxY - 3, width: now - start, height: 3)
        return [
            .shape(Shape(.rectangle(elapsed), fill: surround.accent)),
            Draw.line(Point(now, bar.maxY - 4), Point(now, bar.maxY + 2), surround.accent, width: 2),
            .shape(Shape(marker, fill: surround.accent)),
        ]
    }

    // MARK: Small plots

    /// Returns plots of the objects' motion over the period, one for each axis, with playheads.
    func plots(at moment: AnnotatedMoment) -> [Node] { fixedPlots.flatMap(\.self) + plotPlayheads(at: moment) }

    /// The plots without playheads.
    var fixedPlots: [[Node]] {
        placedPlots.map { axis, frame, plot in
            let size = layout.metrics.small
            let title = Draw.text(
                curves.title(of: axis, in: language), at: Point(frame.x, frame.y - 1), width: frame.width, size: size,
                color: surround.faint)
            return plot.nodes + [title]
        }
    }

    /// Returns a playhead in each plot, with a dot on each curve.
    func plotPlayheads(at moment: AnnotatedMoment) -> [Node] {
        placedPlots.flatMap { axis, _, plot -> [Node] in
            let now = plot.x(moment.time.double)
            let dots = curves.objects(on: axis).filter { moment.objects[$0].isVisible }.map { index in
                Draw.dot(
                    Point(now, plot.y(of: moment.objects[index])), radius: 3, fill: bandColors[index])
            }
            return [Draw.line(Point(now, plot.frame.y), Point(now, plot.frame.maxY), surround.accent, width: 1.5)]
                + dots
        }
    }

    private var placedPlots: [(axis: MotionCurves.Axis, frame: Rect, plot: MotionPlot)] {
        let metrics = layout.metrics
        return zip(curves.movingAxes, layout.plots).map { axis, frame in
            let box = Rect(
                x: frame.x + metrics.scaleWidth, y: frame.y + metrics.plotTitle,
                width: frame.width - metrics.scaleWidth - 1, height: frame.height - metrics.plotTitle - 1)
            let plot = MotionPlot(
                curves, axis, in: box, theme: surround, colors: bandColors, fontSize: metrics.small)
            return (axis, frame, plot)
        }
    }
}
