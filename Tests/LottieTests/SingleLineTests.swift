import TestSupport
import Testing

@testable import Lottie

struct SingleLineTests {
    /// Most texts are returned unchanged, so they must already follow the rule.
    @Test func spacesAndControlCharactersBecomeOneSpace() {
        let characters: [Character] = ["a", "b", " ", "~", "\t", "\u{7F}", "é"]
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...12, using: &random)
            let text = String((0..<count).map { _ in characters[Int.random(in: 0..<7, using: &random)] })
            let words = text.split { " \t\u{7F}".contains($0) }
            let expected = words.joined(separator: " ").prefix(6)
            #expect(text.singleLine(atMost: 6) == expected, "\(text.debugDescription)")
        }
    }
}
