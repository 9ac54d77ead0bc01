import Animations
import Core
import Render
import TestSupport
import Testing

@testable import Explain

/// Captions are readable in every lesson, language, shape and frame rate.
@Suite struct CueTests {
    @Test(.slow, arguments: some(of: allScripts.map(\.name), and: [24, 60], each: 3))
    func captionsMeetReadingSpeedLimits(name: String, fps: Int) throws {
        let script = try #require(allScripts.first { $0.name == name })
        for look in Look.all {
            let lesson = try lesson(script, look.request(fps: FrameRate(fps)))
            let speed = ReadingSpeed(look.language)
            func length(_ line: Substring) -> Int { ReadingSpeed.length(of: String(line)).rounded }
            #expect(!lesson.cues.isEmpty)
            for cue in lesson.cues {
                let lines = cue.text.split(separator: "\n")
                let seconds = Double(cue.frames.count) / Double(fps)
                #expect(lines.count <= 2 && lines.allSatisfy { length($0) <= speed.charactersPerLine }, "\(cue)")
                #expect(seconds >= 5.0 / 6 - 1e-9 && seconds <= 7 + 1e-9, "\(cue)")
                let count = lines.reduce(0) { $0 + ReadingSpeed.length(of: String($1)).double }
                #expect(count <= speed.charactersPerSecond.double * seconds + 1e-9, "\(cue)")
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
    func captionsContainAllWords(text: String) throws {
        let lesson = try lesson("tutorial: qq-mail\nsteps:\n  - {play: 1, say: '\(text)'}\n")
        let shown = lesson.cues.map(\.text).joined(separator: " ").split { " \n".contains($0) }
        #expect(shown == text.split(separator: " "))
    }

    /// Chinese lines break between words, are of similar length, and none is a single character.
    @Test(arguments: [
        "三个小球在中间相遇，红球和绿球交换位置，然后再一次回到原来的地方继续运动。",
        "弹簧的阻尼比是 0.5，所以圆点会来回弹几次才停下来，最后一次几乎看不见了。",
    ])
    func chineseCaptionsBreakBetweenWords(text: String) throws {
        let script = "tutorial: qq-mail\nsteps:\n  - {play: 1, say: {zh: '\(text)', en: 'One.'}}\n"
        let cues = try lesson(script, Look(language: .zh, shape: .wide).request()).cues
        #expect(cues.map(\.text).joined().filter { $0 != "\n" } == text)
        for line in cues.flatMap({ $0.text.split(separator: "\n") }) {
            #expect(
                ReadingSpeed.length(of: String(line)) <= 16 && line.count { $0.isLetter || $0.isNumber } > 1, "\(line)")
            let first = try #require(line.first)
            #expect(!"，。的了".contains(first) && !(first.isASCII && first.isNumber), "\(line)")
        }
    }

    @Test func latinCountsHalfInChinese() {
        #expect(ReadingSpeed.length(of: "第 2 阶段") == Rational(9, 2))
        #expect(ReadingSpeed.length(of: "Phase 2\n") == 7)
    }

    @Test func wordsWiderThanALineAreErrors() throws {
        let word = String(repeating: "w", count: 60)
        let problems = try ScriptDirectory(["s.yaml": "tutorial: qq-mail\nsteps:\n  - {play: 1, say: \(word)}\n"])
            .problems()
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix("s.yaml:3:20: a word is too long for a line of a caption"))
    }

    /// A segment lasts until its captions have been read: cycles repeat, slow motion ends with a
    /// freeze.
    @Test func captionsExtendSegments() throws {
        let text =
            "Many words take a while to read. They are shown one after another, two lines at a time, and never too fast."
        let play = try lesson("tutorial: qq-mail\nsteps:\n  - {play: 1, say: '\(text)'}\n")
        let seconds = Rational(play.frameCount) / 60
        #expect(seconds.double > Double(text.count) / 17)
        // The period is 1.44 s.
        #expect((seconds / Rational(144, 100) * 60).rounded % 60 <= 1)
        let slow = try lesson("tutorial: qq-mail\nsteps:\n  - {slow: 2, say: '\(text)'}\n")
        let stills = slow.repetition.stills
        #expect(!stills.isEmpty && stills.allSatisfy { $0.lowerBound >= 172 })
    }
}
