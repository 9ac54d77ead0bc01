import Core
import Raster
import TestSupport
import Testing

/// Masks and effects of groups.
@Suite struct CompositingTests {
    private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: Color = .black) -> Node {
        .shape(Shape(.rectangle(Rect(x: x, y: y, width: width, height: height)), fill: color))
    }

    private let gray = PixelGrid.Pixel(127, 127, 127)
    private let white = PixelGrid.Pixel(255, 255, 255)
    private let black = PixelGrid.Pixel(0, 0, 0)

    private func expect(
        _ pixels: PixelGrid, _ expected: [(Int, Int, PixelGrid.Pixel)], within tolerance: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (x, y, pixel) in expected {
            #expect(
                pixels[x, y].distance(to: pixel) <= tolerance, "at \(x), \(y): \(pixels[x, y])",
                sourceLocation: sourceLocation)
        }
    }

    // MARK: Masks

    @Test func masksMultiplyAlpha() throws {
        let mask = Mask([box(20, 20, 30, 60), box(50, 20, 30, 60, Color.black.opacity(0.5))])
        let shown = try rendered([.group(Group(nodes: [box(10, 10, 80, 80)], mask: mask))])
        expect(shown, [(30, 50, black), (60, 50, gray), (15, 50, white), (85, 50, white)])
        let inverted = Mask(mask.nodes, isInverted: true)
        let hidden = try rendered([.group(Group(nodes: [box(10, 10, 80, 80)], mask: inverted))])
        expect(hidden, [(30, 50, white), (60, 50, gray), (15, 50, black), (85, 50, black), (5, 50, white)])
        #expect(abs(shown.area + hidden.area - 6400) < 8)
    }

    @Test func masksAndOpacityMultiply() throws {
        for isInverted in [false, true] {
            let mask = Mask([box(0, 0, 50, 100, Color.black.opacity(0.5))], isInverted: isInverted)
            let pixels = try rendered([.group(Group(opacity: 0.5, nodes: [box(10, 10, 80, 80)], mask: mask))])
            expect(pixels, [(30, 50, .init(191, 191, 191)), (70, 50, isInverted ? gray : white)])
        }
    }

    @Test func emptyMasksHideAllOrNothing() throws {
        let nodes = [box(10, 10, 80, 80)]
        #expect(try rendered([.group(Group(nodes: nodes, mask: Mask([])))]).area == 0)
        #expect(try rendered([.group(Group(nodes: nodes, mask: Mask([], isInverted: true)))]).area == 6400)
    }

    @Test func masksUseTheGroupsCoordinates() throws {
        let transform = AffineTransform.rotation(.pi / 2).then(.translation(Point(100, 0)))
        let group = Group(
            transform: transform, clip: .rectangle(Rect(x: 0, y: 0, width: 60, height: 100)),
            nodes: [box(0, 0, 100, 100)], mask: Mask([box(40, 0, 40, 50)]))
        // The rotation maps x 40...60 and y 0...50 to x 50...100 and y 40...60.
        let pixels = try rendered([.group(group)])
        #expect(pixels.area == 1000)
        expect(pixels, [(75, 50, black), (75, 70, white), (40, 50, white)])
    }

    @Test func masksMayHaveEffects() throws {
        let light = Mask([
            .group(
                Group(nodes: [box(0, 0, 50, 100, Color(0, 255, 0)), box(50, 0, 50, 100)], effects: [.luminanceToAlpha]))
        ])
        let pixels = try rendered([.group(Group(nodes: [box(0, 0, 100, 100)], mask: light))])
        let shade = Int((255 * (1 - 0.7152)).rounded())
        expect(pixels, [(25, 50, .init(shade, shade, shade)), (75, 50, white)])
    }

    // MARK: Effects

    private func affected(_ nodes: [Node], _ effects: [Effect], transform: AffineTransform = .identity) throws
        -> PixelGrid
    {
        try rendered([.group(Group(transform: transform, nodes: nodes, effects: effects))])
    }

    private func variance(_ pixels: PixelGrid, _ along: (Point) -> Double) -> Double {
        let middle = along(pixels.centroid)
        var sum = 0.0
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let distance = along(Point(Double(x) + 0.5, Double(y) + 0.5)) - middle
                sum += pixels.coverage(x, y) * distance * distance
            }
        }
        return sum / pixels.area
    }

    @Test(arguments: [Size(3, 3), Size(6, 6), Size(5, 0), Size(0, 2), Size(8, 3)])
    func blursAreGaussians(deviation: Size) throws {
        let pixels = try affected([box(40, 40, 20, 20)], [.blur(deviation)])
        #expect(abs(pixels.area - 400) < 8, "a blur keeps the area: \(pixels.area)")
        for (axis, wanted) in [({ (point: Point) in point.x }, deviation.width), ({ $0.y }, deviation.height)] {
            // A box of 20 pixels has a variance of 20 * 20 / 12. A Gaussian cut off at three
            // standard deviations has 0.973 of its variance.
            let found = variance(pixels, axis) - 400 / 12.0
            #expect(abs(found - 0.973 * wanted * wanted) < 0.03 * wanted * wanted + 0.5, "\(found)")
        }
        for y in 0..<50 {
            for x in 0..<50 where pixels[x, y] != pixels[99 - x, y] || pixels[x, y] != pixels[x, 99 - y] {
                Issue.record("not symmetric at \(x), \(y)")
            }
        }
    }

    @Test func blursScaleAndTurnWithTheirGroup() throws {
        let turned = AffineTransform.rotation(.pi / 2).then(.translation(Point(50, 50)))
        let pixels = try affected([box(-10, -10, 20, 20)], [.blur(Size(6, 0))], transform: turned)
        #expect(abs(variance(pixels) { $0.x } - 400 / 12.0) < 0.5)
        #expect(abs(variance(pixels) { $0.y } - 400 / 12.0 - 0.973 * 36) < 2)
        let doubled = AffineTransform.scale(2).then(.translation(Point(50, 50)))
        let large = try affected([box(-5, -5, 10, 10)], [.blur(Size(3, 3))], transform: doubled)
        #expect(abs(variance(large) { $0.x } - 400 / 12.0 - 0.973 * 36) < 2)
    }

    @Test func shadowsAreShiftedSilhouettes() throws {
        let nodes = [box(20, 20, 20, 20, Color(0, 0, 255))]
        let shadow = Effect.shadow(Color(255, 0, 0).opacity(0.5), offset: Point(30, 10), radius: 0, isShadowOnly: false)
        let pixels = try affected(nodes, [shadow])
        expect(pixels, [(30, 30, .init(0, 0, 255)), (60, 40, .init(255, 127, 127)), (60, 25, white), (45, 40, white)])
        let alone = try affected(nodes, [.shadow(.black, offset: Point(30, 10), radius: 0, isShadowOnly: true)])
        expect(alone, [(25, 25, white), (60, 40, black)])
        let soft = try affected([box(40, 40, 20, 20)], [.shadow(.black, offset: .zero, radius: 5, isShadowOnly: true)])
        #expect(soft == (try affected([box(40, 40, 20, 20)], [.blur(Size(5, 5))])))
    }

    /// Both sides of a shadow that is not under its source are soft.
    @Test func shadowsAreBlurredOnAllSides() throws {
        let disc = Node.shape(Shape(.circle(center: Point(22, 50), radius: 10), fill: .black))
        let pixels = try affected([disc], [.shadow(.black, offset: Point(40, 0), radius: 4, isShadowOnly: true)])
        for distance in 1...20 {
            #expect(abs(pixels[62 - distance, 50].green - pixels[61 + distance, 50].green) < 2, "\(distance)")
        }
    }

    /// The source is farther from the edge than the drawing is wide.
    @Test func shadowsOfFarSourcesAreDrawn() throws {
        let shadow = Effect.shadow(.black, offset: Point(250, 0), radius: 0, isShadowOnly: true)
        expect(try affected([box(-220, 40, 40, 20)], [shadow]), [(50, 50, black), (20, 50, white)])
    }

    /// The moved outline extends beyond the bounds of the nodes. If it were cut off there, the side
    /// towards which it moves would be shaded too.
    @Test func innerShadowsDoNotDependOnBounds() throws {
        let shade = Effect.innerShadow(Color(255, 0, 0), offset: Point(4, 6), choke: 2, radius: 1.5)
        let disc = Node.shape(Shape(.circle(center: Point(50, 50), radius: 20), fill: .black))
        let clear = box(10, 10, 80, 80, Color.black.opacity(0))
        let pixels = try rendered([disc, .group(Group(nodes: [disc], effects: [shade]))])
        #expect(pixels == (try rendered([disc, .group(Group(nodes: [disc, clear], effects: [shade]))])))
        expect(pixels, [(52, 66, black), (54, 67, black), (48, 33, .init(255, 0, 0))])
    }

    @Test func fillTintAndLuminanceMatchTheirFormulas() throws {
        let below = Color(40, 90, 200)
        let above = Color(255, 200, 0)
        let colored = try affected([box(0, 0, 50, 100, below)], [.fill(above, amount: 0.25)])
        let mix = zip([40.0, 90, 200], [255.0, 200, 0]).map { (low: Double, high: Double) in
            Int((low * 0.75 + high * 0.25).rounded())
        }
        expect(colored, [(25, 50, .init(mix[0], mix[1], mix[2])), (75, 50, white)])
        let light: Double = (0.2126 * 40 + 0.7152 * 90 + 0.0722 * 200) / 255
        let tinted = try affected(
            [box(0, 0, 50, 100, below)], [.tint(black: Color(100, 0, 50), white: Color(200, 255, 50), amount: 1)])
        let red = Int((100 + 100 * light).rounded())
        let green = Int((255 * light).rounded())
        expect(tinted, [(25, 50, .init(red, green, 50))])
        // Over white: black with the colour's luma as alpha.
        let dark = Int((255 * (1 - light)).rounded())
        expect(
            try affected([box(0, 0, 50, 100, below)], [.luminanceToAlpha]),
            [(25, 50, .init(dark, dark, dark)), (75, 50, white)])
        // Half the alpha gives half the luma.
        let half = Int((255 * (1 - light / 2)).rounded())
        expect(
            try affected([box(0, 0, 50, 100, below.opacity(0.5))], [.luminanceToAlpha]),
            [(25, 50, .init(half, half, half))])
    }

    @Test func effectsKeepAntialiasedEdges() throws {
        let disc = Node.shape(Shape(.circle(center: Point(50.3, 49.6), radius: 20.4), fill: .black))
        let plain = try rendered([disc])
        let filled = try affected([disc], [.fill(.black, amount: 1)])
        let worst = zip(plain.pixels, filled.pixels).map { abs(Int($0) - Int($1)) }.max()
        #expect(try #require(worst) <= 1)
    }

    @Test func effectsComeBeforeMaskAndOpacity() throws {
        let group = Group(
            opacity: 0.5, nodes: [box(40, 40, 20, 20)], mask: Mask([box(0, 0, 50, 100)]),
            effects: [.shadow(.black, offset: Point(-20, 0), radius: 0, isShadowOnly: false)])
        expect(try rendered([.group(group)]), [(45, 50, gray), (30, 50, gray), (55, 50, white)])
    }

    /// Huge offsets and deviations draw nothing visible, without an error.
    @Test func hugeEffectsAreDrawn() throws {
        for effect in [
            Effect.blur(Size(1e5, 1e5)), .shadow(.black, offset: Point(1e6, 0), radius: 0, isShadowOnly: true),
            .shadow(.black, offset: Point(0, -9000), radius: 3000, isShadowOnly: true),
        ] {
            let pixels = try affected([box(40, 40, 20, 20)], [effect])
            #expect((0..<100).allSatisfy { pixels.coverage($0, 50) < 0.15 }, "\(effect)")
        }
    }
}
