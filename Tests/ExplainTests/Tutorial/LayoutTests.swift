import Animations
import Core
import Render
import TestSupport
import Testing

@testable import Explain

/// Every lesson is legible in every language and shape.
@Suite struct LayoutTests {
    /// No line of the script is to blame for a title that the request sets.
    @Test func aLongTitleIsAProblemOfTheOption() throws {
        var request = LessonRequest()
        request.title = String(repeating: "a long title ", count: 20)
        let start = "tutorial: qq\ntitle: {en: T, zh: T}\nsteps: "
        let error = try #require(throws: LoadervidError.self) { try lesson(start + "[{title: 1}]\n", request) }
        #expect(error.description.hasPrefix("title: a title is too long for layout "), "\(error)")
        // It is not drawn.
        _ = try lesson(start + "[{play: 1}]\n", request)
    }

    @Test(arguments: some(of: allScripts.map(\.name), and: Look.all, each: 5))
    func textsAreLegible(name: String, look: Look) throws {
        let script = try #require(allScripts.first { $0.name == name })
        let audit = try LayoutAudit(lesson(script, look.request()))
        var problems: [String] = []
        for frame in audit.frames { problems += audit.problems(inFrame: frame) }
        #expect(
            problems.isEmpty,
            "\(name) \(look.testDescription): \(problems.count): \(problems.prefix(6).joined(separator: "\n"))")
    }

    @Test(arguments: some(of: allScripts.map(\.name), and: [ThemeTone?.none, .light, .dark], each: 4))
    func textsHaveContrast(name: String, theme: ThemeTone?) throws {
        let script = try #require(allScripts.first { $0.name == name })
        var request = Look(language: .en, shape: .wide).request()
        request.theme = theme
        let audit = try LayoutAudit(lesson(script, request))
        for shot in audit.lesson.shots {
            #expect(try audit.paleTexts(inFrame: shot.start + shot.count / 2) == [], "\(name) \(theme as Any)")
        }
    }

    @Test(arguments: [(1080, 1350), (1280, 720), (1000, 1000), (720, 1600), (1600, 720)])
    func customShapesAreLaidOut(width: Int, height: Int) throws {
        let shape = FrameShape.pixels(width: width, height: height)
        let lesson = try lesson(allScripts[3], Look(language: .en, shape: shape).request())
        #expect(min(lesson.size.width, lesson.size.height) == 360)
        #expect(abs(lesson.size.width / lesson.size.height - Double(width) / Double(height)) < 1e-9)
        let audit = try LayoutAudit(lesson)
        #expect(audit.frames.flatMap { audit.problems(inFrame: $0) } == [])
    }

    @Test(arguments: [(100, 1000), (8, 8), (35, 35), (9000, 9000)])
    func shapesOutOfRangeAreErrors(width: Int, height: Int) throws {
        let request = Look(language: .en, shape: .pixels(width: width, height: height)).request()
        let error = try #require(throws: LoadervidError.self) { try lesson(allScripts[0], request) }
        #expect("\(error)".contains("layout: \(width)x\(height) is not a valid size"))
    }
}
