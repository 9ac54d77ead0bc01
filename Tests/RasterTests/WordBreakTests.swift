import Testing

@testable import Raster

/// The positions at which lines can break.
@Suite struct WordBreakTests {
    private func pieces(_ text: String) -> String { WordBreaks.pieces(of: text).joined(separator: "|") }

    /// Words of the dictionary stay whole, numbers stay with their words, and particles and closing
    /// punctuation stay with the word before them.
    @Test(arguments: [
        ("圆环先画出来，再擦掉", "出来，"), ("第 2 阶段进行到一半。", "第 2 阶段"), ("一共 6 个阶段", " 6 个"),
        ("放慢 10 倍，是一个动作。", " 10 倍，"), ("图形背后的点。", "背后的"), ("三角形只是跟着转。", "三角形"),
    ]) func wordsStayWhole(text: String, part: String) {
        #expect(WordBreaks.pieces(of: text).joined() == text)
        #expect(
            WordBreaks.pieces(of: text).contains { $0.contains(part) || part.contains($0) && $0.count > 2 },
            "\(pieces(text))")
    }

    @Test func numbersAreNotSeparated() {
        #expect(!pieces("阶段 3 结束").contains("| 3"))
        #expect(!pieces("一个周期 1.44 秒").contains("1.44|"))
    }

    @Test func latinBreaksAtSpaces() {
        #expect(pieces("the ball drops, e.g. 0.24 s") == "the| ball| drops,| e.g.| 0.24| s")
        #expect(pieces("") == "" && pieces(" a ") == " a| ")
    }
}
