import Animations
import Core
import Render
import Testing

@Suite struct StoryboardTests {
    private static func gallery(_ count: Int, columns: Int, fraction: Rational = Rational(9, 20)) throws -> Scene {
        let loaders = try LoaderCatalog.builtIn.definitions.prefix(count).map {
            (id: $0.id, loader: try $0.make())
        }
        return Storyboard.gallery(of: loaders, columns: columns, fraction: fraction)
    }

    @Test(arguments: [(1, 1), (3, 2), (8, 4), (8, 3), (8, 8)])
    func panelsFitTheGalleryWithoutOverlaps(count: Int, columns: Int) throws {
        let scene = try Self.gallery(count, columns: columns)
        let bounds = try #require(scene.bounds)
        #expect(Rect(size: scene.size).contains(bounds))
        let panels = scene.nodes.compactMap { node -> Rect? in
            guard case .group = node else { return nil }
            return node.bounds
        }
        #expect(panels.count == count)
        for (index, panel) in panels.enumerated() {
            for other in panels[(index + 1)...] { #expect(panel.intersection(other) == nil) }
        }
    }

    @Test func captionsNameTheLoadersInOrder() throws {
        let captions = try Self.gallery(8, columns: 4).nodes.compactMap { node -> String? in
            guard case .text(let text) = node else { return nil }
            return text.string
        }
        #expect(captions == LoaderCatalog.builtIn.ids)
    }

    @Test func captionsAreBelowTheirPanels() throws {
        let nodes = try Self.gallery(8, columns: 3).nodes
        for (panel, caption) in zip(nodes, nodes.dropFirst()) {
            guard case .group = panel, case .text(let text) = caption else { continue }
            let frame = try #require(panel.bounds)
            #expect(text.frame.y >= frame.maxY)
            #expect(text.frame.x == frame.x)
            #expect(text.frame.width == frame.width)
        }
    }

    @Test func theGalleryRepeatsAfterAPeriod() throws {
        #expect(try Self.gallery(8, columns: 4, fraction: 0) == Self.gallery(8, columns: 4, fraction: 1))
        #expect(try Self.gallery(8, columns: 4, fraction: 0) != Self.gallery(8, columns: 4, fraction: Rational(1, 2)))
    }
}
