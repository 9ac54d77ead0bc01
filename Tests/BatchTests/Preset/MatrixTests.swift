import Animations
import Batch
import Core
import Render
import TestSupport
import Testing

@Suite struct MatrixTests {
    private static let axes: [(key: String, values: [String])] = [
        ("fps", ["24", "30", "59.94", "30000/1001"]), ("slowmo", ["0.5", "1", "4"]), ("cycles", ["1", "2", "3"]),
        ("size", ["64x64", "96x64"]), ("lang", ["en", "zh"]), ("gop", ["0.5", "1", "1/3"]),
        ("timing", ["seamless", "exact"]), ("background", ["'#fff'", "tomato"]), ("chapters", ["true", "false"]),
    ]

    /// The shipped presets in two languages have chapters in both.
    @Test func shippedLessonsHaveChaptersInTheirLanguage() throws {
        let clips = try PresetReader(limits: PresetLimits()).read([shippedFolder + "/slowmo-phases.yaml"])
        func titles(_ name: String) throws -> [String] {
            let clip = try #require(clips.first { $0.name.hasSuffix(name) })
            return clip.outputs[0].plan.source.chapters.map(\.title)
        }
        let (english, chinese) = (try titles("-en"), try titles("-zh"))
        #expect(english.first == "Phase 1: red and green meet in the middle")
        #expect(chinese.first == "阶段 1：红球、绿球在中间相遇")
        #expect(english.count == 6 && chinese.count == 6)
        #expect(chinese.allSatisfy { $0.hasPrefix("阶段 ") && !$0.contains(/[A-Za-z]/) }, "\(chinese)")
    }

    /// Every combination is made once, with a unique default name.
    @Test func aMatrixIsAProduct() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20 {
            let axes = Self.axes.shuffled(using: &random).prefix(random.int(1...3)).map { axis in
                (axis.key, Array(axis.values.prefix(random.int(1...axis.values.count))))
            }
            let loaders = Array(["qq-mail", "iqiyi"].prefix(random.int(1...2)))
            let formats = Array(["mp4", "webm"].prefix(random.int(1...2)))
            let lines = axes.map { "      \($0.0): [\($0.1.joined(separator: ", "))]\n" }.joined()
            let made = try clips("clips:\n  - loader: \(loaders)\n    outputs: \(formats)\n    matrix:\n\(lines)")
            let product = axes.reduce(loaders.count) { $0 * $1.1.count }
            #expect(made.count == product)
            #expect(Set(made.map(\.name)).count == product)
            #expect(Set(made.flatMap { $0.outputs.map(\.path) }).count == product * formats.count)
            #expect(Set(made.map { $0.outputs[0].options }).count == product)
            for clip in made {
                #expect(clip.outputs.map { $0.path } == formats.map { "\(clip.name).\($0)" })
            }
        }
    }

    @Test func numbersKeepTheirText() throws {
        let made = try clips(
            "clips:\n  - loader: qq\n    matrix: {slowmo: [0.1, 1/3, 2.50], fps: [59.94, 30000/1001]}\n")
        #expect(
            made.map(\.outputs[0].request.slowmo) == [
                Rational(1, 10), Rational(1, 10), Rational(1, 3), Rational(1, 3),
                Rational(5, 2), Rational(5, 2),
            ])
        #expect(made.prefix(2).map { "\($0.outputs[0].request.frameRate)" } == ["60000/1001", "30000/1001"])
        #expect(made.map(\.name).prefix(3) == ["p/qq-0.1x-59.94fps", "p/qq-0.1x-30000-1001fps", "p/qq-1-3x-59.94fps"])
    }

    @Test func namesAreFilledIn() throws {
        let made = try clips(
            """
            name: demo
            clips:
              - loader: all
                set: {}
                size: 128x64
                slowmo: 2
                name: "{preset}/{size}/{loader}_{slowmo}-{fps}"
                outputs: [mp4, {format: mp4, suffix: -small, quality: 40}, {file: "web/{loader}.{format}", format: webm}]
              - loader: qq-mail
                matrix: {set.radius: [4, 8]}
            """)
        #expect(made.count == LoaderCatalog.builtIn.definitions.count + 2)
        #expect(
            made[3].outputs.map(\.path) == [
                "demo/128x64/qq-mail_2-60.mp4", "demo/128x64/qq-mail_2-60-small.mp4", "web/qq-mail.webm",
            ])
        #expect(made.suffix(2).map(\.name) == ["demo/qq-mail-radius4", "demo/qq-mail-radius8"])
        #expect(made.allSatisfy { $0.preset == "demo" })
    }

    @Test func outputsOfAClipShareItsFrames() throws {
        let text =
            "clips:\n  - {loader: qq-mail, slowmo: 2, codec: hevc, outputs: [mp4, {format: webm, codec: vp9, quality: 40}]}\n"
        let outputs = try clips(text)[0].outputs
        #expect(outputs.map(\.plan.encoder.encoder) == ["libx265", "libvpx-vp9"])
        #expect(outputs.map(\.plan.frameCount) == [173, 173])
        #expect(outputs[1].plan.encoder.options["crf"] == "40")
    }

    /// The combinations of a matrix are counted before they are expanded, since they may not fit
    /// into memory.
    @Test func hugeMatricesAreRejectedBeforeExpansion() throws {
        let values = (1...200).map(String.init).joined(separator: ",")
        let axes = ["fps", "slowmo", "gop", "cycles", "scale", "hold", "motion-blur", "set.radius"]
        let lines = axes.map { "      \($0): [\(values)]\n" }.joined()
        let directory = try PresetDirectory(["p.yaml": "clips:\n  - loader: qq-mail\n    matrix:\n\(lines)"])
        #expect(
            directory.problems() == [
                "p.yaml:11:7: there are too many outputs: 2560000000000000000; use at most 1000 in all (max-outputs)"
            ])
    }

    /// Any name gives a path below the output directory, or is rejected.
    @Test(.slow) func pathsStayInside() throws {
        var random = SeededGenerator(seed: 11)
        let pieces = [
            "..", ".", "/", "//", "a", "-", " ", "{loader}", "{preset}", "\\\\", "ü", "\u{301}", "~", "\\n", "x.mp4",
            ".loadervid",
        ]
        var accepted = 0
        for _ in 0..<400 {
            let name = (0..<random.int(1...5)).map { _ in pieces[random.int(0...pieces.count - 1)] }.joined()
            guard let made = try? clips("clips: [{loader: qq, name: \"\(name)\"}]\n") else { continue }
            accepted += 1
            let parts = made[0].outputs[0].path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
            #expect(parts.allSatisfy { !$0.isEmpty && $0.first != "." }, "\(name)")
        }
        #expect((20...380).contains(accepted))
    }
}
