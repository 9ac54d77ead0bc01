import Core
import Raster
import TestSupport
import Testing

/// Means of several scenes in linear light.
@Suite struct AveragingTests {
    /// An object that covers a pixel for a part of the exposure keeps its colour there and becomes
    /// as translucent as the part is short.
    @Test(arguments: [(255, 128, 0), (128, 128, 128), (10, 132, 255), (0, 0, 0), (255, 255, 255)], [1, 8, 16, 31])
    func translucentMeansKeepTheColor(color: (red: Int, green: Int, blue: Int), covered: Int) throws {
        let fill = Color(color.red, color.green, color.blue)
        let square = Node.shape(Shape(.rectangle(Rect(x: 0, y: 0, width: 4, height: 4)), fill: fill))
        let scenes = (0..<32).map { index in
            Scene(size: Size(4, 4), background: Color(0, 0, 0, alpha: 0), nodes: index < covered ? [square] : [])
        }
        let rasterizer = try Rasterizer(width: 4, height: 4)
        _ = try LinearLightAverager().draw(scenes, with: rasterizer)
        let pixel = rasterizer.pixmap.data
        let alpha = Int(pixel[3])
        #expect(abs(alpha - 255 * covered / 32) <= 1)
        for (stored, expected) in zip([pixel[2], pixel[1], pixel[0]], [color.red, color.green, color.blue]) {
            #expect(Int(stored) <= alpha)
            // A premultiplied code is rounded to a whole number.
            #expect(abs(Int(stored) - (expected * alpha + 127) / 255) <= 1)
        }
    }

    /// The mean of opaque objects is that of their light.
    @Test func opaqueMeansAreMeansOfLight() throws {
        func scene(_ color: Color) -> Scene {
            let square = Shape(.rectangle(Rect(x: 0, y: 0, width: 4, height: 4)), fill: color)
            return Scene(size: Size(4, 4), background: Color(0, 0, 0, alpha: 0), nodes: [.shape(square)])
        }
        let rasterizer = try Rasterizer(width: 4, height: 4)
        _ = try LinearLightAverager().draw([scene(.white), scene(.black)], with: rasterizer)
        // Half of the light of white has the sRGB code 188.
        #expect(Array(UnsafeBufferPointer(start: rasterizer.pixmap.data, count: 4)) == [188, 188, 188, 255])
    }
}
