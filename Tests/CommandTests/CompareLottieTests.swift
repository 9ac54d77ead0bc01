import Foundation
import TestSupport
import Testing

/// Findings of `compare` in recordings of Lottie files.
@Suite struct CompareLottieTests {
    private let workspace: CommandFixture

    init() throws { workspace = try CommandFixture() }

    /// A number, or keyframes from pairs of frame and value.
    private func property(_ keys: [(Double, Any)], _ handles: (Double, Double)) -> [String: Any] {
        let list: [[String: Any]] = keys.map { frame, value in
            let list = value as? [Double] ?? [value as? Double ?? 0]
            return [
                "t": frame, "s": list, "o": ["x": [handles.0], "y": [0.0]], "i": ["x": [handles.1], "y": [1.0]],
            ]
        }
        return ["a": 1, "k": list]
    }

    private func still(_ value: Any) -> [String: Any] { ["a": 0, "k": value] }

    /// Writes a file with a disc that moves from side to side and twice up, with the coordinates of
    /// its position apart.
    private func writeDisc(_ name: String, isEased: Bool, opacity: Double = 100) throws {
        let handles = isEased ? (0.42, 0.58) : (0.0, 1.0)
        let x = property([(0, 25.0), (30, 95.0), (60, 25.0)], handles)
        let y = property([(0, 55.0), (15, 20.0), (30, 55.0), (45, 20.0), (60, 55.0)], handles)
        let transform: [String: Any] = [
            "o": still(opacity), "r": still(0), "p": ["s": true, "x": x, "y": y], "a": still([0, 0, 0]),
            "s": still([100, 100, 100]),
        ]
        let group: [String: Any] = [
            "ty": "tr", "p": still([0, 0]), "a": still([0, 0]), "s": still([100, 100]), "r": still(0), "o": still(100),
        ]
        let shapes: [[String: Any]] = [
            ["ty": "el", "p": still([0, 0]), "s": still([16, 16])],
            ["ty": "fl", "c": still([0.8, 0.2, 0.1, 1]), "o": still(100), "r": 1], group,
        ]
        let layer: [String: Any] = [
            "ind": 1, "ty": 4, "nm": "disc", "ks": transform, "shapes": [["ty": "gr", "nm": "disc", "it": shapes]],
            "ip": 0, "op": 60, "st": 0, "sr": 1,
        ]
        let file: [String: Any] = [
            "v": "5.7.0", "fr": 60, "ip": 0, "op": 60, "w": 120, "h": 80, "assets": [], "layers": [layer],
        ]
        try JSONSerialization.data(withJSONObject: file).write(
            to: URL(fileURLWithPath: workspace.directory.file(name)))
    }

    /// Another timing function of both coordinates changes the path of the disc, too. The loader is
    /// found nevertheless.
    @Test(.slow) func timingFunctionsMayChangePaths() throws {
        try writeDisc("eased.json", isEased: true)
        try writeDisc("linear.json", isEased: false)
        let first = try #require(try workspace.findings(in: ["linear.json"], as: "eased.json").first)
        #expect(first["kind"] as? String == "easing" && first["actual"] as? String == "linear", "\(first)")
    }

    /// On a plain background, a pale colour looks like a low opacity. It is one number instead of
    /// three.
    @Test(.slow) func opacitiesPrecedeColors() throws {
        try writeDisc("opaque.json", isEased: true)
        try writeDisc("faded.json", isEased: true, opacity: 40)
        let found = try workspace.findings(in: ["faded.json"], as: "opaque.json")
        #expect(found.first?["kind"] as? String == "opacity", "\(found)")
        #expect(abs((found.first?["size"] as? Double ?? 0) - 0.4) < 0.05, "\(found)")
    }
}
