import Core

/// The transform of a layer, a shape group or a repeater.
struct LayerTransform: Sendable {
    /// A position as one property, or as separate properties for the axes.
    enum Position: Sendable {
        case joined(Property<Point>)
        case split(x: Property<Double>, y: Property<Double>)
    }

    var anchor: Property<Point>
    var position: Position
    /// The scale in percent.
    var scale: Property<Point>
    /// The rotation in degrees, clockwise.
    var rotation: Property<Double>
    /// The opacity in percent.
    var opacity: Property<Double>
    /// The skew in degrees.
    var skew: Property<Double>
    /// The skew axis in degrees.
    var skewAxis: Property<Double>
    /// True if the layer is rotated along its direction of motion ("Orient Along Path").
    var isAutoOriented = false
    /// The part of a 3D layer's transform out of the plane; nil if the layer stays in the plane.
    var depth: LayerDepth?

    /// True if neither the matrix nor the opacity changes.
    var isConstant: Bool { isMatrixConstant && opacity.isConstant }

    /// True if the position does not change.
    var isPositionConstant: Bool {
        switch position {
        case .joined(let position): position.isConstant
        case .split(let x, let y): x.isConstant && y.isConstant
        }
    }

    /// True if the matrix does not change.
    var isMatrixConstant: Bool {
        isPositionConstant && anchor.isConstant && scale.isConstant && rotation.isConstant && skew.isConstant
            && skewAxis.isConstant && depth?.isConstant ?? true
    }

    /// Returns the position at a frame.
    func position(at frame: Double, in context: FrameContext) -> Point {
        depth?.evaluateExpressions(of: self, at: frame, in: context)
        return switch position {
        case .joined(let position): position.value(at: frame, in: context)
        case .split(let x, let y): Point(x.value(at: frame, in: context), y.value(at: frame, in: context))
        }
    }

    /// Returns the anchor point at a frame.
    func anchor(at frame: Double, in context: FrameContext) -> Point {
        depth?.evaluateExpressions(of: self, at: frame, in: context)
        return anchor.value(at: frame, in: context)
    }

    /// Returns the transform from the coordinates of the contents to those of the parent.
    func matrix(at frame: Double, in context: FrameContext) -> AffineTransform {
        let anchor = self.anchor(at: frame, in: context)
        let position = position(at: frame, in: context)
        let scale = scale.value(at: frame, in: context)
        let angle = rotation.value(at: frame, in: context) * .pi / 180 + orientation(at: frame, in: context)
        var matrix = AffineTransform(a: scale.x / 100, b: 0, c: 0, d: scale.y / 100, tx: 0, ty: 0)
        let skew = skew.value(at: frame, in: context)
        if skew != 0 {
            matrix = matrix.skewed(by: skew, axis: skewAxis.value(at: frame, in: context))
        }
        if angle != 0 { matrix = matrix.then(.rotation(angle)) }
        return AffineTransform.translation(anchor * -1).then(matrix).then(.translation(position))
    }

    /// Returns the 3D transform from the coordinates of the contents to those of the parent.
    func spaceMatrix(at frame: Double, in context: FrameContext) -> SpaceMatrix {
        guard let depth else { return SpaceMatrix(matrix(at: frame, in: context)) }
        depth.evaluateExpressions(of: self, at: frame, in: context)
        let angle = rotation.value(at: frame, in: context) * .pi / 180
        let direction = orientation(at: frame, in: context)
        return depth.matrix(
            at: frame, in: context, anchor: anchor.value(at: frame, in: context),
            scale: scale.value(at: frame, in: context), rotation: angle, direction: direction,
            position: position(at: frame, in: context))
    }

    /// Returns the direction of motion in radians if the layer is auto-oriented, and otherwise 0.
    private func orientation(at frame: Double, in context: FrameContext) -> Double {
        guard isAutoOriented else { return 0 }
        switch position {
        case .joined(let position): return position.direction(at: frame) ?? 0
        case .split(let x, let y):
            // Separate dimensions have no common curve, so the direction is a central difference
            // over a fiftieth of a frame. Before the first keyframe and after the last one, the
            // layer keeps the direction that it has there.
            let step = 0.01
            var frame = frame
            if let keys = Self.keyRange(x, y), keys.upperBound - keys.lowerBound > 2 * step {
                frame = min(max(frame, keys.lowerBound + step), keys.upperBound - step)
            }
            let offset = position(at: frame + step, in: context) - position(at: frame - step, in: context)
            return offset == .zero ? 0 : atan2(offset.y, offset.x)
        }
    }

    /// Returns the range of the keyframes of properties; nil if there are none, or if an expression
    /// moves the layer beyond them.
    private static func keyRange(_ properties: Property<Double>...) -> ClosedRange<Double>? {
        guard properties.allSatisfy({ $0.expression == nil }) else { return nil }
        let times = properties.filter { !$0.segments.isEmpty }.flatMap {
            [$0.frameOfKeyframe(0), $0.frameOfKeyframe($0.keyCount - 1)]
        }
        guard let first = times.min(), let last = times.max() else { return nil }
        return first...last
    }

    /// Returns the opacity at a frame, in 0...1.
    func opacity(at frame: Double, in context: FrameContext) -> Double {
        clamp01(opacity.value(at: frame, in: context) / 100)
    }
}

extension LayerTransform {
    /// Reads a transform.
    init(reading field: Field) throws {
        anchor = try field.property("a", or: .zero)
        scale = try field.property("s", or: Point(100, 100))
        rotation = try field.property("r") ?? field.property("rz") ?? Property(0)
        opacity = try field.property("o", or: 100)
        skew = try field.property("sk", or: 0)
        skewAxis = try field.property("sa", or: 0)
        if let dimensions = field["p"], try dimensions.flag("s") {
            position = .split(x: try dimensions.property("x", or: 0), y: try dimensions.property("y", or: 0))
        } else {
            position = .joined(try field.property("p", or: .zero))
        }
    }

    static let identity = LayerTransform(
        anchor: Property(.zero), position: .joined(Property(.zero)), scale: Property(Point(100, 100)),
        rotation: Property(0), opacity: Property(100), skew: Property(0), skewAxis: Property(0))

    private init(
        anchor: Property<Point>, position: Position, scale: Property<Point>, rotation: Property<Double>,
        opacity: Property<Double>, skew: Property<Double>, skewAxis: Property<Double>
    ) {
        self.anchor = anchor
        self.position = position
        self.scale = scale
        self.rotation = rotation
        self.opacity = opacity
        self.skew = skew
        self.skewAxis = skewAxis
    }
}

extension AffineTransform {
    /// Returns the transform followed by a skew by an angle along an axis, both in degrees.
    func skewed(by skew: Double, axis: Double) -> AffineTransform {
        // The tangent repeats every 180 degrees, and that of a right angle is infinite.
        let angle = skew.remainder(dividingBy: 180)
        let slope = tan(-min(max(angle, -89.9), 89.9) * .pi / 180)
        return then(.rotation(axis * .pi / 180)).then(AffineTransform(a: 1, b: 0, c: slope, d: 1, tx: 0, ty: 0))
            .then(.rotation(-axis * .pi / 180))
    }
}
