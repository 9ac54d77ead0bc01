import Core
import TestSupport
import Testing

@testable import Lottie

/// Path modifiers and repeaters.
@Suite struct ModifierTests {
    private let lines = [
        path(corners([[10, 30], [90, 30]], closed: false)), path(corners([[10, 70], [50, 70]], closed: false)),
    ]

    /// Returns the x coordinates of the covered pixels of a row.
    private func inked(_ bitmap: PixelGrid, row: Int) -> [Int] { (0..<100).filter { bitmap.ink($0, row) > 0.5 } }

    @Test func simultaneousTrimCutsEveryPath() throws {
        let bitmap = try draw(lines[0], lines[1], trim(25, 75), stroke(black, 4))
        #expect(inked(bitmap, row: 30) == Array(30..<70))
        #expect(inked(bitmap, row: 70) == Array(20..<40))
    }

    @Test func individualTrimCutsPathsInSequence() throws {
        // The total length is 120 points, of which the first line has 80.
        let bitmap = try draw(lines[0], lines[1], trim(50, 75, individually: true), stroke(black, 4))
        #expect(inked(bitmap, row: 30) == Array(70..<90))
        #expect(inked(bitmap, row: 70) == Array(10..<20))
    }

    @Test(arguments: [0.0, 90, 270, 300, -90, 810])
    func offsetsWrapAround(offset: Double) throws {
        let bitmap = try draw(lines[0], trim(0, 25, offset: .number(offset)), stroke(black, 4))
        let turns = offset / 360
        let start = (turns - turns.rounded(.down)) * 80
        let expected = (0..<80).filter { x in
            let position = Double(x) + 0.5
            return (position >= start && position < start + 20) || position < start + 20 - 80
        }
        #expect(inked(bitmap, row: 30) == expected.map { $0 + 10 })
    }

    @Test func closedPathsAreTrimmedAcrossTheirStart() throws {
        // The path runs clockwise from 12 o'clock; with the offset, the upper half remains.
        let arc = try draw(ellipse([50, 50], [60, 60]), trim(0, 50, offset: -90), stroke(black, 6))
        expect(arc, [(50, 20, .black), (21, 45, .black), (78, 45, .black), (50, 79, .white)])
        expect(arc.area, near: 6 * .pi * 30)
        #expect(try draw(ellipse([50, 50], [60, 60]), trim(40, 40), stroke(black, 6)).area == 0)
        let backwards = try draw(ellipse([50, 50], [60, 60]), trim(50, 0, offset: -90), stroke(black, 6))
        #expect(backwards == arc)
        let reversed = try draw(
            ellipse([50, 50], [60, 60], reversed: true), trim(0, 25), stroke(black, 6))
        expect(reversed, [(29, 29, .black), (71, 29, .white)])
    }

    /// A path in the other direction is still a hole after Offset Paths.
    @Test func offsetsKeepTheDirection() throws {
        let hole = ellipse([50, 50], [30, 30], reversed: true)
        let bitmap = try draw(ellipse([50, 50], [70, 70]), hole, item("op", ["a": 5], ["lj": 1]), fill(black))
        expect(bitmap, [(50, 50, .white), (50, 32, .white), (50, 28, .black), (50, 12, .black), (50, 8, .white)])
    }

    /// The outline of an open path has the same direction whichever way the path runs.
    @Test func offsetOpenPathsAreNotHoles() throws {
        let bend: [[Double]] = [[70, 50], [50, 60], [30, 50]]
        for points in [bend, bend.reversed()] {
            let bitmap = try draw(
                ellipse([50, 50], [80, 80]), path(corners(points, closed: false)), item("op", ["a": 5], ["lj": 1]),
                fill(black))
            expect(bitmap, [(50, 60, .black), (60, 55, .black), (40, 55, .black)])
        }
    }

    /// A second trim starts where the offset of the first moved the start of a path that is kept
    /// whole.
    @Test func secondTrimStartsAtTheOffsetOfTheFirst() throws {
        // The circle starts at 12 o'clock, and the offset moves the start to 3 o'clock.
        let moved = try draw(
            ellipse([50, 50], [60, 60]), trim(0, 100, offset: 90), trim(0, 25), stroke(black, 6))
        expect(moved, [(71, 71, .black), (71, 29, .white), (29, 71, .white), (29, 29, .white)])
        let once = try draw(ellipse([50, 50], [60, 60]), trim(0, 25, offset: 90), stroke(black, 6))
        #expect(moved.area == once.area)
        // Alone, the offset changes nothing.
        #expect(
            try draw(ellipse([50, 50], [60, 60]), trim(0, 100, offset: 90), stroke(black, 6))
                == draw(ellipse([50, 50], [60, 60]), stroke(black, 6)))
    }

    /// If an offset wraps an open path around, a second trim starts at the part at the path's end.
    @Test func secondTrimStartsAtTheWrappedPart() throws {
        // The first trim keeps the last 20 points of the line and its first 20.
        let bitmap = try draw(lines[0], trim(0, 50, offset: 270), trim(0, 75), stroke(black, 4))
        #expect(inked(bitmap, row: 30) == Array(10..<20) + Array(70..<90))
    }

    @Test func trimmedFillsAreCircularSegments() throws {
        // Half of the disc remains.
        let bitmap = try draw(ellipse([50, 50], [60, 60]), trim(0, 50), fill(black))
        expect(bitmap.area, near: .pi * 450)
        expect(bitmap, [(60, 50, .black), (40, 50, .white)])
    }

    @Test func repeatersTransformAndFade() throws {
        let bitmap = try draw(
            rectangle([10, 50], [10, 10]), fill(black), repeater(4, ["p": [20, 0], "so": 100, "eo": 25]))
        for copy in 0..<4 {
            let gray = Int((255 * 0.25 * Double(copy)).rounded())
            expect(bitmap, [(10 + 20 * copy, 50, Pixel(gray, gray, gray)), (20 + 20 * copy, 50, .white)])
        }
        // The hour marks of a clock, each rotated by 30 degrees about the centre.
        let clock = try draw(
            rectangle([50, 20], [4, 10]), fill(black), repeater(12, ["r": 30, "a": [50, 50], "p": [0, 0]]))
        for hour in 0..<12 {
            let mark = Point(50, 50).moved(by: 30, towards: (Double(hour) * 30 - 90) * .pi / 180)
            #expect(clock.ink(Int(mark.x), Int(mark.y)) > 0.95, "\(hour)")
        }
        expect(clock.area, near: 12 * 40)
        // Each copy is half as large as the previous one. Apart from each other, their areas are a
        // geometric series.
        let nested = try draw(
            rectangle([50, 50], [40, 40]), fill(black),
            repeater(3, ["s": [50, 50], "a": [50, 50], "p": [0, 0]]))
        expect(nested.area, near: 1600)
        let apart = try draw(
            rectangle([20, 50], [32, 32]), fill(black), repeater(3, ["s": [50, 50], "a": [20, 50], "p": [30, 0]]))
        expect(apart.area, near: 1024 + 256 + 64)
    }

    /// Repeaters compute their contents once: paths are merged once for all copies.
    @Test func copiesCostAsMuchAsTheirOriginal() throws {
        let items = [rectangle([50, 50], [9, 9]), rectangle([53, 53], [9, 9]), merge(4), fill(black)]
        let budgets = try [1.0, 50].map { copies in
            let layer = shapes(
                group(items[0], items[1], items[2], items[3]), repeater(.number(copies), ["r": 7]))
            let fixture = try LottieFixture(lottie(layer))
            let renderer = CompositionRenderer(
                composition: fixture.animation.composition, frame: 0, context: fixture.animation.frameContext())
            #expect(renderer.nodes().count > 0)
            return renderer.context.pathBudget.remaining
        }
        #expect(budgets[0] == budgets[1] && budgets[0] < LottieLimits.maxPathMicroseconds)
    }

    /// A modifier below a repeater changes each copy.
    @Test func copiesAreChangedSeparately() throws {
        let copies = repeater(3, ["p": [30, 0]])
        let bitmap = try draw(rectangle([20, 50], [20, 20]), copies, trim(0, 50), stroke(black, 2))
        let whole = try draw(rectangle([20, 50], [20, 20]), copies, stroke(black, 2))
        #expect(abs(bitmap.area - whole.area / 2) < 8, "\(bitmap.area) of \(whole.area)")
    }

    @Test func repeatersStartAtTheirOffset() throws {
        let bitmap = try draw(
            rectangle([10, 50], [10, 10]), fill(black), repeater(2, offset: 1.5, ["p": [20, 0]]))
        expect(bitmap, [(10, 50, .white), (40, 50, .black), (60, 50, .black), (80, 50, .white)])
        // Later copies are drawn above or below earlier ones.
        for isAbove in [false, true] {
            let overlapping = try draw(
                rectangle([40, 50], [30, 30]), fill(black), repeater(2, above: isAbove, ["p": [20, 0], "eo": 50]))
            expect(
                overlapping,
                [(30, 50, .black), (70, 50, Pixel(127, 127, 127)), (50, 50, .black)])
        }
    }

    /// Two squares with sides of 40 points overlap by 20 by 40.
    @Test(arguments: [(1, 2400.0), (2, 2400), (3, 800), (4, 800), (5, 1600)])
    func pathsAreMerged(mode: Int, area: Double) throws {
        let squares = [rectangle([40, 50], [40, 40]), rectangle([60, 50], [40, 40])]
        let bitmap = try draw(squares[0], squares[1], merge(.number(Double(mode))), fill(black))
        expect(bitmap.area, near: area)
        if mode == 4 { expect(bitmap, [(50, 50, .black), (30, 50, .white), (70, 50, .white)]) }
        if mode == 5 { expect(bitmap, [(50, 50, .white), (30, 50, .black), (70, 50, .black)]) }
        // A union has no lines inside.
        let outline = try draw(squares[0], squares[1], merge(.number(Double(mode))), stroke(black, 2))
        if mode == 2 { expect(outline, [(40, 50, .white), (59, 50, .white), (20, 50, .black)]) }
    }

    /// A cross of two lines encloses nothing, but its stroke is visible.
    @Test func linesAreAddedUnchanged() throws {
        let lines = [[[20.0, 20], [80, 80]], [[20, 80], [80, 20]]].map { path(corners($0, closed: false)) }
        let bitmap = try draw(lines[0], lines[1], merge(2), stroke(black, 4))
        expect(bitmap, [(25, 25, .black), (75, 25, .black), (50, 50, .black), (50, 25, .white)])
        let closed = try draw(path(corners([[20, 50], [80, 50]], closed: true)), merge(2), stroke(black, 4))
        expect(closed, [(25, 50, .black), (75, 50, .black), (50, 25, .white)])
    }

    @Test(arguments: [5.0, 12, 60]) func cornersAreRounded(radius: Double) throws {
        let bitmap = try draw(path(box(20, 30, 80, 70)), item("rd", ["r": .number(radius)]), fill(black))
        let r = min(radius, 20)
        // The arcs end at the middle of each side at most.
        let area = radius <= 20 ? 2400 - (4 - .pi) * r * r : .nan
        if area.isNaN { #expect(bitmap.area < 2400 - (4 - .pi) * 400 + 5) } else { expect(bitmap.area, near: area) }
        expect(bitmap, [(50, 31, .black), (21, 50, .black), (20, 30, .white)], within: 3)
    }

    @Test(arguments: [1, 2, 3]) func outlinesAreOffset(join: Int) throws {
        let corner = [25, 25 * Double.pi / 4, 12.5][join - 1]
        func offset(_ amount: Double) throws -> Double {
            try draw(
                rectangle([50, 50], [40, 40]),
                item("op", ["a": .number(amount), "ml": 4], ["lj": .number(Double(join))]), fill(black)
            ).area
        }
        expect(try offset(5), near: 1600 + 4 * 200 + 4 * corner)
        expect(try offset(-5), near: 900)
    }

    @Test(arguments: [50.0, -50, 20]) func squaresPuckerAndBloat(amount: Double) throws {
        let bitmap = try draw(path(box(30, 30, 70, 70)), item("pb", ["a": .number(amount)]), fill(black))
        // Vertices move towards the centre by the amount, and their control points away from it.
        // `edge` is the midpoint of the resulting cubic.
        let a = amount / 100
        let (edge, tip) = (50 - 20 * (1 + a / 2), 50 - 20 * (1 - a))
        let column = (0..<100).reduce(0) { $0 + bitmap.ink(50, $1) } / 2
        #expect(abs(column - (50 - edge)) < 0.3, "\(column)")
        let diagonal = (0..<50).first { bitmap.ink($0, $0) > 0.1 } ?? 0
        #expect(abs(Double(diagonal) - min(tip, amount > 0 ? 40 : tip)) < 4, "\(diagonal), \(tip)")
    }

    @Test func linesZigZag() throws {
        let line = path(corners([[10, 50], [90, 50]], closed: false))
        let sharp = try draw(line, item("zz", ["s": 10, "r": 3, "pt": 1]), stroke(black, 3))
        for (index, x) in [10, 30, 50, 70].enumerated() {
            // There is a ridge at each quarter, alternately on both sides. Halfway between, the zig
            // zag crosses the line.
            #expect(sharp.ink(x + 10, 50) > 0.9, "\(x)")
            let side = index % 2 == 0 ? 1 : -1
            if x > 10 { #expect(sharp.ink(x, 50 + 10 * side) + sharp.ink(x, 49 + 10 * side) > 0.9, "\(x)") }
            #expect(sharp.ink(x, 50) < 0.1, "\(x)")
        }
        let smooth = try draw(line, item("zz", ["s": 10, "r": 3, "pt": 2]), stroke(black, 3))
        // The tops of smooth ridges are horizontal.
        #expect(smooth.ink(47, 59) + smooth.ink(47, 60) > 0.5)
        #expect(sharp.ink(46, 59) + sharp.ink(46, 60) < 0.5)
    }

    @Test func twistDecreasesFromTheCentre() throws {
        let spoke = path(corners([[50, 50], [90, 50]], closed: false))
        let bitmap = try draw(spoke, item("tw", ["a": 180, "c": [50, 50]]), stroke(black, 3))
        // At a distance d from the centre, the rotation is 180 degrees times (1 - d / 40).
        for quarter in 1...3 {
            let rotation = Double.pi * (1 - Double(quarter) / 4)
            let point = Point(50, 50).moved(by: 10 * Double(quarter), towards: rotation)
            #expect(bitmap.ink(Int(point.x), Int(point.y)) > 0.8, "\(quarter): \(point)")
        }
        expect(bitmap, [(60, 50, .white), (70, 50, .white)])
    }

    @Test func modifiersOnlyChangePathsAboveThem() throws {
        let bitmap = try draw(
            group(rectangle([30, 50], [30, 30]), item("rd", ["r": 15]), fill(black)),
            group(rectangle([70, 50], [30, 30]), fill(black)))
        expect(bitmap, [(16, 36, .white), (56, 36, .black)], within: 3)
        // A trim below a style still changes the path that the style paints.
        let below = try draw(lines[0], stroke(black, 4), trim(0, 50))
        #expect(inked(below, row: 30) == Array(10..<50))
    }

    /// Each level merges a square with the result of the level inside it.
    @Test func mergesOfMergesCostWhatTheyTake() throws {
        let sails = (0..<12).reduce(group(rectangle([50, 50], [4, 90]), merge(2))) { inner, index in
            group(inner, rectangle([50, .number(Double(6 + 3 * index))], [20, 2]), merge(2))
        }
        let bitmap = try draw(sails, fill(black))
        // The rows of 20 x 2 are 3 points apart, and cross the post of 4 x 90.
        expect(bitmap.area, near: 360 + 12 * 2 * 16)
    }

    /// Only the boolean modes make polygons of curves.
    @Test func joinedPathsCostTheirVertices() throws {
        let circle = (0..<15_000).map { index -> [Double] in
            let angle = 2 * .pi * Double(index) / 15_000
            return [50 + 40 * cos(angle), 50 + 40 * sin(angle)]
        }
        let bitmap = try draw(path(corners(circle)), merge(1), fill(black))
        expect(bitmap.area, near: 1600 * .pi)
        let error = #expect(throws: LottieError.self) { try draw(path(corners(circle)), merge(2), fill(black)) }
        #expect(error?.description.contains("drawing steps") == true)
    }
}
