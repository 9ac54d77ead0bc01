import Loaders
import Motion
import Scene
import Timing

/// The objects' positions over one period as curves, sampled once: broken where something jumps.
package struct MotionCurves: Sendable {
    /// A coordinate of the canvas.
    package enum Axis: Sendable {
        /// To the right.
        case x
        /// Downwards.
        case y

        package func value(of point: Point) -> Double { self == .x ? point.x : point.y }
    }

    /// A point of a curve.
    package struct Sample: Sendable {
        /// Model time in seconds.
        package let time: Double
        /// The object's position in points.
        package let position: Point
    }

    /// For each object the pieces of its curve.
    package let pieces: [[[Sample]]]
    /// The phases in order.
    let phases: [Phase]
    /// The period in seconds.
    let period: Rational
    /// What a plot of an axis shows.
    private struct Content: Sendable {
        /// Whether anything moves along the axis.
        var hasMotion: Bool
        /// The objects that are shown.
        var objects: [Int]
        /// Whether the objects that move along the axis all have steps.
        var isStaged: Bool
        /// The lowest and highest position of the objects.
        var range: ClosedRange<Double>
    }

    /// By axis.
    private let contents: [Axis: Content]
    /// Whether each object ever moves along each axis.
    private let movement: [Axis: [Bool]]
    /// The horizontal position of the canvas's centre in points.
    private let middle: Double

    /// Samples in a period, and in a phase at least, unless there are very many phases.
    private static let count = (period: 720, phase: 24)

    /// The curves of a loader.
    package init(_ loader: any Loader) {
        (phases, period) = (loader.phases, loader.period)
        let objects = loader.objects(at: .zero)
        middle = loader.canvas.width / 2
        let tooFar = 0.2 * max(loader.canvas.width, loader.canvas.height)
        var pieces: [[[Sample]]] = Array(repeating: [], count: objects.count)
        let least = max(4, min(Self.count.phase, 2 * Self.count.period / phases.count))
        for phase in phases {
            let steps = max(least, (phase.duration / loader.period * Rational(Self.count.period)).rounded)
            var isFirst = true
            for step in 0...steps {
                let time = phase.start + phase.duration * Rational(Int128(step), Int128(steps))
                let positions =
                    step < steps ? loader.objects(at: time).map(\.position) : loader.positions(atEndOf: phase)
                for (index, position) in positions.enumerated() {
                    let distance = pieces[index].last?.last?.position.distance(to: position) ?? .infinity
                    let jumps = distance > (isFirst ? Kinematics.smallestJump : tooFar)
                    if jumps { pieces[index].append([]) }
                    // A phase begins where the one before ended, unless it jumps.
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
            return (values.max() ?? 0) - (values.min() ?? 0) > Kinematics.smallestJump
        }
        return [.x: pieces.map { moves($0, .x) }, .y: pieces.map { moves($0, .y) }]
    }

    private static func content(
        of axis: Axis, objects: [MovingObject], pieces: [[[Sample]]], movement: [Axis: [Bool]]
    ) -> Content {
        func moves(_ object: Int, _ axis: Axis) -> Bool { movement[axis]?[object] ?? false }
        let moving = pieces.indices.filter { moves($0, axis) }
        let isStaged = axis == .x && !moving.isEmpty && moving.allSatisfy { objects[$0].step != nil }
        let shown = pieces.indices.filter {
            moves($0, axis) || !isStaged && !moves($0, .x) && !moves($0, .y)
        }
        let values = shown.flatMap { pieces[$0].joined() }.map { axis.value(of: $0.position) }
        return Content(
            hasMotion: !moving.isEmpty, objects: shown, isStaged: isStaged,
            range: (values.min() ?? 0)...(values.max() ?? 0))
    }

    /// The objects that a plot of an axis shows: those that move along it, and those that never move, unless all that moves
    /// there has steps.
    package func objects(on axis: Axis) -> [Int] { contents[axis]?.objects ?? [] }

    /// Whether the objects that move along an axis all have steps: they are measured from the canvas's centre, as in tables.
    package func isStaged(_ axis: Axis) -> Bool { contents[axis]?.isStaged ?? false }

    /// Where a plot of an axis has its 0, in points of the canvas.
    package func origin(of axis: Axis) -> Double { isStaged(axis) ? middle : 0 }

    /// The lowest and highest value of a coordinate that its plot shows, from its origin on.
    package func range(of axis: Axis) -> ClosedRange<Double> {
        let (range, origin) = (contents[axis]?.range ?? 0...0, origin(of: axis))
        return (range.lowerBound - origin)...(range.upperBound - origin)
    }

    /// What a plot of an axis is called.
    package func title(of axis: Axis, in language: Language) -> String {
        let title = isStaged(axis) ? "x from the centre (pt)" : axis == .x ? "x (pt)" : "y (pt)"
        return Glossary.phrase(title, in: language)
    }

    /// Whether an object ever moves along an axis.
    package func moves(_ object: Int, along axis: Axis) -> Bool { movement[axis]?[object] ?? false }

    /// The axes along which anything moves; the horizontal one if nothing does.
    package var axes: [Axis] {
        let axes = [Axis.x, .y].filter { contents[$0]?.hasMotion ?? false }
        return axes.isEmpty ? [.x] : axes
    }
}

/// A plot of one coordinate of the objects over one period, in a frame.
package struct MotionPlot {
    let curves: MotionCurves
    let axis: MotionCurves.Axis
    let frame: Rect
    let theme: AnnotationTheme
    let colors: [Color]
    /// Font size of the scales in points.
    let fontSize: Double
    let values: ClosedRange<Double>
    /// The objects whose curves it has.
    private let objects: [Int]
    /// The plot's 0 in points of the canvas.
    private let origin: Double

    /// A plot of some objects, or of all that the axis shows.
    package init(
        _ curves: MotionCurves, _ axis: MotionCurves.Axis, in frame: Rect, theme: AnnotationTheme, colors: [Color],
        fontSize: Double, objects: [Int]? = nil
    ) {
        (self.curves, self.axis, self.frame, self.theme) = (curves, axis, frame, theme)
        (self.colors, self.fontSize) = (colors, fontSize)
        self.objects = objects ?? curves.objects(on: axis)
        origin = curves.origin(of: axis)
        let range = curves.range(of: axis)
        let (span, half) = (range.upperBound - range.lowerBound, Self.halfLetter * fontSize)
        // Numbers at the objects' turning points need room beyond.
        let room = (half + 0.5) * span / max(1, frame.height - 2 * half - 1)
        let margin = max(2, 0.08 * span, room)
        values = (range.lowerBound - margin)...(range.upperBound + margin)
    }

    /// Where a time in seconds lies.
    package func x(_ time: Double) -> Double { frame.x + frame.width * time / curves.period.double }

    /// Where an object's position in points lies.
    package func y(of position: Point) -> Double { y(axis.value(of: position) - origin) }

    /// Where a value in points from the plot's origin lies. What is lower on the canvas is lower here.
    private func y(_ value: Double) -> Double {
        let fraction = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
        return axis == .y ? frame.y + frame.height * fraction : frame.maxY - frame.height * fraction
    }

    /// The ground with its scale, the phases' beginnings, and the curves.
    package var nodes: [Node] {
        let ground = Node.shape(
            Shape(.rectangle(frame), fill: theme.backdrop, stroke: Stroke(theme.hairline, width: 1)))
        return [ground] + phaseLines + scale + lines
    }

    private var phaseLines: [Node] {
        curves.phases.dropFirst().filter { x($0.duration.double) - frame.x > 4 }.map { phase in
            let x = x(phase.start.double)
            return Draw.dashes(Point(x, frame.y), Point(x, frame.maxY), theme.faint.opacity(0.6), dash: 2.5)
        }
    }

    /// Half the height of a number of the scale, in parts of its font size.
    private static let halfLetter = 0.66

    /// The values at which the scale has numbers: none so near to the frame's top or bottom that its number reaches beyond.
    private var marks: [Double] {
        func marks(every step: Double) -> [Double] {
            let first = (values.lowerBound / step).rounded(.up) * step
            let half = Self.halfLetter * fontSize
            return stride(from: first, through: values.upperBound, by: step).filter {
                y($0) - half >= frame.y && y($0) + half <= frame.maxY
            }
        }
        let range = curves.range(of: axis)
        // Objects with steps go from mark to mark: the table's numbers.
        if curves.isStaged(axis) { return marks(every: max(-range.lowerBound, range.upperBound)) }
        let step = Self.step(for: (values.upperBound - values.lowerBound) / max(2, frame.height / 45))
        let usual = marks(every: step)
        // One number alone is no scale.
        if usual.count > 1 { return usual }
        let finer = marks(every: Self.step(for: step / 2.6))
        // In low plots numbers would meet: the outer ones then say enough.
        guard let first = finer.first, let last = finer.last, finer.count > 2,
            abs(y(finer[1]) - y(first)) < 2 * Self.halfLetter * fontSize
        else { return finer }
        return [first, last]
    }

    private var scale: [Node] {
        let (width, isStaged) = (44.0, curves.isStaged(axis))
        return marks.flatMap { value -> [Node] in
            let y = y(value)
            let corner = Point(frame.x - width - 5, y - fontSize * Self.halfLetter)
            return [
                Draw.line(Point(frame.x, y), Point(frame.maxX, y), theme.hairline.opacity(0.6)),
                Draw.text(
                    isStaged
                        ? NumberText.signed(value, places: 2) : NumberText.decimal(value, places: 2, minus: "−"),
                    at: corner, width: width, size: fontSize, color: theme.faint, alignment: .right),
            ]
        }
    }

    private var lines: [Node] {
        objects.flatMap { index in
            curves.pieces[index].filter { $0.count > 1 }.map { piece in
                let points = piece.map { Point(x($0.time), y(of: $0.position)) }
                return Draw.polyline(Self.withoutStraightSteps(points), colors[index], width: 1.75)
            }
        }
    }

    /// The points without those on the straight line between their neighbours.
    private static func withoutStraightSteps(_ points: [Point]) -> [Point] {
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

    /// The number of the form 1, 2 or 5 times a power of ten that is next above.
    package static func step(for least: Double) -> Double {
        var power = 0.001
        while power * 10 < least { power *= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least } ?? 10 * power
    }
}
