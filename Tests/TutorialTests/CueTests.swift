import Loaders
import Motion
import Pipeline
import TestSupport
import Testing

@testable import Tutorials

/// What is said can be read, whatever the lesson, the language, the shape and the rate.
@Suite struct CueTests {
    @Test(arguments: allScripts.map(\.name), [24, 60])
    func cuesKeepTheNorms(name: String, fps: Int) throws {
        let script = try #require(allScripts.first { $0.name == name })
        for look in Look.all {
            let lesson = try lesson(script, look.request(fps: FrameRate(fps)))
            let speed = ReadingSpeed(look.language)
            #expect(!lesson.cues.isEmpty)
            for cue in lesson.cues {
                let lines = cue.text.split(separator: "\n")
                let seconds = Double(cue.frames.count) / Double(fps)
                #expect(lines.count <= 2 && lines.allSatisfy { $0.count <= speed.lettersPerLine }, "\(cue)")
                #expect(seconds >= 5.0 / 6 - 1e-9 && seconds <= 7 + 1e-9, "\(cue)")
                let letters = lines.reduce(0) { $0 + $1.count }
                #expect(Double(letters) <= speed.lettersPerSecond.double * seconds + 1e-9, "\(cue)")
            }
            for (cue, next) in zip(lesson.cues, lesson.cues.dropFirst()) {
                #expect(next.frames.lowerBound - cue.frames.upperBound >= 2, "\(cue) \(next)")
            }
            #expect(try #require(lesson.cues.last).frames.upperBound <= lesson.frameCount)
        }
    }

    @Test(arguments: [
        "One. Two. Three.",
        "A sentence that goes on for a while, with a pause, and then another, and one more at the end.",
        "abcdefghijklmnopqrstuvwxyz abcdefghijklmnopqrstuvwxyz abcdefghijklmnopqrstuvwxyz abcdefghijklm",
        "Numbers such as 3.14 and 2,000 stay whole; so do e.g. units: 0.24 s.",
    ])
    func nothingThatIsSaidIsLost(text: String) throws {
        let lesson = try lesson("tutorial: qq-mail\nsteps:\n  - {play: 1, say: '\(text)'}\n")
        let said = lesson.cues.map(\.text).joined(separator: " ").split { " \n".contains($0) }
        #expect(said == text.split(separator: " "))
    }

    @Test func longWordsAreRefused() throws {
        let word = String(repeating: "w", count: 60)
        let problems = try ScriptDirectory(["s.yaml": "tutorial: qq-mail\nsteps:\n  - {play: 1, say: \(word)}\n"])
            .problems()
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix("s.yaml:3:20: a word is too long for a line of a caption"))
    }

    /// A passage lasts as long as its words need: cycles go on, what is slow stands still at its end.
    @Test func wordsLengthenWhatIsShown() throws {
        let words =
            "Many words take a while to read. They are shown one after another, two lines at a time, and never too fast."
        let play = try lesson("tutorial: qq-mail\nsteps:\n  - {play: 1, say: '\(words)'}\n")
        let seconds = Rational(play.frameCount) / 60
        #expect(seconds.double > Double(words.count) / 17)
        // Whole cycles of 1.44 s.
        #expect((seconds / Rational(144, 100) * 60).rounded % 60 <= 1)
        let slow = try lesson("tutorial: qq-mail\nsteps:\n  - {slow: 2, say: '\(words)'}\n")
        let stills = slow.repetition.stills
        #expect(!stills.isEmpty && stills.allSatisfy { $0.lowerBound >= 172 })
    }
}
