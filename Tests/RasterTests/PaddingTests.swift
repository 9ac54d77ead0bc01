import Animations
import Core
import TestSupport
import Testing

@testable import Raster

/// Bitmaps with columns and rows of background next to their content.
@Suite struct PaddingTests {
    /// The content is bit-identical with and without padding, for full and for incremental drawing.
    @Test(arguments: ["iqiyi", "qq", "qq-mail", "jelly", "douyin", "preloader"], [(1, 1), (1, 0), (0, 1), (3, 2)])
    func paddingChangesNothing(id: String, padding: (Int, Int)) throws {
        let loader = try LoaderCatalog.builtIn.definition(id).make()
        let (width, height) = (Int(loader.canvas.width) | 1, Int(loader.canvas.height) | 1)
        let padded = try Rasterizer(width: width, height: height, paddingRight: padding.0, bottom: padding.1)
        for step in 0..<12 {
            let scene = loader.scene(at: loader.period * Rational(Int128(step * 5 % 12), 12))
            try padded.draw(scene)
            let pixels = PixelGrid(padded.pixmap)
            let plain = try PixelGrid(of: scene, width: width, height: height)
            #expect((pixels.width, pixels.height) == (width + padding.0, height + padding.1))
            try check(pixels, plain)
        }
    }

    /// Drawings are clipped at the canvas edge, even where the pixels of a scene's first nodes are
    /// cached.
    @Test func nothingReachesIntoThePadding() throws {
        let big = Node.shape(Shape(.rectangle(Rect(x: -50, y: -50, width: 500, height: 500)), fill: Color(200, 0, 0)))
        let padded = try Rasterizer(width: 33, height: 35, paddingRight: 1, bottom: 1)
        for step in 0..<80 {
            let dot = Path.circle(center: Point(Double(step % 40), 34), radius: 6)
            let still = (0..<40).map { _ in big }
            let scene = Scene(
                size: Size(33, 35), background: Color(0, 0, 255, alpha: 0.5),
                nodes: still + [.shape(Shape(dot, fill: .white))])
            try padded.draw(scene)
            try check(PixelGrid(padded.pixmap), PixelGrid(of: scene, width: 33, height: 35))
        }
    }

    /// The mean of several scenes has the same padding.
    @Test func averagedScenesArePadded() throws {
        let loader = try LoaderCatalog.builtIn.definition("qq-mail").make()
        let scenes = (0..<8).map { loader.scene(at: Rational($0, 50)) }
        let padded = try Rasterizer(width: 121, height: 61, paddingRight: 1, bottom: 1)
        let plain = try Rasterizer(width: 121, height: 61)
        _ = try LinearLightAverager().draw(scenes, with: padded)
        _ = try LinearLightAverager().draw(scenes, with: plain)
        try check(PixelGrid(padded.pixmap), PixelGrid(plain.pixmap))
    }

    private func check(_ pixels: PixelGrid, _ plain: PixelGrid) throws {
        let background = pixels[pixels.width - 1, pixels.height - 1]
        var wrong = 0
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let isContent = x < plain.width && y < plain.height
                if pixels[x, y] != (isContent ? plain[x, y] : background) { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }
}
