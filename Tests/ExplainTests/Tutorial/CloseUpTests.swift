import Animations
import Core
import Raster
import Render
import TestSupport
import Testing

@testable import Explain

/// Close-ups of one object among others.
@Suite struct CloseUpTests {
    /// Dots whose drawing the loader knows. The left one rises.
    private struct RisingDots: Loader {
        var id: String { "dots" }
        var canvas: Size { Size(240, 120) }
        var period: Rational { 1 }
        func nodes(at time: Rational) -> [Node] { objects(at: time).map(draw) }
        func objects(at time: Rational) -> [MovingObject] {
            [
                MovingObject("left", .black, at: Point(60, 95 - 70 * time.double), radius: 15),
                MovingObject("middle", .black, at: Point(120, 60), radius: 15),
                MovingObject("right", .black, at: Point(180, 60), radius: 15),
            ]
        }
        func drawing(ofObject name: String, at time: Rational) -> [Node]? {
            objects(at: time).first { $0.name == name }.map { [draw($0)] }
        }
        private func draw(_ dot: MovingObject) -> Node {
            .shape(Shape(.circle(center: dot.position, radius: dot.radius), fill: .black))
        }
    }

    /// A lesson with a close-up of the left one of three dots.
    private func closeUp(_ shape: FrameShape) throws -> Lesson {
        try LoaderCatalog.$current.withValue(.builtIn.adding([LoaderDefinition(RisingDots())])) {
            try lesson(
                "tutorial: dots\nsteps:\n  - slow: 2\n  - slow: 4\n    frame: left\n    show: [ghosts]\n",
                Look(language: .en, shape: shape).request())
        }
    }

    /// A close-up without callouts shades the other objects in wide boards, and has the whole
    /// drawing in its middle. A tall board would cut them, and shows the object alone in its
    /// middle.
    @Test(arguments: [FrameShape.wide, .vertical]) func closeUpsShadeOthersOrShowOneAlone(shape: FrameShape) throws {
        let lesson = try closeUp(shape)
        let shot = try #require(lesson.shots.last)
        let view = shot.views[0]
        #expect(view.view.focus == "left")
        #expect(view.view.isAlone == (shape == .vertical))
        let visible = view.annotator.visibleCanvas
        #expect(abs(visible.center.x - (shape == .vertical ? 60 : 120)) < 1, "\(visible)")
        let rasterizer = try Rasterizer(width: Int(lesson.size.width), height: Int(lesson.size.height))
        _ = try rasterizer.draw(lesson.scenes(ofFrame: shot.start + shot.count / 2)[0])
        let map = rasterizer.pixmap
        func green(_ point: Point) -> Int {
            Int((map.data + Int(point.y) * map.stride + 4 * Int(point.x))[1])
        }
        let time = shot.shot.modelTime(after: lesson.frameRate.frameDuration * Rational(shot.count / 2))
        let left = try #require(view.annotator.target("left", at: time))
        #expect(green(left.center) == 0)
        let other = try #require(view.annotator.target("middle", at: time))
        if shape == .vertical {
            let edge = Point(view.annotator.panelFrame.maxX - 2, min(other.center.y, lesson.size.height - 1))
            #expect(green(edge) == 255)
        } else {
            #expect((120...200).contains(green(other.center)))
        }
    }

    /// The shade of a close-up fades in with the transition.
    @Test func theShadeOfACloseUpFadesIn() throws {
        let lesson = try closeUp(.wide)
        let shot = try #require(lesson.shots.last)
        let opacities = [0, 3, 4].map { quarters -> Double in
            let time = shot.transitionLength * Rational(Int128(quarters), 4)
            let scene = ShotScene(shot, before: lesson.shots[lesson.shots.count - 2], after: time, .ease)
            let shades = scene.nodes.flatMap(\.shapes).filter { $0.path.bounds == scene.boards[0] }
            return shades.compactMap { shape -> Double? in
                guard case .color(let color) = shape.fill, color.alpha < 1 else { return nil }
                return color.alpha
            }.max() ?? 0
        }
        #expect(opacities[0] == 0 && opacities[1] > 0 && opacities[2] > opacities[1], "\(opacities)")
    }
}
