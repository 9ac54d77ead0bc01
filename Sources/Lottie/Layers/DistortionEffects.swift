import Core

// Bulge, directional and cross blur, slant and circle, which lottie-web, ThorVG and rlottie do
// not draw. `map` transforms the points of an effect to the layer's coordinates.
extension LayerEffect.Values {
    /// Returns the ellipse of Bulge in the layer's coordinates; nil if it has no area or changes
    /// nothing.
    func bulge(_ map: AffineTransform) -> Bulge? {
        let center = point(2)
        let radii = Size(number(0, or: 50), number(1, or: 50))
        guard radii.width > 0, radii.height > 0, number(3, or: 1) != 0 else { return nil }
        let ellipse = AffineTransform(a: radii.width, b: 0, c: 0, d: radii.height, tx: center.x, ty: center.y)
        return Bulge(ellipse: ellipse.then(map), height: number(3, or: 1))
    }

    /// Directional Blur: a Gaussian along a direction in degrees clockwise from 12 o'clock.
    func directionallyBlurred(_ nodes: [Node], _ map: AffineTransform) -> [Node] {
        let direction = Point.zero.moved(by: 1, towards: (number(0) - 90) * .pi / 180)
        let axis = map.apply(direction) - map.apply(.zero)
        let length = axis.distance(to: .zero)
        let deviation = max(0, number(1)) * Self.blurDeviation * length
        guard deviation > 0, !nodes.isEmpty else { return nodes }
        let epsilon = 1e-9 * length
        if abs(axis.y) < epsilon { return [.group(Group(nodes: nodes, effects: [.blur(Size(deviation, 0))]))] }
        if abs(axis.x) < epsilon { return [.group(Group(nodes: nodes, effects: [.blur(Size(0, deviation))]))] }
        // Blurs follow the pixel axes, so the layer is rotated, blurred and rotated back.
        let angle = atan2(axis.y, axis.x)
        let turned = Group(transform: .rotation(-angle), nodes: nodes)
        let soft = Group(nodes: [.group(turned)], effects: [.blur(Size(deviation, 0))])
        let back = Projection(numerator: .rotation(angle), gradient: .zero, offset: 1)
        return [.group(Group(nodes: [.group(soft)], effects: [.perspective(back)]))]
    }

    /// CC Slant: a horizontal shear about a floor, and a vertical scale towards it. Slope and
    /// height are percentages.
    func slanted(_ nodes: [Node], _ map: AffineTransform) -> [Node] {
        guard let inverse = map.inverse, !nodes.isEmpty else { return nodes }
        let floor = point(3).y
        let slope = number(0) / 100
        let height = number(2, or: 100) / 100
        let slant = AffineTransform(a: 1, b: 0, c: -slope, d: height, tx: floor * slope, ty: floor * (1 - height))
        let nodes = Group.nodes(nodes, transform: inverse.then(slant).then(map), opacity: 1)
        guard number(4) != 0 else { return nodes }
        return [.group(Group(nodes: nodes, effects: [.fill(color(5), amount: 1)]))]
    }

    /// CC Cross Blur: the mean of a horizontal and a vertical blur; nil if both are 0.
    var crossBlur: Effect? {
        let radius = Size(max(0, number(0)), max(0, number(1)))
        return radius == Size(0, 0) ? nil : .crossBlur(radius: radius)
    }

    /// Circle: a disc or a ring. It replaces the layer if Blending Mode is None (1). Edge is None
    /// (1), an inner radius (2) or a thickness (3); others are reported as unsupported.
    ///
    /// - Parameter area: the area of the layer.
    func circled(_ nodes: [Node], _ map: AffineTransform, in area: Path) -> [Node] {
        let center = point(0)
        let radius = max(0, number(1, or: 75))
        let edge = number(2, or: 1).rounded()
        let thickness = number(3, or: 10)
        let inner = edge == 2 ? thickness : edge == 3 ? radius - thickness : 0
        func disc(_ radius: Double, feather: Double) -> [Node] {
            guard radius > 0 else { return [] }
            let shape = Node.shape(Shape(.circle(center: center, radius: radius), fill: Color.black))
            let deviation = max(0, feather) * Self.softnessDeviation
            let effects = deviation > 0 ? [Effect.blur(Size(deviation, deviation))] : []
            return [.group(Group(transform: map, nodes: [.group(Group(nodes: [shape], effects: effects))]))]
        }
        var shapes = disc(radius, feather: number(5))
        if inner > 0 {
            shapes.append(.group(Group(nodes: disc(inner, feather: number(6)), blendMode: .destinationOut)))
        }
        let paint = Node.shape(Shape(area, fill: color(9)))
        let mask = Mask(shapes, isInverted: number(8) != 0)
        let mode = number(11, or: 1)
        let circle = Node.group(
            Group(
                opacity: clamp01(number(10, or: 100) / 100), nodes: [paint],
                blendMode: BlendMode(effectMode: mode), mask: mask))
        return mode.rounded() == 1 ? [circle] : nodes + [circle]
    }
}
