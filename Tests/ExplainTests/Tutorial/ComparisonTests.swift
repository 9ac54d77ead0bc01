import Animations
import Core
import Raster
import Render
import TestSupport
import Testing

@testable import Explain

/// Two loaders side by side.
@Suite struct ComparisonTests {
    /// A loader that ends with a dot and begins without one.
    private struct Growing: Loader {
        var id: String { "growing" }
        var canvas: Size { Size(100, 100) }
        var period: Rational { 1 }

        func nodes(at time: Rational) -> [Node] {
            time == 0 ? [] : [.shape(Shape(.circle(center: Point(50, 50), radius: 40 * time.double), fill: .black))]
        }
    }

    /// A title of two lines takes as much room above both loaders.
    @Test(arguments: [FrameShape.wide, .vertical]) func comparedLoadersHaveTheSameScale(shape: FrameShape) throws {
        let text = """
            tutorial: jelly
            steps:
              - compare:
                  left: {title: a long title of the left side that needs two lines}
                  right: {title: short}
            """
        let views = try #require(lesson(text, Look(language: .en, shape: shape).request()).shots.first).views
        try #require(views.map(\.title.count) == [2, 1])
        #expect(views[0].annotator.scale == views[1].annotator.scale)
        #expect(views[0].annotator.panelFrame.height == views[1].annotator.panelFrame.height)
    }

    /// Further cycles for a long text are those of the loader with the longer period.
    @Test func aLongTextAddsWholeCycles() throws {
        let say = Array(repeating: "A sentence that takes a few seconds to read.", count: 5).joined(separator: " ")
        let text = """
            tutorial: qq-mail
            steps:
              - compare: {left: {}, right: {set: {ticksPerPhase: 37}}}
                say: \(say)
            """
        let shot = try #require(lesson(text).shots.first).shot
        let periods = shot.views.map(\.loader.period)
        #expect(periods[0] < periods[1] && shot.duration > 2 * periods[1])
        #expect(shot.duration.modulo(periods[1]) == .zero)
    }

    /// The keys of a recording have no effect on the model, and those of the model none on a
    /// recording.
    @Test(arguments: [
        ("left: {start: 1}", "s.yaml:4:14: 'start' has no effect without 'video'; remove it"),
        ("left: {speed: 2}", "s.yaml:4:14: 'speed' has no effect without 'video'; remove it"),
        ("left: {video: a.mp4, set: {radius: 9}}", "s.yaml:4:28: 'set' has no effect with 'video'; remove it"),
        ("left: {video: a.mp4, motion: ticks}", "s.yaml:4:28: 'motion' has no effect with 'video'; remove it"),
    ])
    func uselessKeysAreErrors(side: String, problem: String) throws {
        let script = "tutorial: qq-mail\nsteps:\n  - compare:\n      \(side)\n      right: {}\n"
        #expect(try ScriptDirectory(["s.yaml": script]).problems().contains(problem))
    }

    /// A loader that leaves shows the end of its shot, not the start of the next cycle.
    @Test func leavingLoadersShowTheirEnd() throws {
        let text = """
            tutorial: growing
            steps:
              - compare: {left: {}, right: {}}
              - play: 1
            """
        try LoaderCatalog.$current.withValue(.builtIn.adding([LoaderDefinition(Growing())])) {
            let lesson = try lesson(text)
            let frame = lesson.scenes(ofFrame: lesson.shots[1].start)[0]
            func dots(_ node: Node) -> Int {
                switch node {
                case .shape(let shape): abs((shape.path.bounds?.width ?? 0) - 80) < 0.01 ? 1 : 0
                case .group(let group): group.nodes.reduce(0) { $0 + dots($1) }
                case .image, .text: 0
                }
            }
            #expect(frame.nodes.reduce(0) { $0 + dots($1) } == 2)
        }
    }
}
