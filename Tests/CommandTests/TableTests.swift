import Foundation
import TestSupport
import Testing

/// The tables of a batch, on terminals of several widths and without one.
@Suite struct BatchTableTests {
    private static let names = [
        "short", "a-name-of-many-words-that-says-all-there-is-to-say-of-a-clip-and-then-goes-on-for-a-while",
        "进度条动画-很长的中文名字-加载中的小球来回跳动-第二版-最终稿-竖屏-深色背景", "混合mixed名字names", "e\u{301}cole",
    ]

    /// The output of a command on terminals of several widths; width 0 means a pipe.
    private func output(_ command: [String], widths: [Int], in directory: TemporaryDirectory) throws -> [[String]] {
        struct LocatedValue: Encodable {
            var command: [String]
            var widths: [Int]
            var directory: String
        }
        return try python(
            """
            import fcntl, os, pty, struct, subprocess, termios
            def on_terminal(width):
                parent, child = pty.openpty()
                fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
                process = subprocess.Popen(
                    given["command"], cwd=given["directory"], stdin=subprocess.DEVNULL, stdout=child, stderr=subprocess.DEVNULL)
                os.close(child)
                text = b""
                while True:
                    try: part = os.read(parent, 65536)
                    except OSError: break
                    if not part: break
                    text += part
                os.close(parent)
                assert process.wait() == 0
                return text
            def in_pipe():
                return subprocess.run(
                    given["command"], cwd=given["directory"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL, check=True).stdout
            result = [
                (on_terminal(width) if width else in_pipe()).decode().replace("\\r\\n", "\\n").splitlines()
                for width in given["widths"]]
            """, LocatedValue(command: [Program.path] + command, widths: widths, directory: directory.path))
    }

    /// The width of each line and the start of each of its cells, by the Unicode tables of Python.
    private func layout(_ lines: [String]) throws -> [[Int]] {
        try python(
            """
            import re, unicodedata
            def width(text):
                return sum(
                    0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
            result = []
            for line in given:
                cells = [match.start() for match in re.finditer(r"(?<=  )\\S|^\\S", line)]
                result.append([width(line)] + [width(line[:start]) for start in cells])
            """, lines)
    }

    @Test(arguments: [true, false]) func columnsStayAligned(isDryRun: Bool) throws {
        let workspace = try CommandFixture()
        let clips = Self.names.map { "  - {loader: qq, name: '\($0)'}\n" }.joined()
        try workspace.preset("defaults: {size: 32x16, fps: 10, speed: ultrafast, duration: 0.1}\nclips:\n" + clips)
        let command = ["batch", "p.yaml", "-o", "out", "--progress", "none"]
        if !isDryRun { #expect(try workspace.run(command).code == 0) }
        let widths = [60, 80, 120, 0]
        let outputs = try output(command + (isDryRun ? ["--dry-run"] : []), widths: widths, in: workspace.directory)
        for (width, lines) in zip(widths, outputs) {
            // The last line has the totals.
            let table = try layout(Array(lines.dropLast()))
            try #require(table.count == Self.names.count + 1, "\(lines)")
            let titles = lines[0].split(separator: " ").count
            // Rows of up-to-date outputs have empty "made in" and "size" cells, so only the cells
            // before them are counted.
            for row in table {
                #expect(Array(row[1..<4]) == Array(table[0][1..<4]), "\(lines.joined(separator: "\n"))")
            }
            let last = Set(table.dropFirst().map { $0.last ?? 0 })
            #expect(titles > 4 && last.count == 1, "\(lines.joined(separator: "\n"))")
            if width > (isDryRun ? 70 : 50) {
                #expect(table.allSatisfy { $0[0] <= width }, "\(lines.joined(separator: "\n"))")
            }
            for name in Self.names {
                let isWhole = lines.contains { $0.contains(name + ".mp4") }
                #expect(isWhole || width > 0, "\(name)")
            }
            #expect(lines[1...].contains { $0.contains("...") } == (width > 0))
        }
    }
}
