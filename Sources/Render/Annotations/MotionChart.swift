import Animations
import Core

/// A chart of each object's position over one period, and of the size, opacity and angle of those
/// that stay where they are, with lines at phase boundaries and the names of the phases below.
public struct MotionChart {
    private let loader: any Loader
    private let language: Language
    private let theme: AnnotationTheme
    private let curves: MotionCurves

    /// The width of the chart in points: that of the widest annotated frame.
    private static let width = 960.0
    /// The margin around the plots in points.
    private static let margin = 20.0
    /// The left edge of the plots, with room for the numbers of the scale.
    private static let plotLeft = 78.0
    /// The height of a plot in points.
    private static let plotHeight = 250.0
    /// The height of a line of the legend in points.
    private static let lineHeight = 20.0

    /// The chart of a loader.
    public init(_ loader: any Loader, language: Language = .en, background: Color = .white) {
        theme = AnnotationTheme(background: background)
        self.loader = loader
        self.language = language
        curves = MotionCurves(loader)
    }

    /// Returns the chart as a scene.
    public func scene() -> Scene {
        let objects = loader.objects(at: .zero)
        let colors = theme.colors(for: objects)
        let dashes = MotionPlot.dashes(of: Array(objects.indices), in: objects)
        var (nodes, y) = title(objects: objects, colors: colors, dashes: dashes)
        nodes += phaseNumbers(y: y)
        y += 22
        for axis in curves.chartAxes {
            let frame = Rect(
                x: Self.plotLeft, y: y, width: Self.width - Self.plotLeft - Self.margin, height: Self.plotHeight)
            nodes +=
                MotionPlot(
                    curves, axis, in: frame, theme: theme, colors: colors, fontSize: 12, dashes: dashes
                ).nodes
            // The caption is left of the scale, between its numbers.
            let caption = TextExtent.wrapped(curves.title(of: axis, in: language), width: 46, fontSize: 12)
            let lines = Double(caption.count { $0 == "\n" } + 1)
            nodes.append(
                Draw.text(
                    caption, at: Point(8, frame.center.y - lines * 9 - 30), width: 62, size: 12, color: theme.ink,
                    bold: true))
            y = frame.maxY + 14
        }
        nodes += times(y: y - 10)
        y += 22
        let (names, height) = phaseNames(y: y)
        let size = Size(Self.width, (y + height + 10).rounded(.up))
        return Scene(size: size, background: theme.background, nodes: nodes + names)
    }

    /// Returns the loader's title and a legend of the objects, and the vertical position below
    /// them.
    private func title(
        objects: [MovingObject], colors: [Color], dashes: [Int: Stroke.Dash]
    ) -> (nodes: [Node], y: Double) {
        let name = loader.title.text(in: language)
        var nodes = [
            Draw.text(
                name, at: Point(Self.margin, 12), width: Self.width - 2 * Self.margin, size: 18, color: theme.ink,
                bold: true)
        ]
        var corner = Point(Self.plotLeft, 48)
        for (index, label) in ObjectTitles.texts(of: objects.map(\.title), in: language).enumerated() {
            let width = TextExtent.width(label, fontSize: 13)
            if corner.x > Self.plotLeft, corner.x + 26 + width > Self.width - Self.margin {
                corner = Point(Self.plotLeft, corner.y + Self.lineHeight)
            }
            let line = [corner + Point(0, 9), corner + Point(20, 9)]
            nodes.append(Draw.polyline(line, colors[index], width: 3, dash: dashes[index]))
            nodes.append(Draw.text(label, at: corner + Point(26, 0), width: width, size: 13, color: theme.ink))
            corner.x += width + 44
        }
        return (nodes, corner.y + 28)
    }

    /// Returns the horizontal position of a time in seconds.
    private func x(_ time: Double) -> Double {
        Self.plotLeft + (Self.width - Self.plotLeft - Self.margin) * time / curves.period.double
    }

    private func phaseNumbers(y: Double) -> [Node] {
        curves.phases.compactMap { phase in
            let start = x(phase.start.double)
            let end = x(phase.end.double)
            let text = "\(phase.number)"
            guard TextExtent.width(text, fontSize: 13, bold: true) <= end - start else { return nil }
            return Draw.text(
                text, at: Point(start, y), width: end - start, size: 13, color: theme.accent, alignment: .center,
                bold: true)
        }
    }

    /// Returns the start times of phases that have room, the end of the period and the caption of
    /// the time axis.
    private func times(y: Double) -> [Node] {
        let width = 60.0
        let end = x(curves.period.double)
        let caption = Glossary.phrase("time (s)", in: language)
        var nodes = [
            Draw.text(caption, at: Point(8, y), width: Self.plotLeft - 20, size: 12, color: theme.ink, bold: true)
        ]
        var free = -Double.infinity
        func half(_ text: String) -> Double { TextExtent.width(text, fontSize: 12) / 2 }
        let last = Annotator.seconds(curves.period)
        for time in curves.phases.map(\.start) + [curves.period] {
            let text = Annotator.seconds(time)
            let isLast = time == curves.period
            let middle = isLast ? end - half(last) : x(time.double)
            guard middle - half(text) >= free, isLast || middle + half(text) < end - 2 * half(last) - 6 else {
                continue
            }
            free = middle + half(text) + 6
            let corner = isLast ? end - width : middle - width / 2
            nodes.append(
                Draw.text(
                    text, at: Point(corner, y), width: width, size: 12, color: theme.faint,
                    alignment: isLast ? .right : .center, isNumber: true))
        }
        return nodes
    }

    /// Returns the numbers and names of the phases in columns, and the height of the list. Phases
    /// with the same name are listed once.
    private func phaseNames(y: Double) -> (nodes: [Node], height: Double) {
        var order: [String] = []
        var numbers: [String: [Int]] = [:]
        for phase in curves.phases {
            let name = phase.name.text(in: language)
            if numbers[name] == nil { order.append(name) }
            numbers[name, default: []].append(phase.number)
        }
        let texts = order.map { name in
            let indices = numbers[name] ?? []
            let shown = indices.prefix(4).map(String.init).joined(separator: ", ") + (indices.count > 4 ? ", …" : "")
            return (number: shown, name: name)
        }
        let numberWidth = (texts.map { TextExtent.width($0.number, fontSize: 13, bold: true) }.max() ?? 0) + 8
        let width = numberWidth + (texts.map { TextExtent.width($0.name, fontSize: 13) }.max() ?? 0) + 16
        let columns = max(1, Int((Self.width - Self.plotLeft - Self.margin) / width))
        let rows = (texts.count + columns - 1) / columns
        let nodes = texts.enumerated().flatMap { index, text in
            let (column, row) = index.quotientAndRemainder(dividingBy: rows)
            let origin = Point(Self.plotLeft + Double(column) * width, y + Double(row) * Self.lineHeight)
            return [
                Draw.text(
                    text.number, at: origin, width: numberWidth, size: 13, color: theme.accent, bold: true),
                Draw.text(
                    text.name, at: origin + Point(numberWidth, 0), width: width - numberWidth, size: 13,
                    color: theme.ink),
            ]
        }
        return (nodes, Double(rows) * Self.lineHeight)
    }
}
