import Loaders
import Motion
import Scene

/// The objects' positions over one period as curves, sampled once: broken where something jumps.
struct MotionCurves: Sendable {
    /// A coordinate of the stage.
    enum Axis: Sendable {
        /// To the right.
        case x
        /// Downwards.
        case y

        func value(of point: Point) -> Double { self == .x ? point.x : point.y }
    }

    /// A point of a curve.
    struct Sample: Sendable {
        /// Model time in seconds.
        let time: Double
        /// The object's position in points.
        let position: Point
    }

    /// For each object the pieces of its curve.
    let pieces: [[[Sample]]]
    /// The phases in order.
    let phases: [Phase]
    /// The period in seconds.
    let period: Rational

    /// Samples in a period, and in a phase at least, unless there are very many phases.
    private static let count = (period: 720, phase: 24)

    /// The curves of a loader.
    init(_ loader: any Loader) {
        (phases, period) = (loader.phases, loader.period)
        let tooFar = 0.2 * max(loader.stage.width, loader.stage.height)
        var pieces: [[[Sample]]] = Array(repeating: [], count: loader.objects(at: .zero).count)
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
    }

    /// The lowest and highest value of a coordinate; equal if nothing ever moves along it.
    func range(of axis: Axis) -> ClosedRange<Double> {
        let values = pieces.joined().joined().map { axis.value(of: $0.position) }
        return (values.min() ?? 0)...(values.max() ?? 0)
    }

    /// Whether an object ever moves along an axis.
    func moves(_ object: Int, along axis: Axis) -> Bool {
        let values = pieces[object].joined().map { axis.value(of: $0.position) }
        return (values.max() ?? 0) - (values.min() ?? 0) > Kinematics.smallestJump
    }

    /// The axes along which anything moves; the horizontal one if nothing does.
    var axes: [Axis] {
        let axes = [Axis.x, .y].filter { axis in pieces.indices.contains { moves($0, along: axis) } }
        return axes.isEmpty ? [.x] : axes
    }
}

/// A plot of one coordinate of all objects over one period, in a frame.
struct MotionPlot {
    let curves: MotionCurves
    let axis: MotionCurves.Axis
    let frame: Rect
    let theme: AnnotationTheme
    let colors: [Color]
    /// Font size of the scales in points.
    let fontSize: Double
    let values: ClosedRange<Double>

    init(
        _ curves: MotionCurves, _ axis: MotionCurves.Axis, in frame: Rect, theme: AnnotationTheme, colors: [Color],
        fontSize: Double
    ) {
        (self.curves, self.axis, self.frame, self.theme) = (curves, axis, frame, theme)
        (self.colors, self.fontSize) = (colors, fontSize)
        let range = curves.range(of: axis)
        let margin = max(2, 0.08 * (range.upperBound - range.lowerBound))
        values = (range.lowerBound - margin)...(range.upperBound + margin)
    }

    /// Where a time in seconds lies.
    func x(_ time: Double) -> Double { frame.x + frame.width * time / curves.period.double }

    /// Where a value in points lies. What is lower on the stage is lower here.
    func y(_ value: Double) -> Double {
        let fraction = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
        return axis == .y ? frame.y + frame.height * fraction : frame.maxY - frame.height * fraction
    }

    /// The ground with its scale, the phases' beginnings, and the curves.
    var nodes: [Node] {
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

    private var scale: [Node] {
        let step = Self.step(for: (values.upperBound - values.lowerBound) / max(2, frame.height / 45))
        let first = (values.lowerBound / step).rounded(.up) * step
        let width = 44.0
        return stride(from: first, through: values.upperBound, by: step).flatMap { value -> [Node] in
            let y = y(value)
            let corner = Point(frame.x - width - 5, y - fontSize * 0.66)
            return [
                Draw.line(Point(frame.x, y), Point(frame.maxX, y), theme.hairline.opacity(0.6)),
                Draw.text(
                    NumberText.decimal(value, places: 2, minus: "−"), at: corner, width: width, size: fontSize,
                    color: theme.faint, alignment: .right),
            ]
        }
    }

    private var lines: [Node] {
        curves.pieces.enumerated().flatMap { index, pieces in
            pieces.filter { $0.count > 1 }.map { piece in
                let points = piece.map { Point(x($0.time), y(axis.value(of: $0.position))) }
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
    static func step(for least: Double) -> Double {
        var power = 0.001
        while power * 10 < least { power *= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least } ?? 10 * power
    }
}
