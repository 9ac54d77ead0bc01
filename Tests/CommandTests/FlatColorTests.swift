import TestSupport
import Testing

/// A flat area of 16 pixels or more is within 6/255 of its colour in each channel.
@Suite struct FlatColorTests {
    /// The backgrounds by the loaders' specification.
    private static let backgrounds: [(id: String, color: [Int])] = [
        ("iqiyi", [255, 255, 255]), ("qq", [255, 255, 255]), ("qq-pull", [255, 255, 255]),
        ("qq-mail", [255, 255, 255]),
        ("preloader", [0x2F, 0x2E, 0x33]), ("jelly", [255, 255, 255]), ("douyin", [0x16, 0x18, 0x23]),
        ("oneloading", [255, 255, 255]),
    ]

    /// Expects a square of 16 pixels to have one colour in all frames.
    private func expect(
        _ color: [Int], at corner: (x: Int, y: Int), in path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let width = try Probe(path, frames: false).stream.width
        let frames = try decodedFrames(of: path)
        let own = try DecodedVideo(path: path, rgba: true).bitmaps
        #expect(frames.count == own.count && !frames.isEmpty, sourceLocation: sourceLocation)
        for (frame, picture) in zip(frames, own) {
            var worst = 0
            for (x, y) in (0..<256).map({ (corner.x + $0 % 16, corner.y + $0 / 16) }) {
                let start = 3 * (y * width + x)
                for (pixel, wanted) in zip(frame[start..<start + 3].map(Int.init) + picture.color(x, y), color + color)
                {
                    worst = max(worst, abs(pixel - wanted))
                }
            }
            #expect(worst <= 6, "off by \(worst)", sourceLocation: sourceLocation)
        }
    }

    @Test(.slow, arguments: some(of: Array(backgrounds.indices), and: ["mp4", "webm"], each: 5))
    func backgroundsAreRight(index: Int, container: String) throws {
        let (id, color) = Self.backgrounds[index]
        let workspace = try CommandFixture()
        let path = try workspace.encode(id, "--duration", "1/15", to: "clip.\(container)")
        let height = try Probe(path, frames: false).stream.height
        // The jelly hangs from the upper edge, which is empty in other loaders.
        try expect(color, at: id == "jelly" ? (0, height - 16) : (0, 0), in: path)
    }

    @Test(.slow, arguments: ["mp4", "webm"])
    func theJellysBodyIsRight(container: String) throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode("jelly", "--duration", "1/15", to: "clip.\(container)")
        try expect([255, 80, 80], at: (400, 100), in: path)
    }

    @Test(
        .slow,
        arguments: some(
            of: ["#123456", "tomato", "#0f0", "#00f", "#f0f", "rebeccapurple"], and: ["clip.mp4", "clip.webm"], each: 5)
    )
    func otherBackgroundsAreRight(background: String, name: String) throws {
        let colors: [String: [Int]] = [
            "#123456": [0x12, 0x34, 0x56], "tomato": [255, 99, 71], "#0f0": [0, 255, 0], "#00f": [0, 0, 255],
            "#f0f": [255, 0, 255], "rebeccapurple": [102, 51, 153],
        ]
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "oneloading", "--scale", "2", "--duration", "1/15", "--background", background, to: name)
        try expect(try #require(colors[background]), at: (0, 0), in: path)
    }

    /// Letterbox bars have the background's colour, and the canvas is not stretched.
    @Test func barsAreBackground() throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode("preloader", "--size", "400x200", "--duration", "1/15", to: "clip.mp4")
        for corner in [(0, 0), (384, 184), (60, 92)] { try expect([0x2F, 0x2E, 0x33], at: corner, in: path) }
    }

    @Test(.slow, arguments: ["hevc", "vp8", "av1", "vp9"])
    func otherCodecsAreRight(codec: String) throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "preloader", "--scale", "2", "--duration", "1/15", "--codec", codec, "--background", "#2a9d8f",
            to: "clip.mkv")
        try expect([0x2A, 0x9D, 0x8F], at: (0, 0), in: path)
    }
}
