import Animations
import Core
import Raster
import Render
import Testing

@testable import Explain

/// Objects that others cover, in freezes.
@Suite struct CoveredTargetTests {
    /// A bar whose right half lies below a square of another colour.
    private struct CoveredBar: Loader {
        var canvas: Size { Size(200, 200) }
        var period: Rational { 1 }

        private var blue: Node {
            .shape(Shape(.rectangle(Rect(x: 100, y: 80, width: 60, height: 40)), fill: Color(0, 0, 255)))
        }

        private var bar: Node { .shape(Shape(.rectangle(Rect(x: 40, y: 80, width: 120, height: 40)), fill: .black)) }

        func nodes(at time: Rational) -> [Node] { [bar, blue] }

        func objects(at time: Rational) -> [MovingObject] {
            [MovingObject("bar", .black, at: Point(100, 100)), MovingObject("dot", .black, at: Point(20, 20))]
        }

        func drawing(ofObject name: String, at time: Rational) -> [Node]? {
            ["bar": [bar], "blue": [blue], "dot": [Node]()][name]
        }
    }

    @Test func theVisibleShareLeavesOutWhatIsCovered() throws {
        let visibility = ObjectVisibility(CoveredBar(), at: 0)
        #expect(abs(try #require(visibility.share(ofObject: "bar")) - 0.5) < 0.02)
        #expect(visibility.share(ofObject: "dot") == 0)
        #expect(visibility.isEmpty("dot") && !visibility.isEmpty("bar") && !visibility.isOnTop("bar"))
        #expect(visibility.share(ofObject: "blue") == 1 && visibility.isOnTop("blue"))
        #expect(visibility.share(ofObject: "unknown") == nil)
    }

    /// A freeze changes nothing of a target that something covers: the shade has a hole instead.
    @Test func aCoveredTargetKeepsItsPixels() throws {
        let board = Rect(x: 0, y: 0, width: 200, height: 200)
        let annotator = Annotator(
            LoaderSurvey(CoveredBar()), kinds: [], language: .en, background: .white, panel: board)
        let callout = PlacedCallout(target: "bar", needsHole: true, leader: nil, box: [])
        let loaderView = LoaderView(survey: LoaderSurvey(CoveredBar()), background: .white, language: .en)
        let view = PlacedView(view: loaderView, annotator: annotator, callouts: [callout], title: [])
        let rasterizer = try Rasterizer(width: 200, height: 200)
        let base = annotator.panelLayers(at: 0, points: nil, hasLines: false).canvas
        _ = try rasterizer.draw(
            Scene(size: Size(200, 200), background: .white, nodes: base + view.shade(at: 0, annotator, opacity: 1)))
        func color(_ point: Point) -> Color {
            let place = annotator.place(point)
            let pixel = rasterizer.pixmap.data + Int(place.y) * rasterizer.pixmap.stride + 4 * Int(place.x)
            return Color(Int(pixel[2]), Int(pixel[1]), Int(pixel[0]))
        }
        #expect(color(Point(70, 100)) == .black && color(Point(130, 100)) == Color(0, 0, 255))
    }
}
