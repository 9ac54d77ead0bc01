import Animations
import Core
import Foundation
import Render
import TestSupport
import Testing

@testable import Explain

/// The shipped tutorials meet the requirements of published lessons.
@Suite struct ShippedTests {
    static let names = ["douyin", "iqiyi", "jelly", "oneloading", "preloader", "qq-mail", "qq"]

    private func path(_ name: String) -> String { shippedTutorials + "/" + name + ".yaml" }

    @Test func everyArticleHasATutorial() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: shippedTutorials)
        #expect(files.filter { $0.hasSuffix(".yaml") }.sorted() == Self.names.map { $0 + ".yaml" })
        for name in Self.names {
            let script = try TutorialScript(file: path(name))
            #expect(script.loader.definition.id == name)
            #expect(script.languages == [.en, .zh])
        }
    }

    @Test(.slow, arguments: names) func tutorialsLast30To75Seconds(name: String) throws {
        let script = try TutorialScript(file: path(name))
        for look in Look.all {
            let lesson = try Lesson(script, look.request())
            let seconds = Double(lesson.frameCount) / 30
            #expect((30...75).contains(seconds), "\(name) \(look): \(seconds) s")
            #expect(lesson.chapters.count >= 6, "\(name) \(look)")
            // Chapter titles are unique, except that the last chapter may repeat the first one's.
            #expect(Set(lesson.chapters.dropLast().map(\.title)).count == lesson.chapters.count - 1, "\(name) \(look)")
        }
    }

    /// Each tutorial begins and ends at normal speed, and contains slow motion, a freeze and code.
    @Test(.slow, arguments: names) func tutorialsMixSpeedsAndCode(name: String) throws {
        let lesson = try Lesson(TutorialScript(file: path(name)), Look(language: .en, shape: .wide).request())
        let speeds = lesson.shots.map { shot -> Rational? in
            if case .moving(_, let slowmo) = shot.shot.playback { slowmo } else { nil }
        }
        #expect(speeds.prefix(2) == [1, 1] && speeds.last == 1)
        #expect(speeds.contains { ($0 ?? 0) >= 3 } && speeds.contains(nil))
        #expect(lesson.shots.contains { $0.panel is PlacedCode })
    }

    /// Chinese lessons have Chinese texts only, and English lessons have none.
    @Test(.slow, arguments: names) func textsAreInBothLanguages(name: String) throws {
        let script = try TutorialScript(file: path(name))
        for language in Language.allCases {
            let lesson = try Lesson(script, Look(language: language, shape: .wide).request())
            let texts = lesson.cues.map(\.text) + lesson.chapters.map(\.title)
            for text in texts { #expect(text.hasHan == (language == .zh), "\(name): \(text)") }
            guard language == .en else { continue }
            for frame in lesson.sheetFrames {
                for text in lesson.scenes(ofFrame: frame)[0].nodes.flatMap(\.strings) {
                    #expect(!text.hasHan, "\(name): \(text)")
                }
            }
        }
        let source = try String(contentsOfFile: path(name), encoding: .utf8)
        #expect(source.ranges(of: "en: \"").count == source.ranges(of: "zh: \"").count)
    }

    /// A lesson's checks fail if a setting changes the motion that its texts describe.
    @Test(
        .slow,
        arguments: [
            ("douyin", "noteDelay: 0.5"), ("iqiyi", "ringWidth: 9"), ("jelly", "springDuration: 2"),
            ("oneloading", "duration: 3"), ("preloader", "delayRatio: 0.1"), ("qq", "gesture: '0:0,1:30,2.88:0'"),
            ("qq-mail", "ticksPerPhase: 20"),
        ])
    func checksDetectChangedMotion(name: String, setting: String) throws {
        let source = try String(contentsOfFile: path(name), encoding: .utf8)
        let code = URL(fileURLWithPath: shippedTutorials + "/code")
        var files = ["s.yaml": source + "set: {\(setting)}\n"]
        for file in try FileManager.default.contentsOfDirectory(at: code, includingPropertiesForKeys: nil) {
            files["code/" + file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
        }
        let problems = try ScriptDirectory(files).problems()
        // A freeze may point at an object that the changed motion hides.
        let others = problems.filter { !$0.contains(": the check '") }
        #expect(others.count < problems.count, "\(problems)")
        #expect(others.allSatisfy { $0.contains(" is not visible at ") }, "\(problems)")
        files["s.yaml"] = source
        #expect(try ScriptDirectory(files).problems() == [])
    }
}

extension String {
    fileprivate var hasHan: Bool { unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) } }
}
