import Annotations
import Loaders
import Motion
import Scene
import Timing

/// A chart of one quantity of the objects over a period, in a box 10,000 wide and 1,000 high.
struct StudyChart: Encodable {
    /// A number of the scale and how far down it stands, 0...1.
    struct Mark: Encodable {
        let text: String
        let place: Double
    }

    /// An object's curve.
    struct Curve: Encodable {
        let object: Int
        /// As the `d` of an SVG path.
        let path: String
    }

    /// Which number of an object it shows.
    enum Quantity: String, Encodable { case x, y, speed }

    let quantity: Quantity
    /// In the page's languages.
    let title: [String]
    /// What is at the top and at the bottom, in the numbers' unit.
    let top: Double
    let bottom: Double
    /// What the scale's 0 is, in the numbers' unit.
    let origin: Double
    let marks: [Mark]
    let curves: [Curve]

    private struct Sample {
        let time: Double
        let value: Double
    }

    /// The chart of a coordinate.
    init(_ curves: MotionCurves, _ axis: MotionCurves.Axis, period: Double, languages: [Language]) {
        let (range, origin) = (curves.range(of: axis), curves.origin(of: axis))
        let margin = max(2, 0.08 * (range.upperBound - range.lowerBound))
        let (low, high) = (range.lowerBound - margin, range.upperBound + margin)
        let isStaged = curves.isStaged(axis)
        // What is lower on the canvas is lower here.
        self.init(
            quantity: axis == .x ? .x : .y, title: languages.map { curves.title(of: axis, in: $0) },
            top: axis == .x ? high : low, bottom: axis == .x ? low : high, origin: origin,
            // Objects with steps go from mark to mark: the table's numbers.
            step: isStaged ? max(-range.lowerBound, range.upperBound) : MotionPlot.step(for: (high - low) / 4),
            isSigned: isStaged,
            samples: curves.objects(on: axis).map { object in
                (
                    object,
                    curves.pieces[object].map { piece in
                        piece.map { Sample(time: $0.time / period, value: axis.value(of: $0.position) - origin) }
                    }
                )
            })
    }

    /// The chart of the objects' speeds. A phase's last speed is the one just before its end.
    init(speedsOf loader: any Loader, languages: [Language]) {
        let (phases, period) = (loader.phases, loader.period)
        let objects = loader.objects(at: .zero).indices
        var samples: [[[Sample]]] = objects.map { _ in [] }
        for phase in phases {
            let share = (phase.duration / period * Rational(720)).rounded
            let steps = min(max(share, 24, 1), max(24, 1440 / phases.count))
            var piece: [[Sample]] = objects.map { _ in [] }
            for step in 0...steps {
                let fraction = step < steps ? Rational(Int128(step), Int128(steps)) : Rational(4095, 4096)
                let time = phase.start + phase.duration * fraction
                let place = ((phase.start + phase.duration * Rational(Int128(step), Int128(steps))) / period).double
                for (index, velocity) in loader.velocities(at: time).enumerated() {
                    piece[index].append(Sample(time: place, value: Point.zero.distance(to: velocity)))
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
        (self.quantity, self.title, self.top, self.bottom, self.origin) = (quantity, title, top, bottom, origin)
        func place(_ value: Double) -> Double { (value - top) / (bottom - top) }
        let (low, high) = (min(top, bottom), max(top, bottom))
        let first = step > 0 ? (low / step).rounded(.up) * step : 0
        marks = (step > 0 ? Array(stride(from: first, through: high, by: step)) : [0]).prefix(12).map { value in
            let text =
                isSigned
                ? NumberText.signed(value, places: 2) : NumberText.decimal(value, places: 3, minus: "−")
            return Mark(text: text, place: Self.rounded(place(value)))
        }
        curves = samples.map { object, pieces in
            let path = pieces.filter { $0.count > 1 }.map { piece in
                let corners = piece.map {
                    "\(Int(($0.time * 10_000).rounded())) \(Int((place($0.value) * 1000).rounded()))"
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
