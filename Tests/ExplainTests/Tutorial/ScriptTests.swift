import Animations
import Core
import Render
import TestSupport
import Testing

@testable import Explain

/// The contents of valid scripts and the messages for invalid ones.
@Suite struct ScriptTests {
    private static let bad: [(text: String, lines: [String])] = [
        ("", ["s.yaml:1:1: the file is empty; write a script with 'steps'"]),
        (
            "steps: []\n",
            ["s.yaml:1:1: the tutorial names no loader; add 'tutorial: ' and the id of a loader"]
        ),
        (
            "tutorial: qq-mial\nsteps: [{play: 1}]\n",
            ["s.yaml:1:11: there is no loader 'qq-mial'; did you mean 'qq-mail'?"]
        ),
        (
            "tutorial: qq-mail\n",
            ["s.yaml:1:1: the tutorial has no steps; add 'steps' with a list of steps"]
        ),
        (
            "tutorial: qq-mail\nsteps:\n  - pley: 3\n",
            ["s.yaml:3:5: unknown step 'pley'; did you mean 'play'?"]
        ),
        (
            "tutorial: qq-mail\nsteps:\n  - {play: 0}\n  - {slow: fast}\n  - {play: 2, shwo: trail}\n",
            [
                "s.yaml:3:12: 'play' is invalid: '0'; use 1...1000 cycles",
                "s.yaml:4:12: 'slow' is invalid: 'fast'; use 0.05...1000 as the factor",
                "s.yaml:5:15: unknown key 'shwo' in the step 'play'; did you mean 'show'?",
            ]
        ),
        (
            "tutorial: qq-mail\nsteps:\n  - {play: 1, say: 'Period {{peroid}} s, {{phase.duration}} s'}\n",
            [
                "s.yaml:3:20: there is no fact 'peroid'; did you mean 'period'?"
            ]
        ),
        (
            "tutorial: qq-mail\nsteps: [{play: 1}]\nchecks: [phases == 7, red.x at phase:2 == 90, phases, red.z == 1]\n",
            [
                "s.yaml:3:10: the check 'phases == 7' fails: 6 == 7",
                "s.yaml:3:47: a check is not a comparison: 'phases'; write it like phases == 6",
                "s.yaml:3:55: 'red' has no 'z'; use one of x, y, radius, step, direction, velocity, vx, vy",
            ]
        ),
        (
            "tutorial: iqiyi\nsteps:\n  - build: all\n  - {phases: [2]}\n  - {freeze: 'phase:0', point: {nose: a}}\n",
            [
                "s.yaml:3:5: 'iqiyi' has no construction points; remove the step 'build'",
                "s.yaml:4:15: there is no phase 2; use 0...1",
                "s.yaml:5:33: there is no object or point 'nose'; use one of tail, head, tip",
            ]
        ),
        (
            "tutorial: qq-mail\nsteps:\n  - code: {file: ../secret.swift}\n  - code: {file: none.swift}\n",
            [
                "s.yaml:3:18: 'file' is not a valid path: '../secret.swift'; use a path without '..'",
                "s.yaml:4:18: 'file' names 'none.swift', which does not exist; use a file beside or below the script",
            ]
        ),
        (
            "tutorial: qq-mail\nnames: {rde: x}\nchecks: [1 +]\nsteps:\n  - {pley: 3}\nposter: -1\n",
            [
                "s.yaml:2:9: unknown key 'rde' in 'names'; did you mean 'red'?",
                "s.yaml:3:10: a fact is malformed: '1 +'; write a fact such as period, phase.duration or red.x",
                "s.yaml:5:5: unknown step 'pley'; did you mean 'play'?",
                "s.yaml:6:9: 'poster' is invalid: '-1'; use 0...3600 seconds",
            ]
        ),
        (
            "tutorial: qq-mail\ntitle: {zh: 球}\nsteps: [{title: 2}]\n",
            ["s.yaml:2:8: the text has no translation into the requested language: zh; add en: and the text"]
        ),
        (
            "tutorial: qq-mail\nset: {radius: 1000}\nsteps: [{play: 1}]\n",
            [
                "s.yaml:2:6: radius=1000 is invalid; radius takes 0.5...30 pt (default 6)"
            ]
        ),
    ]

    private static let empty: [(step: String, line: String)] = [
        ("{play: 1, say: ' '}", "s.yaml:3:20: 'say' is empty; write a text"),
        ("{phases: []}", "s.yaml:3:14: 'phases' is empty; use all, or numbers of phases"),
        ("{build: []}", "s.yaml:3:13: 'build' is empty; use all, or names of points"),
        ("{build: [l3, l3]}", "s.yaml:3:18: the point 'l3' is listed twice; remove one of them"),
    ]

    @Test(arguments: empty.indices) func emptyStepsAndTextsAreErrors(index: Int) throws {
        let text = "tutorial: jelly\nsteps:\n  - \(Self.empty[index].step)\n"
        #expect(try ScriptDirectory(["s.yaml": text]).problems() == [Self.empty[index].line])
    }

    @Test func missingConstructionsAreErrors() throws {
        let text = "tutorial: qq-mail\nsteps:\n  - {play: 1, show: [construction]}\n"
        #expect(
            try ScriptDirectory(["s.yaml": text]).problems() == [
                "s.yaml:3:21: 'qq-mail' has no construction; use one of ghosts, labels, trail, vectors"
            ])
    }

    /// The layout breaks lines, so newlines in a script's texts are spaces.
    @Test func newlinesInTextsBecomeSpaces() throws {
        let text =
            "tutorial: qq-mail\ntitle: \"Three\\nballs\"\nsteps:\n  - play: 2\n    say: |\n      One\n      and two\n      and three.\n"
        let lesson = try lesson(text)
        #expect(lesson.cues.map(\.text) == ["One and two and three."])
        #expect(lesson.title == "Three balls")
    }

    /// A script has the languages that its texts name, else the one that they are written in.
    @Test(arguments: [
        ("title: My lesson\nsteps: [{title: 1, say: {en: Hello.}}]", [Language.en]),
        ("steps: [{play: 1, say: Uncharacteristically long words.}]", [.en]),
        ("title: 三个小球\nsteps: [{play: 1, say: 它们不断换位。}]", [.zh]),
        ("steps: [{play: 1, say: {en: One., zh: 一。}}]", [.en, .zh]),
    ])
    func languagesFollowTheTexts(text: String, languages: [Language]) throws {
        let script = try ScriptDirectory(["s.yaml": "tutorial: qq-mail\n\(text)\n"]).script()
        #expect(script.languages == languages)
        for language in languages { _ = try Lesson(script, Look(language: language, shape: .vertical).request()) }
    }

    @Test func requestsOverrideTitles() throws {
        var request = LessonRequest()
        request.title = "Another name"
        let lesson = try lesson("tutorial: qq-mail\ntitle: A name\nsteps: [{title: 1}]\n", request)
        #expect(lesson.title == "Another name" && lesson.chapters.first?.title == "Another name")
    }

    /// Code files may have LF, CRLF or CR line endings.
    @Test(arguments: ["\n", "\r\n", "\r"]) func codeAcceptsAnyLineEnding(end: String) throws {
        let code = ["let a = 1", "let b = 2", "let c = 3"].joined(separator: end) + end
        let text = "tutorial: qq-mail\nsteps:\n  - {code: {file: c.swift, light: {0: 2-3}}, slow: 2}\n"
        #expect(try ScriptDirectory(["s.yaml": text, "c.swift": code]).problems() == [])
        #expect(CodeLanguage.lines(of: code).count == 3)
    }

    @Test func wideCodeMayPrecedeNarrowCode() throws {
        let steps = ["a", "b"].map { "  - {code: {file: \($0).swift}, slow: 2}\n" }.joined()
        let files = [
            "s.yaml": "tutorial: qq-mail\nsteps:\n" + steps, "a.swift": String(repeating: "x", count: 41),
            "b.swift": "let b = 2\n",
        ]
        #expect(try ScriptDirectory(files).problems() == [])
    }

    @Test(arguments: bad.indices) func badScriptsReportEveryProblem(index: Int) throws {
        let (text, lines) = Self.bad[index]
        #expect(try ScriptDirectory(["s.yaml": text]).problems() == lines)
    }

    @Test func templatesEvaluateFacts() throws {
        let facts = TemplateContext(
            loader: try LoaderCatalog.builtIn.definition("qq-mail").make(),
            parameters: ["radius": "6", "motion": "smooth"])
        let phase = facts.loader.phases[2]
        func text(_ template: String, _ facts: TemplateContext) throws -> String {
            try TextTemplate(template).filled(with: facts, in: .en)
        }
        #expect(try text("{{period}} s, {{phases}} phases", facts) == "1.44 s, 6 phases")
        #expect(try text("{{phase.duration}} {{phase.name}}", facts.at(phase)) == "0.24 \(phase.name.text(in: .en))")
        #expect(try text("{{period / 6 * 2}}|{{1/3}}|{{-(2 - 5)}}", facts) == "0.48|0.333|3")
        #expect(try text("{{red.x at phase:2}} {{red.direction at phase:2}} {{red.stage at 0.5}}", facts) == "90 −1 3")
        #expect(try text("{{radius * 2}}{{motion}}", facts) == "12smooth")
        #expect(try text("no facts { here }", facts) == "no facts { here }")
    }

    @Test(arguments: [
        "1 / 0 == 1", "(((((((((((((((((((1))))))))))))))))))) == 1", "{{", "phases ==", "phases == 6 == 6",
        "motion < 3", "phase.start == 0", "red.x at phase:9 == 1", "red..x == 1", "@ == 1",
        String(repeating: "9", count: 300) + " == 1",
    ])
    func badClaimsAreOneLineErrors(claim: String) throws {
        let problems = try ScriptDirectory(["s.yaml": "tutorial: qq-mail\nsteps: [{play: 1}]\nchecks: ['\(claim)']\n"])
            .problems()
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix("s.yaml:3:10: ") && problems[0].contains("; "), "\(problems)")
    }

    @Test func productsDoNotOverflow() throws {
        let product = Array(repeating: "999999999", count: 15).joined(separator: "*")
        #expect(
            try ScriptDirectory(["s.yaml": "tutorial: qq-mail\nsteps: [{play: 1}]\nchecks: ['\(product) > 1']\n"])
                .problems() == [])
    }

    @Test func missingGlyphsAreErrorsWithALocation() throws {
        let text = "tutorial: qq-mail\nsteps:\n  - {play: 1, say: \"a \u{10FFFD} b\"}\n"
        let problems = try ScriptDirectory(["s.yaml": text]).problems()
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix("s.yaml:3:20: no installed font has a character of the text"), "\(problems)")
        #expect(problems[0].contains("(U+10FFFD); "))
    }

    @Test func overlongLessonsAreErrors() throws {
        let text = "tutorial: jelly\nsteps:\n  - {slow: 1000}\n  - {slow: 1000, cycles: 100}\n"
        let problems = try ScriptDirectory(["s.yaml": text]).problems()
        #expect(problems.count == 1 && problems[0].contains("s.yaml:3:5: the lesson is too long"), "\(problems)")
    }

    @Test(.slow, arguments: LoaderCatalog.builtIn.ids) func firstScriptsLayOutInEveryShape(id: String) throws {
        let text = try FirstScript(LoaderCatalog.builtIn.definition(id)).text
        for look in Look.all {
            let lesson = try lesson(text, look.request())
            #expect(lesson.frameCount > 30 * 20)
            #expect(lesson.chapters.count > 3)
        }
    }

    /// First scripts say what moves, and no sentence twice.
    @Test func firstScriptsSayWhatMoves() throws {
        let text = try FirstScript(LoaderCatalog.builtIn.definition("qq-mail")).text
        #expect(text.contains("Red and green meet in the middle."))
        #expect(text.contains("红球、绿球在中间相遇。"))
        let ring = try FirstScript(LoaderCatalog.builtIn.definition("iqiyi")).text
        #expect(ring.contains("Erase.") && !ring.contains("goes round"))
        for id in LoaderCatalog.builtIn.ids {
            let lines = try FirstScript(LoaderCatalog.builtIn.definition(id)).text.split(separator: "\n")
            let sentences = lines.filter { $0.contains("{en: ") }
            let repeated = sentences.filter { line in sentences.count { $0 == line } > 2 }
            #expect(repeated.isEmpty, "\(id): \(repeated)")
        }
    }

    /// Steps that do not fit are left out, and the rest of the script is valid.
    @Test func firstScriptsLeaveOutStepsThatDoNotFit() throws {
        let script = try FirstScript(LoaderCatalog.builtIn.definition("qq"))
        let directory = try TemporaryDirectory()
        let text = script.text(checkedAs: directory.file("s.yaml"))
        #expect(try ScriptDirectory(["s.yaml": text]).problems() == [])
        #expect(text.contains("- title: 2.5"))
    }

    // MARK: Posters

    @Test func postersShowTheLoader() throws {
        // The ring is empty at the start of its cycle.
        let lesson = try lesson("tutorial: iqiyi\nsteps:\n  - title: 2.5\n  - play: 1\n")
        let frame = try #require(lesson.posterFrame)
        let time = lesson.shots[0].shot.modelTime(after: lesson.frameRate.frameDuration * Rational(frame))
        #expect(abs(time.modulo(Rational(6, 5)).double - 0.6) < 0.15)
    }

    @Test func scriptsChooseThePoster() throws {
        let lesson = try lesson("tutorial: iqiyi\nposter: 1.5\nsteps:\n  - play: 3\n")
        #expect(lesson.posterFrame == 90)
        let problems = try ScriptDirectory(["s.yaml": "tutorial: iqiyi\nposter: 100\nsteps:\n  - play: 3\n"]).problems()
        #expect(
            problems == ["s.yaml:2:9: 'poster' is after the end of the lesson: 100; use a time before 3.6 s"])
    }

    @Test func unknownFramesAreErrors() throws {
        let problems = try ScriptDirectory(["s.yaml": "tutorial: qq-mail\nsteps:\n  - {play: 1, frame: blue}\n"])
            .problems()
        #expect(problems.count == 1)
        #expect(
            problems[0].hasPrefix("s.yaml:3:22: 'frame' is invalid: 'blue'; use one of motion, canvas, red"),
            "\(problems)"
        )
    }

    /// A named object is larger than in the usual view.
    @Test func framesShowObjectsClosely() throws {
        func scale(_ frame: String) throws -> Double {
            let lesson = try lesson("tutorial: iqiyi\nsteps:\n  - {freeze: 0.3, frame: \(frame)}\n")
            return try #require(lesson.shots.first?.views.first?.annotator.scale)
        }
        #expect(try scale("head") > 1.2 * scale("motion"))
        #expect(try scale("motion") >= scale("canvas"))
    }

    // MARK: Code

    @Test func longLinesContinueOnIndentedRows() throws {
        let rows = try #require(CodeRows(["    let total = first + second + third", "x"]) { $0.count <= 24 })
        #expect(rows.rows.map(\.line) == [0, 0, 1])
        #expect(rows.rows[1].indent == 8 && rows.rows[0].characters == 0..<24)
        #expect(rows.rows(of: 0...0) == 0...1 && rows.rows(of: 1...1) == 2...2)
        #expect(CodeRows(["abc"]) { $0.isEmpty } == nil)
        // With coloured tokens on both sides of the break.
        let long =
            "let value = 1 + " + String(repeating: "term + ", count: 10) + "name(\"position.y\", 25, \"opacity\")"
        for look in Look.all {
            let script = try ScriptDirectory([
                "s.yaml": "tutorial: jelly\nsteps:\n  - {code: {file: c.swift}}\n", "c.swift": long,
            ]).script()
            let audit = try LayoutAudit(Lesson(script, look.request()))
            #expect(audit.frames.flatMap { audit.problems(inFrame: $0) } == [])
        }
    }
}
