import Core
import Media
import Raster

@testable import Render

/// Returns true if two bitmaps have the same bytes.
func equal(_ a: Pixmap, _ b: Pixmap) -> Bool { memcmp(a.data, b.data, a.stride * a.height) == 0 }

private func equal(_ a: VideoFrame, _ b: VideoFrame) -> Bool {
    (0..<4).allSatisfy { index in
        guard let (one, two) = a.plane(index).flatMap({ one in b.plane(index).map { (one, $0) } }) else {
            return a.plane(index) == nil && b.plane(index) == nil
        }
        let isChroma = index == 1 || index == 2
        let rows = isChroma ? a.height / a.format.verticalStep : a.height
        let bytes = a.format.bytesPerRow(ofPlane: index, width: a.width)
        return (0..<rows).allSatisfy { memcmp(one.data + $0 * one.stride, two.data + $0 * two.stride, bytes) == 0 }
    }
}

/// Draws and converts only changed pixels, and compares the result with a whole frame.
struct RedrawComparison {
    let partial: Rasterizer
    let averager = LinearLightAverager()
    let converter: PixelConverter
    let frame: VideoFrame

    init(_ plan: RenderPlan) throws {
        let (width, height, format) = (plan.width, plan.height, plan.encoder.pixelFormat)
        partial = try Rasterizer(width: width, height: height)
        converter = try PixelConverter(width: width, height: height, to: format)
        frame = try VideoFrame(width: width, height: height, format: format)
    }

    /// Draws a frame in both ways. Returns a description of the difference, nil if there is none,
    /// and the number of pixels that were redrawn.
    func check(_ scenes: [Scene]) throws -> (problem: String?, area: Int) {
        let pixmap = partial.pixmap
        let (whole, wholeAverager) = (try Rasterizer(width: pixmap.width, height: pixmap.height), LinearLightAverager())
        func draw(_ rasterizer: Rasterizer, _ averager: LinearLightAverager) throws -> [PixelRect] {
            scenes.count == 1 ? try rasterizer.draw(scenes[0]) : try averager.draw(scenes, with: rasterizer)
        }
        let damage = try draw(partial, averager)
        _ = try draw(whole, wholeAverager)
        let area = damage.reduce(0) { $0 + $1.area }
        guard equal(pixmap, whole.pixmap) else { return ("drawn otherwise", area) }
        try converter.convert(pixmap.data, stride: pixmap.stride, into: frame, boxes: damage)
        let wholeFrame = try VideoFrame(width: pixmap.width, height: pixmap.height, format: frame.format)
        let wholeConverter = try PixelConverter(width: pixmap.width, height: pixmap.height, to: frame.format)
        try wholeConverter.convert(pixmap.data, stride: pixmap.stride, into: wholeFrame)
        return (equal(frame, wholeFrame) ? nil : "converted otherwise", area)
    }
}
