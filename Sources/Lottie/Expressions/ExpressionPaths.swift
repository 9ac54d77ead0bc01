import Core

/// Paths in expressions. Tangents are relative to their vertices, as in After Effects and in files.
extension ExpressionInterpreter {
    private func points(_ points: [Point]) throws -> ExpressionValue {
        try array(points.map { try array([$0.x, $0.y]) })
    }

    func callPath(_ reference: ExpressionReference, _ name: String, _ arguments: [ExpressionValue]) throws
        -> ExpressionValue
    {
        // The time is the second argument of functions on the path, and the first one of others.
        let timeIndex = name.hasSuffix("OnPath") ? 1 : 0
        let time = Self.number(arguments, timeIndex, or: self.time)
        guard case .path(let path) = try value(of: reference, at: time * context.rate) else {
            throw EvaluationError("uses \(name) of a value that is not a path")
        }
        switch name {
        case "points": return try points(path.vertices.map(\.point))
        case "inTangents": return try points(path.vertices.map { $0.into - $0.point })
        case "outTangents": return try points(path.vertices.map { $0.out - $0.point })
        case "isClosed": return .bool(path.isClosed)
        default: break
        }
        let position = try position(on: path, at: Self.number(arguments, 0, or: 0.5))
        switch name {
        case "tangentOnPath": return try array([position.direction.x, position.direction.y])
        case "normalOnPath": return try array([-position.direction.y, position.direction.x])
        default: return try array([position.point.x, position.point.y])
        }
    }

    /// Returns the point and the direction at a fraction of the path's length.
    private func position(on path: BezierContour, at fraction: Double) throws -> (point: Point, direction: Point) {
        let curves = path.curves
        guard let first = curves.first else { return (path.vertices.first?.point ?? .zero, .zero) }
        try charge(30 * curves.count)
        let tables = curves.map { ArcLengthTable($0) }
        var rest = tables.reduce(0) { $0 + $1.total } * (fraction.isNaN ? 0 : clamp01(fraction))
        for (curve, table) in zip(curves, tables) {
            if rest <= table.total {
                let parameter = table.parameter(at: rest)
                return (curve.point(parameter), curve.direction(parameter))
            }
            rest -= table.total
        }
        let last = curves.last ?? first
        return (last.p3, last.direction(1))
    }

    /// Returns the path of `createPath`: points, tangents, and true for a closed path.
    func createPath(_ arguments: [ExpressionValue]) throws -> ExpressionValue {
        let vertices = try list(arguments, 0)
        let isClosed = arguments.count < 4 || arguments[3].isUndefined || arguments[3].isTrue
        func controlPoints(_ tangents: [Point]) -> [Point] { zip(vertices, tangents).map { $0 + $1 } }
        return try path(
            vertices, into: controlPoints(list(arguments, 1)), out: controlPoints(list(arguments, 2)),
            isClosed: isClosed)
    }

    /// Returns the path of an object with the keys of paths in files, as lottie-web reads it: with
    /// the control points themselves as tangents. Returns nil for other objects.
    func path(of object: ExpressionObject) throws -> ExpressionValue? {
        let lists = ["v", "i", "o"].map { object.members[$0] ?? .undefined }
        guard case .array = lists[0] else { return nil }
        let isClosed = object.members["c"]?.isTrue ?? false
        return try path(list(lists, 0), into: list(lists, 1), out: list(lists, 2), isClosed: isClosed)
    }

    /// Returns a path. Points without a control point are corners.
    private func path(_ vertices: [Point], into: [Point], out: [Point], isClosed: Bool) throws -> ExpressionValue {
        guard vertices.count <= LottieLimits.maxExpressionVertices else {
            throw EvaluationError(
                "creates a path of more than the maximum of \(LottieLimits.maxExpressionVertices) points", kind: .limit)
        }
        let result = vertices.indices.map { index in
            BezierContour.Vertex(
                vertices[index], into: index < into.count ? into[index] : vertices[index],
                out: index < out.count ? out[index] : vertices[index])
        }
        return .path(BezierContour(result, isClosed: isClosed))
    }

    private func list(_ arguments: [ExpressionValue], _ index: Int) throws -> [Point] {
        guard index < arguments.count, case .array(let list) = arguments[index] else { return [] }
        return try list.items.map { item in
            let components = try plain(item).components ?? []
            guard components.count >= 2 else { throw EvaluationError("creates a path of values that are not points") }
            return Point(components[0], components[1])
        }
    }
}
