import Core

/// A 3D transform, for row vectors: x to the right, y down and z towards the viewer, as in CSS.
/// Files have z away from the viewer.
struct SpaceMatrix: Sendable, Equatable {
    private var x: SIMD4<Double>
    private var y: SIMD4<Double>
    private var z: SIMD4<Double>
    private var origin: SIMD4<Double>

    private init(_ x: SIMD4<Double>, _ y: SIMD4<Double>, _ z: SIMD4<Double>, _ origin: SIMD4<Double>) {
        self.x = x
        self.y = y
        self.z = z
        self.origin = origin
    }

    static let identity = SpaceMatrix([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1])

    /// A transform within the plane.
    init(_ plane: AffineTransform) {
        self.init([plane.a, plane.b, 0, 0], [plane.c, plane.d, 0, 0], [0, 0, 1, 0], [plane.tx, plane.ty, 0, 1])
    }

    static func translation(_ x: Double, _ y: Double, _ z: Double) -> SpaceMatrix {
        SpaceMatrix([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [x, y, z, 1])
    }

    static func scale(_ x: Double, _ y: Double, _ z: Double) -> SpaceMatrix {
        SpaceMatrix([x, 0, 0, 0], [0, y, 0, 0], [0, 0, z, 0], [0, 0, 0, 1])
    }

    // The rotations have the directions of lottie-web's matrices; angles are in radians.

    static func rotationX(_ angle: Double) -> SpaceMatrix {
        let sine = sin(angle)
        let cosine = cos(angle)
        return SpaceMatrix([1, 0, 0, 0], [0, cosine, -sine, 0], [0, sine, cosine, 0], [0, 0, 0, 1])
    }

    static func rotationY(_ angle: Double) -> SpaceMatrix {
        let sine = sin(angle)
        let cosine = cos(angle)
        return SpaceMatrix([cosine, 0, sine, 0], [0, 1, 0, 0], [-sine, 0, cosine, 0], [0, 0, 0, 1])
    }

    static func rotationZ(_ angle: Double) -> SpaceMatrix {
        let sine = sin(angle)
        let cosine = cos(angle)
        return SpaceMatrix([cosine, -sine, 0, 0], [sine, cosine, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1])
    }

    /// Returns the transform that applies this one first and then `next`.
    func then(_ next: SpaceMatrix) -> SpaceMatrix {
        func apply(_ row: SIMD4<Double>) -> SIMD4<Double> {
            next.x * row.x + next.y * row.y + next.z * row.z + next.origin * row.w
        }
        return SpaceMatrix(apply(x), apply(y), apply(z), apply(origin))
    }

    /// The transform of the plane z = 0 as seen from far away: z is left out.
    var flattened: AffineTransform {
        AffineTransform(a: x.x, b: x.y, c: y.x, d: y.y, tx: origin.x, ty: origin.y)
    }

    /// The depths, towards the viewer, of the plane z = 0: at the origin, and per unit of x and y.
    var depth: (origin: Double, x: Double, y: Double) { (origin.z, x.z, y.z) }
}

/// The part of a 3D layer's transform that leads out of the plane.
struct LayerDepth: Sendable {
    /// Rotations about the axes in degrees.
    private var rotationX: Property<Double>
    private var rotationY: Property<Double>
    /// Rotations about x, y and z in degrees. Between keyframes, the layer turns the shortest way.
    private var orientation: Property<Orientation>
    /// The z component of the position, the anchor point and the scale.
    private var position: Property<[Double]>
    private var anchor: Property<[Double]>
    private var scale: Property<[Double]>
    /// The index of z in `position`, which is 0 for separate dimensions.
    private var positionIndex: Int

    /// Reads the depth of a layer; nil if it stays in the plane.
    ///
    /// - Parameter isRequired: true for cameras, whose depth always counts.
    init?(reading transform: Field, of layer: Field, isRequired: Bool = false) throws {
        // Like lottie-web, a layer with a plain rotation is flat.
        guard isRequired || transform["r"] == nil else { return nil }
        rotationX = try transform.property("rx", or: 0)
        rotationY = try transform.property("ry", or: 0)
        orientation = try transform.property("or", or: Orientation(angles: [0, 0, 0]))
        let isSplit = try transform["p"]?.flag("s") ?? false
        positionIndex = isSplit ? 0 : 2
        position = try isSplit ? transform["p"]?.property("z") ?? Property([0]) : transform.property("p", or: [0])
        anchor = try transform.property("a", or: [0])
        scale = try transform.property("s", or: [100, 100, 100])
        func isFlat(_ property: Property<[Double]>, _ index: Int) -> Bool {
            property.expression == nil && property.keyValues.allSatisfy { index >= $0.count || $0[index] == 0 }
        }
        func isZero(_ property: Property<Double>) -> Bool { property.isConstant && property.initial == 0 }
        let isTurned =
            !isZero(rotationX) || !isZero(rotationY) || !orientation.isConstant
            || orientation.initial.angles.contains { $0 != 0 }
        let isMoved = try layer.flag("ddd") && !(isFlat(position, positionIndex) && isFlat(anchor, 2))
        guard isRequired || isTurned || isMoved else { return nil }
    }

    var isConstant: Bool {
        rotationX.isConstant && rotationY.isConstant && orientation.isConstant && position.isConstant
            && anchor.isConstant && scale.isConstant
    }

    /// Returns the angles of the orientation and the rotations about x and y, in radians, at a
    /// frame.
    func angles(at frame: Double, in context: FrameContext) -> (orientation: [Double], x: Double, y: Double) {
        let radians = Double.pi / 180
        return (
            orientation.value(at: frame, in: context).angles.map { $0 * radians },
            rotationX.value(at: frame, in: context) * radians, rotationY.value(at: frame, in: context) * radians
        )
    }

    /// Returns the z component of the position at a frame, away from the viewer.
    func positionDepth(at frame: Double, in context: FrameContext) -> Double {
        Self.component(position, positionIndex, at: frame, in: context)
    }

    /// Returns the z component of the anchor point at a frame, away from the viewer.
    func anchorDepth(at frame: Double, in context: FrameContext) -> Double {
        Self.component(anchor, 2, at: frame, in: context)
    }

    private static func component(
        _ property: Property<[Double]>, _ index: Int, at frame: Double, in context: FrameContext
    ) -> Double {
        let value = property.value(at: frame, in: context)
        return index < value.count ? value[index] : 0
    }

    /// Evaluates the expressions of a transform with all their components, before its plane is
    /// read.
    func evaluateExpressions(of transform: LayerTransform, at frame: Double, in context: FrameContext) {
        SpaceProperty(plane: transform.anchor, space: anchor).evaluate(at: frame, in: context)
        SpaceProperty(plane: transform.scale, space: scale).evaluate(at: frame, in: context)
        guard case .joined(let plane) = transform.position else { return }
        SpaceProperty(plane: plane, space: position).evaluate(at: frame, in: context)
    }

    func matrix(
        at frame: Double, in context: FrameContext, anchor: Point, scale: Point, rotation: Double, direction: Double,
        position: Point
    ) -> SpaceMatrix {
        let (orientation, rotationX, rotationY) = angles(at: frame, in: context)
        let scaling = self.scale.value(at: frame, in: context)
        let scaleZ = scaling.count > 2 ? scaling[2] / 100 : 1
        return SpaceMatrix.translation(-anchor.x, -anchor.y, anchorDepth(at: frame, in: context))
            .then(.scale(scale.x / 100, scale.y / 100, scaleZ))
            .then(.rotationZ(-rotation)).then(.rotationY(rotationY)).then(.rotationX(rotationX))
            .then(.rotationZ(-orientation[2])).then(.rotationY(orientation[1])).then(.rotationX(orientation[0]))
            .then(.rotationZ(-direction))
            .then(.translation(position.x, position.y, -positionDepth(at: frame, in: context)))
    }
}
