import Core
import TestSupport
import Testing

@testable import Lottie

/// The estimate of the time that a frame takes to draw.
@Suite struct RenderCostTests {
    private func path(_ generator: inout SeededGenerator, curves: Int, reach: Double) -> Path {
        func point() -> Point { Point(generator.double(-reach...reach), generator.double(-reach...reach)) }
        var path = Path()
        path.move(to: point())
        for _ in 0..<curves {
            if generator.double(0...1) < 0.5 {
                path.addLine(to: point())
            } else {
                path.addCurve(to: point(), control1: point(), control2: point())
            }
        }
        path.close()
        return path
    }

    /// Frames within the limit are not measured again, so the bound must not be below the cost.
    @Test func upperBoundIsNotBelowTheCost() {
        var generator = SeededGenerator(seed: 3)
        let canvas = Size(300, 200)
        for _ in 0..<300 {
            let reach = exp2(generator.double(0...12))
            let path = path(&generator, curves: Int(generator.double(1...30)), reach: reach)
            var stroke = Stroke(.color(.black), width: generator.double(0.1...40), cap: .round, join: .round)
            if generator.double(0...1) < 0.5 { stroke.dash = Stroke.Dash([generator.double(0.1...9)], phase: 0) }
            let transform = AffineTransform(
                a: generator.double(-3...3), b: generator.double(-3...3), c: generator.double(-3...3),
                d: generator.double(-3...3), tx: generator.double(-200...300), ty: generator.double(-200...300))
            let nodes: [Node] = [
                .group(
                    Group(
                        transform: transform, opacity: 0.5,
                        nodes: [
                            .shape(Shape(path, fill: .black, stroke: stroke)),
                            .shape(Shape(.circle(center: Point(reach / 3, 5), radius: reach / 2), fill: Color.black)),
                        ]))
            ]
            let cost = RenderCost.cost(of: nodes, on: canvas)
            #expect(RenderCost.maximumCost(of: nodes, on: canvas) >= min(cost, RenderCost.maxCost))
        }
    }

    /// A limit that is far away does not make the bound useless: a path of 100 curves is bounded by
    /// about its cost.
    @Test func upperBoundIsClose() {
        var generator = SeededGenerator(seed: 4)
        let path = path(&generator, curves: 100, reach: 100)
        let nodes = [Node.shape(Shape(path, fill: Color.black))]
        let cost = RenderCost.cost(of: nodes, on: Size(200, 200))
        #expect(RenderCost.maximumCost(of: nodes, on: Size(200, 200)) < 3 * cost)
    }
}
