import TestSupport
import Testing

@testable import Animations

@Suite struct NearestNameTests {
    @Test(arguments: [
        ("slowmotion", ["motion", "slowmo", "slow"], "slowmo"), ("encod", ["encode", "code"], "encode"),
        ("webb", ["webp", "webm", "mp4"], "webm"), ("colour", ["color", "colon"], "color"),
        ("fromat", ["from", "format"], "format"), ("scal", ["scan", "scale"], "scale"), ("FPS", ["fps", "gop"], "fps"),
        ("fsp", ["fps", "gop"], "fps"), ("ann", ["annotate", "angle"], "annotate"), ("q", ["qq", "jelly"], "qq"),
    ])
    func misspelledNamesAreCorrected(word: String, known: [String], meant: String) {
        #expect(NearestName.of(word, in: known) == meant)
        #expect(NearestName.of(word, in: known.reversed()) == meant)
        #expect(NearestName.question(word, in: known) == "did you mean '\(meant)'?")
    }

    @Test(arguments: ["", "x", "zzz", "spinner", "nonsense", String(repeating: "fps", count: 2000)])
    func dissimilarWordsGetNoSuggestion(word: String) {
        #expect(NearestName.of(word, in: ["fps", "slowmo", "qq-mail", "iqiyi"]) == nil)
    }

    /// In a word of two characters, one different character is not a typo.
    @Test func shortWordsBeginAlike() {
        #expect(NearestName.of("cn", in: ["en", "zh"]) == nil)
        #expect(NearestName.of("qa", in: ["qq", "en"]) == "qq")
    }

    @Test func shortNumbersAreNotTypos() {
        #expect(NearestName.of("16", in: ["8", "10"]) == nil)
        #expect(NearestName.of("444", in: ["hq", "4444"]) == "4444")
        #expect(NearestName.of("h246", in: ["h264", "hevc"]) == "h264")
    }

    /// A single typo anywhere in a name of three or more characters is corrected, unless another
    /// name is as similar.
    @Test func singleTyposAreCorrected() {
        let known = ["background", "annotate", "slowmo", "fps", "layout", "qq-mail", "preloader"]
        var random = SeededGenerator(seed: 14)
        for _ in 0..<2000 {
            let name = known[random.int(0...known.count - 1)]
            var characters = Array(name)
            let index = random.int(0...characters.count - 2)
            switch random.int(0...3) {
            case 0: characters.remove(at: index)
            case 1: characters.insert("w", at: index)
            case 2: characters[index] = "z"
            default: characters.swapAt(index, index + 1)
            }
            let word = String(characters)
            #expect(NearestName.of(word, in: known.shuffled(using: &random)) == name, "\(word)")
        }
    }

    @Test func editDistanceIsAMetric() {
        #expect(NearestName.editDistance("kitten", "sitting") == 3)
        #expect(NearestName.editDistance("fsp", "fps") == 1 && NearestName.editDistance("ca", "abc") == 2)
        #expect(NearestName.editDistance("", "abc") == 3 && NearestName.editDistance("abc", "") == 3)
        var generator = SeededGenerator(seed: 120)
        func word() -> String {
            String((0..<generator.int(0...8)).map { _ in "abc".randomElement(using: &generator) ?? "a" })
        }
        for _ in 0..<300 {
            let (a, b, c) = (word(), word(), word())
            let distance = NearestName.editDistance(a, b)
            #expect((distance == 0) == (a == b))
            #expect(distance == NearestName.editDistance(b, a))
            #expect(distance <= NearestName.editDistance(a, c) + NearestName.editDistance(c, b))
            #expect(distance >= abs(a.count - b.count) && distance <= max(a.count, b.count))
        }
    }
}
