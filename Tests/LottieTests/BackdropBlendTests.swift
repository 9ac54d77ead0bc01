import Core
import Raster
import TestSupport
import Testing

@testable import Lottie

/// Exported Lottie files whose layers are blended with what is behind them.
@Suite struct BackdropBlendTests {
    private func run(_ arguments: [String], in fixture: LottieCommandFixture) throws {
        let outcome = try Subprocess(builtProgram, arguments, directory: fixture.directory).wait()
        try #require(outcome.code == 0, "\(arguments): \(outcome.errorText)")
    }

    /// A scaled clip has the background of its frames behind blended layers.
    @Test(arguments: [["--scale", "2"], ["--size", "150x150"], ["--trim", "--scale", "2"]])
    func scaledLayersBlendWithTheBackground(options: [String]) throws {
        let blended = shapes(
            ellipse([0, 0], [60, 60]), fill([0, 1, 0]), at: ["p": [50, 50]], ["bm": 1])
        let still = shapes(rectangle([0, 0], [40, 90]), fill([1, 1, 0]), at: ["p": [40, 50]])
        let moving = shapes(
            ellipse([0, 0], [9, 9]), fill(red), at: ["p": keys(key(0, [10, 10]), key(10, [90, 90]))])
        let fixture = try LottieCommandFixture(lottie(blended, still, moving))
        let background = ["--background", "#ff8080"]
        try run(["encode", "film.json"] + background + options + ["-o", "out.json"], in: fixture)
        try run(["still", "film.json", "--at", "0.1"] + background + options + ["-o", "a.png"], in: fixture)
        try run(["still", "out.json", "--at", "0.1", "--scale", "1", "-o", "b.png"], in: fixture)
        let expected = try #require(PixelGrid(png: bytes(of: fixture.directory.file("a.png"))))
        let exported = try #require(PixelGrid(png: bytes(of: fixture.directory.file("b.png"))))
        try #require(expected.width == exported.width && expected.height == exported.height)
        var different = 0
        for y in 0..<expected.height {
            for x in 0..<expected.width where expected[x, y].distance(to: exported[x, y]) > 40 { different += 1 }
        }
        #expect(different * 200 < expected.width * expected.height, "\(different) pixels")
    }
}
