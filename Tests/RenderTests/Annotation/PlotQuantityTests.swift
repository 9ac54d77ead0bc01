import Animations
import Core
import Testing

@testable import Render

/// Plots of what changes in objects that stay where they are.
@Suite struct PlotQuantityTests {
    /// A property that changes in place.
    enum Quantity: CaseIterable { case scale, radius, opacity, angle }

    /// An object in which one quantity changes, beside one that moves.
    private struct Steady: Loader {
        let quantity: Quantity?
        var hasMover = true
        var canvas: Size { Size(300, 200) }
        var period: Rational { 1 }

        func nodes(at time: Rational) -> [Node] { [Draw.dot(Point(50, 50), radius: 10, fill: .black)] }

        func objects(at time: Rational) -> [MovingObject] {
            let value = time.double
            var still = MovingObject(
                "still", .black, at: Point(50, 50), radius: quantity == .radius ? 10 + 10 * value : 10)
            still.pose = MovingObject.Pose(
                scale: quantity == .scale ? Point(1, 1 + value) : Point(1, 1),
                rotation: quantity == .angle ? 90 * value : 0, opacity: quantity == .opacity ? 1 - value / 2 : 1)
            return [still]
                + (hasMover ? [MovingObject("mover", .black, at: Point(50 + 100 * value, 90), radius: 5)] : [])
        }
    }

    private static let titles: [Quantity: (en: String, zh: String)] = [
        .scale: ("size (%)", "大小 (%)"), .radius: ("radius (pt)", "半径 (pt)"),
        .opacity: ("opacity (%)", "不透明度 (%)"), .angle: ("angle (°)", "角度 (°)"),
    ]

    @Test(arguments: Quantity.allCases) func whatChangesIsPlotted(_ quantity: Quantity) throws {
        let loader = Steady(quantity: quantity)
        let curves = MotionCurves(loader)
        #expect(curves.chartAxes.count == 2 && curves.axes == [.x])
        let other = try #require(curves.chartAxes.last)
        // The object has no flat line in the plot of positions.
        #expect(curves.objects(on: .x) == [1] && curves.objects(on: other) == [0])
        let range = curves.range(of: other)
        #expect(range.upperBound - range.lowerBound > 9.9)
        let title = try #require(Self.titles[quantity])
        for (language, text) in [(Language.en, title.en), (.zh, title.zh)] {
            #expect(
                MotionChart(loader, language: language).scene().texts.map(\.string).contains {
                    $0.filter { $0 != "\n" }.filter { $0 != " " } == text.filter { $0 != " " }
                })
            let annotator = Annotator(loader: loader, kinds: [.phases], language: language)
            #expect(annotator.layout.plots.count == 2)
            #expect(annotator.scene(at: 0).texts.map(\.string).contains(text))
        }
    }

    @Test func objectsThatNeverChangeStayInThePlotOfPositions() {
        let curves = MotionCurves(Steady(quantity: nil))
        #expect(curves.chartAxes == [.x] && curves.objects(on: .x) == [0, 1])
        let still = MotionCurves(Steady(quantity: .angle, hasMover: false))
        #expect(still.chartAxes == [.angle] && still.axes == [.x] && still.objects(on: .x) == [0])
    }
}
