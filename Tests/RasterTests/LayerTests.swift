import Core
import Raster
import TestSupport
import Testing

@Suite struct LayerTests {
    private let disc = Path.circle(center: Point(50, 50), radius: 30)

    @Test func opacityIsAppliedToTheWhole() throws {
        let shape = Shape(disc, fill: .black, stroke: Stroke(.black, width: 8))
        let pixels = try rendered([.group(Group(opacity: 0.8, nodes: [.shape(shape)]))])
        let middle = pixels[50, 50]
        #expect(middle.distance(to: PixelGrid.Pixel(51, 51, 51)) <= 1)
        for index in 0..<100 * 100 {
            let (x, y) = (index % 100, index / 100)
            let distance = Point(Double(x) + 0.5, Double(y) + 0.5).distance(to: Point(50, 50))
            if distance < 33, pixels[x, y] != middle { Issue.record("a ring where fill and stroke meet: \(x), \(y)") }
            if distance > 35, pixels[x, y] != PixelGrid.Pixel(255, 255, 255) { Issue.record("paint at \(x), \(y)") }
        }
        let area = Double.pi * 34 * 34
        #expect(abs(pixels.area - 0.8 * area) < 0.005 * area)
    }

    @Test func overlappingNodesDoNotShowThrough() throws {
        let bars = [Rect(x: 10, y: 40, width: 80, height: 20), Rect(x: 40, y: 10, width: 20, height: 80)]
        let nodes = bars.map { Node.shape(Shape(.rectangle($0), fill: Color(0, 0, 255))) }
        let pixels = try rendered([.group(Group(opacity: 0.5, nodes: nodes))])
        #expect(pixels[50, 50] == pixels[20, 50] && pixels[50, 50] == pixels[50, 20])
        #expect(pixels[50, 50].distance(to: PixelGrid.Pixel(127, 127, 255)) <= 1)
    }

    @Test func nestedOpacitiesMultiply() throws {
        let inner = Group(opacity: 0.5, nodes: [.shape(Shape(disc, fill: .black))])
        let pixels = try rendered([.group(Group(opacity: 0.5, nodes: [.group(inner)]))])
        #expect(pixels[50, 50].distance(to: PixelGrid.Pixel(191, 191, 191)) <= 1)
        let clear = try disc(opacity: 0)
        #expect(clear.area == 0)
        #expect(try disc(opacity: 1)[50, 50] == PixelGrid.Pixel(0, 0, 0))
    }

    private func disc(opacity: Double) throws -> PixelGrid {
        try rendered([.group(Group(opacity: opacity, nodes: [.shape(Shape(disc, fill: .black))]))])
    }

    @Test func layersAreNotClippedByTheirBounds() throws {
        // An opacity just below 1 draws through a layer, which must give the same pixels.
        var generator = SeededGenerator(seed: 210)
        for _ in 0..<20 {
            let transform = AffineTransform.rotation(generator.double(0...7))
                .then(.scale(generator.double(0.3...1.2)))
                .then(.translation(Point(generator.double(20...80), generator.double(20...80))))
            let corners = (0..<4).map { _ in Point(generator.double(-30...30), generator.double(-30...30)) }
            let shape = Shape(.polygon(corners), fill: .black, stroke: Stroke(.black, width: 5, cap: .square))
            let direct = try rendered([.group(Group(transform: transform, nodes: [.shape(shape)]))])
            let layered = try rendered(
                [.group(Group(transform: transform, opacity: 0.999_999, nodes: [.shape(shape)]))])
            let worst = zip(direct.pixels, layered.pixels).map { abs(Int($0) - Int($1)) }.max()
            #expect(try #require(worst) <= 2)
        }
    }

    @Test func clipsUseTheGroupsCoordinates() throws {
        let everything = Node.shape(Shape(.rectangle(Rect(x: -99, y: -99, width: 198, height: 198)), fill: .black))
        let clip = Path.circle(center: .zero, radius: 10)
        let transform = AffineTransform.scale(2).then(.translation(Point(50, 50)))
        let cut = try rendered([.group(Group(transform: transform, clip: clip, nodes: [everything]))])
        let area = Double.pi * 400
        #expect(abs(cut.area - area) < 0.005 * area)
        let faded = try rendered(
            [.group(Group(transform: transform, opacity: 0.5, clip: clip, nodes: [everything]))])
        #expect(abs(faded.area - area / 2) < 0.005 * area)
        let after = Node.shape(Shape(.rectangle(Rect(x: 0, y: 0, width: 10, height: 10)), fill: .black))
        let both = try rendered([
            .group(Group(transform: transform, clip: clip, nodes: [everything])), after,
        ])
        #expect(both.coverage(5, 5) == 1, "the clip ends with its group")
    }
}

@Suite struct ImageTests {
    private func bitmap(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) throws -> Bitmap {
        let pixels = (0..<width * height).flatMap { pixel($0 % width, $0 / width) }
        return try #require(Bitmap(width: width, height: height, pixels: pixels))
    }

    @Test func uniformImagesFillTheirFrame() throws {
        let frame = Rect(x: 20, y: 30, width: 40, height: 40)
        for side in [1, 2, 7, 40, 111] {
            let flat = try bitmap(side, side) { _, _ in [30, 60, 90, 255] }
            let pixels = try rendered([.image(Image(flat, frame: frame))])
            let worst = (0..<100 * 100).map { index in
                let (x, y) = (index % 100, index / 100)
                let inside = (20..<60).contains(x) && (30..<70).contains(y)
                return pixels[x, y].distance(
                    to: inside ? PixelGrid.Pixel(90, 60, 30) : PixelGrid.Pixel(255, 255, 255))
            }.max()
            #expect(try #require(worst) <= 1, "side \(side)")
        }
    }

    @Test func imagesAreCroppedNotDistorted() throws {
        let red: [UInt8] = [0, 0, 255, 255]
        let green: [UInt8] = [0, 255, 0, 255]
        let blue: [UInt8] = [255, 0, 0, 255]
        let frame = Rect(x: 10, y: 10, width: 80, height: 80)
        // Only the middle third is in the frame.
        let wide = try bitmap(90, 30) { x, _ in x < 30 ? red : x < 60 ? green : blue }
        let tall = try bitmap(30, 90) { _, y in y < 30 ? red : y < 60 ? green : blue }
        for pixels in [
            try rendered([.image(Image(wide, frame: frame))]), try rendered([.image(Image(tall, frame: frame))]),
        ] {
            for (x, y) in [(14, 50), (50, 14), (50, 50), (85, 50), (50, 85)] {
                #expect(pixels[x, y].distance(to: PixelGrid.Pixel(0, 255, 0)) <= 1)
            }
            #expect(
                pixels[8, 50] == PixelGrid.Pixel(255, 255, 255) && pixels[50, 91] == PixelGrid.Pixel(255, 255, 255))
        }
    }

    @Test func imagesAreUprightAndNotMirrored() throws {
        let quarters = try bitmap(20, 20) { x, y in
            [x < 10 ? 255 : 0, y < 10 ? 255 : 0, 0, 255]
        }
        let pixels = try rendered([.image(Image(quarters, frame: Rect(x: 0, y: 0, width: 100, height: 100)))])
        #expect(pixels[20, 20].distance(to: PixelGrid.Pixel(0, 255, 255)) <= 1)
        #expect(pixels[80, 20].distance(to: PixelGrid.Pixel(0, 255, 0)) <= 1)
        #expect(pixels[20, 80].distance(to: PixelGrid.Pixel(0, 0, 255)) <= 1)
        #expect(pixels[80, 80].distance(to: PixelGrid.Pixel(0, 0, 0)) <= 1)
    }

    @Test func translucentImagesShowTheBackdrop() throws {
        let half = try bitmap(4, 4) { _, _ in [0, 0, 128, 128] }
        let pixels = try rendered([.image(Image(half, frame: Rect(x: 0, y: 0, width: 100, height: 100)))])
        #expect(pixels[50, 50].distance(to: PixelGrid.Pixel(255, 127, 127)) <= 1)
    }
}
