import Core

/// The path along which a text runs, and its position on it ("Path Options").
struct TextPath: Sendable {
    /// The path of a mask of the layer.
    let path: Property<BezierContour>
    private let firstMargin: Property<Double>
    private let lastMargin: Property<Double>
    private let isReversed: Property<Double>
    private let isPerpendicular: Property<Double>
    private let isForced: Property<Double>

    /// Reads the path options (`p`) of a layer's text; nil if the text does not run along a path.
    init?(reading field: Field?, of layer: Field) throws {
        guard let field, let number = try field.integer("m") else { return nil }
        let masks = layer["masksProperties"]?.items ?? []
        guard masks.indices.contains(number), let path: Property<BezierContour> = try masks[number].property("pt")
        else { throw field.error("the text runs along the mask \(number) (m), which has no path") }
        self.path = path
        firstMargin = try field.property("f", or: 0)
        lastMargin = try field.property("l", or: 0)
        isReversed = try field.property("r", or: 0)
        isPerpendicular = try field.property("p", or: 1)
        isForced = try field.property("a", or: 0)
    }

    /// The path at a frame, by arc length.
    struct Measured {
        private let curves: [(curve: CubicCurve, lengths: ArcLengthTable)]
        private let isClosed: Bool
        /// The length in points.
        let length: Double
        let firstMargin: Double
        let lastMargin: Double
        let isPerpendicular: Bool
        /// True if the characters are spread over the whole path ("Force Alignment").
        let isForced: Bool

        fileprivate init(_ path: TextPath, at frame: Double, in context: FrameContext) {
            func value(_ property: Property<Double>) -> Double { property.value(at: frame, in: context) }
            var contour = path.path.value(at: frame, in: context)
            if value(path.isReversed) != 0 { contour = contour.reversed }
            curves = contour.curves.map { ($0, ArcLengthTable($0)) }.filter { $0.1.total > 0 }
            isClosed = contour.isClosed
            length = curves.reduce(0) { $0 + $1.lengths.total }
            firstMargin = value(path.firstMargin)
            lastMargin = value(path.lastMargin)
            isPerpendicular = value(path.isPerpendicular) != 0
            isForced = value(path.isForced) != 0
        }

        /// Returns the point at an arc length from the start, and the direction of the path there
        /// as a unit vector. A closed path repeats; an open one continues straight.
        func point(at position: Double) -> (point: Point, direction: Point) {
            guard let first = curves.first, let last = curves.last else { return (.zero, Point(1, 0)) }
            var rest = isClosed ? position - (position / length).rounded(.down) * length : position
            if rest < 0 {
                let direction = first.curve.direction(0)
                return (first.curve.p0 + direction * rest, direction)
            }
            for (curve, lengths) in curves {
                if rest <= lengths.total {
                    let parameter = lengths.parameter(at: rest)
                    return (curve.point(parameter), curve.direction(parameter))
                }
                rest -= lengths.total
            }
            let direction = last.curve.direction(1)
            return (last.curve.p3 + direction * rest, direction)
        }
    }

    func measured(at frame: Double, in context: FrameContext) -> Measured { Measured(self, at: frame, in: context) }
}
