import Foundation
import TestSupport
import Testing

/// Differences of Lottie files whose scale in the recording is unknown. The scale must not make up
/// for a part of them.
@Suite struct CompareFreeScaleTests {
    private let workspace: CommandFixture

    init() throws { workspace = try CommandFixture() }

    /// The control points of a keyframe's timing function.
    private struct Easing {
        var out: [Double]
        var into: [Double]

        static let easeInEaseOut = Easing(out: [0.42, 0], into: [0.58, 1])
        static let easeIn = Easing(out: [0.42, 0], into: [1, 1])
        static let easeOut = Easing(out: [0, 0], into: [0.58, 1])
        static let linear = Easing(out: [0, 0], into: [1, 1])
    }

    private func still(_ value: Any) -> [String: Any] { ["a": 0, "k": value] }

    /// Returns keyframes from pairs of frame and value.
    private func keyframes(_ keys: [(Double, [Double])], _ easing: Easing = .easeInEaseOut) -> [String: Any] {
        let list: [[String: Any]] = keys.map { frame, value in
            [
                "t": frame, "s": value, "o": ["x": [easing.out[0]], "y": [easing.out[1]]],
                "i": ["x": [easing.into[0]], "y": [easing.into[1]]],
            ]
        }
        return ["a": 1, "k": list]
    }

    /// Returns a layer in the middle of a canvas of 1000 x 800 units.
    private func layer(
        _ name: String, _ shape: [String: Any], line: Double? = nil, _ changes: [String: Any] = [:]
    ) -> [String: Any] {
        let transform: [String: Any] = [
            "o": still(100), "r": still(0), "p": still([500, 400, 0]), "a": still([0, 0, 0]),
            "s": still([100, 100, 100]),
        ]
        let color = still([0.1, 0.3, 0.8, 1])
        let fill: [String: Any] = ["ty": "fl", "c": color, "o": still(100), "r": 1]
        let stroke: [String: Any] = [
            "ty": "st", "c": color, "o": still(100), "w": still(line ?? 0), "lc": 1, "lj": 1, "ml": 4,
        ]
        let group: [[String: Any]] = [
            shape, line == nil ? fill : stroke,
            ["ty": "tr", "p": still([0, 0]), "a": still([0, 0]), "s": still([100, 100]), "o": still(100)],
        ]
        return [
            "ind": 1, "ty": 4, "nm": name, "ks": transform.merging(changes) { $1 },
            "shapes": [["ty": "gr", "nm": "g", "it": group]], "ip": 0, "op": 60, "st": 0, "sr": 1,
        ]
    }

    private func disc(_ diameter: Double) -> [String: Any] {
        ["ty": "el", "p": still([0, 0]), "s": still([diameter, diameter])]
    }

    /// Returns a square that shrinks and fades, with a factor of its opacity.
    private func pulse(opacity: Double = 1, scale: Double = 1) -> [[String: Any]] {
        let sizes: [(Double, Double)] = [(0, 100), (30, 60), (60, 100)]
        let size = keyframes(sizes.map { frame, percent in (frame, [percent * scale, percent * scale, 100]) })
        let fading = keyframes([(0, [100 * opacity]), (30, [40 * opacity]), (60, [100 * opacity])])
        let square: [String: Any] = ["ty": "rc", "p": still([0, 0]), "s": still([480, 480]), "r": still(60)]
        return [layer("square", square, ["o": fading, "s": size])]
    }

    /// Returns a large disc at rest and a small one that turns around it.
    private func orbit(hub: Double) -> [[String: Any]] {
        let turn = keyframes([(0, [0]), (60, [360])], .linear)
        return [layer("moon", disc(130), ["a": still([-290, 0, 0]), "r": turn]), layer("hub", disc(hub))]
    }

    /// Returns rings that begin to grow and fade at some frames.
    private func rings(_ starts: [Double], _ easing: Easing = .easeOut) -> [[String: Any]] {
        starts.enumerated().map { index, start in
            let size = keyframes([(start, [0, 0, 100]), (start + 40, [100, 100, 100])], easing)
            let fading = keyframes([(start, [100]), (start + 40, [0])], easing)
            return layer("ring \(index + 1)", disc(640), line: 48, ["s": size, "o": fading])
        }
    }

    /// Returns a dot that goes from side to side.
    ///
    /// - Parameter right: its position in the middle of the cycle.
    private func dot(_ easing: Easing, right: Double = 850) -> [[String: Any]] {
        let path = keyframes([(0, [150, 400]), (30, [right, 400]), (60, [150, 400])], easing)
        return [layer("dot", disc(100), ["p": path])]
    }

    private func write(_ name: String, _ layers: [[String: Any]]) throws {
        let file: [String: Any] = [
            "v": "5.7.0", "fr": 60, "ip": 0, "op": 60, "w": 1000, "h": 800, "assets": [], "layers": layers,
        ]
        try JSONSerialization.data(withJSONObject: file).write(
            to: URL(fileURLWithPath: workspace.directory.file(name)))
    }

    /// Records two cycles of layers at a fifth of their size, and compares them with others.
    ///
    /// - Parameter margin: the width in pixels of the page around the canvas.
    private func compare(
        recorded: [[String: Any]], designed: [[String: Any]], margin: Int = 20
    ) throws -> (code: Int32, text: String) {
        try write("recorded.json", recorded)
        try write("designed.json", designed)
        let options = [
            "--size", "200x160", "--fps", "30", "--cycles", "2", "--progress", "none", "--force", "-o", "own.mp4",
        ]
        let encoded = try workspace.run(["encode", "recorded.json"] + options)
        try #require(encoded.code == 0, "\(encoded.errorText)")
        let pad = "pad=\(200 + 2 * margin):\(160 + 2 * margin):\(margin):\(margin):color=white"
        let filter = ["-vf", pad, "-crf", "18", "-color_range", "tv", "-y"]
        try run("ffmpeg", ["-v", "error", "-i", "own.mp4"] + filter + ["page.mp4"], directory: workspace.directory)
        let outcome = try workspace.run(["compare", "page.mp4", "--as", "designed.json"])
        return (outcome.code, outcome.text + outcome.errorText)
    }

    /// A fainter object looks more like another one at another scale and speed than like itself.
    @Test(.slow) func aFainterObjectIsFoundAtItsScaleAndSpeed() throws {
        let (code, text) = try compare(recorded: pulse(opacity: 0.5), designed: pulse(opacity: 1))
        #expect(code == 1 && text.contains("  0.2 px/pt at (20, 20) px, speed 1,"), "\(text)")
        #expect(text.contains("\n  - square has 0.5 times its opacity"), "\(text)")
    }

    /// If the frame is the canvas, its size tells the scale of the canvas.
    @Test(.slow) func aFrameOfTheCanvasShowsAnotherSize() throws {
        let (code, text) = try compare(recorded: pulse(scale: 0.85), designed: pulse(), margin: 0)
        #expect(code == 1 && text.contains(/\n  - the loader is 15(\.\d)?% smaller than designed/), "\(text)")
        #expect(text.contains(/\n  or square is 15(\.\d)?% smaller/), "\(text)")
        #expect(try compare(recorded: pulse(), designed: pulse(), margin: 0).code == 0)
    }

    @Test(.slow) func aLargerObjectIsNotALargerLoader() throws {
        let (code, text) = try compare(recorded: orbit(hub: 240), designed: orbit(hub: 200))
        #expect(code == 1 && text.contains(/\n  - hub is (19\.\d|20(\.\d)?)% larger/), "\(text)")
    }

    /// An object ahead of its design looks nearer, as in a smaller loader.
    @Test(.slow) func anotherTimingFunctionIsNotASmallerLoader() throws {
        let (code, text) = try compare(recorded: dot(.easeOut), designed: dot(.easeInEaseOut))
        #expect(code == 1 && text.contains("\n  - easing: easeOut instead of easeInEaseOut"), "\(text)")
    }

    /// A smaller loader with a larger dot would look alike.
    @Test(.slow) func aShorterMotionIsNamed() throws {
        let (code, text) = try compare(
            recorded: dot(.easeInEaseOut, right: 730), designed: dot(.easeInEaseOut), margin: 0)
        let finding = /\n  - the position of dot changes by (57|58|59)\d(\.\d)? points instead of 700/
        #expect(code == 1 && text.contains(finding), "\(text)")
    }

    /// A shorter motion looks like that of a smaller loader without the card.
    @Test(.slow) func aShorterMotionBesideACardIsNamed() throws {
        let card = layer("card", disc(200), ["p": still([800, 150, 0])])
        let (code, text) = try compare(
            recorded: dot(.easeInEaseOut, right: 650) + [card], designed: dot(.easeInEaseOut) + [card], margin: 0)
        let finding = /\n  - the position of dot changes by (49|50)\d(\.\d)? points instead of 700/
        #expect(code == 1 && text.contains(finding), "\(text)")
    }

    /// Rings that begin slowly look as if the recording started at another time.
    @Test(.slow) func theTimingFunctionOfGrowingRingsIsNamed() throws {
        let (code, text) = try compare(recorded: rings([0, 20], .easeIn), designed: rings([0, 20]))
        #expect(code == 1 && text.contains("\n  - easing: easeIn instead of easeOut"), "\(text)")
    }

    /// Either ring may be missing, depending on the time at which the recording starts.
    @Test(.slow) func theMissingOneOfTwoEqualRingsIsNamed() throws {
        let (code, text) = try compare(recorded: rings([0]), designed: rings([0, 20]))
        #expect(code == 1, "\(text)")
        #expect(text.contains("ring 1 is missing") && text.contains("ring 2 is missing"), "\(text)")
        #expect(text.contains(", if the recording starts at "), "\(text)")
    }
}
