import Core
import Foundation
import Raster
import TestSupport
import Testing

/// Images that are drawn smaller than they are.
@Suite struct ReducedImageTests {
    /// A smooth opaque bitmap with a diagonal wave.
    private func wave(width: Int, height: Int, period: Double) throws -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let value = UInt8((127.5 + 100 * sin(2 * .pi * (Double(x) + Double(y) / 2) / period)).rounded())
                pixels += [value, 255 - value, 128, 255]
            }
        }
        return try #require(Bitmap(width: width, height: height, pixels: pixels))
    }

    private func scene(_ bitmap: Bitmap, scale: Double, angle: Double = 0, at position: Point = .zero) -> Scene {
        let image = Image(bitmap, frame: Rect(x: 0, y: 0, width: Double(bitmap.width), height: Double(bitmap.height)))
        let transform = AffineTransform.scale(scale).then(.rotation(angle)).then(.translation(position))
        let group = Group(transform: transform, nodes: [.image(image)])
        return Scene(size: Size(100, 100), background: .white, nodes: [.group(group)])
    }

    /// The mean of the wave over a drawn pixel, at the same place.
    @Test(arguments: [0.07, 0.25, 0.31, 0.5, 0.62, 0.8, 0.9, 1])
    func aReducedImageIsTheMeanOfWhatItCovers(scale: Double) throws {
        let period = 60 / scale
        let bitmap = try wave(width: Int(100 / scale), height: Int(100 / scale), period: period)
        let grid = try PixelGrid(of: scene(bitmap, scale: scale), width: 100, height: 100)
        var worst = 0.0
        for y in 2..<97 {
            for x in 2..<97 {
                let place = (Double(x) + 0.5 + (Double(y) + 0.5) / 2) / scale - 0.75
                let value = 127.5 + 100 * sin(2 * .pi * place / period)
                worst = max(worst, abs(Double(grid[x, y].blue) - value))
            }
        }
        // 10 values a pixel is the wave's steepest slope: an error of 2.5 is a quarter of a pixel.
        #expect(worst < 2.5)
    }

    @Test func fineDetailIsAveragedAndNotSkipped() throws {
        // Columns of black and white, one pixel each: grey at every scale below a half.
        let side = 400
        var pixels: [UInt8] = []
        for _ in 0..<side { for x in 0..<side { pixels += Array(repeating: x % 2 == 0 ? 0 : 255, count: 3) + [255] } }
        let bitmap = try #require(Bitmap(width: side, height: side, pixels: pixels))
        for scale in [0.13, 0.2, 0.25, 0.37, 0.45] {
            for angle in [0, 0.3] {
                let drawn = scene(bitmap, scale: scale, angle: angle, at: Point(30.3, 0.4))
                let grid = try PixelGrid(of: drawn, width: 100, height: 100)
                let middle = Point(30.3, 0.4) + Point(cos(angle), sin(angle)) * 20 * scale + Point(0, 20)
                let value = Int(grid[Int(middle.x), Int(middle.y)].green)
                #expect(abs(value - 128) < 16, "scale \(scale), angle \(angle): \(value)")
            }
        }
    }

    @Test func aFrameDoesNotDependOnThoseDrawnBefore() throws {
        let bitmap = try wave(width: 301, height: 173, period: 37)
        let rasterizer = try Rasterizer(width: 100, height: 100)
        for step in 0..<24 {
            let scale = 0.05 + 0.05 * Double(step * 7 % 24)
            let drawn = scene(bitmap, scale: scale, angle: 0.1 * Double(step), at: Point(40, 20))
            try rasterizer.draw(drawn)
            let alone = try Rasterizer(width: 100, height: 100)
            try alone.draw(drawn)
            #expect(PixelGrid(rasterizer.pixmap).pixels == PixelGrid(alone.pixmap).pixels, "scale \(scale)")
        }
    }

    @Test func theEdgesOfAReducedImageAreOpaque() throws {
        let bitmap = try #require(
            Bitmap(width: 333, height: 127, pixels: Array(repeating: [0, 0, 0, 255], count: 333 * 127).flatMap { $0 }))
        for scale in [0.1, 0.3, 0.7] {
            let grid = try PixelGrid(of: scene(bitmap, scale: scale), width: 100, height: 100)
            // What lies beyond the canvas does not count.
            let visible = min(333 * scale, 100) * min(127 * scale, 100)
            #expect(abs(grid.area - visible) / visible < 0.01, "scale \(scale): \(grid.area) of \(visible)")
        }
    }
}
