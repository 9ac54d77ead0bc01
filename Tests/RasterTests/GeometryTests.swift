import Core
import TestSupport
import Testing

@testable import Raster

@Suite struct FillTests {
    @Test func flatColoursAreExact() throws {
        var generator = SeededGenerator(seed: 200)
        for _ in 0..<60 {
            let (r, g, b) = (generator.int(0...255), generator.int(0...255), generator.int(0...255))
            let scene = Scene(
                size: Size(8, 8), background: Color(b, r, g),
                nodes: [.shape(Shape(.rectangle(Rect(x: 2, y: 2, width: 4, height: 4)), fill: Color(r, g, b)))])
            let pixels = try PixelGrid(of: scene, width: 16, height: 16)
            let wrong = (0..<256).filter { index in
                let inside = (4..<12).contains(index % 16) && (4..<12).contains(index / 16)
                return pixels[index % 16, index / 16] != (inside ? PixelGrid.Pixel(r, g, b) : PixelGrid.Pixel(b, r, g))
            }
            #expect(wrong.isEmpty, "rgb \(r), \(g), \(b)")
        }
    }

    @Test func translucentColoursBlendWithTheBackdrop() throws {
        let square = Path.rectangle(Rect(x: 0, y: 0, width: 100, height: 100))
        let pixels = try rendered(Shape(square, fill: Color(255, 0, 0, alpha: 0.5)))
        #expect(pixels[50, 50].distance(to: PixelGrid.Pixel(255, 127, 127)) <= 1)
    }

    /// After a close, a segment continues from the start of the subpath.
    @Test func curvesContinueAfterAClose() throws {
        func path(movesTo start: Point?) -> Path {
            var path = Path.polygon([Point(10, 10), Point(90, 10), Point(90, 40)])
            if let start { path.move(to: start) }
            path.addQuadCurve(to: Point(10, 90), control: Point(90, 70))
            return path
        }
        let found = try rendered(Shape(path(movesTo: nil), fill: .black))
        let wanted = try rendered(Shape(path(movesTo: Point(10, 10)), fill: .black))
        #expect(zip(found.pixels, wanted.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 4 })
    }

    @Test func areaAndCentreOfDiscsAreRight() throws {
        var generator = SeededGenerator(seed: 201)
        for _ in 0..<40 {
            let radius = generator.double(4...40)
            let center = Point(50 + generator.double(-8...8), 50 + generator.double(-8...8))
            let pixels = try rendered(Shape(.circle(center: center, radius: radius), fill: .black))
            let area = Double.pi * radius * radius
            #expect(abs(pixels.area - area) < 0.002 * area, "radius \(radius)")
            #expect(pixels.centroid.distance(to: center) < 0.02, "radius \(radius) at \(center)")
        }
    }

    @Test func polygonsCoverTheirArea() throws {
        var generator = SeededGenerator(seed: 202)
        for _ in 0..<40 {
            let corners = (0..<3).map { _ in Point(generator.double(2...98), generator.double(2...98)) }
            let (u, v) = (corners[1] - corners[0], corners[2] - corners[0])
            let area = abs(u.x * v.y - u.y * v.x) / 2
            let pixels = try rendered(Shape(.polygon(corners), fill: .black))
            #expect(abs(pixels.area - area) < 0.005 * area + 1)
        }
    }

    @Test func quadraticCurvesAreTrueParabolas() throws {
        var path = Path()
        path.move(to: Point(10, 90))
        path.addQuadCurve(to: Point(90, 90), control: Point(50, 10))
        path.close()
        // The area between a parabola and its chord is two thirds of the control triangle's.
        let area = 2.0 / 3 * (80 * 80 / 2)
        #expect(abs(try rendered(Shape(path, fill: .black)).area - area) < 0.005 * area)
    }

    @Test func windingIsNonzero() throws {
        var path = Path.circle(center: Point(50, 50), radius: 30)
        path.move(to: Point(65, 50))
        path.addArc(center: Point(50, 50), radius: 15, startAngle: 0, endAngle: 2 * .pi)
        #expect(try rendered(Shape(path, fill: .black)).coverage(50, 50) == 1, "both clockwise: no hole")
        var ring = Path.circle(center: Point(50, 50), radius: 30)
        ring.move(to: Point(65, 50))
        ring.addArc(center: Point(50, 50), radius: 15, startAngle: 0, endAngle: -2 * .pi)
        #expect(try rendered(Shape(ring, fill: .black)).coverage(50, 50) == 0, "one anticlockwise: a hole")
    }
}

@Suite struct StrokeTests {
    private let horizontal = line(Point(20, 50), Point(80, 50))

    @Test(arguments: [
        (Stroke.Cap.butt, 600.0), (.square, 700), (.round, 600 + 25 * Double.pi),
    ])
    func capsAddTheirArea(cap: Stroke.Cap, area: Double) throws {
        let pixels = try rendered(Shape(horizontal, stroke: Stroke(.black, width: 10, cap: cap)))
        #expect(abs(pixels.area - area) < 0.003 * area)
        #expect(pixels.coverage(17, 50) == (cap == .butt ? 0 : 1))
        #expect(pixels.coverage(50, 44) == 0 && pixels.coverage(50, 45) == 1 && pixels.coverage(50, 54) == 1)
    }

    @Test(arguments: [(Stroke.Join.miter, 25.0), (.bevel, 12.5), (.round, 25 * Double.pi / 4)])
    func joinsAddTheirArea(join: Stroke.Join, corner: Double) throws {
        let path = line(Point(20, 80), Point(20, 20), Point(80, 20))
        let pixels = try rendered(Shape(path, stroke: Stroke(.black, width: 10, join: join)))
        // Two bars that share the quarter square inside the corner, and the join outside it.
        #expect(abs(pixels.area - (600 + 600 - 25 + corner)) < 3)
        #expect((pixels.coverage(15, 15) == 1) == (join == .miter))
    }

    @Test func longMitersBecomeBevels() throws {
        func tip(_ height: Double) throws -> Double {
            let path = line(Point(20, 50 - height), Point(60, 50), Point(20, 50 + height))
            let stroke = Stroke(.black, width: 4, join: .miter)
            let inked = try #require(
                try rendered(Shape(path, stroke: stroke)).inked(unlike: PixelGrid.Pixel(255, 255, 255)))
            return inked.maxX
        }
        // With a half angle s the miter extends 2 / sin s points, unless 1 / sin s is above ten.
        #expect(abs(try tip(8) - (60 + 2 / (8 / hypot(40, 8)))) < 1.5)
        #expect(try tip(3) < 63)
    }

    @Test func ringsHaveTheirArea() throws {
        for width in [1.0, 2, 7, 12] {
            let shape = Shape(.circle(center: Point(50, 50), radius: 35), stroke: Stroke(.black, width: width))
            let area = 2 * .pi * 35 * width
            #expect(abs(try rendered(shape).area - area) < 0.005 * area, "width \(width)")
        }
    }

    @Test func strokesAreCentredOnTheFillsEdge() throws {
        let path = Path.rectangle(Rect(x: 20, y: 20, width: 60, height: 60))
        let shape = Shape(path, fill: Color(255, 0, 0), stroke: Stroke(Color(0, 0, 255), width: 10))
        let pixels = try rendered(shape)
        #expect(pixels[50, 50] == PixelGrid.Pixel(255, 0, 0) && pixels[25, 50] == PixelGrid.Pixel(255, 0, 0))
        #expect(pixels[24, 50] == PixelGrid.Pixel(0, 0, 255), "the stroke covers the fill")
        #expect(pixels[15, 50] == PixelGrid.Pixel(0, 0, 255) && pixels[14, 50] == PixelGrid.Pixel(255, 255, 255))
    }

    @Test func trimmedStrokesShowTheirPart() throws {
        let circle = Path.circle(center: Point(50, 50), radius: 30)
        let whole = 2 * Double.pi * 30 * 6
        for (start, end) in [(0.0, 0.25), (0.02, 0.5), (0.3, 0.98), (0.0, 1.0)] {
            let pixels = try rendered(Shape(circle, stroke: Stroke(.black, width: 6, start: start, end: end)))
            #expect(abs(pixels.area - (end - start) * whole) < 0.005 * whole)
        }
        // From 12 o'clock clockwise: the first quarter is the upper right.
        let quarter = try rendered(Shape(circle, stroke: Stroke(.black, width: 6, start: 0, end: 0.25)))
        #expect(quarter.centroid.x > 60 && quarter.centroid.y < 40)
    }

    @Test(arguments: [(0.5, 0.5), (0.98, 0.02), (1, 1), (0, 0)])
    func emptyStrokesPaintNothing(start: Double, end: Double) throws {
        for cap in [Stroke.Cap.butt, .round, .square] {
            let stroke = Stroke(.black, width: 9, cap: cap, start: start, end: end)
            #expect(try rendered(Shape(.circle(center: Point(50, 50), radius: 30), stroke: stroke)).area == 0)
        }
    }
}

@Suite struct TransformTests {
    @Test func groupsAreTransformed() throws {
        let square = Node.shape(Shape(.rectangle(Rect(x: 0, y: -2, width: 10, height: 4)), fill: .black))
        let transform = AffineTransform.scale(2).then(.rotation(.pi / 2)).then(.translation(Point(50, 40)))
        let turned = try rendered([.group(Group(transform: transform, nodes: [square]))])
        #expect(abs(turned.area - 160) < 0.5)
        #expect(turned.centroid.distance(to: Point(50, 50)) < 0.02, "clockwise: to the right becomes down")
        let inner = Node.group(Group(transform: .translation(Point(5, 0)), nodes: [square]))
        let nested = try rendered([.group(Group(transform: transform, nodes: [inner]))])
        #expect(nested.centroid.distance(to: Point(50, 60)) < 0.02, "the inner shift is scaled and turned too")
    }

    @Test func strokesScaleWithTheirGroup() throws {
        let shape = Node.shape(Shape(line(Point(0, 0), Point(20, 0)), stroke: Stroke(.black, width: 4)))
        let transform = AffineTransform.scale(2.5).then(.translation(Point(20, 50)))
        #expect(abs(try rendered([.group(Group(transform: transform, nodes: [shape]))]).area - 500) < 1)
    }

    @Test func canvasesAreFittedAndCentred() throws {
        let disc = Node.shape(Shape(.circle(center: Point(30, 20), radius: 10), fill: .black))
        let scene = Scene(size: Size(60, 40), background: .white, nodes: [disc])
        for (width, height, scale) in [(120, 80, 2.0), (120, 120, 2), (300, 80, 2), (61, 50, 61.0 / 60)] {
            let pixels = try PixelGrid(of: scene, width: width, height: height)
            let area = Double.pi * 100 * scale * scale
            #expect(abs(pixels.area - area) < 0.005 * area)
            let center = Point(Double(width) / 2, Double(height) / 2)
            #expect(pixels.centroid.distance(to: center) < 0.02)
        }
    }

    @Test func letterboxBarsShowOnlyTheBackground() throws {
        let everything = Node.shape(
            Shape(.rectangle(Rect(x: -500, y: -500, width: 1000, height: 1000)), fill: .black))
        let background = Color(10, 20, 30)
        let scene = Scene(size: Size(60, 40), background: background, nodes: [everything])
        for (width, height) in [(200, 80), (120, 200), (97, 31), (33, 101), (120, 80)] {
            let pixels = try PixelGrid(of: scene, width: width, height: height)
            let view = Viewport(canvas: scene.size, width: width, height: height)
            let (left, right) = (view.origin.x, view.origin.x + 60 * view.scale)
            let (top, bottom) = (view.origin.y, view.origin.y + 40 * view.scale)
            #expect(view.isLetterboxed == (width * 40 != height * 60))
            for index in 0..<width * height {
                let (x, y) = (index % width, index / width)
                let (px, py) = (Double(x), Double(y))
                if px + 1 <= left || px >= right || py + 1 <= top || py >= bottom {
                    if pixels[x, y] != PixelGrid.Pixel(10, 20, 30) { Issue.record("the bar has paint at \(x), \(y)") }
                } else if px >= left, px + 1 <= right, py >= top, py + 1 <= bottom {
                    if pixels[x, y] != PixelGrid.Pixel(0, 0, 0) { Issue.record("no paint at \(x), \(y)") }
                }
            }
        }
    }
}
