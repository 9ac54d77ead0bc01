import Core
import Raster

extension ShapeRenderer {
    /// Applies a modifier to the paths above it. Styles that refer to these paths see the change.
    ///
    /// - Parameter isTrimmedLater: true if a Trim Paths below applies to the same paths.
    mutating func apply(_ modifier: PathModifier, to references: inout [PathReference], isTrimmedLater: Bool) {
        switch modifier {
        case .trim(let start, let end, let offset, let isIndividual):
            let offset = value(offset) / 360
            let ranges = TrimPaths.ranges(start: value(start) / 100, end: value(end) / 100, offset: offset)
            if isTrimmedLater, ranges == [0...1] {
                // Of several paths, only the one that has the offset would start elsewhere.
                change(references) {
                    $0.count == 1 && !isIndividual ? [TrimPaths.moved($0[0], toStartAt: offset)] : $0
                }
            } else {
                trim(references, to: ranges, isIndividual: isIndividual)
            }
        case .roundCorners(let radius):
            let radius = value(radius)
            if radius > 0 { change(references) { $0.map { $0.roundingCorners(by: radius) } } }
        case .puckerBloat(let amount):
            let amount = value(amount) / 100
            if amount != 0 { change(references) { $0.map { $0.bloated(by: amount) } } }
        case .zigZag(let size, let ridges, let isSmooth):
            let size = value(size)
            let ridges = min(max(value(ridges), 0), Self.maxRidges)
            change(references) {
                $0.map { $0.zigZag(size: size, ridges: Int(ridges.rounded(.down)), isSmooth: isSmooth) }
            }
        case .twist(let angle, let center):
            let angle = value(angle) * .pi / 180
            let center = value(center)
            if angle != 0 { twist(references, by: angle, around: center) }
        case .merge(let mode, let last): references = merged(references, by: mode, last)
        case .offset(let amount, let join, let miterLimit):
            let amount = value(amount)
            let limit = value(miterLimit)
            let pathBudget = pathBudget
            if amount != 0 {
                change(references) { Self.offset($0, by: amount, join: join, miterLimit: limit, pathBudget) }
            }
        }
    }

    /// The maximum number of ridges per segment, which bounds the work.
    private static let maxRidges = 500.0

    private mutating func change(_ references: [PathReference], _ change: ([BezierContour]) -> [BezierContour]) {
        for reference in references { pathSets[reference.index].contours = change(pathSets[reference.index].contours) }
    }

    private mutating func trim(_ references: [PathReference], to ranges: [ClosedRange<Double>], isIndividual: Bool) {
        guard !isIndividual else { return trimIndividually(references, to: ranges) }
        change(references) { TrimPaths.trimmed($0, to: ranges) }
    }

    /// Trims the paths in sequence from the topmost on, as if they were one.
    private mutating func trimIndividually(_ references: [PathReference], to ranges: [ClosedRange<Double>]) {
        let lengths = references.map { reference in
            pathSets[reference.index].contours.reduce(0) { sum, contour in
                sum + contour.curves.reduce(0) { $0 + ArcLengthTable($1).total }
            }
        }
        let totalLength = lengths.reduce(0, +)
        var position = 0.0
        for (reference, length) in zip(references, lengths) {
            let start = position
            position += length
            guard length > 0 else { continue }
            let ownRanges = ranges.compactMap { range -> ClosedRange<Double>? in
                let low = max((range.lowerBound * totalLength - start) / length, 0)
                let high = min((range.upperBound * totalLength - start) / length, 1)
                return high > low ? low...high : nil
            }
            pathSets[reference.index].contours = TrimPaths.trimmed(pathSets[reference.index].contours, to: ownRanges)
        }
    }

    /// Merges all paths into a new path set, with the transforms of their groups applied.
    private mutating func merged(
        _ references: [PathReference], by mode: PathModifier.MergeMode, _ last: LastMerge
    ) -> [PathReference] {
        let contours = references.map { reference in
            pathSets[reference.index].contours.map { $0.transformed(by: reference.transform) }
        }
        let operation: PathBoolean? =
            switch mode {
            case .merge: nil
            case .add: .union
            case .subtract: .subtract
            case .intersect: .intersect
            case .exclude: .exclude
            }
        let pathBudget = pathBudget
        let result =
            operation.map { operation in
                last.result(of: contours, pathBudget) {
                    BezierContour.all(
                        of: Path.combining(
                            contours.map(Path.init), by: operation, flatness: BezierContour.flatness,
                            budget: pathBudget))
                }
            } ?? contours.flatMap { $0 }
        // Lines enclose nothing to add, but strokes show them.
        let lines = mode == .add ? contours.joined().filter(\.isLine) : []
        pathSets.append(PathSet(contours: result + lines))
        return [PathReference(index: pathSets.count - 1, transform: .identity)]
    }

    private static func offset(
        _ contours: [BezierContour], by amount: Double, join: Stroke.Join, miterLimit: Double, _ pathBudget: WorkBudget
    ) -> [BezierContour] {
        let result = BezierContour.all(
            of: Path(contours).offset(
                by: amount, join: join, miterLimit: max(1, miterLimit), flatness: BezierContour.flatness,
                budget: pathBudget)
        )
        // The result has one direction. A closed path in the other one, such as a hole, keeps its
        // own.
        func area(_ contours: [BezierContour]) -> Double {
            contours.reduce(0) { $1.isClosed ? $0 + $1.signedArea : $0 }
        }
        guard area(contours) * area(result) < 0 else { return result }
        return result.map { $0.isClosed ? $0.reversed : $0 }
    }

    /// Rotates the points of all paths about the centre, by an angle that decreases linearly to 0
    /// at the radius of the farthest vertex.
    private mutating func twist(_ references: [PathReference], by angle: Double, around center: Point) {
        let radius = references.flatMap { pathSets[$0.index].contours }.flatMap(\.vertices)
            .reduce(0) { max($0, $1.point.distance(to: center)) }
        guard radius > 0 else { return }
        change(references) { contours in
            contours.map { contour in
                contour.subdivided(into: 4).mapped { point in
                    let rotation = angle * (1 - min(point.distance(to: center) / radius, 1))
                    return AffineTransform.rotation(rotation).about(center).apply(point)
                }
            }
        }
    }
}

extension BezierContour {
    /// Returns the contour with each curve split into `count` parts.
    fileprivate func subdivided(into count: Int) -> BezierContour {
        let parts = curves.flatMap { curve in
            (0..<count).map { curve.trimmed(from: Double($0) / Double(count), to: Double($0 + 1) / Double(count)) }
        }
        return BezierContour(parts, isClosed: isClosed)
    }

    /// Returns the contour with arcs in place of corners between straight lines. The radius is at
    /// most half the length of a line.
    fileprivate func roundingCorners(by radius: Double) -> BezierContour {
        var result: [Vertex] = []
        for (index, vertex) in vertices.enumerated() {
            let isEnd = !isClosed && (index == 0 || index == vertices.count - 1)
            guard !isEnd, vertex.into == vertex.point, vertex.out == vertex.point else {
                result.append(vertex)
                continue
            }
            let before = vertices[(index + vertices.count - 1) % vertices.count].point
            let after = vertices[(index + 1) % vertices.count].point
            func shifted(towards other: Point) -> (point: Point, control: Point) {
                let distance = vertex.point.distance(to: other)
                let part = distance > 0 ? min(distance / 2, radius) / distance : 0
                let point = vertex.point + (other - vertex.point) * part
                return (point, point + (vertex.point - point) * PrimitiveShape.circleHandleRatio)
            }
            let start = shifted(towards: before)
            let end = shifted(towards: after)
            result.append(Vertex(start.point, into: start.point, out: start.control))
            result.append(Vertex(end.point, into: end.control, out: end.point))
        }
        return BezierContour(result, isClosed: isClosed)
    }

    /// Twice the area of the polygon of all vertices and control points. Its sign tells directions
    /// apart.
    fileprivate var signedArea: Double {
        let points = vertices.flatMap { [$0.into, $0.point, $0.out] }
        return zip(points, points.dropFirst() + points.prefix(1)).reduce(0) { sum, pair in
            sum + pair.0.x * pair.1.y - pair.1.x * pair.0.y
        }
    }

    /// Returns the contour after Pucker & Bloat: the vertices move towards the centre and the
    /// control points away from it, or vice versa if the amount is negative.
    fileprivate func bloated(by amount: Double) -> BezierContour {
        // Measured in frames rendered by After Effects: the centre is that of the vertices' bounds.
        guard let center = Rect(enclosing: vertices.map(\.point))?.center else { return self }
        return BezierContour(
            vertices.map { vertex in
                Vertex(
                    vertex.point + (center - vertex.point) * amount,
                    into: vertex.into + (center - vertex.into) * -amount,
                    out: vertex.out + (center - vertex.out) * -amount)
            }, isClosed: isClosed)
    }
}

extension Path {
    /// Creates a path of contours.
    init(_ contours: [BezierContour]) {
        self.init()
        for contour in contours { contour.add(to: &self) }
    }
}

extension BezierContour {
    /// Returns the contours of a path of lines and cubic curves.
    static func all(of path: Path) -> [BezierContour] {
        var result: [BezierContour] = []
        for element in path.elements {
            switch element {
            case .move(let point): result.append(BezierContour([Vertex(point)], isClosed: false))
            case .line(let point): result[result.count - 1].vertices.append(Vertex(point))
            case .cubic(let control1, let control2, let end):
                let last = result[result.count - 1].vertices.count - 1
                result[result.count - 1].vertices[last].out = control1
                result[result.count - 1].vertices.append(Vertex(end, into: control2, out: end))
            case .close: result[result.count - 1].isClosed = true
            // The path operations create neither.
            case .quadratic, .arc: break
            }
        }
        return result
    }
}
