import Animations
import Core
import Foundation
import Raster
import Render
import TestSupport
import Testing

@testable import Explain

/// Annotations fit beside panels, logos and callouts, or are errors with a location.
@Suite struct LessonAnnotationTests {
    /// Steps that leave little space for the loader.
    private static let crowded = [
        "chart: all", "table: phases", "compare: {left: {title: {en: One, zh: 一}}, right: {title: {en: Two, zh: 二}}}",
    ]

    private static func laidOut(_ text: String, _ request: LessonRequest) throws -> Lesson { try lesson(text, request) }

    @Test(.slow, arguments: some(of: LoaderCatalog.builtIn.ids, and: crowded, each: 4))
    func annotationsFitBesidePanelsOrAreErrors(id: String, step: String) throws {
        for show in ["[labels]", "[labels, vectors]", "[ghosts, trail]"] {
            for look in Look.all {
                let text = "tutorial: \(id)\nsteps:\n  - {\(step), slow: 2, show: \(show)}\n"
                let lesson: Lesson
                do {
                    lesson = try Self.laidOut(text, look.request(fps: FrameRate(10)))
                } catch let error as DocumentError {
                    #expect("\(error)".contains("s.yaml:3:5: "), "\(error)")
                    continue
                }
                let views = try #require(lesson.shots.first?.views)
                for view in views {
                    let panel = view.annotator.panelFrame
                    #expect(view.annotator.scale > 0)
                    for frame in stride(from: 0, to: lesson.frameCount, by: max(1, lesson.frameCount / 12)) {
                        let time = lesson.shots[0].shot.modelTime(after: Rational(Int128(frame), 10))
                        let objects = view.annotator.loader.objects(at: time.modulo(view.annotator.loader.period))
                        for object in objects {
                            let position = view.annotator.place(object.position)
                            #expect(
                                panel.nearest(to: position).distance(to: position) < 1,
                                "\(id) \(step) \(show) \(look) \(object.name)")
                        }
                    }
                }
            }
        }
    }

    /// Titles and logos of any shape do not overlap.
    @Test(
        .slow,
        arguments: some(
            of: allScripts.filter { $0.folder != nil }.map(\.name), and: [(400, 100), (80, 80), (60, 240)], each: 4))
    func logosDoNotCoverTitles(name: String, size: (Int, Int)) throws {
        let script = try #require(allScripts.first { $0.name == name })
        let pixels = [UInt8](repeating: 200, count: 4 * size.0 * size.1)
        for look in Look.all {
            var request = look.request()
            let bitmap = try #require(Bitmap(width: size.0, height: size.1, pixels: pixels))
            request.mark = bitmap
            let audit = try LayoutAudit(lesson(script, request))
            let mark = try #require(
                audit.lesson.scenes(ofFrame: 0)[0].nodes.lazy.compactMap { node -> Rect? in
                    if case .image(let image) = node { image.frame } else { nil }
                }.first)
            for shot in audit.lesson.shots {
                #expect(audit.problems(inFrame: audit.settled(shot), besides: mark) == [], "\(name) \(look)")
            }
        }
    }

    @Test(arguments: ["wide", "square", "vertical"]) func calloutsDoNotCoverNames(shape: String) throws {
        let text = """
            tutorial: qq-pull
            steps:
              - freeze: phase:1
                show: [construction]
                point: {topCenter: {en: fixed, zh: 不动}, bottomCenter: {en: follows the finger, zh: 跟着手指}}

            """
        let audit = try LayoutAudit(
            lesson(text, Look(language: .en, shape: #require(FrameShape(text: shape))).request()))
        #expect(audit.problems(inFrame: audit.settled(audit.lesson.shots[0])) == [])
    }

    @Test func calloutsThatDoNotFitAreErrors() throws {
        let words = String(repeating: "word ", count: 190)
        let text = "tutorial: qq-mail\nsteps:\n  - {freeze: 0, point: {red: {en: '\(words)', zh: 红}}}\n"
        let problems = try ScriptDirectory(["s.yaml": text]).problems()
        #expect(problems.count == 1)
        #expect(
            problems.first?.hasPrefix("s.yaml:3:35: a text of 'point' does not fit in layout wide") == true,
            "\(problems)")
    }

    @Test(arguments: some(of: LoaderCatalog.builtIn.ids, each: 3)) func namesDoNotCoverTheirPoints(id: String) throws {
        for look in Look.all {
            // Loaders without a construction have no such step.
            guard let lesson = try? Self.laidOut("tutorial: \(id)\nsteps:\n  - build: all\n", look.request()),
                let view = lesson.shots.last?.views.first
            else { continue }
            let loader = view.view.loader
            for time in (0..<12).map({ loader.period * Rational(Int128($0), 12) }) {
                let texts = view.layers(at: time).above.flatMap(\.texts)
                for point in loader.landmarks(at: time) {
                    let center = view.annotator.place(point.position)
                    for text in texts where text.string == point.name {
                        #expect(
                            text.frame.nearest(to: center).distance(to: center) > 2,
                            "\(id) \(look) \(time) \(point.name)")
                    }
                }
            }
        }
    }

    /// A name whose box would cover the drawing moves off it.
    @Test(arguments: some(of: ["jelly", "preloader", "qq", "qq-pull", "iqiyi"], each: 2)) func namesDoNotBiteIntoTheArt(
        id: String
    ) throws {
        let steps = "\n  - build: all\n    at: phase:1\n  - {slow: 4, show: [labels]}\n"
        for look in Look.all {
            let build = try? Self.laidOut("tutorial: \(id)\nsteps:\(steps)", look.request())
            let lesson =
                try build
                ?? Self.laidOut(
                    "tutorial: \(id)\nsteps:\n  - {slow: 4, show: [labels]}\n", look.request())
            let rasterizer = try Rasterizer(width: Int(lesson.size.width), height: Int(lesson.size.height))
            let pixmap = rasterizer.pixmap
            for shot in lesson.shots {
                let view = shot.views[0]
                for step in 0..<12 {
                    let time = shot.shot.modelTime(after: shot.length * Rational(Int128(step), 12))
                    let layers = view.layers(at: time)
                    _ = try rasterizer.draw(
                        Scene(size: lesson.size, background: Color.white.opacity(0), nodes: layers.canvas))
                    for text in layers.above.flatMap(\.texts) {
                        let frame = text.frame
                        var drawn = 0
                        for y in Int(frame.y.rounded(.up))..<Int(frame.maxY) {
                            let row = pixmap.data + y * pixmap.stride
                            for x in Int(frame.x.rounded(.up))..<Int(frame.maxX) { drawn += Int(row[4 * x + 3]) }
                        }
                        let share = Double(drawn) / 255 / (frame.width * frame.height)
                        #expect(share < 0.04, "\(id) \(look) \(time): \(text.string) \(share)")
                    }
                }
            }
        }
    }

    /// A name that keeps off moving art follows it, and neither jumps nor blinks.
    @Test(arguments: [FrameShape.wide, .vertical]) func namesFollowMovingArt(shape: FrameShape) throws {
        let text = "tutorial: jelly\nsteps:\n  - {slow: 3, show: [construction]}\n"
        let lesson = try Self.laidOut(text, Look(language: .en, shape: shape).request())
        let shot = try #require(lesson.shots.first)
        let view = shot.views[0]
        let loader = view.view.loader
        func state(_ frame: Int) -> (names: [String: Point], points: [String: Point]) {
            let time = shot.shot.modelTime(after: Rational(Int128(frame), 30))
            let texts = view.layers(at: time).above.flatMap(\.texts).map { ($0.string, $0.frame.center) }
            let points = loader.landmarks(at: time.modulo(loader.period)).map {
                ($0.name, view.annotator.place($0.position))
            }
            return (Dictionary(texts) { $1 }, Dictionary(points) { $1 })
        }
        var before = state(0)
        var jumps: [String] = []
        for frame in 1..<shot.count {
            let after = state(frame)
            for (name, point) in after.points {
                guard let old = before.names[name], let new = after.names[name], let start = before.points[name] else {
                    jumps.append("\(frame) \(name) is missing")
                    continue
                }
                let distance = new.distance(to: old)
                if distance > 4 + 2.5 * point.distance(to: start) { jumps.append("\(frame) \(name) \(distance)") }
            }
            before = after
        }
        #expect(jumps.isEmpty, "\(jumps.count) of \(shot.count): \(jumps.prefix(20))")
    }

    /// Lines of a construction go on where an object is invisible.
    @Test func invisibleObjectsHideNothing() throws {
        let lesson = try Self.laidOut(
            "tutorial: douyin\nsteps:\n  - {build: all, at: 0}\n",
            Look(language: .en, shape: .vertical).request())
        let shot = try #require(lesson.shots.last)
        let view = shot.views[0]
        // At 0, the first note is where its path begins, and has no opacity.
        let points = view.view.loader.landmarks(at: 0)
        let begin = view.annotator.place(try #require(points.first { $0.name == "begin" }).position)
        let control = view.annotator.place(try #require(points.first { $0.name == "control" }).position)
        let unit = (control - begin) * (1 / control.distance(to: begin))
        let scale = 4.0
        let rasterizer = try Rasterizer(width: Int(lesson.size.width * scale), height: Int(lesson.size.height * scale))
        _ = try rasterizer.draw(lesson.scenes(ofFrame: shot.start + shot.count - 1)[0])
        let pixmap = rasterizer.pixmap
        func green(_ point: Point) -> Int {
            let row = pixmap.data + Int(point.y * scale) * pixmap.stride
            return Int(row[4 * Int(point.x * scale) + 1])
        }
        for distance in stride(from: 6.0, through: 12, by: 1) {
            let on = begin + unit * distance
            #expect(green(on) - green(on + Point(0, 6)) > 40, "\(distance)")
        }
    }
}
