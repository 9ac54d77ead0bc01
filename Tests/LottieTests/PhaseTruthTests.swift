import Animations
import Core
import Render
import Testing

@testable import Lottie

/// Names of phases and tables say what a viewer sees.
@Suite struct PhaseTruthTests {
    private func names(_ layers: JSON..., to end: JSON = 10) throws -> [String] {
        try LottieFixture(lottie(to: end).with(["layers": .array(layers)])).loader.phases.map(\.name.english)
    }

    private static let fall = keys(key(0, [50, 20]), key(10, [50, 80]))

    /// A shape whose fill is transparent changes nothing that is seen.
    @Test func invisibleChangesAreRest() throws {
        let ghost = shapes(
            ellipse([0, 0], keys(key(10, [10, 10]), key(20, [60, 60]))),
            fill(black, opacity: keys(key(0, 100), key(10, 0))), at: ["p": [50, 50]], ["nm": "ghost"])
        let found = try names(ghost, to: 20)
        #expect(found.last == "rest", "\(found)")
    }

    /// Four objects that shuttle along the rows and the columns do the same.
    @Test func motionsThatDifferInTheirAxisHaveOneVerb() throws {
        func back(_ from: JSON, _ to: JSON, _ name: String) -> JSON {
            disc(keys((0...12).map { key(Double(10 * $0), $0 % 2 == 0 ? from : to) }), ["nm": .string(name)])
        }
        let found = try names(
            back([20, 50], [40, 50], "ball 1"), back([50, 20], [50, 40], "ball 2"),
            back([80, 50], [60, 50], "ball 3"),
            back([50, 80], [50, 60], "ball 4"), to: 120)
        #expect(found == ["balls 1-4 move back and forth"])
    }

    /// The contents of a layer turn about each other although the layer stands still.
    @Test func contentsThatTurnInTheirLayerTurn() throws {
        let square = shapes(
            group(rectangle([0, 0], [30, 30]), fill(black), at: ["r": keys(key(0, 0), key(10, 90))]),
            at: ["p": [50, 50]], ["nm": "square"])
        #expect(try names(square) == ["square turns"])
    }

    @Test func aSquareThatTurnsAndMovesAlongRolls() throws {
        let square = shapes(
            group(
                rectangle([0, 0], [20, 20]), fill(black),
                at: ["r": keys(key(0, 0), key(10, 180)), "p": keys(key(0, [-30, 0]), key(10, [30, 0]))]),
            at: ["p": [50, 50]], ["nm": "square"])
        #expect(try names(square) == ["square rolls"])
    }

    @Test func aNewShapeIsNamedBesideTheTurn() throws {
        let outline = keys(
            key(0, .array([box(-20, -20, 20, 20)])),
            key(10, .array([corners([[0, -30], [5, 0], [0, 30], [-5, 0]])])))
        let shape = shapes(
            path(outline), fill(black), at: ["p": [50, 50], "r": keys(key(0, 0), key(10, 360))], ["nm": "shape"])
        #expect(try names(shape) == ["shape turns and changes shape"])
    }

    /// Small changes, and those of layers that are not listed, are named, too.
    @Test func coloursAndSmallChangesAreNamed() throws {
        let lamp = shapes(
            ellipse([0, 0], [40, 40]), fill(keys(key(0, [1, 0, 0]), key(10, [0, 0, 1]))), at: ["p": [50, 50]],
            ["nm": "lamp"])
        #expect(try names(lamp) == ["lamp changes colour"])
        let dot = disc(keys(key(0, [50, 50]), key(10, [50, 50.2])), ["nm": "dot"])
        #expect(try names(dot) == ["dot drops"])
    }

    /// An expression that refines keyframes keeps their phases.
    @Test func expressionsOnKeyframesHaveTheirPhases() throws {
        let path = keys(
            key(0, [50, 20]), key(10, [50, 80]), key(20, [50, 80]), key(30, [80, 80]), expression: "var $bm_rt = value;"
        )
        #expect(try names(disc(path, ["nm": "ball"]), to: 30) == ["ball drops", "rest", "ball moves right"])
    }

    private func table(_ layers: JSON..., to end: JSON = 20) throws -> PhaseTable {
        PhaseTable(try LottieFixture(lottie(to: end).with(["layers": .array(layers)])).loader.withAllObjects)
    }

    /// The position after a jump at the end of a phase is not one in which the object turns back.
    @Test func aJumpAtTheEndIsNotAReturn() throws {
        let jumping = disc(
            keys(key(0, [50, 80], .hold), key(10, [50, 20]), key(20, [80, 20])), ["nm": "ball"])
        let table = try table(jumping)
        let first = table.displacement(ofObject: 0, inPhase: 0, isASCII: true)
        #expect(!first.contains("<->") && first.contains("80"), "\(first)")
    }

    /// A stroke that draws itself has no positions, arrows or trails. Its chart has the drawn part.
    @Test func strokesThatDrawThemselvesHaveNoPosition() throws {
        let ring = shapes(
            ellipse([0, 0], [60, 60]), trim(keys(key(10, 0), key(20, 100)), keys(key(0, 0), key(10, 100))),
            stroke(black, 6), at: ["p": [50, 50]], ["nm": "ring"])
        let loader = try LottieFixture(lottie(ring, to: 20)).loader.withAllObjects
        let table = PhaseTable(loader)
        let ways = table.rows.indices.map { table.displacement(ofObject: 0, inPhase: $0) }
        #expect(ways == ["draws itself", "erases itself"])
        #expect(table.displacement(ofObject: 0, inPhase: 0, language: .zh) == "描线")
        let curves = MotionCurves(loader)
        #expect(curves.axes == [.drawn] && curves.objects(on: .x).isEmpty)
        #expect(curves.range(of: .drawn).upperBound > 99)
    }

    /// The drawn part of many spinners keeps its length: it moves along its path.
    @Test func aDrawnPartOfConstantLengthMoves() throws {
        let ring = shapes(
            ellipse([0, 0], [60, 60]), trim(0, 25, offset: keys(key(0, 0), key(20, 360))), stroke(black, 6),
            at: ["p": [50, 50]], ["nm": "ring"])
        #expect(try names(ring, to: 20) == ["ring moves"])
        let table = try table(ring)
        #expect(table.displacement(ofObject: 0, inPhase: 0) == "moves along its path")
        #expect(table.displacement(ofObject: 0, inPhase: 0, language: .zh) == "沿路径移动")
    }

    /// Objects outside the canvas are not visible, and have no label at that time.
    @Test func objectsOutsideTheCanvasAreNotVisible() throws {
        let ball = disc(keys(key(0, [50, 50]), key(10, [150, 50]), key(20, [150, 150])), ["nm": "ball"])
        let still = disc(keys(key(0, [20, 20]), key(20, [20, 40])), ["nm": "other"])
        let table = try table(ball, still)
        let ways = table.rows.indices.map { table.displacement(ofObject: 0, inPhase: $0) }
        #expect(ways.last == "not visible", "\(ways)")
    }

    @Test func markersBeforeTheStartAndLongNames() throws {
        func phases(_ markers: (String, Double, Double)..., rate: Double = 10) throws -> [String] {
            let list = markers.map { name, start, length in
                JSON.object(["cm": .string(name), "tm": .number(start), "dr": .number(length)])
            }
            let ball = disc(Self.fall, ["nm": "ball"])
            let json = lottie(ball, rate: .number(rate)).with(["markers": .array(list)])
            return try LottieFixture(json).loader.phases.map(\.name.english)
        }
        #expect(try phases(("in", -5, 9), ("out", 4, 6)) == ["in", "out"])
        #expect(try phases(("in", 0.02, 4.98), ("out", 5, 4.99)) == ["in", "out"])
        // The gaps are at least 0.1 s long at 10 frames per second, and at most 0.034 s at 60.
        #expect(try phases(("in", 2, 3), ("out", 6, 3)) == ["unmarked", "in", "unmarked", "out", "unmarked"])
        #expect(try phases(("in", 2, 3), ("out", 6, 3), rate: 60) == ["in", "out"])
        #expect(try phases(("a", 3, 7), ("b", 3, 7), rate: 60) == ["b"])
        let long = "the ball falls down to the ground and waits there for the end of the loader"
        #expect(try phases((long, 0, 10)) == ["the ball falls down to the ground and waits there for the…"])
    }
}
