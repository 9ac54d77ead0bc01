import Animations
import Core
import Raster
import Render
import TestSupport
import Testing

@testable import Explain

/// Boards and freezes of objects whose drawing the loader knows.
@Suite struct FramingTests {
    /// A long bar that moves down beside a dot.
    private struct Bars: Loader {
        var canvas: Size { Size(200, 200) }
        var period: Rational { 1 }

        private func bar(_ time: Rational) -> Node {
            .shape(Shape(.rectangle(Rect(x: 20, y: 20 + 40 * time.double, width: 120, height: 20)), fill: .black))
        }

        func nodes(at time: Rational) -> [Node] {
            [bar(time), .shape(Shape(.circle(center: Point(180, 180), radius: 8), fill: .black))]
        }

        func objects(at time: Rational) -> [MovingObject] {
            [
                MovingObject("bar", .black, at: Point(80, 30 + 40 * time.double)),
                MovingObject("dot", .black, at: Point(180, 180), radius: 8),
            ]
        }

        func drawing(ofObject name: String, at time: Rational) -> [Node]? { name == "bar" ? [bar(time)] : nil }
    }

    private func view(_ frame: CameraFrame) -> LoaderView {
        var view = LoaderView(survey: LoaderSurvey(Bars()), background: .white)
        view.frame = frame
        return view
    }

    @Test func aFramedObjectIsShownWhole() {
        var motions = MotionCache()
        let view = view(.object("bar"))
        let shown = LessonCamera(view.survey).shown(view, in: Size(300, 300), &motions)
        #expect(shown.contains(Rect(x: 20, y: 20, width: 120, height: 59)))
        #expect(!shown.contains(Rect(x: 172, y: 172, width: 16, height: 16)))
    }

    @Test func comparedLoadersAreFramedAlike() throws {
        let framed = try #require(LessonCamera.shown([view(.object("bar")), view(.object("bar"))]))
        #expect(framed.maxY < 120)
        let whole = try #require(LessonCamera.shown([view(.canvas), view(.canvas)]))
        #expect(whole == Rect(x: 0, y: 0, width: 200, height: 200))
    }

    /// The script's option reaches the boards.
    @Test func aComparisonFollowsItsFrame() throws {
        func scale(_ frame: String) throws -> Double {
            let text = """
                tutorial: qq-mail
                steps:
                  - compare: {left: {motion: smooth}, right: {motion: ticks}}
                \(frame)
                """
            return try #require(lesson(text).shots.first?.views.first).annotator.scale
        }
        #expect(try scale("    frame: canvas") < scale("    frame: motion"))
    }

    /// A freeze shades the board, and draws what its text points at above the shade.
    @Test func targetsLieAboveTheShade() throws {
        let survey = LoaderSurvey(Bars())
        let annotator = Annotator(
            survey, kinds: [], language: .en, background: .white, panel: Rect(x: 0, y: 0, width: 300, height: 300))
        let callout = PlacedCallout(target: "bar", leader: nil, box: [])
        let view = PlacedView(view: view(.motion), annotator: annotator, callouts: [callout], title: [])
        let nodes = view.shade(at: 0, annotator, opacity: 1)
        #expect(nodes.count == 2)
        let target = try #require(nodes.last?.bounds)
        let bar = Rect(x: 20, y: 20, width: 120, height: 20)
        let corner = annotator.place(Point(bar.x, bar.y))
        #expect(abs(target.x - corner.x) < 0.01 && abs(target.width - bar.width * annotator.scale) < 0.01)
    }

    /// What joins two targets, such as a bridge or the body of a drop, keeps its colour.
    @Test(arguments: [
        ("preloader.yaml", "left", "spot 1", Color(235, 77, 138)), ("qq.yaml", "top", "bottom", Color(101, 200, 250)),
    ])
    func whatJoinsTargetsIsNotShaded(name: String, first: String, second: String, color: Color) throws {
        let script = try #require(allScripts.first { $0.name == name })
        let lesson = try lesson(script, Look(language: .en, shape: .wide).request())
        let shot = try #require(
            lesson.shots.first { Set($0.views.flatMap(\.callouts).map(\.target)) == [first, second] })
        let time = shot.shot.modelTime(after: 0)
        let annotator = shot.views[0].annotator
        let ends = try [first, second].map { try #require(annotator.target($0, at: time)) }
        let way = ends[1].center - ends[0].center
        let rasterizer = try Rasterizer(width: Int(lesson.size.width), height: Int(lesson.size.height))
        _ = try rasterizer.draw(lesson.scenes(ofFrame: shot.start + shot.count - 1)[0])
        let pixmap = rasterizer.pixmap
        for share in stride(from: 0.2, through: 0.8, by: 0.1) {
            let point = ends[0].center + way * share
            let pixel = pixmap.data + Int(point.y) * pixmap.stride + 4 * Int(point.x)
            let found = Color(Int(pixel[2]), Int(pixel[1]), Int(pixel[0]))
            #expect(found == color, "\(name) \(share)")
        }
    }
}
