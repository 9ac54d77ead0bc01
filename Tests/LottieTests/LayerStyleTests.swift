import Core
import TestSupport
import Testing

@testable import Lottie

/// Layer styles.
@Suite struct LayerStyleTests {
    private func draw(_ styles: JSON..., at: [String: JSON] = [:], color: JSON = black) throws -> PixelGrid {
        try LottieTests.draw(lottie(shapes(square, fill(color), at: at, ["sy": .array(styles)])))
    }

    private func style(_ type: Int, _ values: [String: JSON]) -> JSON {
        .object(["ty": .number(Double(type)), "nm": "it"].merging(properties(values)) { $1 })
    }

    @Test func strokesSurroundTheLayer() throws {
        let bitmap = try draw(style(0, ["c": red, "s": 6]))
        expect(bitmap, [(50, 50, .black), (26, 50, .fullRed), (50, 74, .fullRed), (22, 50, .white), (25, 25, .white)])
    }

    /// The light comes from the angle, anticlockwise from the right; the shadow falls opposite.
    @Test(arguments: [(90.0, 50, 75), (0, 25, 50), (180, 75, 50), (270, 50, 25)])
    func shadowsFallAwayFromTheLight(angle: Double, x: Int, y: Int) throws {
        let shadow = style(1, ["c": red, "o": 50, "a": .number(angle), "d": 10, "s": 0, "ch": 0, "bm": 1])
        expect(try draw(shadow), [(50, 50, .black), (x, y, Pixel(255, 127, 127))], within: 2)
        // The angle stays when the layer turns.
        let turned = try draw(shadow, at: ["p": [50, 50], "a": [50, 50], "r": 90])
        expect(turned, [(x, y, Pixel(255, 127, 127))], within: 2)
    }

    @Test func shadowsAreAsSoftAsTheirSize() throws {
        let bitmap = try draw(style(1, ["c": black, "o": 100, "a": 90, "d": 0, "s": 12, "ch": 0, "bm": 5]))
        // A standard deviation of half the size: 16% are left one deviation from the edge.
        expect(bitmap.ink(24, 50), near: 0.16, within: 0.15)
        let solid = try draw(style(1, ["c": black, "o": 100, "a": 90, "d": 0, "s": 6, "ch": 100, "bm": 1]))
        #expect(solid.ink(26, 50) > 0.95 && solid.ink(22, 50) < 0.05)
    }

    @Test func innerShadowsStayInside() throws {
        let shade = style(2, ["c": red, "o": 100, "a": 180, "d": 10, "s": 0, "ch": 0, "bm": 1])
        expect(try draw(shade), [(35, 50, .fullRed), (50, 50, .black), (65, 50, .black), (75, 50, .white)])
    }

    @Test func glowsSurroundAndFill() throws {
        let glow = try draw(style(3, ["c": red, "o": 100, "s": 10, "ch": 0, "bm": 1]))
        #expect(glow[26, 50].red > 250 && glow[26, 50].green < 220)
        expect(glow, [(50, 50, .black), (5, 5, .white)])
        let inner = try draw(style(4, ["c": red, "o": 100, "s": 10, "ch": 0, "bm": 11]))
        #expect(inner[31, 50].red > 60)
        expect(inner, [(50, 50, .black), (20, 50, .white)])
    }

    /// Blended overlays keep the alpha channel, also along antialiased edges.
    @Test func blendedOverlaysKeepTransparency() throws {
        let white = style(7, ["c": [1, 1, 1, 1], "so": 100, "bm": 5])
        let gray = Pixel(127, 127, 127)
        let faded = try LottieTests.draw(lottie(shapes(square, fill(black, opacity: 50), ["sy": [white]])))
        expect(faded, [(50, 50, gray), (20, 50, .white)])
        let layer = try draw(white, at: ["o": 50])
        expect(layer, [(50, 50, gray), (20, 50, .white)])
        let shifted = try draw(white, at: ["p": [0.5, 0]])
        expect(shifted, [(29, 50, .white), (30, 50, gray), (31, 50, .black), (70, 50, gray)])
    }

    /// In the modes that are not separable, opacity fades all channels alike.
    @Test func fadedOverlaysKeepLuminosity() throws {
        let overlay = style(7, ["c": [0.2, 0.6, 0.9, 1], "so": 50, "bm": 29])
        expect(try draw(overlay, color: [0.8, 0.5, 0.1, 1]), [(50, 50, Pixel(132, 144, 132)), (20, 50, .white)])
    }

    @Test func overlaysReplaceColours() throws {
        expect(try draw(style(7, ["c": red, "so": 100, "bm": 1])), [(50, 50, .fullRed), (20, 50, .white)])
        expect(try draw(style(7, ["c": red, "so": 50, "bm": 1])), [(50, 50, Pixel(128, 0, 0))])
        expect(
            try draw(style(7, ["c": [1, 1, 0, 1], "so": 100, "bm": 5]), color: [0.5, 0.5, 0.5, 1]),
            [(50, 50, Pixel(128, 128, 0)), (20, 50, .white)])
        let stops: JSON = [0, 1, 0, 0, 1, 0, 0, 1]
        let gradient = style(8, ["o": 100, "a": 0, "gt": 1, "re": 0, "s": 100, "bm": 1]).with([
            "gf": ["p": 2, "k": property(stops)]
        ])
        expect(try draw(gradient), [(31, 50, .fullRed), (50, 50, Pixel(128, 0, 128)), (68, 50, .fullBlue)], within: 12)
    }
}
