import Documents
import Loaders
import Motion
import Pipeline
import TestSupport
import Testing

@testable import Tutorials

/// What a script may say, and what is said to one that says something else.
@Suite struct ScriptTests {
    private static let bad: [(text: String, lines: [String])] = [
        ("", ["s.yaml:1:1: the file is empty, expected a mapping with steps, found nothing"]),
        (
            "steps: []\n",
            ["s.yaml:1:1: the tutorial names no loader, expected 'tutorial: ' and the id of a loader, found none"]
        ),
        (
            "tutorial: qq-mial\nsteps: [{play: 1}]\n",
            ["s.yaml:1:11: there is no such loader, expected a known one (did you mean 'qq-mail'?), found 'qq-mial'"]
        ),
        (
            "tutorial: qq-mail\n",
            ["s.yaml:1:1: the tutorial shows nothing, expected 'steps' with a list of steps, found none"]
        ),
        (
            "tutorial: qq-mail\nsteps:\n  - pley: 3\n",
            ["s.yaml:3:5: a step says not what it is, expected a known one (did you mean 'play'?), found 'pley'"]
        ),
        (
            "tutorial: qq-mail\nsteps:\n  - {play: 0}\n  - {slow: fast}\n  - {play: 2, shwo: trail}\n",
            [
                "s.yaml:3:12: 'play' is not possible, expected 1...1000 cycles, found '0'",
                "s.yaml:4:12: 'slow' is not possible, expected 0.05...1000 times slower, found 'fast'",
                "s.yaml:5:15: unknown key in a step 'play', expected a known one (did you mean 'show'?), found 'shwo'",
            ]
        ),
        (
            "tutorial: qq-mail\nsteps:\n  - {play: 1, say: 'Period {{peroid}} s, {{phase.duration}} s'}\n",
            [
                "s.yaml:3:20: there is no such fact, expected phases, period, phase.duration, an object's x or a parameter"
                    + " (did you mean 'period'?), found peroid"
            ]
        ),
        (
            "tutorial: qq-mail\nsteps: [{play: 1}]\nchecks: [phases == 7, red.x at phase:2 == 90, phases, red.z == 1]\n",
            [
                "s.yaml:3:10: a check does not hold, expected 'phases == 7', found 6 == 7",
                "s.yaml:3:47: a check compares nothing, expected such as phases == 6, found 'phases'",
                "s.yaml:3:55: 'red' has no 'z', expected one of x, y, radius, stage, direction, velocity, vx, vy, found 'z'",
            ]
        ),
        (
            "tutorial: iqiyi\nsteps:\n  - build: all\n  - {phases: [2]}\n  - {freeze: 'phase:0', point: {nose: a}}\n",
            [
                "s.yaml:3:5: 'iqiyi' has no points of a construction, expected another step, found 'build'",
                "s.yaml:4:15: there is no such phase, expected 0...1, found 2",
                "s.yaml:5:33: there is nothing of that name to point at, expected one of tail, head, tip, found 'nose'",
            ]
        ),
        (
            "tutorial: qq-mail\nsteps:\n  - code: {file: ../secret.swift}\n  - code: {file: none.swift}\n",
            [
                "s.yaml:3:18: 'file' leads away, expected names that do not begin with '.', such as '..', found '../secret.swift'",
                "s.yaml:4:18: 'file' cannot be read, expected a file beside the script, found 'none.swift': "
                    + "there is no such file",
            ]
        ),
        (
            "tutorial: qq-mail\ntitle: {zh: 球}\nsteps: [{title: 2}]\n",
            ["s.yaml:2:8: the text is not given in the language that is asked for, expected en: and the text, found zh"]
        ),
        (
            "tutorial: qq-mail\nset: {radius: 1000}\nsteps: [{play: 1}]\n",
            [
                "s.yaml:2:6: radius=1000 is not possible: radius takes 0.5...30 pt (default 6), expected settings that fit, "
                    + "found others"
            ]
        ),
    ]

    @Test(arguments: bad.indices) func badScriptsAreRefusedWithEverythingThatIsWrong(index: Int) throws {
        let (text, lines) = Self.bad[index]
        #expect(try ScriptDirectory(["s.yaml": text]).problems() == lines)
    }

    @Test func textsHaveFacts() throws {
        let facts = Facts(
            loader: try LoaderCatalog.builtIn.definition("qq-mail").make(),
            parameters: ["radius": "6", "motion": "smooth"])
        let phase = facts.loader.phases[2]
        func text(_ template: String, _ facts: Facts) throws -> String {
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
    func wrongClaimsAreRefusedInALine(claim: String) throws {
        let problems = try ScriptDirectory(["s.yaml": "tutorial: qq-mail\nsteps: [{play: 1}]\nchecks: ['\(claim)']\n"])
            .problems()
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix("s.yaml:3:10: ") && problems[0].contains(", expected "), "\(problems)")
    }

    /// Chains of products do not overflow.
    @Test func hugeNumbersAreNumbers() throws {
        let product = Array(repeating: "999999999", count: 15).joined(separator: "*")
        #expect(
            try ScriptDirectory(["s.yaml": "tutorial: qq-mail\nsteps: [{play: 1}]\nchecks: ['\(product) > 1']\n"])
                .problems() == [])
    }

    @Test func missingLettersAreToldWithTheirPlace() throws {
        let text = "tutorial: qq-mail\nsteps:\n  - {play: 1, say: \"a \u{10FFFD} b\"}\n"
        let problems = try ScriptDirectory(["s.yaml": text]).problems()
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix("s.yaml:3:20: no font has a letter of the text"), "\(problems)")
        #expect(problems[0].hasSuffix("(U+10FFFD)"))
    }

    @Test func tooLongLessonsAreRefused() throws {
        let text = "tutorial: jelly\nsteps:\n  - {slow: 1000}\n  - {slow: 1000, cycles: 100}\n"
        let problems = try ScriptDirectory(["s.yaml": text]).problems()
        #expect(
            problems.count == 2 && problems.allSatisfy { $0.contains("the lesson becomes too long") }, "\(problems)")
    }

    @Test(arguments: LoaderCatalog.builtIn.ids) func firstScriptsLayOutForAll(id: String) throws {
        let text = try FirstScript(LoaderCatalog.builtIn.definition(id)).text
        for look in Look.all {
            let lesson = try lesson(text, look.request())
            #expect(lesson.frameCount > 30 * 20)
            #expect(lesson.chapters.count > 3)
        }
    }
}
