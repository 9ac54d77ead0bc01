import Platform
import Loaders
import Motion
import Raster
import Scene
import TestSupport
import Testing

/// How Douyin's record and notes look.
@Suite struct AlbumPictureTests {
    private func picture(at time: Rational, pixelsPerPoint scale: Int) throws -> PixelGrid {
        let loader = try LoaderCatalog.builtIn.definition("douyin").make()
        return try PixelGrid(of: loader.scene(at: time), width: 160 * scale, height: 180 * scale)
    }

    /// Around the record, between two grooves, the light has no edges; and there is some.
    @Test(arguments: [Rational(0), Rational(1, 7), Rational(11, 5)], [4, 12])
    func theSheenHasNoEdges(time: Rational, scale: Int) throws {
        let grid = try picture(at: time, pixelsPerPoint: scale)
        let shades = (0..<720).map { step -> Int in
            let angle = Double(step) * .pi / 360
            let point = Point(125, 145).moved(by: 20, towards: angle)
            return grid[Int((point.x * Double(scale)).rounded(.down)), Int((point.y * Double(scale)).rounded(.down))]
                .green
        }
        let steps = zip(shades, shades.dropFirst() + shades.prefix(1)).map { abs($0 - $1) }
        #expect((steps.max() ?? 0) <= 7, "\(steps.max() ?? 0)")
        #expect((shades.max() ?? 0) - (shades.min() ?? 0) > 30)
        // Two lobes, opposite to each other.
        let half = zip(shades.prefix(360), shades.suffix(360)).map { abs($0 - $1) }
        #expect((half.max() ?? 0) <= 7)
    }

    /// Notes are round everywhere: rolling a small disc inside of them reaches nearly all that they cover.
    @Test(arguments: [0, 1]) func notesHaveNoSpurs(index: Int) throws {
        let loader = try LoaderCatalog.builtIn.definition("douyin").make()
        let notes = loader.scene(at: 0).nodes.dropFirst().compactMap { node -> Group? in
            if case .group(let group) = node { group } else { nil }
        }
        let note = try #require(notes.dropFirst(index).first)
        let scale = 20.0
        let group = Group(
            transform: AffineTransform.scale(scale).then(.translation(Point(120, 120))), nodes: note.nodes)
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
