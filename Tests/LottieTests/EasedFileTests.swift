import Animations
import Core
import Testing

@testable import Lottie

/// Lottie files read with another timing function.
@Suite struct EasedFileTests {
    private static func file(handles: String) -> String {
        """
        {"v": "5.7.0", "fr": 60, "ip": 0, "op": 60, "w": 100, "h": 100, "layers": [{"ty": 4, "ip": 0, "op": 60,
        "st": 0, "ks": {"p": {"a": 1, "k": [{"t": 0, "s": [10, 50], \(handles)}, {"t": 60, "s": [90, 50]}]}},
        "shapes": [{"ty": "el", "p": {"a": 0, "k": [0, 0]}, "s": {"a": 0, "k": [20, 20]}},
        {"ty": "fl", "c": {"a": 0, "k": [1, 0, 0, 1]}, "o": {"a": 0, "k": 100}}]}]}
        """
    }

    private static let eased = #""o": {"x": [0.42], "y": [0]}, "i": {"x": [0.58], "y": [1]}"#
    private static let linear = #""o": {"x": [0], "y": [0]}, "i": {"x": [1], "y": [1]}"#

    private func loader(_ handles: String) throws -> any KeyframedLoader {
        let bytes = Array(Self.file(handles: handles).utf8)
        let file = LottieFile.cached("eased.json", bytes)
        let loader = try file.loader(LottieFile.Variant(animation: "", subframes: .auto), isLenient: false)
        return try #require(loader as? any KeyframedLoader)
    }

    private func left(_ loader: any Loader, _ time: Rational) throws -> Double {
        try #require(Node.bounds(of: loader.nodes(at: time))).x
    }

    @Test func anotherTimingFunctionReplacesTheDesignedOne() throws {
        let quarter = Rational(1, 4)
        let loader = try loader(Self.eased)
        #expect(loader.curves == [.easeInEaseOut])
        #expect(abs(try left(loader, quarter) - 80 * TimingFunction.easeInEaseOut(0.25)) < 0.01)
        let linear = try #require(loader.eased(.linear))
        #expect(abs(try left(linear, quarter) - 20) < 0.01)
    }

    /// In a design with linear motion only, another timing function replaces the linear one.
    @Test func linearMotionIsReplacedInALinearDesign() throws {
        let loader = try loader(Self.linear)
        #expect(loader.curves.isEmpty)
        let eased = try #require(loader.eased(.easeOut))
        #expect(abs(try left(eased, Rational(1, 4)) - 80 * TimingFunction.easeOut(0.25)) < 0.01)
    }
}
