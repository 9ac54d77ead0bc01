import Motion
import Platform
import Scene

/// Where something is, how large, turned and opaque: After Effects' transform of a layer or a group.
struct LayerTransform: Sendable {
    /// A position as one property or as one for each axis.
    enum Position: Sendable {
        case joined(Property<Point>)
        case split(x: Property<Double>, y: Property<Double>)
    }

    var anchor: Property<Point>
    var position: Position
    /// Percent.
    var scale: Property<Point>
    /// Degrees, clockwise.
    var rotation: Property<Double>
    /// Percent.
    var opacity: Property<Double>
    /// Degrees.
    var skew: Property<Double>
    /// Degrees.
    var skewAxis: Property<Double>
    /// Whether it is turned along its way.
    var isAutoOriented = false

    /// Whether it is the same at all times.
    var isConstant: Bool { isPlaceConstant && opacity.isConstant }

    /// Whether the anchor stays where it is.
    var isAnchorStill: Bool {
        switch position {
        case .joined(let position): position.isConstant
        case .split(let x, let y): x.isConstant && y.isConstant
        }
    }

    /// Whether all but the opacity is.
    var isPlaceConstant: Bool {
        isAnchorStill && anchor.isConstant && scale.isConstant && rotation.isConstant && skew.isConstant
            && skewAxis.isConstant
    }

    func position(at frame: Double, rate: Double) -> Point {
        switch position {
        case .joined(let position): position.value(at: frame, rate: rate)
        case .split(let x, let y): Point(x.value(at: frame, rate: rate), y.value(at: frame, rate: rate))
        }
    }

    /// From the coordinates of what is in it to its parent's.
    func matrix(at frame: Double, rate: Double) -> AffineTransform {
        let anchor = anchor.value(at: frame, rate: rate)
        let position = position(at: frame, rate: rate)
        let scale = scale.value(at: frame, rate: rate)
        let turn = rotation.value(at: frame, rate: rate) * .pi / 180 + orientation(at: frame, rate: rate)
        var matrix = AffineTransform(a: scale.x / 100, b: 0, c: 0, d: scale.y / 100, tx: 0, ty: 0)
        let skew = skew.value(at: frame, rate: rate)
        if skew != 0 {
            let axis = skewAxis.value(at: frame, rate: rate) * .pi / 180
            // A shear by a right angle has no end.
            let slope = tan(-min(max(skew, -89.9), 89.9) * .pi / 180)
            matrix = matrix.then(.rotation(axis)).then(AffineTransform(a: 1, b: 0, c: slope, d: 1, tx: 0, ty: 0))
                .then(.rotation(-axis))
        }
        if turn != 0 { matrix = matrix.then(.rotation(turn)) }
        return AffineTransform.translation(anchor * -1).then(matrix).then(.translation(position))
    }

    private func orientation(at frame: Double, rate: Double) -> Double {
        guard isAutoOriented else { return 0 }
        switch position {
        case .joined(let position): return position.direction(at: frame) ?? 0
        case .split:
            // Two properties have no common curve: the way from just before to just behind.
            let step = 0.01
            let way = position(at: frame + step, rate: rate) - position(at: frame - step, rate: rate)
            return way == .zero ? 0 : atan2(way.y, way.x)
        }
    }

    /// 0...1.
    func opacity(at frame: Double, rate: Double) -> Double { clamp01(opacity.value(at: frame, rate: rate) / 100) }
}

extension LayerTransform {
    /// The transform that a field is.
    init(reading field: Field) throws {
        anchor = try field.property("a", or: .zero)
        scale = try field.property("s", or: Point(100, 100))
        rotation = try field.property("r") ?? field.property("rz") ?? Property(0)
        opacity = try field.property("o", or: 100)
        skew = try field.property("sk", or: 0)
        skewAxis = try field.property("sa", or: 0)
        if let place = field["p"], try place.flag("s") {
            position = .split(x: try place.property("x", or: 0), y: try place.property("y", or: 0))
        } else {
            position = .joined(try field.property("p", or: .zero))
        }
        try field.refuseDepth()
    }

    /// Says that places before or behind the plane are not drawn, if a layer in space has any.
    static func refuseDepth(of layer: Field) throws {
        guard try layer.flag("ddd"), let transform = layer["ks"] else { return }
        for key in ["p", "a"] {
            guard let field = transform[key] else { continue }
            let isSplit = try field.flag("s")
            let place: Property<[Double]> = try isSplit ? field.property("z", or: [0]) : field.property()
            let depths = place.keyValues.map { isSplit ? $0.first ?? 0 : $0.dropFirst(2).first ?? 0 }
            if depths.contains(where: { $0 != 0 }) { field.refuse("a place out of the plane (3D layer)") }
        }
    }

    /// Everything as it is.
    static let identity = LayerTransform(
        anchor: Property(.zero), position: .joined(Property(.zero)), scale: Property(Point(100, 100)),
        rotation: Property(0), opacity: Property(100), skew: Property(0), skewAxis: Property(0))

    private init(
        anchor: Property<Point>, position: Position, scale: Property<Point>, rotation: Property<Double>,
        opacity: Property<Double>, skew: Property<Double>, skewAxis: Property<Double>
    ) {
        (self.anchor, self.position, self.scale, self.rotation) = (anchor, position, scale, rotation)
        (self.opacity, self.skew, self.skewAxis) = (opacity, skew, skewAxis)
    }
}

extension Field {
    /// Says that a turn out of the plane is not drawn, if there is one.
    fileprivate func refuseDepth() throws {
        for key in ["rx", "ry"] {
            let turn: Property<Double> = try property(key, or: 0)
            if !turn.isConstant || turn.initial != 0 { self[key]?.refuse("a turn out of the plane (3D layer)") }
        }
        let orientation: Property<[Double]> = try property("or", or: [0])
        if !orientation.isConstant || orientation.initial.contains(where: { $0 != 0 }) {
            self["or"]?.refuse("an orientation out of the plane (3D layer)")
        }
    }
}
