import Media
import Testing

@Suite struct FramePatternTests {
    @Test func numbersArePaddedAsByPrintf() throws {
        let pattern = try FramePattern("a%03d_b.png")
        #expect([0, 7, 999, 1000].map(pattern.name) == ["a000_b.png", "a007_b.png", "a999_b.png", "a1000_b.png"])
        #expect(try FramePattern("%d.tif").name(12) == "12.tif")
        #expect(try FramePattern("%01d.tif").name(12) == "12.tif")
    }

    /// Only names that the pattern itself gives are its files.
    @Test func namesGiveNumbersBack() throws {
        let pattern = try FramePattern("%03d.png")
        #expect(pattern.number(of: "007.png") == 7 && pattern.number(of: "1000.png") == 1000)
        for name in ["7.png", "0007.png", "+07.png", "-01.png", ".png", "007.jpg", "a007.png", "00 7.png"] {
            #expect(pattern.number(of: name) == nil, "\(name)")
        }
    }

    @Test(arguments: ["a.png", "%s.png", "%4d.png", "%-4d.png", "%04d%d.png", "%%04d.png", "%099d.png", "%0d.png", "%"])
    func otherPatternsAreRefused(name: String) {
        #expect(throws: FramePattern.Problem.self) { try FramePattern(name) }
    }

    /// Messages give the number of digits without the zero before it.
    @Test(arguments: [
        ("%0300d.png", "to 300 digits"), ("%0d.png", "to 0 digits"), ("%s.png", "an unsupported placeholder"),
    ])
    func messagesNameTheProblem(name: String, reason: String) {
        #expect { try FramePattern(name) } throws: { ($0 as? FramePattern.Problem)?.reason.contains(reason) == true }
    }
}
