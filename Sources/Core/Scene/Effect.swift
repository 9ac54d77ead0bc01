/// A filter on a flattened group.
public enum Effect: Sendable, Hashable {
    /// A Gaussian blur with horizontal and vertical standard deviations in points. A deviation of 0
    /// leaves that direction sharp.
    case blur(Size)
    /// A mean over boxes of `2 * radius + 1` points, repeated.
    case boxBlur(radius: Size, iterations: Int)
    /// The mean of a horizontal and a vertical box blur, After Effects' CC Cross Blur.
    case crossBlur(radius: Size)
    /// A drop shadow: the alpha channel in a colour, moved by `offset` points and blurred with a
    /// standard deviation of `radius` points. If `isShadowOnly` is true, only the shadow shows.
    case shadow(Color, offset: Point, radius: Double, isShadowOnly: Bool)
    /// The shade that the outside casts on the inside: the inverted alpha channel in a colour,
    /// moved by `offset` points, grown by `choke` points, blurred with a standard deviation of
    /// `radius` points, and clipped to the alpha channel. Only the shade shows.
    case innerShadow(Color, offset: Point, choke: Double, radius: Double)
    /// Dilates the alpha channel by a radius in points, or erodes it by a negative one.
    case grow(Double)
    /// Replaces the colour by another and keeps the alpha channel; `amount` in 0...1 mixes the two.
    case fill(Color, amount: Double)
    /// Blends a paint, in the coordinates of the nodes, with the colours, and keeps the alpha
    /// channel.
    case paint(Paint, opacity: Double, BlendMode)
    /// Blends a gradient between four points with the colours, and keeps the alpha channel.
    case fourColors(FourColorGradient, opacity: Double, BlendMode)
    /// Maps black to one colour and white to another by luminance, After Effects' Tint; `amount` in
    /// 0...1 mixes the result with the original.
    case tint(black: Color, white: Color, amount: Double)
    /// Maps luminance to three colours, After Effects' Tritone.
    case tritone(shadows: Color, midtones: Color, highlights: Color, amount: Double)
    /// Replaces each channel by the value in a table.
    case curves(ChannelCurves)
    /// Changes hue, saturation and lightness.
    case hueSaturation(HueSaturation)
    /// Black with an alpha of Rec. 709 luma times alpha: the `luminanceToAlpha` of `feColorMatrix`,
    /// in sRGB.
    case luminanceToAlpha
    /// Enlarges or reduces the middle of an ellipse.
    case bulge(Bulge)
    /// Draws the nodes as a plane in 3D space. Only as the single effect of a group.
    case perspective(Projection)

    /// Returns the rectangle in points that the effect may paint, given that of its input. A
    /// Gaussian is cut off at three standard deviations.
    package func reach(of rect: Rect) -> Rect {
        switch self {
        case .blur(let deviation):
            return rect.expanded(
                by: Size(Effect.cutoffInDeviations * deviation.width, Effect.cutoffInDeviations * deviation.height))
        case .boxBlur(let radius, let iterations):
            return rect.expanded(by: Size(radius.width * Double(iterations), radius.height * Double(iterations)))
        case .crossBlur(let radius): return rect.expanded(by: radius)
        case .shadow(_, let offset, let radius, let isShadowOnly):
            var shadow = rect.expanded(by: Effect.cutoffInDeviations * radius)
            shadow.x += offset.x
            shadow.y += offset.y
            return isShadowOnly ? shadow : shadow.union(rect)
        case .grow(let radius): return radius > 0 ? rect.expanded(by: radius) : rect
        case .perspective(let projection): return projection.bounds(of: rect)
        case .bulge(let bulge):
            return bulge.sourceBounds.intersection(rect) == nil ? rect : rect.union(bulge.bounds)
        case .innerShadow, .fill, .paint, .fourColors, .tint, .tritone, .curves, .hueSaturation, .luminanceToAlpha:
            return rect
        }
    }

    /// Returns the rectangle in points whose pixels may change if those of `rect` change.
    package func influence(of rect: Rect) -> Rect {
        switch self {
        case .grow(let radius): return rect.expanded(by: abs(radius))
        // A pixel shows a point less than a radius away.
        case .bulge(let bulge): return rect.expanded(by: max(bulge.bounds.width, bulge.bounds.height) / 2)
        case .innerShadow(let color, let offset, let choke, let radius):
            let shadow = Effect.shadow(color, offset: offset, radius: radius, isShadowOnly: false)
            return shadow.reach(of: rect).expanded(by: choke)
        default: return reach(of: rect)
        }
    }

    /// The distance in points beyond the bounds of its input over which the moved outline of an
    /// inner shadow changes the shade; 0 for other effects.
    fileprivate var outlineMargin: Double {
        guard case .innerShadow(_, let offset, let choke, let radius) = self, offset != .zero else { return 0 }
        return choke + Effect.cutoffInDeviations * radius
    }

    /// The distance in points over which the effect moves pixels; 0 for effects without an offset.
    fileprivate var shift: Double {
        switch self {
        case .shadow(_, let offset, _, _), .innerShadow(_, let offset, _, _): hypot(offset.x, offset.y)
        default: 0
        }
    }

    /// The radius of a Gaussian in standard deviations. Only 0.3% of its weight lies beyond it,
    /// less than one of 256 codes.
    package static let cutoffInDeviations = 3.0
}

extension Group {
    /// The maximum area that is drawn for a shadow whose source is outside the drawing, relative to
    /// that of the drawing.
    private static let maxShadowArea = 16.0

    /// Returns the rectangle in pixels that must be drawn for the group: its nodes and what its
    /// effects paint. The rectangle extends beyond the edges of the drawing only as far as pixels
    /// there can change the drawing. Returns nil if the drawing shows none of the group.
    ///
    /// - Parameters:
    ///   - transform: the transform from points to pixels of the drawing.
    ///   - size: the size of the drawing in pixels.
    ///   - maxMargin: the maximum distance from the edges in pixels.
    package func effectBounds(
        _ transform: AffineTransform, in size: Size, maxMargin: Double = .infinity
    ) -> Rect? {
        let content = Group(clip: clip, nodes: nodes)
        let affected = Group(clip: clip, nodes: nodes, effects: effects)
        guard let source = Node.group(content).bounds, let bounds = Node.group(affected).bounds else { return nil }
        // A blur wider than the drawing looks the same everywhere.
        let reach = max(0, min(effectReach(transform), max(size.width, size.height), maxMargin))
        // The bounds of a shadow alone do not include its source.
        let area = bounds.union(source).expanded(by: effects.map(\.outlineMargin).max() ?? 0)
        // Wide enough that Cairo cuts no outline at the sides: it would compute the pixels of these
        // rows differently.
        let outlines = transform.bounds(of: content.outlines ?? area)
        let box = transform.bounds(of: area).widened(to: outlines).expanded(by: 2)
        let drawing = Rect(size: size)
        guard let near = box.intersection(drawing.expanded(by: reach)) else { return nil }
        // The source of a shadow may be farther away.
        let shift = min(effects.reduce(0) { $0 + $1.shift } * transform.scales.larger, maxMargin)
        guard shift > reach, let far = transform.bounds(of: source).intersection(drawing.expanded(by: shift)) else {
            return near
        }
        let both = near.union(far)
        // Most of it is empty if the source is far away. A shadow that needs more is left out.
        let maxArea = Self.maxShadowArea * max(size.width * size.height, near.width * near.height)
        return both.width * both.height <= maxArea ? both : near
    }

    /// Returns the maximum distance in pixels over which a pixel of the nodes changes the result.
    private func effectReach(_ transform: AffineTransform) -> Double {
        let point = Rect(x: 0, y: 0, width: 0, height: 0)
        let reached = transform.bounds(of: effects.reduce(point) { $1.influence(of: $0) })
        let origin = transform.apply(.zero)
        return max(origin.x - reached.x, origin.y - reached.y, reached.maxX - origin.x, reached.maxY - origin.y)
    }
}

extension Rect {
    /// Returns the rectangle expanded by a width at both sides and a height above and below.
    fileprivate func expanded(by margin: Size) -> Rect {
        Rect(
            x: x - margin.width, y: y - margin.height, width: width + 2 * margin.width,
            height: height + 2 * margin.height)
    }
}

/// Tables for the channels of straight (not premultiplied) 8-bit colours.
public struct ChannelCurves: Sendable, Hashable {
    /// 256 values each.
    public var red: [UInt8], green: [UInt8], blue: [UInt8], alpha: [UInt8]

    /// Curves that change nothing.
    public init() {
        let identity = (0...255).map { UInt8($0) }
        red = identity
        green = identity
        blue = identity
        alpha = identity
    }

    /// Returns the table of a function from 0...1 to 0...1.
    public static func table(_ function: (Double) -> Double) -> [UInt8] {
        (0...255).map { index in
            let value = function(Double(index) / 255)
            // The comparison is false for NaN.
            return value > 0 ? UInt8((min(value, 1) * 255).rounded()) : 0
        }
    }
}

/// A change of colours in the HSL colour space, After Effects' Hue/Saturation.
public struct HueSaturation: Sendable, Hashable {
    /// The rotation of the hue in turns; with `isColorized`, the hue of all colours.
    public var hue: Double
    /// The change of saturation in -1...1; with `isColorized`, the saturation of all colours.
    public var saturation: Double
    /// The change of lightness in -1...1.
    public var lightness: Double
    /// True if all colours get the same hue and saturation.
    public var isColorized: Bool

    public init(hue: Double, saturation: Double, lightness: Double, isColorized: Bool = false) {
        self.hue = hue
        self.saturation = saturation
        self.lightness = lightness
        self.isColorized = isColorized
    }
}

/// A gradient between four coloured points, After Effects' 4-Color Gradient.
public struct FourColorGradient: Sendable, Hashable {
    /// A position in points, and its colour.
    public struct Corner: Sendable, Hashable {
        public var position: Point
        public var color: Color

        public init(_ position: Point, _ color: Color) {
            self.position = position
            self.color = color
        }
    }

    public var corners: [Corner]
    /// The softness of the transition between colours, in 0...1.
    public var blend: Double

    public init(_ corners: [Corner], blend: Double = 1) {
        self.corners = corners
        self.blend = blend
    }

    /// The minimum blend. With it, the areas around the corners have sharp edges already, and below
    /// a hundredth, the weights of points near a corner would overflow.
    private static let minBlend = 0.1
    /// A squared distance in points that keeps the weight of a corner finite at the corner itself,
    /// far below a pixel.
    private static let minSquaredDistance = 1e-3

    /// Returns the mean of the corners' colours, weighted by inverse distance.
    package func color(at point: Point) -> Color {
        // After Effects publishes no formula. Squared distances come close to it at a blend of
        // 100%.
        let exponent = 1 / max(blend, Self.minBlend)
        var sum = Color(red: 0, green: 0, blue: 0)
        var total = 0.0
        for corner in corners {
            let offset = point - corner.position
            let weight = pow(offset.x * offset.x + offset.y * offset.y + Self.minSquaredDistance, -exponent)
            sum.red += weight * corner.color.red
            sum.green += weight * corner.color.green
            sum.blue += weight * corner.color.blue
            total += weight
        }
        guard total > 0 else { return corners.first?.color ?? .black }
        return Color(red: sum.red / total, green: sum.green / total, blue: sum.blue / total)
    }
}
