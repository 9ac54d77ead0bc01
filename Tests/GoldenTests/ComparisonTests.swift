import Foundation
import Raster
import Scene
import TestSupport
import Testing

@Suite struct ComparisonTests {
    private func disc(x: Double, shade: Int = 0) throws -> PixelGrid {
        let shape = Shape(.circle(center: Point(x, 50), radius: 20), fill: Color(shade, shade, shade))
        return try PixelGrid(
            of: Scene(size: Size(100, 100), background: .white, nodes: [.shape(shape)]), width: 100, height: 100)
    }

    @Test func invisibleDifferencesPass() throws {
        let picture = try disc(x: 50)
        #expect(Comparison(picture, picture).differing == 0 && Comparison(picture, picture).isMatch)
        #expect(try Comparison(picture, disc(x: 50, shade: 8)).isMatch)
        var spot = picture
        for x in 0..<10 { spot[x, 0] = PixelGrid.Pixel(0, 0, 0) }
        #expect(Comparison(picture, spot).isMatch, "ten of ten thousand pixels")
        spot[10, 0] = PixelGrid.Pixel(0, 0, 0)
        #expect(Comparison(picture, spot).differing == 11 && !Comparison(picture, spot).isMatch)
    }

    @Test func visibleDifferencesFail() throws {
        let picture = try disc(x: 50)
        #expect(try !Comparison(picture, disc(x: 50, shade: 9)).isMatch)
        #expect(try !Comparison(picture, disc(x: 50.5)).isMatch, "half a pixel")
        #expect(!Comparison(picture, PixelGrid(width: 100, height: 99)).isMatch)
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

/// Pictures whose letters another system might have drawn: what must pass, and what must not.
@Suite struct CaptionComparisonTests {
    private let picture = CaptionedPicture.all[0]

    private func problems(_ actual: Scene, from expected: PixelGrid) throws -> [String] {
        let drawing = try CaptionedPicture.draw(actual)
        let boxes = try actual.textBoxes(width: drawing.width, height: drawing.height)
        return CaptionComparison(expected, drawing, letters: boxes).problems
    }

    /// Every fifth text of the picture, changed in turn by a function.
    private func eachText(_ change: (Text) -> Text?, _ body: (Text, Scene) throws -> Void) throws {
        let scene = try picture.scene()
        let count = scene.nodes.reduce(0) { $0 + $1.texts.count }
        try #require(count > 20)
        for wanted in stride(from: 0, to: count, by: 5) {
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
        let expected = try picture.draw()
        try eachText(change) { text, changed in
            let found = try problems(changed, from: expected)
            #expect(!found.isEmpty, "\(text.string) at \(text.frame)")
        }
    }

    /// As far as Pango's versions move letters.
    @Test func lettersAThirdOfAPixelBesidePass() throws {
        let expected = try picture.draw()
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

    @Test(arguments: [Point(3, 0), Point(-12, 0), Point(0, 3), Point(0, -10)])
    func aTextAtAnotherPlaceFails(offset: Point) throws {
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

    @Test func shapesAreComparedByThePixel() throws {
        let (scene, expected) = (try picture.scene(), try picture.draw())
        for index in scene.nodes.indices where scene.nodes[index].texts.isEmpty {
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
    /// All texts in it.
    fileprivate var texts: [Text] {
        switch self {
        case .text(let text): [text]
        case .group(let group): group.nodes.flatMap(\.texts)
        case .shape, .image: []
        }
    }

    /// The node with other texts; nil if nothing is left.
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
