import Core
import TestSupport
import Testing

@Suite struct DirectoryPartTests {
    @Test(arguments: [
        ("", ""), ("a", ""), (".", ""), ("/", "/"), ("/a", "/"), ("a/", "a/"), ("a/b", "a/"), ("a//", "a//"),
        ("../b.json", "../"), ("a/b/c.json", "a/b/"), ("//a", "//"),
    ])
    func directoryPartEndsWithTheLastSlash(path: String, expected: String) {
        #expect(path.directoryPart == expected)
    }

    /// Swift sees a slash and the mark after it as one character that is not a slash.
    @Test func slashBeforeACombiningMarkIsASlash() {
        let path = "a/\u{301}b"
        #expect(!path.contains("/" as Character))
        #expect(Array(path.directoryPart.utf8) == Array("a/".utf8))
    }

    @Test func directoryPartIsThePathWithoutTheBytesAfterTheLastSlash() {
        var generator = SeededGenerator(seed: 4)
        let parts = ["/", "a", ".", "é", "\u{301}", "图"]
        for _ in 0..<300 {
            let path = (0..<generator.int(0...8)).map { _ in parts[generator.int(0...parts.count - 1)] }.joined()
            let directory = Array(path.directoryPart.utf8)
            let slash = UInt8(ascii: "/")
            #expect(Array(path.utf8).starts(with: directory), "\(path)")
            #expect(directory.isEmpty || directory.last == slash, "\(path)")
            #expect(!path.utf8.dropFirst(directory.count).contains(slash), "\(path)")
        }
    }
}
