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
        var view = LoaderView(survey: LoaderSurvey(Bars()), background: .white, language: .en)
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

    /// A bridge between two targets, or the body of a drop between its ends, keeps its colour.
    @Test(arguments: [
        ("preloader.yaml", "left", "spot 1", Color(235, 77, 138)), ("qq.yaml", "top", "bottom", Color(101, 200, 250)),
    ])
    func connectionsBetweenTargetsAreNotShaded(name: String, first: String, second: String, color: Color) throws {
        let script = try #require(allScripts.first { $0.name == name })
        let lesson = try lesson(script, Look(language: .en, shape: .wide).request())
        let shot = try #require(
            lesson.shots.first { Set($0.views.flatMap(\.callouts).map(\.target)) == [first, second] })
        let time = shot.shot.modelTime(after: 0)
        let annotator = shot.views[0].annotator
        let ends = try [first, second].map { try #require(annotator.target($0, at: time)) }
        let line = ends[1].center - ends[0].center
        let rasterizer = try Rasterizer(width: Int(lesson.size.width), height: Int(lesson.size.height))
        _ = try rasterizer.draw(lesson.scenes(ofFrame: shot.start + shot.count - 1)[0])
        let pixmap = rasterizer.pixmap
        for share in stride(from: 0.2, through: 0.8, by: 0.1) {
            let point = ends[0].center + line * share
            let pixel = pixmap.data + Int(point.y) * pixmap.stride + 4 * Int(point.x)
            let found = Color(Int(pixel[2]), Int(pixel[1]), Int(pixel[0]))
            #expect(found == color, "\(name) \(share)")
        }
    }

    /// The board of a close-up shows each object whole or not at all.
    @Test(arguments: ["preloader.yaml", "iqiyi.yaml"]) func closeUpsCutNoObject(name: String) throws {
        let script = try #require(allScripts.first { $0.name == name })
        for look in Look.all {
            let lesson = try lesson(script, look.request())
            for shot in lesson.shots where shot.views.count == 1 {
                let view = shot.views[0]
                guard case .object(let framed) = view.view.frame else { continue }
                let visible = view.annotator.visibleCanvas.expanded(by: 1e-6)
                let targets = Set(view.callouts.map(\.target) + [framed])
                for step in 0..<10 {
                    let elapsed = shot.length * Rational(Int128(step), 10)
                    let time = shot.shot.modelTime(after: elapsed).modulo(view.view.loader.period)
                    for object in view.view.loader.objects(at: time) {
                        let bounds = view.view.loader.bounds(ofObject: object.name, at: time)
                        guard let covered = bounds, covered.width > 0 else { continue }
                        let isOutside = visible.intersection(covered) == nil && !targets.contains(object.name)
                        #expect(
                            visible.contains(covered) || isOutside,
                            "\(name) \(look) frame \(shot.start): \(object.name) \(covered) in \(visible)")
                    }
                }
            }
        }
    }

    /// The close-up of the ring's ends does not cut the triangle below them.
    @Test func aCloseUpCutsNoOtherShape() throws {
        let script = try #require(allScripts.first { $0.name == "iqiyi.yaml" })
        for look in Look.all {
            let shots = try lesson(script, look.request()).shots
            let view = try #require(shots.flatMap(\.views).first { $0.view.frame == .object("head") })
            let visible = view.annotator.visibleCanvas
            // The circumradius of the triangle is 20. Its outline is 2 wide, with mitered corners.
            let top = 60 - (20 + 2) * 3.0.squareRoot() / 2
            #expect(visible.maxY <= top, "\(look) \(visible)")
            // The gap between both ends, at which the texts point, is in the middle.
            #expect(abs(visible.center.x - 60) < 1, "\(look) \(visible)")
        }
    }

    /// Three dots in a row.
    private struct Dots: Loader {
        static let names = ["left", "middle", "right"]
        var canvas: Size { Size(240, 120) }
        var period: Rational { 1 }
        func nodes(at time: Rational) -> [Node] {
            objects(at: time).map { .shape(Shape(.circle(center: $0.position, radius: $0.radius), fill: .black)) }
        }
        func objects(at time: Rational) -> [MovingObject] {
            Self.names.enumerated().map { index, name in
                MovingObject(name, .black, at: Point(60 + 60 * Double(index), 60), radius: 15)
            }
        }
    }

    @Test(arguments: Dots.names, [Size(300, 240), Size(400, 200), Size(200, 330)])
    func closeUpsOfOneAmongManyCutNone(name: String, panel: Size) {
        let view = LoaderView(survey: LoaderSurvey(Dots()), background: .white, language: .en, frame: .object(name))
        var motions = MotionCache()
        let camera = LessonCamera(view.survey)
        let part = camera.shown(view, in: panel, &motions)
        let covered = camera.coveredByObjects
        #expect(covered.count == 3)
        func annotator(_ part: Rect) -> Annotator {
            Annotator(
                view.survey, kinds: [], language: .en, background: .white, panel: Rect(size: panel), shown: part)
        }
        let visible = camera.sparing(covered, whole: [name], around: part, annotator).visibleCanvas
        for (object, rect) in covered {
            let isOutside = visible.intersection(rect) == nil && object != name
            #expect(visible.expanded(by: 1e-6).contains(rect) || isOutside, "\(object) \(rect) in \(visible)")
        }
    }

    /// Names and arrows lie in the margins, and take little of the drawing's size.
    @Test(.slow, arguments: some(of: allScripts.map(\.name), each: 3))
    func notesLeaveTheDrawingLarge(name: String) throws {
        let script = try #require(allScripts.first { $0.name == name })
        for look in Look.all {
            for shot in try lesson(script, look.request()).shots {
                for view in shot.views where !view.view.show.isEmpty && view.callouts.isEmpty {
                    let annotator = view.annotator
                    let plain = Annotator(
                        view.view.survey, kinds: [], language: look.language, background: .white,
                        panel: annotator.panelFrame, shown: annotator.shown)
                    let rows = view.view.loader.objects(at: .zero).count { $0.step != nil }
                    let board = annotator.panelFrame
                    let margins = 2 * max(12, 0.08 * min(board.width, board.height))
                    // Rows of text below the drawing need their height.
                    let height = rows > 0 ? board.height - margins - 15 - 18 * Double(rows) : .infinity
                    let limit = min(plain.scale, height / annotator.shown.height)
                    #expect(annotator.scale >= 0.85 * limit - 1e-9, "\(name) \(look) frame \(shot.start)")
                }
            }
        }
    }

    /// In a narrow board, labels move inwards rather than leave arrows without shafts.
    @Test(arguments: Look.all) func arrowsBelowTheBallsHaveShafts(look: Look) throws {
        let script = try #require(allScripts.first { $0.name == "qq-mail.yaml" })
        for shot in try lesson(script, look.request()).shots {
            for view in shot.views where view.view.show.contains(.vectors) {
                let shafts = (0..<24).flatMap { step -> [Double] in
                    let time = shot.shot.modelTime(after: shot.length * Rational(Int128(step), 24))
                    return view.layers(at: time).above.flatMap(\.shapes).filter { shape in
                        shape.fill == nil && shape.path.elements.count == 2
                    }.compactMap { $0.path.bounds?.width }
                }
                // The balls move at constant speed, so that all arrows of a board are equal.
                #expect(shafts.min().map { $0 >= 20 } ?? true, "frame \(shot.start): \(shafts.min() ?? 0)")
            }
        }
    }

    /// Beside code in a square frame, the drawing fills at least a sixth of the frame's side.
    @Test(.slow, arguments: allScripts.filter { $0.folder != nil }.map(\.name))
    func artBesideCodeIsLarge(name: String) throws {
        let script = try #require(allScripts.first { $0.name == name })
        for language in Language.allCases {
            let lesson = try lesson(script, Look(language: language, shape: .square).request())
            for shot in lesson.shots where shot.shot.panel is CodePanel {
                let annotator = try #require(shot.views.first).annotator
                let side = max(annotator.shown.width, annotator.shown.height) * annotator.scale
                #expect(side >= lesson.size.width / 6, "\(name) \(language) frame \(shot.start): \(side)")
            }
        }
    }

    /// Arrows below the balls end inside their board.
    @Test func arrowsStayOnTheBoard() throws {
        let script = try #require(allScripts.first { $0.name == "qq-mail.yaml" })
        for look in Look.all {
            for shot in try lesson(script, look.request()).shots {
                for view in shot.views where view.view.show.contains(.vectors) {
                    let board = view.annotator.panelFrame
                    for step in 0..<24 {
                        let time = shot.shot.modelTime(after: shot.length * Rational(Int128(step), 24))
                        for bounds in view.layers(at: time).above.flatMap(\.shapes).compactMap(\.path.bounds) {
                            #expect(board.contains(bounds), "\(look) frame \(shot.start) \(bounds) in \(board)")
                        }
                    }
                }
            }
        }
    }
}
