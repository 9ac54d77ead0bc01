import Animations
import Core

/// Sampled curves of the objects' positions over one period, split at jumps.
package struct MotionCurves: Sendable {
    /// A coordinate axis of the canvas.
    package enum Axis: Sendable {
        /// The horizontal axis; positive is to the right.
        case x
        /// The vertical axis; positive is down.
        case y

        package func value(of point: Point) -> Double { self == .x ? point.x : point.y }
    }

    /// A sample of a curve.
    package struct Sample: Sendable {
        /// The model time in seconds.
        package let time: Double
        /// The object's position in points.
        package let position: Point
    }

    /// The continuous pieces of each object's curve.
    package let pieces: [[[Sample]]]
    /// The phases in order.
    let phases: [Phase]
    /// The period in seconds.
    let period: Rational
    /// The content of an axis's plot.
    private struct Content: Sendable {
        /// True if any object moves along the axis.
        var hasMotion: Bool
        /// The indices of the objects in the plot.
        var objects: [Int]
        /// True if all objects that move along the axis have steps.
        var hasSteps: Bool
        /// The minimum and maximum position of the objects.
        var range: ClosedRange<Double>
    }

    /// The content of each axis's plot.
    private let contents: [Axis: Content]
    /// For each axis and object, true if the object moves along the axis.
    private let movement: [Axis: [Bool]]
    /// The horizontal position of the canvas's centre in points.
    private let middle: Double

    /// The number of samples in a period, and the minimum in a phase. With more than 60 phases, the
    /// minimum decreases to 4.
    private static let count = (period: 720, phase: 24)

    /// The curves of a loader.
    package init(_ loader: any Loader) {
        phases = loader.phases
        period = loader.period
        let objects = loader.objects(at: .zero)
        middle = loader.canvas.width / 2
        let jumpDistance = 0.2 * max(loader.canvas.width, loader.canvas.height)
        var pieces: [[[Sample]]] = Array(repeating: [], count: objects.count)
        let minSteps = max(4, min(Self.count.phase, 2 * Self.count.period / phases.count))
        for phase in phases {
            let steps = max(minSteps, (phase.duration / loader.period * Rational(Self.count.period)).rounded)
            var isFirst = true
            for step in 0...steps {
                let time = phase.start + phase.duration * Rational(Int128(step), Int128(steps))
                let positions =
                    step < steps ? loader.objects(at: time).map(\.position) : loader.positions(atEndOf: phase)
                for (index, position) in positions.enumerated() {
                    let distance = pieces[index].last?.last?.position.distance(to: position) ?? .infinity
                    let jumps = distance > (isFirst ? Kinematics.minJump : jumpDistance)
                    if jumps { pieces[index].append([]) }
                    // Without a jump, the last sample of the previous phase already has this
                    // position.
                    if isFirst, !jumps { continue }
                    pieces[index][pieces[index].count - 1].append(Sample(time: time.double, position: position))
                }
                isFirst = false
            }
        }
        self.pieces = pieces
        let movement = Self.movement(of: pieces)
        self.movement = movement
        contents = Dictionary(
            uniqueKeysWithValues: [Axis.x, .y].map { axis in
                (axis, Self.content(of: axis, objects: objects, pieces: pieces, movement: movement))
            })
    }

    private static func movement(of pieces: [[[Sample]]]) -> [Axis: [Bool]] {
        func moves(_ pieces: [[Sample]], _ axis: Axis) -> Bool {
            let values = pieces.joined().map { axis.value(of: $0.position) }
            return (values.max() ?? 0) - (values.min() ?? 0) > Kinematics.minJump
        }
        return [.x: pieces.map { moves($0, .x) }, .y: pieces.map { moves($0, .y) }]
    }

    private static func content(
        of axis: Axis, objects: [MovingObject], pieces: [[[Sample]]], movement: [Axis: [Bool]]
    ) -> Content {
        func moves(_ object: Int, _ axis: Axis) -> Bool { movement[axis]?[object] ?? false }
        let moving = pieces.indices.filter { moves($0, axis) }
        let hasSteps = axis == .x && !moving.isEmpty && moving.allSatisfy { objects[$0].step != nil }
        let shown = pieces.indices.filter {
            moves($0, axis) || !hasSteps && !moves($0, .x) && !moves($0, .y)
        }
        let values = shown.flatMap { pieces[$0].joined() }.map { axis.value(of: $0.position) }
        return Content(
            hasMotion: !moving.isEmpty, objects: shown, hasSteps: hasSteps,
            range: (values.min() ?? 0)...(values.max() ?? 0))
    }

    /// Returns the objects in the plot of an axis: those that move along it and those that never
    /// move. If all moving objects have steps, objects at rest are left out.
    package func objects(on axis: Axis) -> [Int] { contents[axis]?.objects ?? [] }

    /// Returns true if all objects that move along an axis have steps. Their positions are relative
    /// to the canvas's centre, as in tables.
    package func hasSteps(_ axis: Axis) -> Bool { contents[axis]?.hasSteps ?? false }

    /// Returns the origin of an axis's plot, in points of the canvas.
    package func origin(of axis: Axis) -> Double { hasSteps(axis) ? middle : 0 }

    /// Returns the minimum and maximum value in an axis's plot, relative to its origin.
    package func range(of axis: Axis) -> ClosedRange<Double> {
        let range = contents[axis]?.range ?? 0...0
        let origin = origin(of: axis)
        return (range.lowerBound - origin)...(range.upperBound - origin)
    }

    /// Returns the title of an axis's plot.
    package func title(of axis: Axis, in language: Language) -> String {
        let title = hasSteps(axis) ? "x from the centre (pt)" : axis == .x ? "x (pt)" : "y (pt)"
        return Glossary.phrase(title, in: language)
    }

    /// Returns the farthest position of an object from its start in a phase, if it is at least
    /// `minimum` points away and the object comes back from there; nil otherwise.
    func turn(ofObject index: Int, in phase: Phase, from start: Point, to end: Point, minimum: Double) -> Point? {
        let first = phase.start.double
        let last = phase.end.double
        let inside = pieces[index].flatMap { piece in
            piece[Self.index(in: piece, after: first)..<Self.index(in: piece, after: last)]
        }
        guard let far = inside.max(by: { $0.position.distance(to: start) < $1.position.distance(to: start) })
        else { return nil }
        let way = far.position.distance(to: start)
        return way >= minimum && end.distance(to: start) <= Self.returnShare * way ? far.position : nil
    }

    /// Returns the index of the first sample after a time.
    private static func index(in piece: [Sample], after time: Double) -> Int {
        var (low, high) = (0, piece.count)
        while low < high {
            let middle = (low + high) / 2
            if piece[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The share of the way out that may remain for an object to have come back.
    private static let returnShare = 0.1

    /// Returns true if an object moves along an axis.
    package func moves(_ object: Int, along axis: Axis) -> Bool { movement[axis]?[object] ?? false }

    /// The axes along which any object moves; the horizontal axis if none does.
    package var axes: [Axis] {
        let axes = [Axis.x, .y].filter { contents[$0]?.hasMotion ?? false }
        return axes.isEmpty ? [.x] : axes
    }
}

/// A plot of one coordinate of the objects over one period.
package struct MotionPlot {
    let curves: MotionCurves
    let axis: MotionCurves.Axis
    let frame: Rect
    let theme: AnnotationTheme
    let colors: [Color]
    /// The font size of the scale in points.
    let fontSize: Double
    /// The range of values from the bottom to the top of the frame, relative to the origin.
    let values: ClosedRange<Double>
    /// The indices of the objects in the plot.
    private let objects: [Int]
    /// The origin of the plot in points of the canvas.
    private let origin: Double

    /// A plot of the given objects; nil is all objects of the axis.
    package init(
        _ curves: MotionCurves, _ axis: MotionCurves.Axis, in frame: Rect, theme: AnnotationTheme, colors: [Color],
        fontSize: Double, objects: [Int]? = nil
    ) {
        self.curves = curves
        self.axis = axis
        self.frame = frame
        self.theme = theme
        self.colors = colors
        self.fontSize = fontSize
        self.objects = objects ?? curves.objects(on: axis)
        origin = curves.origin(of: axis)
        let range = curves.range(of: axis)
        let span = range.upperBound - range.lowerBound
        let half = Self.halfGlyph * fontSize
        // Numbers at the extremes of the curves need room above and below.
        let room = (half + 0.5) * span / max(1, frame.height - 2 * half - 1)
        let margin = max(2, 0.08 * span, room)
        values = (range.lowerBound - margin)...(range.upperBound + margin)
    }

    /// Returns the horizontal position of a time in seconds.
    package func x(_ time: Double) -> Double { frame.x + frame.width * time / curves.period.double }

    /// Returns the vertical position of an object's position in points.
    package func y(of position: Point) -> Double { y(axis.value(of: position) - origin) }

    /// Returns the vertical position of a value relative to the origin. The y axis of a plot points
    /// down, as on the canvas.
    private func y(_ value: Double) -> Double {
        let fraction = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
        return axis == .y ? frame.y + frame.height * fraction : frame.maxY - frame.height * fraction
    }

    /// The background, the lines at phase boundaries, the scale and the curves.
    package var nodes: [Node] {
        let background = Node.shape(
            Shape(.rectangle(frame), fill: theme.backdrop, stroke: Stroke(theme.hairline, width: 1)))
        return [background] + phaseLines + scale + lines
    }

    private var phaseLines: [Node] {
        curves.phases.dropFirst().filter { x($0.duration.double) - frame.x > 4 }.map { phase in
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
        let range = curves.range(of: axis)
        // Objects with steps move between the positions in the table, which become the marks.
        if curves.hasSteps(axis) { return marks(every: max(-range.lowerBound, range.upperBound)) }
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
        let (width, hasSteps) = (44.0, curves.hasSteps(axis))
        return marks.flatMap { value -> [Node] in
            let y = y(value)
            let corner = Point(frame.x - width - 5, y - fontSize * Self.halfGlyph)
            return [
                Draw.line(Point(frame.x, y), Point(frame.maxX, y), theme.hairline.opacity(0.6)),
                Draw.text(
                    hasSteps
                        ? NumberText.signed(value, places: 2) : NumberText.decimal(value, places: 2, minus: "−"),
                    at: corner, width: width, size: fontSize, color: theme.faint, alignment: .right),
            ]
        }
    }

    private var lines: [Node] {
        objects.flatMap { index in
            curves.pieces[index].filter { $0.count > 1 }.map { piece in
                let points = piece.map { Point(x($0.time), y(of: $0.position)) }
                return Draw.polyline(Self.withoutCollinearPoints(points), colors[index], width: 1.75)
            }
        }
    }

    /// Returns the points without those on a straight line between their neighbours.
    private static func withoutCollinearPoints(_ points: [Point]) -> [Point] {
        var kept: [Point] = []
        for (index, point) in points.enumerated() {
            if index > 0, index < points.count - 1, let last = kept.last {
                let (a, b) = (point - last, points[index + 1] - point)
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
