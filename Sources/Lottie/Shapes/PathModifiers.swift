import Motion
import PathOperations
import Platform
import Scene

extension ShapePicture {
    /// Changes the paths above a modifier, wherever else they are referred to.
    mutating func apply(_ modifier: PathModifier, to placed: inout [Placed]) {
        switch modifier {
        case .trim(let start, let end, let offset, let isTogether):
            let stretches = TrimPaths.stretches(
                start: value(start) / 100, end: value(end) / 100, offset: value(offset) / 360)
            if isTogether {
                trimTogether(placed, to: stretches)
            } else {
                change(placed) { TrimPaths.trimmed($0, to: stretches) }
            }
        case .roundCorners(let radius):
            let radius = value(radius)
            if radius > 0 { change(placed) { $0.map { $0.roundingCorners(by: radius) } } }
        case .puckerBloat(let amount):
            let amount = value(amount) / 100
            if amount != 0 { change(placed) { $0.map { $0.bloated(by: amount) } } }
        case .zigZag(let size, let ridges, let isSmooth):
            let (size, ridges) = (value(size), min(max(value(ridges), 0), 500))
            change(placed) { $0.map { $0.zigZag(size: size, ridges: Int(ridges.rounded(.down)), isSmooth: isSmooth) } }
        case .twist(let angle, let center):
            let (angle, center) = (value(angle) * .pi / 180, value(center))
            if angle != 0 { twist(placed, by: angle, around: center) }
        case .merge(let mode): placed = merged(placed, by: mode)
        case .offset(let amount, let join, let miterLimit):
            let (amount, limit) = (value(amount), value(miterLimit))
            let effort = effort
            if amount != 0 {
                change(placed) { Self.offset($0, by: amount, join: join, miterLimit: limit, effort) }
            }
        }
    }

    private mutating func change(_ placed: [Placed], _ change: ([Contour]) -> [Contour]) {
        for place in placed { outlines[place.outline].contours = change(outlines[place.outline].contours) }
    }

    /// All paths as one that is passed from the topmost on.
    private mutating func trimTogether(_ placed: [Placed], to stretches: [ClosedRange<Double>]) {
        let lengths = placed.map { place in
            outlines[place.outline].contours.reduce(0) { sum, contour in
                sum + contour.curves.reduce(0) { $0 + CurveLength($1).total }
            }
        }
        let whole = lengths.reduce(0, +)
        var passed = 0.0
        for (place, length) in zip(placed, lengths) {
            let start = passed
            passed += length
            guard length > 0 else { continue }
            let own = stretches.compactMap { stretch -> ClosedRange<Double>? in
                let low = max((stretch.lowerBound * whole - start) / length, 0)
                let high = min((stretch.upperBound * whole - start) / length, 1)
                return high > low ? low...high : nil
            }
            outlines[place.outline].contours = TrimPaths.trimmed(outlines[place.outline].contours, to: own)
        }
    }

    /// All paths as one, each as its group has it.
    private mutating func merged(_ placed: [Placed], by mode: PathModifier.MergeMode) -> [Placed] {
        let contours = placed.map { place in
            outlines[place.outline].contours.map { $0.transformed(by: place.transform) }
        }
        let operation: PathBoolean? =
            switch mode {
            case .merge: nil
            case .add: .union
            case .subtract: .subtract
            case .intersect: .intersect
            case .exclude: .exclude
            }
        let result =
            operation.map { operation in
                Contour.all(
                    of: Path.combining(
                        contours.map(Path.init), by: operation, flatness: LayerDrawing.flatness, effort: effort))
            } ?? contours.flatMap { $0 }
        outlines.append(Outline(contours: result))
        return [Placed(outline: outlines.count - 1, transform: .identity)]
    }

    private static func offset(
        _ contours: [Contour], by amount: Double, join: Stroke.Join, miterLimit: Double, _ effort: PathEffort
    ) -> [Contour] {
        Contour.all(
            of: Path(contours).offset(
                by: amount, join: join, miterLimit: max(1, miterLimit), flatness: LayerDrawing.flatness, effort: effort)
        )
    }

    /// Turns all paths around a point, most in the middle and not at all at the rim.
    private mutating func twist(_ placed: [Placed], by angle: Double, around center: Point) {
        let rim = placed.flatMap { outlines[$0.outline].contours }.flatMap(\.vertices)
            .reduce(0) { max($0, $1.point.distance(to: center)) }
        guard rim > 0 else { return }
        change(placed) { contours in
            contours.map { contour in
                contour.subdivided(into: 4).mapped { point in
                    let turn = angle * (1 - min(point.distance(to: center) / rim, 1))
                    return AffineTransform.rotation(turn).about(center).apply(point)
                }
            }
        }
    }
}

extension Contour {
    /// The contour with every curve cut into so many.
    fileprivate func subdivided(into count: Int) -> Contour {
        let parts = curves.flatMap { curve in
            (0..<count).map { curve.part(Double($0) / Double(count), Double($0 + 1) / Double(count)) }
        }
        return Contour(parts, isClosed: isClosed)
    }

    /// The contour with arcs of a radius in place of corners between straight lines, as far as the lines are long.
    fileprivate func roundingCorners(by radius: Double) -> Contour {
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
                return (point, point + (vertex.point - point) * PrimitiveShape.quarter)
            }
            let (start, end) = (shifted(towards: before), shifted(towards: after))
            result.append(Vertex(start.point, into: start.point, out: start.control))
            result.append(Vertex(end.point, into: end.control, out: end.point))
        }
        return Contour(result, isClosed: isClosed)
    }

    /// Vertices drawn to the middle and control points driven from it, or the other way below 0: Pucker & Bloat.
    fileprivate func bloated(by amount: Double) -> Contour {
        // As After Effects' pictures show: the middle of the box around the vertices.
        guard let middle = Rect(enclosing: vertices.map(\.point))?.center else { return self }
        return Contour(
            vertices.map { vertex in
                Vertex(
                    vertex.point + (middle - vertex.point) * amount,
                    into: vertex.into + (middle - vertex.into) * -amount,
                    out: vertex.out + (middle - vertex.out) * -amount)
            }, isClosed: isClosed)
    }
}

extension Path {
    /// The path of some contours.
    init(_ contours: [Contour]) {
        self.init()
        for contour in contours { contour.add(to: &self) }
    }
}

extension Contour {
    /// The contours of a path of lines and curves.
    static func all(of path: Path) -> [Contour] {
        var result: [Contour] = []
        for element in path.elements {
            switch element {
            case .move(let point): result.append(Contour([Vertex(point)], isClosed: false))
            case .line(let point): result[result.count - 1].vertices.append(Vertex(point))
            case .cubic(let control1, let control2, let end):
                let last = result[result.count - 1].vertices.count - 1
                result[result.count - 1].vertices[last].out = control1
                result[result.count - 1].vertices.append(Vertex(end, into: control2, out: end))
            case .close: result[result.count - 1].isClosed = true
            // Operations on paths make neither.
            case .quadratic, .arc: break
            }
        }
        return result
    }
}
