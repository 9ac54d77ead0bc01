import CCairo
import Core

// Groups that are drawn as planes in 3D space.
extension EffectLayer {
    /// The maximum number of pixels of a plane before it is projected.
    private static let maxPlanePixels = 8_000_000.0
    /// The minimum distance from the camera that decides a plane's resolution, relative to the mean
    /// distance of its corners. Closer parts are enlarged instead.
    private static let minDistance = 0.25

    /// Draws the part of a plane that is visible in a drawing of the given size; nil if there is
    /// none.
    init?(
        _ group: Group, _ projection: Projection, transform: AffineTransform, in size: Size, resolution: Double,
        within outer: SceneDrawing
    ) throws(RasterError) {
        let content = Group(clip: group.clip, nodes: group.nodes)
        guard let plane = Node.group(content).bounds, plane.width > 0, plane.height > 0 else { return nil }
        let device = projection.then(transform)
        let corners = device.visibleCorners(of: plane)
        guard let inverse = device.inverse, !corners.isEmpty,
            let visible = device.bounds(of: plane).expanded(by: 2).intersection(Rect(size: size).expanded(by: 1))
        else { return nil }
        let (x, y) = (Int(visible.x.rounded(.down)), Int(visible.y.rounded(.down)))
        let width = max(1, Int(visible.maxX.rounded(.up)) - x)
        let height = max(1, Int(visible.maxY.rounded(.up)) - y)
        let target = try Pixmap(width: width, height: height)
        // The plane has as many pixels as its closest part has on the surface.
        let distances = corners.map(device.divisor)
        let middle = distances.reduce(0, +) / Double(distances.count)
        let closest = max(distances.min() ?? middle, Self.minDistance * middle)
        let ideal = (abs(device.determinant) / (closest * closest * closest)).squareRoot()
        let scale = min(
            ideal, (Self.maxPlanePixels / (plane.width * plane.height)).squareRoot(),
            Double(Pixmap.maxSide - 4) / max(plane.width, plane.height))
        guard scale > 0, scale.isFinite else { return nil }
        let flat = try Pixmap(
            width: Int((plane.width * scale).rounded(.up)) + 2, height: Int((plane.height * scale).rounded(.up)) + 2)
        let drawing = try SceneDrawing(on: flat.surface, hasPixels: true, within: outer)
        let map = AffineTransform.translation(Point(-plane.x, -plane.y)).then(.scale(scale)).then(
            .translation(Point(1, 1)))
        try drawing.draw(content, transform: map, size: Size(Double(flat.width), Double(flat.height)))
        cairo_surface_flush(flat.surface)
        flat.project(to: target, at: Point(Double(x), Double(y)), inverse, map: map)
        self.init(group, target, transform: transform, x: x, y: y, resolution: resolution)
    }
}

extension Pixmap {
    /// The positions within a pixel at which another pixmap is sampled.
    static let samples = [Point(0.25, 0.25), Point(0.75, 0.25), Point(0.25, 0.75), Point(0.75, 0.75)]

    /// Draws the pixmap as a plane in 3D space.
    ///
    /// - Parameters:
    ///   - origin: the position of the target's first pixel.
    ///   - inverse: the projection of pixels to the plane.
    ///   - map: the transform of the plane to pixels of this pixmap.
    fileprivate func project(to target: Pixmap, at origin: Point, _ inverse: Projection, map: AffineTransform) {
        cairo_surface_flush(target.surface)
        let source = inverse.then(map)
        for row in 0..<target.height {
            for column in 0..<target.width {
                let corner = origin + Point(Double(column), Double(row))
                var sum = SIMD4<Double>.zero
                for sample in Self.samples {
                    // The inverse's divisor is the reciprocal of the projection's: both are
                    // positive in front of the camera.
                    let point = corner + sample
                    let divisor = source.divisor(point)
                    guard divisor > 0 else { continue }
                    sum += color(at: source.numerator.apply(point) * (1 / divisor))
                }
                let pixel = target.data + row * target.stride + 4 * column
                for channel in 0..<4 { pixel[channel] = UInt8((sum[channel] / 4).rounded()) }
            }
        }
        cairo_surface_mark_dirty(target.surface)
    }

    /// Returns the colour between the four pixels around a position; transparent outside.
    func color(at position: Point) -> SIMD4<Double> {
        let (x, y) = (position.x - 0.5, position.y - 0.5)
        guard x > -1, y > -1, x < Double(width), y < Double(height) else { return .zero }
        let left = Int(x.rounded(.down))
        let top = Int(y.rounded(.down))
        let partX = x - Double(left)
        let partY = y - Double(top)
        func pixel(_ column: Int, _ row: Int) -> SIMD4<Double> {
            guard column >= 0, row >= 0, column < width, row < height else { return .zero }
            let bytes = data + row * stride + 4 * column
            return SIMD4(Double(bytes[0]), Double(bytes[1]), Double(bytes[2]), Double(bytes[3]))
        }
        let above = pixel(left, top) * (1 - partX) + pixel(left + 1, top) * partX
        let below = pixel(left, top + 1) * (1 - partX) + pixel(left + 1, top + 1) * partX
        return above * (1 - partY) + below * partY
    }
}
