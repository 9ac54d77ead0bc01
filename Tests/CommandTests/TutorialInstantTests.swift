import Core
import Foundation
import TestSupport
import Testing

/// The highlights and the playhead of a lesson are at the right positions in every decoded frame.
@Suite struct TutorialInstantTests {
    private static let script = """
        tutorial: qq-mail
        steps:
          - code: {file: c.swift, light: {0: 1, 1: 2-3, 2: 1, 3: 4, 4: 5-6, 5: 2}}
            slow: SLOW
            say: {en: Each phase has lines of its own., zh: 每段都有自己的几行。}

        """
    private static let lit = [1...1, 2...3, 1...1, 4...4, 5...6, 2...2]

    // At this size, a point is a pixel. Margins are a twentieth of the width, lines of code 17
    // points high.
    private static let (width, height) = (640, 360)
    private static let (left, length) = (32.0, 576.0)
    private static let (firstLine, lineHeight) = (160, 17)

    /// The pixels with the accent colour, which the bar beside highlighted lines and the playhead
    /// below the canvas have.
    private func accents(in image: [UInt8], rows: Range<Int>, columns: Range<Int>) -> [(x: Int, y: Int)] {
        rows.flatMap { y in
            columns.compactMap { x in
                let pixel = 3 * (y * Self.width + x)
                return image[pixel..<pixel + 3].elementsEqual([0, 98, 196]) ? (x, y) : nil
            }
        }
    }

    @Test(.slow, arguments: some(of: [("10", 7), ("24", 5), ("29.97", 3)], each: 2))
    func highlightsAndPlayheadChangeAtTheirFrames(fps: String, slow: Int) throws {
        let workspace = try CommandFixture()
        try makeFile(
            Self.script.replacingOccurrences(of: "SLOW", with: "\(slow)"), at: workspace.directory.file("s.yaml"))
        try makeFile("a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\n", at: workspace.directory.file("c.swift"))
        let outcome = try workspace.run([
            "tutorial", "s.yaml", "--layout", "\(Self.width)x\(Self.height)", "--fps", fps, "--codec", "ffv1",
            "--pixel-format", "bgr0", "--transitions", "cut", "-o", "x.mkv",
        ])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        let decoded = try workspace.shell("ffmpeg -v error -i x.mkv -map 0:v:0 -f rawvideo -pix_fmt rgb24 -").output
        let size = Self.width * Self.height * 3
        let frames = decoded.count / size
        let rate = fps == "29.97" ? Rational(30000, 1001) : try #require(Rational(text: fps))
        // Six phases of 0.24 s, `slow` times slower.
        let phase = Rational(Int128(24 * slow), 100)
        try #require(Rational(frames) > 5 * phase * rate)
        for frame in 0..<frames {
            let image = Array(decoded[frame * size..<(frame + 1) * size])
            let phases = Rational(frame) / rate / phase
            let lines = Self.lit[phases.floor % 6]
            let bar = accents(in: image, rows: 90..<270, columns: 33..<36).map(\.y)
            let top = Self.firstLine + (lines.lowerBound - 1) * Self.lineHeight
            let bottom = Self.firstLine + lines.upperBound * Self.lineHeight - 1
            #expect(bar.min().map { abs($0 - top) <= 1 } == true, "frame \(frame)")
            #expect(bar.max().map { abs($0 - bottom) <= 1 } == true, "frame \(frame)")
            let head = accents(in: image, rows: 276..<290, columns: 0..<Self.width).map(\.x)
            let middle = Double((head.min() ?? 0) + (head.max() ?? 0) + 1) / 2
            let share = (phases / 6).modulo(1).double
            // The tolerance is less than the playhead's motion per frame.
            #expect(abs(middle - Self.left - Self.length * share) <= 0.75, "frame \(frame)")
        }
    }
}
