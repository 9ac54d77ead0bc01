import Core

/// A camera of a composition at one frame.
struct Camera {
    /// The transform from the composition's space to the camera's, in which the plane at z = 0 has
    /// its own size.
    private let view: SpaceMatrix
    /// The distance in points at which layers have their own size: After Effects' Zoom.
    private let zoom: Double
    /// The middle of the composition, where the camera's axis meets the screen.
    private let center: Point

    init(view: SpaceMatrix, zoom: Double, center: Point) {
        self.view = view
        self.zoom = zoom
        self.center = center
    }

    /// Returns the plane of a layer as the camera sees it.
    func projection(of layer: SpaceMatrix) -> Projection {
        let matrix = layer.then(view)
        let plane = matrix.flattened.then(.translation(center * -1))
        let depth = matrix.depth
        // A point at depth z is enlarged by zoom / (zoom - z).
        let gradient = Point(-depth.x / zoom, -depth.y / zoom)
        let offset = 1 - depth.origin / zoom
        return Projection(numerator: plane, gradient: gradient, offset: offset).then(.translation(center))
    }
}

extension CompositionRenderer {
    /// The topmost visible camera, which shows all 3D layers of the composition. Without one, 3D
    /// layers are seen from far away.
    var camera: Camera? {
        guard composition.hasCamera else { return nil }
        return context.camera(of: composition, at: frame) { foundCamera }
    }

    private var foundCamera: Camera? {
        guard let layer = composition.layers.first(where: { $0.zoom != nil && $0.isVisible(at: frame) }),
            let zoom = layer.zoom?.value(at: frame, in: context), zoom >= Self.minZoom
        else { return nil }
        let center = Rect(size: composition.size).center
        return Camera(view: view(of: layer, zoom: zoom, center: center), zoom: zoom, center: center)
    }

    /// The minimum zoom in points, to avoid a division by zero.
    private static let minZoom = 1e-3

    /// Returns the transform from the composition's space to a camera's: the inverse of the
    /// camera's own transform, step by step, as in lottie-web.
    private func view(of layer: Layer, zoom: Double, center: Point) -> SpaceMatrix {
        var matrix = SpaceMatrix.identity
        for parent in layer.withParents(in: composition).dropFirst().reversed() {
            matrix = matrix.then(inverse(of: parent.transform))
        }
        let transform = layer.transform
        let position = transform.position(at: frame, in: context)
        let depth = transform.depth?.positionDepth(at: frame, in: context) ?? 0
        matrix = matrix.then(.translation(-position.x, -position.y, depth))
        if layer.hasTarget {
            let target = transform.anchor(at: frame, in: context)
            let targetDepth = transform.depth?.anchorDepth(at: frame, in: context) ?? 0
            let direction = position - target
            let distance = depth - targetDepth
            let yaw = atan2(direction.x, -distance)
            let pitch = atan2(direction.y, hypot(direction.x, distance))
            matrix = matrix.then(.rotationY(yaw)).then(.rotationX(-pitch))
        }
        let rotation = transform.rotation.value(at: frame, in: context) * .pi / 180
        if let (orientation, x, y) = transform.depth?.angles(at: frame, in: context) {
            matrix = matrix.then(.rotationX(-x)).then(.rotationY(-y)).then(.rotationZ(rotation))
                .then(.rotationX(-orientation[0])).then(.rotationY(-orientation[1])).then(.rotationZ(orientation[2]))
        }
        return matrix.then(.translation(center.x, center.y, zoom))
    }

    /// Returns the inverse of a parent's transform.
    private func inverse(of transform: LayerTransform) -> SpaceMatrix {
        let position = transform.position(at: frame, in: context)
        let anchor = transform.anchor(at: frame, in: context)
        let scale = transform.scale.value(at: frame, in: context) * 0.01
        let rotation = transform.rotation.value(at: frame, in: context) * .pi / 180
        let depth = transform.depth
        let angles = depth?.angles(at: frame, in: context)
        let orientation = angles?.orientation ?? [0, 0, 0]
        // A parent without a scale hides the camera; the composition is then seen from a distance.
        func reciprocal(_ factor: Double) -> Double { abs(factor) > 1e-6 ? 1 / factor : 1 }
        return
            SpaceMatrix
            .translation(-position.x, -position.y, depth?.positionDepth(at: frame, in: context) ?? 0)
            .then(.rotationX(-orientation[0])).then(.rotationY(-orientation[1])).then(.rotationZ(orientation[2]))
            .then(.rotationX(-(angles?.x ?? 0))).then(.rotationY(-(angles?.y ?? 0))).then(.rotationZ(rotation))
            .then(.scale(reciprocal(scale.x), reciprocal(scale.y), 1))
            .then(.translation(anchor.x, anchor.y, -(depth?.anchorDepth(at: frame, in: context) ?? 0)))
    }

    /// Returns the indices of the layers in drawing order, back to front. Consecutive 3D layers are
    /// ordered by their distance from the camera.
    func drawingOrder(_ camera: Camera) -> [Int] {
        var order: [Int] = []
        var run: [(index: Int, distance: Double)] = []
        func flush() {
            order += run.enumerated().sorted { ($1.element.distance, $0.offset) < ($0.element.distance, $1.offset) }
                .map(\.element.index)
            run = []
        }
        for index in composition.layers.indices.reversed() {
            let layer = composition.layers[index]
            guard !layer.isHidden, layer.isVisible(at: frame) else { continue }
            if case .null = layer.content { continue }
            guard layer.is3D else {
                flush()
                order.append(index)
                continue
            }
            let anchor = layer.transform.anchor(at: frame, in: context)
            run.append((index, camera.projection(of: spaceMatrix(of: layer)).divisor(anchor)))
        }
        flush()
        return order
    }

    /// Returns the transform from a layer's space to the composition's, parents included.
    func spaceMatrix(of layer: Layer) -> SpaceMatrix {
        layer.withParents(in: composition).reduce(.identity) { matrix, next in
            matrix.then(next.transform.spaceMatrix(at: frame, in: context))
        }
    }
}
