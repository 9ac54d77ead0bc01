import Animations
import Core

/// A plot of one quantity of the objects, such as a coordinate, over one period or a part of it.
package struct MotionPlot {
    let curves: MotionCurves
    let axis: MotionCurves.Axis
    package let frame: Rect
    let theme: AnnotationTheme
    let colors: [Color]
    /// The font size of the scale in points.
    let fontSize: Double
    /// The range of values from the bottom to the top of the frame, relative to the origin.
    let values: ClosedRange<Double>
    /// The dash patterns of curves by object; a curve without one is solid.
    private let dashes: [Int: Stroke.Dash]
    /// The indices of the objects in the plot.
    private let objects: [Int]
    /// The origin of the plot in points of the canvas.
    private let origin: Double
    /// The range of time from the left to the right of the frame, in seconds.
    package let times: ClosedRange<Double>

    /// A plot of the given objects; nil is all objects of the axis.
    ///
    /// - Parameter times: the range of time in seconds; nil is the whole period.
    package init(
        _ curves: MotionCurves, _ axis: MotionCurves.Axis, in frame: Rect, theme: AnnotationTheme, colors: [Color],
        fontSize: Double, objects: [Int]? = nil, dashes: [Int: Stroke.Dash] = [:],
        during times: ClosedRange<Double>? = nil
    ) {
        self.curves = curves
        self.axis = axis
        self.frame = frame
        self.theme = theme
        self.colors = colors
        self.fontSize = fontSize
        self.dashes = dashes
        let shown = objects ?? curves.objects(on: axis)
        self.objects = shown
        origin = curves.origin(of: axis)
        self.times = times ?? 0...curves.period.double
        let range =
            times.flatMap { curves.range(of: axis, objects: shown, during: $0) } ?? curves.range(of: axis)
        let span = range.upperBound - range.lowerBound
        let half = Self.halfGlyph * fontSize
        // Numbers at the extremes of the curves need room above and below.
        let room = (half + 0.5) * span / max(1, frame.height - 2 * half - 1)
        let margin = max(2, 0.08 * span, room)
        values = (range.lowerBound - margin)...(range.upperBound + margin)
    }

    /// The dash patterns that tell objects of one colour apart, after the solid line of the first:
    /// dashes, dots, and both.
    private static let patterns: [[Double]] = [[7, 3], [1.75, 2.5], [7, 2.5, 1.75, 2.5]]

    /// Returns the dash patterns of those of some objects that share their colour with others.
    package static func dashes(of indices: [Int], in objects: [MovingObject]) -> [Int: Stroke.Dash] {
        let alike = indices.filter { index in
            indices.contains { $0 != index && AnnotationTheme.isAlike(objects[$0].color, objects[index].color) }
        }
        let pairs = alike.dropFirst().enumerated().map { ($1, Stroke.Dash(patterns[$0 % patterns.count])) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Returns the horizontal position of a time in seconds.
    package func x(_ time: Double) -> Double {
        frame.x + frame.width * (time - times.lowerBound) / (times.upperBound - times.lowerBound)
    }

    /// Returns the vertical position of an object's value.
    package func y(of object: MovingObject) -> Double { y(axis.value(of: object) - origin) }

    /// Returns the vertical position of a value relative to the origin. The y axis of a plot points
    /// down, as on the canvas.
    private func y(_ value: Double) -> Double {
        let fraction = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
        return axis == .y ? frame.y + frame.height * fraction : frame.maxY - frame.height * fraction
    }

    /// The background, the lines at phase boundaries, the scale and the curves.
    package var nodes: [Node] { frameNodes + curveNodes }

    /// The background, the lines at phase boundaries and the scale.
    package var frameNodes: [Node] {
        let background = Node.shape(
            Shape(.rectangle(frame), fill: theme.backdrop, stroke: Stroke(theme.hairline, width: 1)))
        return [background] + phaseLines + scale
    }

    private var phaseLines: [Node] {
        let visible = curves.phases.dropFirst().filter { phase in
            let start = phase.start.double
            return x(start + phase.duration.double) - x(start) > 4 && start > times.lowerBound
                && start < times.upperBound
        }
        return visible.map { phase in
            let x = x(phase.start.double)
            return Draw.dashes(Point(x, frame.y), Point(x, frame.maxY), theme.faint.opacity(0.6), dash: 2.5)
        }
    }

    /// Half the height of a number on the scale, as a fraction of its font size.
    private static let halfGlyph = 0.66

    /// The values at which the scale has numbers. Numbers that would extend beyond the frame are
    /// left out.
    private var marks: [Double] {
        func marks(every step: Double) -> [Double] {
            let first = (values.lowerBound / step).rounded(.up) * step
            let half = Self.halfGlyph * fontSize
            return stride(from: first, through: values.upperBound, by: step).filter {
                y($0) - half >= frame.y && y($0) + half <= frame.maxY
            }
        }
        // Objects with steps move between the positions in the table, which become the marks.
        if curves.hasSteps(axis) {
            let range = curves.range(of: axis)
            return marks(every: max(-range.lowerBound, range.upperBound))
        }
        let step = Self.step(for: (values.upperBound - values.lowerBound) / max(2, frame.height / 45))
        let usual = marks(every: step)
        // A scale needs at least two numbers.
        if usual.count > 1 { return usual }
        let finer = marks(every: Self.step(for: step / 2.6))
        // If numbers would overlap in a low plot, only the first and last remain.
        guard let first = finer.first, let last = finer.last, finer.count > 2,
            abs(y(finer[1]) - y(first)) < 2 * Self.halfGlyph * fontSize
        else { return finer }
        return [first, last]
    }

    private var scale: [Node] {
        let width = 44.0
        let hasSteps = curves.hasSteps(axis)
        return marks.flatMap { value -> [Node] in
            let y = y(value)
            let corner = Point(frame.x - width - 5, y - fontSize * Self.halfGlyph)
            return [
                Draw.line(Point(frame.x, y), Point(frame.maxX, y), theme.hairline.opacity(0.6)),
                Draw.text(
                    hasSteps
                        ? NumberText.signed(value, places: 2) : NumberText.decimal(value, places: 2, minus: "−"),
                    at: corner, width: width, size: fontSize, color: theme.faint, alignment: .right,
                    isNumber: true),
            ]
        }
    }

    /// The curves.
    package var curveNodes: [Node] {
        objects.flatMap { index in
            curves.lines(ofObject: index, on: axis, during: times).map { line in
                let points = line.map { Point(x($0.time), y($0.value)) }
                return Draw.polyline(
                    Self.withoutCollinearPoints(points), colors[index], width: 1.75, dash: dashes[index])
            }
        }
    }

    /// Returns the points without those on a straight line between their neighbours.
    private static func withoutCollinearPoints(_ points: [Point]) -> [Point] {
        var kept: [Point] = []
        for (index, point) in points.enumerated() {
            if index > 0, index < points.count - 1, let last = kept.last {
                let a = point - last
                let b = points[index + 1] - point
                if abs(a.x * b.y - a.y * b.x) < 1e-6 { continue }
            }
            kept.append(point)
        }
        return kept
    }

    /// Returns the smallest 1, 2 or 5 times a power of ten, from 0.001 on, that is at least
    /// `minimum`. Numbers beside the scale have at most three decimals.
    package static func step(for minimum: Double) -> Double { RoundStep(atLeast: max(0.001, minimum)).step }
}
