import Core
import TestSupport
import Testing

@testable import Lottie

/// Text along paths, anchor point groupings, random orders, justified text and capitals.
@Suite struct TextOptionTests {
    /// Returns an animation with the text options `p` and `m` of its layer.
    private func textAnimation(
        _ text: String, _ style: [String: JSON] = [:], animators: [JSON] = [], path: JSON = [:], more: JSON = [:],
        mask: JSON = .null, at: JSON = [0, 0]
    ) -> JSON {
        let json = LottieTests.textAnimation(text, style, animators: animators)
        let document: JSON = JSON.object(["t": .string(text), "f": "Font", "s": 20, "lh": 24, "fc": [0, 0, 0]]).with(
            style)
        let masks: JSON = mask == .null ? [] : [["mode": "n", "pt": property(mask), "o": property(100)]]
        return json.with([
            "layers": [
                layer(
                    5, ["p": at],
                    [
                        "masksProperties": masks,
                        "t": [
                            "d": ["k": [["t": 0, "s": document]]], "a": .array(animators), "p": path, "m": more,
                        ],
                    ])
            ]
        ])
    }

    /// A line down the middle of the canvas.
    private let line: JSON = ["v": [[50, 10], [50, 90]], "c": false]

    /// At 20 points, "a" is 10 wide and 14 high, with an advance of 12.
    @Test func textRunsAlongAPath() throws {
        let down = try draw(textAnimation("aa", path: ["m": 0, "f": property(10)], mask: line))
        // Rotated by 90 degrees, characters are right of the line from y = 20 on, and 14 wide.
        expect(down, [(55, 22, .black), (55, 31, .white), (55, 35, .black), (45, 25, .white), (65, 25, .white)])
        expect(down.area, near: 280)
        let upright = try draw(textAnimation("aa", path: ["m": 0, "f": property(10), "p": property(0)], mask: line))
        // Each is centred on its point of the path, at 26 and 38, with its baseline there.
        expect(upright, [(45, 25, .black), (53, 25, .black), (45, 37, .black), (40, 25, .white), (58, 25, .white)])
        let reversed = try draw(textAnimation("aa", path: ["m": 0, "r": property(1)], mask: line))
        expect(reversed, [(45, 85, .black), (55, 85, .white)])
    }

    @Test func textOnAPathIsJustified() throws {
        func rows(_ style: [String: JSON], _ path: JSON) throws -> (top: Int, bottom: Int) {
            let bitmap = try draw(textAnimation("aa", style, path: path, mask: line))
            let rows = (0..<100).filter { bitmap.ink(55, $0) > 0.5 }
            return (try #require(rows.first), try #require(rows.last))
        }
        // The path is 80 long, the line 24 wide, with a gap of 2 after each character.
        #expect(try rows([:], ["m": 0]) == (10, 31))
        #expect(try rows(["j": 1], ["m": 0]) == (66, 87))
        #expect(try rows(["j": 2], ["m": 0]) == (38, 59))
        #expect(try rows([:], ["m": 0, "a": property(1)]) == (10, 87))
    }

    /// Beyond the ends of an open path, text continues straight; a closed path begins again.
    @Test func textContinuesBeyondThePath() throws {
        let before = try draw(textAnimation("a", path: ["m": 0, "f": property(-20)], mask: line, at: [0, 30]))
        expect(before, [(55, 25, .black), (45, 25, .white)])
        let after = try draw(textAnimation("a", path: ["m": 0, "f": property(85)], mask: line, at: [0, -20]))
        expect(after, [(55, 80, .black)])
        let square = box(20, 20, 60, 60)
        let first = try draw(textAnimation("a", path: ["m": 0, "f": property(10)], mask: square))
        let again = try draw(textAnimation("a", path: ["m": 0, "f": property(170)], mask: square))
        for (x, y) in [(35, 15), (35, 25), (15, 35), (65, 35)] { expect(again, [(x, y, first[x, y])], within: 3) }
        #expect(first.area > 130)
    }

    /// Characters turn about the centre of the baseline of their group.
    @Test func groupsTurnAsAWhole() throws {
        let turn = textAnimator(["s": 0, "e": 100], ["r": 180])
        func bitmap(_ grouping: JSON, _ text: String = "ab a", alignment: JSON = [0, 0]) throws -> PixelGrid {
            try draw(
                textAnimation(
                    text, animators: [turn], more: ["g": grouping, "a": property(alignment)], at: [10, 50]))
        }
        // Characters of 10, 6 and 10 points at 10, 22 and 36, upside down in their advances.
        expect(
            try bitmap(1), [(11, 55, .white), (13, 55, .black), (21, 55, .black), (23, 55, .white), (29, 55, .black)])
        // The first word is 20 wide: "b" comes first.
        expect(
            try bitmap(2),
            [
                (11, 55, .white), (13, 55, .black), (17, 55, .black), (19, 55, .white), (21, 55, .black),
                (39, 55, .black),
            ])
        // The line is 38 wide: "a", the space, "b" and "a" end where it began.
        expect(
            try bitmap(3), [(13, 55, .black), (23, 55, .white), (31, 55, .black), (39, 55, .black), (47, 55, .black)])
        // As in lottie-web, the fourth grouping, All, is that of characters.
        #expect(try bitmap(4) == bitmap(1))
        // Half of a group's width to the right.
        expect(try bitmap(1, "a", alignment: [100, 0]), [(15, 55, .white), (25, 55, .black)])
    }

    /// Each character has another position, and the same in every clip.
    @Test func randomOrdersArePermutations() throws {
        let json = textAnimation(
            "aaaaaa",
            animators: [
                textAnimator(["s": 0, "e": 50], ["o": 0]).with([
                    "s": [
                        "s": property(0), "e": property(50), "b": 1, "sh": 1, "r": 1, "rn": 1,
                    ]
                ])
            ], at: [10, 50])
        let bitmap = try draw(json)
        let visible = (0..<6).filter { bitmap.ink(12 + 12 * $0, 45) > 0.5 }
        #expect(visible.count == 3 && visible != [3, 4, 5])
        #expect(try draw(json).area == bitmap.area)
    }

    @Test func smoothnessHardensTheEdge() throws {
        let range: JSON = ["s": property(0), "e": property(37.5), "b": 1, "sh": 1, "r": 1, "sm": property(0)]
        let bitmap = try draw(
            textAnimation(
                "aaaa", animators: [JSON.object(["s": range, "a": .object(properties(["o": 0]))])], at: [10, 50]))
        // Half of the second character is in the range, which is neither less nor more.
        expect(bitmap, [(12, 45, .white), (36, 45, .black)])
    }

    /// Positions are not turned by other animators.
    @Test func animatorsCombine() throws {
        let animators = [
            textAnimator(["s": 0, "e": 100], ["r": 90]), textAnimator(["s": 0, "e": 100], ["p": [30, 0]]),
        ]
        let bitmap = try draw(textAnimation("a", animators: animators, at: [30, 50]))
        expect(bitmap, [(62, 50, .white), (68, 45, .black), (70, 53, .black)])
        let red: [String: JSON] = ["fc": [1, 0, 0]]
        let shifted = try draw(
            textAnimation("a", red, animators: [textAnimator(["s": 0, "e": 100], ["fh": 240])], at: [30, 50]))
        expect(shifted, [(35, 45, .fullBlue)])
        let gray = try draw(
            textAnimation(
                "a", red, animators: [textAnimator(["s": 0, "e": 100], ["fs": -100, "fb": -50])], at: [30, 50]))
        expect(gray, [(35, 45, Pixel(128, 128, 128))])
    }

    /// Lines of a box are stretched to its width, except the last of a paragraph.
    @Test(arguments: [(3, 0.0), (4, 48), (5, 24), (6, 0)]) func justifiedLinesFillTheBox(number: Int, left: Double)
        throws
    {
        let style: [String: JSON] = ["sz": [60, 60], "ps": [10, 10], "j": .number(Double(number))]
        let bitmap = try draw(textAnimation("a a a a\ra", style))
        // Three characters and two spaces are 48 wide, so each space gains 6.
        for x in [10, 34, 58] { expect(bitmap, [(x + 2, 20, .black), (x + 11, 20, .white)]) }
        // The last line of each paragraph has one character.
        for y in [45, 69] { expect(bitmap, [(10 + Int(left) + 2, y, .black), (10 + Int(left) + 11, y, .white)]) }
    }

    /// The font has capitals of 60 and 40 hundredths of its size; small ones are 0.7 as large.
    @Test func smallCapitalsAreSmallerCapitals() throws {
        func capital(_ character: String, _ width: Double) -> JSON { block(character, width, width + 10) }
        let json = textAnimation("Aa", ["ca": 2], at: [10, 50])
            .with(["chars": [capital("A", 60), capital("B", 40)]])
        let bitmap = try draw(json)
        // 12 x 14 points, then 8.4 x 9.8 from 14 on.
        expect(bitmap.area, near: 12 * 14 + 8.4 * 9.8)
        expect(bitmap, [(11, 37, .black), (25, 37, .white), (25, 42, .black), (31, 42, .black), (33, 42, .white)])
    }
}
