import Animations
import Core
import Foundation
import Raster
import Render
import TestSupport
import Testing

/// A drawing with captions: an annotated frame, a chart or a contact sheet.
struct CaptionedDrawing: Sendable, CustomTestStringConvertible {
    enum Kind: String, Sendable { case annotated, chart, sheet }

    let kind: Kind
    let loader: String
    let language: Language
    /// The time of an annotated frame, as a fraction of the period.
    var fraction = Rational(0)
    var name: String { "\(kind.rawValue)-\(loader)-\(language.rawValue)" }
    var testDescription: String { name }

    static let all: [CaptionedDrawing] =
        [
            ("qq-mail", Rational(2, 5)), ("qq", Rational(5, 16)), ("qq-pull", Rational(1, 3)),
            ("iqiyi", Rational(5, 8)),
            ("preloader", Rational(3, 10)), ("jelly", Rational(1, 5)), ("douyin", Rational(5, 12)),
            ("oneloading", Rational(3, 5)),
        ].map { CaptionedDrawing(kind: .annotated, loader: $0.0, language: .en, fraction: $0.1) }
        + [("qq-mail", Rational(5, 7)), ("qq-pull", Rational(3, 4)), ("preloader", Rational(6, 7))].map {
            CaptionedDrawing(kind: .annotated, loader: $0.0, language: .zh, fraction: $0.1)
        } + [
            CaptionedDrawing(kind: .chart, loader: "qq-mail", language: .zh),
            CaptionedDrawing(kind: .chart, loader: "jelly", language: .en),
            CaptionedDrawing(kind: .sheet, loader: "qq-mail", language: .en),
            CaptionedDrawing(kind: .sheet, loader: "preloader", language: .zh),
        ]

    func scene() throws -> Scene {
        let loader = try LoaderCatalog.builtIn.definition(loader).make()
        return switch kind {
        case .annotated:
            Annotator(loader: loader, kinds: AnnotationKind.all, language: language).scene(
                at: loader.period * fraction)
        case .chart: MotionChart(loader, language: language).scene()
        case .sheet: Storyboard.sheet(of: loader, perPhase: 2, language: language)
        }
    }

    static func draw(_ scene: Scene) throws -> PixelGrid {
        try PixelGrid(of: scene, width: Int(scene.size.width), height: Int(scene.size.height))
    }

    func draw() throws -> PixelGrid { try Self.draw(scene()) }
}

@Suite struct CaptionedGoldenTests {
    @Test(arguments: CaptionedDrawing.all) func matchesTheGoldenImage(drawing: CaptionedDrawing) throws {
        let scene = try drawing.scene()
        let pixels = try drawing.draw()
        let boxes = try scene.textBoxes(width: pixels.width, height: pixels.height)
        try GoldenFile.expect(pixels, matches: drawing.name, textBoxes: boxes)
    }
}
