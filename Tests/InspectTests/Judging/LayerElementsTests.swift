import Animations
import Core
import Testing

@testable import Inspect

@Suite struct LayerElementsTests {
    /// Rings of one colour that grow around one centre, each from its start to its end in seconds.
    private struct Ripples: KeyframedLoader {
        let id = "ripples"
        let canvas = Size(60, 60)
        let period: Rational = 3
        let curves: Set<TimingFunction> = []

        func eased(_ timing: TimingFunction) -> (any Loader)? { nil }

        func layers(at time: Rational) -> [(index: Int, nodes: [Node])] {
            [(0, 0.0...2.0), (1, 1.0...3.0)].compactMap { index, span in
                guard time.double < span.upperBound else { return nil }
                let radius = 10 * max(0, time.double - span.lowerBound)
                let ring = Shape(.circle(center: Point(30, 30), radius: radius), stroke: Stroke(.black, width: 2))
                return (index, [.shape(ring)])
            }
        }

        func nodes(at time: Rational) -> [Node] { layers(at: time).flatMap(\.nodes) }

        func objects(at time: Rational) -> [MovingObject] {
            ["inner", "outer"].map { MovingObject($0, .black, at: Point(30, 30), radius: 5) }
        }

        func parts(at time: Rational) -> [LoaderPart] {
            ["inner", "outer"].enumerated().map { index, name in
                LoaderPart(name, nodes: layers(at: time).filter { $0.index == index }.flatMap(\.nodes))
            }
        }
    }

    /// Layers that look alike, lie upon each other, and come and go are elements of their own.
    @Test func layersThatComeAndGoAreElements() throws {
        let elements = LoaderElements(Ripples())
        #expect(elements.names == ["inner", "outer"])
        #expect(elements.keyed(Ripples(), at: Rational(3, 2)).map(\.element) == [0, 1])
        #expect(elements.keyed(Ripples(), at: Rational(5, 2)).map(\.element) == [1])
    }

    /// Two layers that draw the same line at all times.
    private struct Copies: KeyframedLoader {
        let id = "copies"
        let canvas = Size(60, 60)
        let period: Rational = 1
        let curves: Set<TimingFunction> = []

        func eased(_ timing: TimingFunction) -> (any Loader)? { nil }

        func layerName(_ index: Int) -> String? { ["front", "back"][index] }

        func layers(at time: Rational) -> [(index: Int, nodes: [Node])] {
            let bar = Shape(.rectangle(Rect(x: 10, y: 40 * time.double, width: 20, height: 9)), fill: .black)
            return [1, 0].map { ($0, [.shape(bar)]) }
        }

        func nodes(at time: Rational) -> [Node] { layers(at: time).flatMap(\.nodes) }

        func parts(at time: Rational) -> [LoaderPart] {
            layers(at: time).map { LoaderPart(layerName($0.index) ?? "", nodes: $0.nodes) }
        }
    }

    /// Layers that draw the same have their names by their order.
    @Test func equalLayersHaveTheirNames() {
        #expect(LoaderElements(Copies()).names == ["back", "front"])
    }

    /// An activity indicator with a background.
    private struct Ticks: Loader {
        let id = "ticks"
        let canvas = Size(60, 60)
        let period: Rational = 1

        func nodes(at time: Rational) -> [Node] {
            (0..<13).map { index in
                let bar = Shape(.rectangle(Rect(x: 4 * Double(index), y: 10, width: 3, height: 9)), fill: .black)
                return .group(Group(opacity: 0.5 + 0.03 * Double(index), nodes: [.shape(bar)]))
            }
        }
    }

    @Test func theTicksOfAnIndicatorAreElements() {
        #expect(LoaderElements(Ticks()).judged.count == 13)
    }
}
