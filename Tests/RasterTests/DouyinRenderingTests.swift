import Animations
import Core
import Raster
import TestSupport
import Testing

/// The drawing of Douyin's record and notes.
@Suite struct DouyinRenderingTests {
    private func pixels(at time: Rational, pixelsPerPoint scale: Int) throws -> PixelGrid {
        let loader = try LoaderCatalog.builtIn.definition("douyin").make()
        return try PixelGrid(of: loader.scene(at: time), width: 160 * scale, height: 180 * scale)
    }

    /// Around the record, between two grooves, the sheen has no sudden steps, but varies visibly.
    @Test(arguments: [Rational(0), Rational(1, 7), Rational(11, 5)], [4, 12])
    func sheenIsContinuous(time: Rational, scale: Int) throws {
        let grid = try pixels(at: time, pixelsPerPoint: scale)
        let shades = (0..<720).map { step -> Int in
            let angle = Double(step) * .pi / 360
            let point = Point(125, 145).moved(by: 20, towards: angle)
            return grid[Int((point.x * Double(scale)).rounded(.down)), Int((point.y * Double(scale)).rounded(.down))]
                .green
        }
        let steps = zip(shades, shades.dropFirst() + shades.prefix(1)).map { abs($0 - $1) }
        #expect((steps.max() ?? 0) <= 7, "\(steps.max() ?? 0)")
        #expect((shades.max() ?? 0) - (shades.min() ?? 0) > 30)
        // Two lobes at opposite angles.
        let half = zip(shades.prefix(360), shades.suffix(360)).map { abs($0 - $1) }
        #expect((half.max() ?? 0) <= 7)
    }

    /// Notes have round edges everywhere: a small disc that rolls inside them reaches nearly all
    /// their pixels.
    @Test(arguments: [0, 1]) func notesHaveRoundEdges(index: Int) throws {
        let loader = try LoaderCatalog.builtIn.definition("douyin").make()
        let groups = loader.scene(at: 0).nodes.compactMap { node -> Group? in
            if case .group(let group) = node { group } else { nil }
        }
        // The first group is the turning part of the record.
        let note = try #require(groups.dropFirst(1 + index).first)
        let scale = 20.0
        let shapes = note.nodes.compactMap { node -> Node? in
            guard case .shape(let shape) = node else { return nil }
            return .shape(Shape(shape.path, fill: .white))
        }
        let group = Group(transform: AffineTransform.scale(scale).then(.translation(Point(120, 120))), nodes: shapes)
        let scene = Scene(size: Size(240, 240), background: .black, nodes: [.group(group)])
        let grid = try PixelGrid(of: scene, width: 240, height: 240)
        let inside = (0..<240).map { y in (0..<240).map { x in grid[x, y].red > 127 } }
        let radius = 7
        let disc = (-radius...radius).flatMap { y in
            (-radius...radius).filter { $0 * $0 + y * y <= radius * radius }.map { (x: $0, y: y) }
        }
        var reached = Array(repeating: Array(repeating: false, count: 240), count: 240)
        for y in radius..<240 - radius {
            for x in radius..<240 - radius where disc.allSatisfy({ inside[y + $0.y][x + $0.x] }) {
                for offset in disc { reached[y + offset.y][x + offset.x] = true }
            }
        }
        let (all, missed) = inside.indices.reduce((0, 0)) { sum, y in
            let row = inside[y].indices.filter { inside[y][$0] }
            return (sum.0 + row.count, sum.1 + row.count { !reached[y][$0] })
        }
        #expect(all > 5000 && missed * 200 < all, "\(missed) of \(all) pixels")
    }
}
