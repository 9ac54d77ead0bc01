import Platform
import Scene
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
            let picture = try PixelGrid(of: scene, width: 16, height: 16)
            let wrong = (0..<256).filter { index in
                let inside = (4..<12).contains(index % 16) && (4..<12).contains(index / 16)
                return picture[index % 16, index / 16] != (inside ? PixelGrid.Pixel(r, g, b) : PixelGrid.Pixel(b, r, g))
            }
            #expect(wrong.isEmpty, "rgb \(r), \(g), \(b)")
        }
    }

    @Test func translucentColoursMixWithWhatIsBelow() throws {
        let square = Path.rectangle(Rect(x: 0, y: 0, width: 100, height: 100))
        let picture = try rendered(Shape(square, fill: Color(255, 0, 0, alpha: 0.5)))
        #expect(picture[50, 50].distance(to: PixelGrid.Pixel(255, 127, 127)) <= 1)
    }

    @Test func areaAndCentreOfDiscsAreRight() throws {
        var generator = SeededGenerator(seed: 201)
        for _ in 0..<40 {
            let radius = generator.double(4...40)
            let center = Point(50 + generator.double(-8...8), 50 + generator.double(-8...8))
            let picture = try rendered(Shape(.circle(center: center, radius: radius), fill: .black))
            let area = Double.pi * radius * radius
            #expect(abs(picture.area - area) < 0.002 * area, "radius \(radius)")
            #expect(picture.centroid.distance(to: center) < 0.02, "radius \(radius) at \(center)")
        }
    }

    @Test func polygonsCoverTheirArea() throws {
        var generator = SeededGenerator(seed: 202)
        for _ in 0..<40 {
            let corners = (0..<3).map { _ in Point(generator.double(2...98), generator.double(2...98)) }
            let (u, v) = (corners[1] - corners[0], corners[2] - corners[0])
            let area = abs(u.x * v.y - u.y * v.x) / 2
            let picture = try rendered(Shape(.polygon(corners), fill: .black))
            #expect(abs(picture.area - area) < 0.005 * area + 1)
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
        let picture = try rendered(Shape(horizontal, stroke: Stroke(.black, width: 10, cap: cap)))
        #expect(abs(picture.area - area) < 0.003 * area)
        #expect(picture.coverage(17, 50) == (cap == .butt ? 0 : 1))
        #expect(picture.coverage(50, 44) == 0 && picture.coverage(50, 45) == 1 && picture.coverage(50, 54) == 1)
    }

    @Test(arguments: [(Stroke.Join.miter, 25.0), (.bevel, 12.5), (.round, 25 * Double.pi / 4)])
    func joinsAddTheirArea(join: Stroke.Join, corner: Double) throws {
        let path = line(Point(20, 80), Point(20, 20), Point(80, 20))
        let picture = try rendered(Shape(path, stroke: Stroke(.black, width: 10, join: join)))
        // Two bars that share the quarter square inside the corner, and the join outside of it.
        #expect(abs(picture.area - (600 + 600 - 25 + corner)) < 3)
        #expect((picture.coverage(15, 15) == 1) == (join == .miter))
    }

    @Test func longMitersAreCut() throws {
        func tip(_ height: Double) throws -> Double {
            let path = line(Point(20, 50 - height), Point(60, 50), Point(20, 50 + height))
            let stroke = Stroke(.black, width: 4, join: .miter)
            let inked = try #require(
                try rendered(Shape(path, stroke: stroke)).inked(unlike: PixelGrid.Pixel(255, 255, 255)))
            return inked.maxX
        }
        // Half angle s: the miter sticks out 2 / sin s points unless 1 / sin s is above ten.
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
        let picture = try rendered(shape)
        #expect(picture[50, 50] == PixelGrid.Pixel(255, 0, 0) && picture[25, 50] == PixelGrid.Pixel(255, 0, 0))
        #expect(picture[24, 50] == PixelGrid.Pixel(0, 0, 255), "the stroke covers the fill")
        #expect(picture[15, 50] == PixelGrid.Pixel(0, 0, 255) && picture[14, 50] == PixelGrid.Pixel(255, 255, 255))
    }

    @Test func trimmedStrokesShowTheirPart() throws {
        let circle = Path.circle(center: Point(50, 50), radius: 30)
        let whole = 2 * Double.pi * 30 * 6
        for (start, end) in [(0.0, 0.25), (0.02, 0.5), (0.3, 0.98), (0.0, 1.0)] {
            let picture = try rendered(Shape(circle, stroke: Stroke(.black, width: 6, start: start, end: end)))
            #expect(abs(picture.area - (end - start) * whole) < 0.005 * whole)
        }
        // From 12 o'clock clockwise: the first quarter is the upper right.
        let quarter = try rendered(Shape(circle, stroke: Stroke(.black, width: 6, start: 0, end: 0.25)))
        #expect(quarter.centroid.x > 60 && quarter.centroid.y < 40)
    }

    @Test(arguments: [(0.5, 0.5), (0.98, 0.02), (1, 1), (0, 0)])
    func strokesThatEndWhereTheyBeginPaintNothing(start: Double, end: Double) throws {
        for cap in [Stroke.Cap.butt, .round, .square] {
            let stroke = Stroke(.black, width: 9, cap: cap, start: start, end: end)
            #expect(try rendered(Shape(.circle(center: Point(50, 50), radius: 30), stroke: stroke)).area == 0)
        }
    }
}

@Suite struct TransformTests {
    @Test func groupsTurnShiftAndScale() throws {
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

    @Test func stagesAreFittedAndCentred() throws {
        let disc = Node.shape(Shape(.circle(center: Point(30, 20), radius: 10), fill: .black))
        let scene = Scene(size: Size(60, 40), background: .white, nodes: [disc])
        for (width, height, scale) in [(120, 80, 2.0), (120, 120, 2), (300, 80, 2), (61, 50, 61.0 / 60)] {
            let picture = try PixelGrid(of: scene, width: width, height: height)
            let area = Double.pi * 100 * scale * scale
            #expect(abs(picture.area - area) < 0.005 * area)
            let center = Point(Double(width) / 2, Double(height) / 2)
            #expect(picture.centroid.distance(to: center) < 0.02)
        }
    }

    @Test func letterboxBarsShowTheBackgroundOnly() throws {
        let everything = Node.shape(
            Shape(.rectangle(Rect(x: -500, y: -500, width: 1000, height: 1000)), fill: .black))
        let background = Color(10, 20, 30)
        let scene = Scene(size: Size(60, 40), background: background, nodes: [everything])
        for (width, height) in [(200, 80), (120, 200), (97, 31), (33, 101), (120, 80)] {
            let picture = try PixelGrid(of: scene, width: width, height: height)
            let view = Viewport(stage: scene.size, width: width, height: height)
            let (left, right) = (view.origin.x, view.origin.x + 60 * view.scale)
            let (top, bottom) = (view.origin.y, view.origin.y + 40 * view.scale)
            #expect(view.isLetterboxed == (width * 40 != height * 60))
            for index in 0..<width * height {
                let (x, y) = (index % width, index / width)
                let (px, py) = (Double(x), Double(y))
                if px + 1 <= left || px >= right || py + 1 <= top || py >= bottom {
                    if picture[x, y] != PixelGrid.Pixel(10, 20, 30) { Issue.record("the bar has paint at \(x), \(y)") }
                } else if px >= left, px + 1 <= right, py >= top, py + 1 <= bottom {
                    if picture[x, y] != PixelGrid.Pixel(0, 0, 0) { Issue.record("the stage has none at \(x), \(y)") }
                }
            }
        }
    }
}

@Suite struct ArcTests {
    /// Corners lie on or just outside the arc, edges just inside, and together they hold the arc's area.
    @Test func cornersStayWithinTheTolerance() {
        var generator = SeededGenerator(seed: 205)
        for _ in 0..<300 {
            let (radius, tolerance) = (generator.double(0.05...900), generator.double(0.005...0.2))
            let (start, sweep) = (generator.double(-9...9), generator.double(-6.2...6.2))
            let center = Point(generator.double(-50...50), generator.double(-50...50))
            let corners = ArcOutline.corners(
                center: center, radius: radius, from: start, to: start + sweep, tolerance: tolerance)
            #expect(corners.first?.distance(to: center.moved(by: radius, towards: start)) == 0)
            #expect(corners.last?.distance(to: center.moved(by: radius, towards: start + sweep)) == 0)
            for (corner, next) in zip(corners, corners.dropFirst()) {
                let middle = (corner + next) * 0.5
                #expect(abs(corner.distance(to: center) - radius) < 1.2 * tolerance)
                #expect(abs(middle.distance(to: center) - radius) < 1.2 * tolerance)
            }
        }
    }

    @Test func circlesKeepTheirArea() {
        for (radius, start) in [(0.5, 0.0), (3, -Double.pi / 2), (40, 1), (500, -7)] {
            for end in [start + 2 * .pi, start - 2 * .pi] {
                let corners = ArcOutline.corners(center: .zero, radius: radius, from: start, to: end, tolerance: 0.02)
                let doubled = zip(corners, corners.dropFirst())
                    .reduce(0) { $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y) }
                let area = (end > start ? 1 : -1) * Double.pi * radius * radius
                #expect(abs(doubled / 2 / area - 1) < 0.003 / radius, "radius \(radius) from \(start)")
            }
        }
    }

    @Test func oddArcsAreDrawnAsSensibleOnes() throws {
        func corners(_ radius: Double, _ start: Double, _ end: Double) -> [Point] {
            ArcOutline.corners(center: .zero, radius: radius, from: start, to: end, tolerance: 0.02)
        }
        #expect(corners(9, 1, 1).allSatisfy { $0.distance(to: Point.zero.moved(by: 9, towards: 1)) < 1e-9 })
        #expect(corners(0, 0, 3).allSatisfy { $0 == .zero } && corners(-5, 0, 3).allSatisfy { $0 == .zero })
        #expect(corners(1e300, 0, 2 * .pi).count < 100_000)
        // Whole turns beyond the first cover nothing that is not covered.
        #expect(corners(9, 0, 1e9).count < 200)
        #expect(corners(9, 0, 6 * .pi).count == corners(9, 0, 2 * .pi).count)
        #expect(corners(9, 1, 4 * .pi + 2).count < corners(9, 1, 2 * .pi + 0.9).count + 30)
    }

    /// A circle that a line leads to and from.
    @Test func circlesInLongerSubpathsAreWhole() throws {
        var path = Path()
        path.move(to: Point(10, 50))
        path.addLine(to: Point(30, 50))
        path.addArc(center: Point(50, 50), radius: 20, startAngle: -.pi, endAngle: .pi)
        path.addLine(to: Point(10, 50))
        let area = 400 * Double.pi
        #expect(abs(try rendered(Shape(path, fill: .black)).area - area) < 0.003 * area)
    }

    @Test(arguments: [(6.0, Stroke.Cap.round), (6, .butt), (6, .square), (44, .round), (30, .butt)])
    func strokesOfCirclesAreRings(width: Double, cap: Stroke.Cap) throws {
        let radius = 20.0
        for isOpen in [false, true] {
            var path = Path.circle(center: Point(50, 50), radius: radius)
            if isOpen {
                path = Path()
                path.addArc(center: Point(50, 50), radius: radius, startAngle: 1, endAngle: 1 + 2 * .pi)
            }
            let outer = Double.pi * (radius + width / 2) * (radius + width / 2)
            let hole = max(0, radius - width / 2)
            let area = outer - .pi * hole * hole
            let picture = try rendered(Shape(path, stroke: Stroke(.black, width: width, cap: cap)))
            #expect(abs(picture.area - area) < 0.006 * area, "open: \(isOpen)")
        }
    }

    /// Every pixel of an arc's stroke is covered as much as its samples say by the stroke's definition.
    @Test(arguments: [Stroke.Cap.butt, .round])
    func strokesOfArcsCoverWhatTheyShould(cap: Stroke.Cap) throws {
        var generator = SeededGenerator(seed: 206)
        let (center, samples) = (Point(24, 24), 8)
        for _ in 0..<20 {
            let (radius, width) = (generator.double(7...16), generator.double(1...12))
            let (start, sweep) = (generator.double(-7...7), generator.double(0.5...4.5))
            let end = generator.double(0...1) < 0.5 ? start + sweep : start - sweep
            var arc = Path()
            arc.addArc(center: center, radius: radius, startAngle: start, endAngle: end)
            let shape = Shape(arc, stroke: Stroke(.black, width: width, cap: cap))
            let picture = try rendered([.shape(shape)], width: 48, height: 48)
            let ends = [start, end].map { center.moved(by: radius, towards: $0) }
            func isInside(_ point: Point) -> Bool {
                let angle = atan2(point.y - center.y, point.x - center.x)
                let turned = (angle - min(start, end)).truncatingRemainder(dividingBy: 2 * .pi)
                let isBeside = (turned < 0 ? turned + 2 * .pi : turned) <= sweep
                return (isBeside && abs(point.distance(to: center) - radius) <= width / 2)
                    || (cap == .round && ends.contains { $0.distance(to: point) <= width / 2 })
            }
            var (worst, area) = (0.0, 0.0)
            for pixel in 0..<48 * 48 {
                let (x, y) = (pixel % 48, pixel / 48)
                let inside = (0..<samples * samples).filter { sample in
                    let (column, row) = (Double(sample % samples) + 0.5, Double(sample / samples) + 0.5)
                    return isInside(Point(Double(x) + column / Double(samples), Double(y) + row / Double(samples)))
                }
                let expected = Double(inside.count) / Double(samples * samples)
                worst = max(worst, abs(picture.coverage(x, y) - expected))
                area += expected
            }
            #expect(worst < 0.12, "radius \(radius), width \(width), \(start)...\(end)")
            #expect(
                abs(picture.area - area) < 0.003 * area + 0.2, "radius \(radius), width \(width), \(start)...\(end)")
        }
    }

    /// Only where an arc's end moves is anything drawn otherwise: nothing trembles along the rest.
    @Test func arcsGrowAtTheirEndOnly() throws {
        func picture(_ end: Double) throws -> PixelGrid {
            var arc = Path()
            arc.addArc(center: Point(50, 50), radius: 35, startAngle: -1, endAngle: end)
            return try rendered(Shape(arc, stroke: Stroke(.black, width: 7, cap: .round)))
        }
        let (before, after) = (try picture(2.1), try picture(2.17))
        let end = Point(50, 50).moved(by: 35, towards: 2.13)
        let changed = (0..<10_000).filter { before[$0 % 100, $0 / 100] != after[$0 % 100, $0 / 100] }
        #expect(!changed.isEmpty)
        for pixel in changed {
            let (x, y) = (pixel % 100, pixel / 100)
            let isNear = Point(Double(x), Double(y)).distance(to: end) < 9
            // In rows in which an edge ends Cairo counts samples, and computes the coverage in others.
            #expect(isNear || (abs(Double(y) - end.y) < 9 && before[x, y].distance(to: after[x, y]) < 20), "\(x), \(y)")
        }
    }
}
