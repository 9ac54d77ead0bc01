import Core
import Foundation
import Raster
import TestSupport
import Testing

@Suite struct ComparisonTests {
    private func disc(x: Double, shade: Int = 0) throws -> PixelGrid {
        let shape = Shape(.circle(center: Point(x, 50), radius: 20), fill: Color(shade, shade, shade))
        return try PixelGrid(
            of: Scene(size: Size(100, 100), background: .white, nodes: [.shape(shape)]), width: 100, height: 100)
    }

    @Test func invisibleDifferencesPass() throws {
        let image = try disc(x: 50)
        #expect(Comparison(image, image).differing == 0 && Comparison(image, image).isMatch)
        #expect(try Comparison(image, disc(x: 50, shade: 8)).isMatch)
        var spot = image
        for x in 0..<10 { spot[x, 0] = PixelGrid.Pixel(0, 0, 0) }
        #expect(Comparison(image, spot).isMatch, "ten of ten thousand pixels")
        spot[10, 0] = PixelGrid.Pixel(0, 0, 0)
        #expect(Comparison(image, spot).differing == 11 && !Comparison(image, spot).isMatch)
    }

    @Test func visibleDifferencesFail() throws {
        let image = try disc(x: 50)
        #expect(try !Comparison(image, disc(x: 50, shade: 9)).isMatch)
        #expect(try !Comparison(image, disc(x: 50.5)).isMatch, "half a pixel")
        #expect(!Comparison(image, PixelGrid(width: 100, height: 99)).isMatch)
    }

    @Test func reportsShowAllThree() throws {
        let (a, b) = (try disc(x: 30), try disc(x: 70))
        let file = try GoldenFile.report(expected: a, actual: b, name: "comparison-test")
        defer { try? FileManager.default.removeItem(at: file) }
        let sheet = try #require(PixelGrid(png: [UInt8](Data(contentsOf: file))))
        #expect(sheet.width == 308 && sheet.height == 100)
        #expect(sheet[30, 50] == PixelGrid.Pixel(0, 0, 0) && sheet[104 + 70, 50] == PixelGrid.Pixel(0, 0, 0))
        #expect(sheet[208 + 30, 50] == PixelGrid.Pixel(255, 255, 255) && sheet[208, 0] == PixelGrid.Pixel(0, 0, 0))
        #expect(try PixelGrid(png: a.png()) == a)
    }
}

/// Text of another system must pass the comparison, and real changes must fail it.
@Suite struct CaptionComparisonTests {
    private let image = CaptionedDrawing.all[0]

    private func problems(_ actual: Scene, from expected: PixelGrid) throws -> [String] {
        let drawing = try CaptionedDrawing.draw(actual)
        let boxes = try actual.textBoxes(width: drawing.width, height: drawing.height)
        return CaptionComparison(expected, drawing, textBoxes: boxes).problems
    }

    /// Calls `body` for some texts of the drawing, with the scene in which `change` has changed the
    /// text.
    private func eachText(_ change: (Text) -> Text?, _ body: (Text, Scene) throws -> Void) throws {
        let scene = try image.scene()
        let count = scene.nodes.reduce(0) { $0 + $1.texts.count }
        try #require(count > 20)
        for wanted in some(of: Array(stride(from: 0, to: count, by: 5)), each: 2) {
            var (index, text): (Int, Text?) = (-1, nil)
            let nodes = scene.nodes.compactMap { node in
                node.mapTexts {
                    index += 1
                    guard index == wanted else { return $0 }
                    text = $0
                    return change($0)
                }
            }
            try body(try #require(text), Scene(size: scene.size, background: scene.background, nodes: nodes))
        }
    }

    private func expectProblems(_ change: (Text) -> Text?) throws {
        let expected = try image.draw()
        try eachText(change) { text, changed in
            let found = try problems(changed, from: expected)
            #expect(!found.isEmpty, "\(text.string) at \(text.frame)")
        }
    }

    /// Versions of Pango differ by about this offset.
    @Test func textOffsetByAThirdOfAPixelPasses() throws {
        let expected = try image.draw()
        try eachText {
            var text = $0
            text.frame.x += 0.3
            text.frame.y -= 0.15
            return text
        } _: { text, changed in
            let found = try problems(changed, from: expected)
            #expect(found.isEmpty, "\(text.string): \(found)")
        }
    }

    @Test func aMissingTextFails() throws { try expectProblems { _ in nil } }

    @Test(.slow, arguments: [Point(3, 0), Point(-12, 0), Point(0, 3), Point(0, -10)])
    func aTextAtAnotherPositionFails(offset: Point) throws {
        try expectProblems {
            var text = $0
            text.frame.x += offset.x
            text.frame.y += offset.y
            return text
        }
    }

    @Test func aTextInAnotherColorFails() throws {
        try expectProblems {
            var text = $0
            text.color = text.color == Color(255, 0, 160) ? .black : Color(255, 0, 160)
            return text
        }
    }

    @Test func aTextOfAnotherSizeFails() throws {
        try expectProblems {
            var text = $0
            text.fontSize *= 1.3
            return text
        }
    }

    @Test(.slow) func shapesAreComparedPixelByPixel() throws {
        let (scene, expected) = (try image.scene(), try image.draw())
        for index in some(of: scene.nodes.indices.filter { scene.nodes[$0].texts.isEmpty }, each: 2) {
            var changed = scene
            let node = changed.nodes[index]
            guard let bounds = node.bounds, bounds.width > 4, bounds.height > 4 else { continue }
            changed.nodes[index] = .group(Group(transform: .translation(Point(2, 2)), nodes: [node]))
            let found = try problems(changed, from: expected)
            #expect(!found.isEmpty, "node \(index)")
        }
        let found = try problems(scene, from: expected)
        #expect(found.isEmpty)
    }
}

extension Node {
    /// Returns the node with changed texts; nil if the node was a removed text.
    fileprivate func mapTexts(_ change: (Text) -> Text?) -> Node? {
        switch self {
        case .text(let text): return change(text).map { .text($0) }
        case .group(var group):
            group.nodes = group.nodes.compactMap { $0.mapTexts(change) }
            return .group(group)
        case .shape, .image: return self
        }
    }
}
