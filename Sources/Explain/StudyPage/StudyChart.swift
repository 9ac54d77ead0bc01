import Animations
import Core
import Render

/// A chart of one quantity of the objects over a period, as SVG paths in a box of 10,000 by 1,000
/// units.
struct StudyChart: Encodable {
    /// A mark of an axis: its text, and its distance from the axis's top or left end as a fraction
    /// of the axis's length.
    struct Mark: Encodable {
        let text: String
        let position: Double
    }

    /// An object's curve.
    struct Curve: Encodable {
        let object: Int
        /// The `d` attribute of an SVG path.
        let path: String
    }

    /// The quantity on the vertical axis.
    enum Quantity: String, Encodable {
        case x, y, drawn, speed

        fileprivate init(_ axis: MotionCurves.Axis) {
            switch axis {
            case .x: self = .x
            case .y: self = .y
            default: self = .drawn
            }
        }
    }

    let quantity: Quantity
    /// The title in the page's languages.
    let title: [String]
    /// The value at the top, relative to `origin`, in points or points per second.
    let top: Double
    /// The value at the bottom, relative to `origin`.
    let bottom: Double
    /// The coordinate of the axis's zero in points.
    let origin: Double
    let marks: [Mark]
    let curves: [Curve]

    private struct Sample {
        let time: Double
        let value: Double
    }

    /// Creates the chart of a coordinate or of the drawn part of strokes.
    init(_ curves: MotionCurves, _ axis: MotionCurves.Axis, period: Double, languages: [Language]) {
        let range = curves.range(of: axis)
        let origin = curves.origin(of: axis)
        let margin = max(2, 0.08 * (range.upperBound - range.lowerBound))
        let low = range.lowerBound - margin
        let high = range.upperBound + margin
        let hasSteps = curves.hasSteps(axis)
        // The y axis points down, as on the canvas.
        self.init(
            quantity: Quantity(axis),
            title: languages.map { curves.title(of: axis, in: $0) },
            top: axis == .y ? low : high, bottom: axis == .y ? high : low, origin: origin,
            // Objects with steps move from mark to mark: the marks are the table's displacements.
            step: hasSteps ? max(-range.lowerBound, range.upperBound) : MotionPlot.step(for: (high - low) / 4),
            isSigned: hasSteps,
            samples: curves.objects(on: axis).map { object in
                (
                    object,
                    curves.pieces[object].map { piece in
                        piece.map { Sample(time: $0.time / period, value: axis.value(of: $0) - origin) }
                    }
                )
            })
    }

    /// Creates the chart of the objects' speeds. The last speed of a phase is the one just before
    /// its end, since speeds may jump between phases.
    init(speedsOf loader: any Loader, languages: [Language]) {
        let phases = loader.phases
        let period = loader.period
        let objects = loader.objects(at: .zero).indices
        var samples: [[[Sample]]] = objects.map { _ in [] }
        for phase in phases {
            // About 720 steps per period in proportion to the phases' durations, and at most 1440,
            // but at least 24 per phase.
            let share = (phase.duration / period * Rational(720)).rounded
            let steps = min(max(share, 24), max(24, 1440 / phases.count))
            var piece: [[Sample]] = objects.map { _ in [] }
            for step in 0...steps {
                let fraction = step < steps ? Rational(Int128(step), Int128(steps)) : Rational(4095, 4096)
                let time = phase.start + phase.duration * fraction
                let position = ((phase.start + phase.duration * Rational(Int128(step), Int128(steps))) / period).double
                for (index, velocity) in loader.velocities(at: time).enumerated() {
                    piece[index].append(Sample(time: position, value: Point.zero.distance(to: velocity)))
                }
            }
            for index in objects { samples[index].append(piece[index]) }
        }
        let highest = max(samples.joined().joined().reduce(0) { max($0, $1.value) }, 1)
        self.init(
            quantity: .speed, title: languages.map { $0 == .zh ? "速率 (pt/s)" : "speed (pt/s)" },
            top: 1.08 * highest, bottom: 0, origin: 0, step: MotionPlot.step(for: highest / 4), isSigned: false,
            samples: samples.enumerated().map { ($0, $1) })
    }

    private init(
        quantity: Quantity, title: [String], top: Double, bottom: Double, origin: Double, step: Double, isSigned: Bool,
        samples: [(object: Int, pieces: [[Sample]])]
    ) {
        self.quantity = quantity
        self.title = title
        self.top = top
        self.bottom = bottom
        self.origin = origin
        func position(of value: Double) -> Double { (value - top) / (bottom - top) }
        let low = min(top, bottom)
        let high = max(top, bottom)
        let first = step > 0 ? (low / step).rounded(.up) * step : 0
        marks = (step > 0 ? Array(stride(from: first, through: high, by: step)) : [0]).prefix(12).map { value in
            let text =
                isSigned
                ? NumberText.signed(value, places: 2) : NumberText.decimal(value, places: 3, minus: "−")
            return Mark(text: text, position: Self.rounded(position(of: value)))
        }
        curves = samples.map { object, pieces in
            let path = pieces.filter { $0.count > 1 }.map { piece in
                let corners = piece.map {
                    "\(Int(($0.time * 10_000).rounded())) \(Int((position(of: $0.value) * 1000).rounded()))"
                }
                return "M"
                    + corners.enumerated().filter { $0 == 0 || $1 != corners[$0 - 1] }.map(\.element)
                    .joined(separator: "L")
            }
            return Curve(object: object, path: path.joined())
        }
    }

    private static func rounded(_ value: Double) -> Double { (value * 1e5).rounded() / 1e5 }
}
