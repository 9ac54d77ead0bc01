import Core
import TestSupport
import Testing

/// Untrusted names in messages and tables.
@Suite struct NameTests {
    @Test func longNamesLoseTheirMiddle() {
        let name = String(repeating: "a", count: 3000) + "z"
        #expect(quoted(name).unicodeScalars.count == maxNameLength + 2)
        #expect(quoted(name).hasPrefix("'aaa") && quoted(name).hasSuffix("aaz'") && quoted(name).contains("..."))
        let exact = String(repeating: "b", count: maxNameLength)
        #expect(quoted(exact) == "'\(exact)'")
        #expect("one \(name) two".abbreviatingWords(to: 10) == "one aaaaa...az two")
        for text in HostileText.all where text.unicodeScalars.count <= 400 {
            #expect(text.abbreviatingWords(to: 400).scalars == text.scalars)
        }
    }

    /// Python knows the widths of all assigned characters. Characters whose width differs between
    /// versions of Unicode are left out.
    @Test(.slow) func displayWidthsMatchUnicode() throws {
        let widths: [[Int]] = try python(
            """
            import unicodedata
            changed = [(0x2630, 0x2637), (0x268A, 0x268F), (0x4DC0, 0x4DFF), (0x1D300, 0x1D376)]
            result = []
            for code in range(0x20, 0x20000):
                text = chr(code)
                if unicodedata.category(text) in ("Cc", "Cn", "Cs", "Co", "Cf", "Mn", "Me", "Mc"): continue
                if 0x1160 <= code <= 0x11FF or any(first <= code <= last for first, last in changed): continue
                result.append([code, 2 if unicodedata.east_asian_width(text) in "WF" else 1])
            """, "")
        try #require(widths.count > 50_000)
        for pair in widths {
            let scalar = try #require(Unicode.Scalar(UInt32(pair[0])))
            if String(scalar).displayWidth != pair[1] {
                Issue.record("U+\(String(pair[0], radix: 16, uppercase: true)) has width \(pair[1])")
            }
        }
        #expect("\u{1112}\u{1161}\u{11AB}".displayWidth == 2)
    }

    @Test func shortenedNamesFitTheirWidth() {
        #expect("进度条动画".displayWidth == 10 && "e\u{301}".displayWidth == 1 && "a".displayWidth == 1)
        for text in HostileText.all + ["一个非常长的动画名字/加载中.mp4", String(repeating: "x", count: 99) + ".webm"] {
            for columns in 1...40 {
                let middle = text.shortenedMiddle(toColumns: columns)
                let end = text.shortenedEnd(toColumns: columns + 3)
                #expect(
                    middle.displayWidth <= columns && end.displayWidth <= columns + 3, "\(text.visible), \(columns)")
                if text.displayWidth <= columns { #expect(middle.scalars == text.scalars) }
            }
        }
        #expect("clips/very-long-name.mp4".shortenedMiddle(toColumns: 15) == "clips/...me.mp4")
    }
}
