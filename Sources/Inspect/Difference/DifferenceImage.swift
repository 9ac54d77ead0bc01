import Core
import Raster
import Render

/// An image of two different frames and their difference, side by side.
package struct DifferenceImage {
    private let panels: [(title: String, bitmap: Bitmap)]
    private let size: Size

    /// The margin around the panels in points.
    private static let margin = 12.0
    /// The height of a panel's title in points.
    private static let titleHeight = 20.0
    /// The factor that makes differences of a few codes visible.
    private static let gain = 4

    /// Creates an image of the worst pair of frames: expected, actual and difference. Returns nil
    /// if no pair was kept.
    package init?(_ difference: ClipDifference) {
        guard let (expected, actual) = difference.worstPixels,
            let first = Self.bitmap(expected, isOverCheckerboard: true),
            let second = Self.bitmap(actual, isOverCheckerboard: true),
            let third = Self.bitmap(Self.difference(expected, actual), isOverCheckerboard: false)
        else { return nil }
        panels = [("expected", first), ("actual", second), ("difference ×\(Self.gain)", third)]
        size = Size(Double(expected.width), Double(expected.height))
    }

    private func scene(_ scale: Double) -> Scene {
        let width = size.width * scale
        let height = size.height * scale
        // Titles need room above small frames too.
        let pitch = max(width, 96) + Self.margin
        let ink = Color(40, 40, 40)
        let nodes = panels.enumerated().flatMap { number, panel -> [Node] in
            let left = Self.margin + Double(number) * pitch
            return [
                .text(
                    Text(
                        panel.title, frame: Rect(x: left, y: 8, width: pitch, height: Self.titleHeight), fontSize: 13,
                        color: ink,
                        bold: true)),
                .image(
                    Image(panel.bitmap, frame: Rect(x: left, y: 8 + Self.titleHeight, width: width, height: height))),
            ]
        }
        let whole = Size(Self.margin + pitch * Double(panels.count), height + Self.titleHeight + 8 + Self.margin)
        return Scene(size: whole, background: Color(244, 244, 244), nodes: nodes)
    }

    /// Returns the image as a PNG file, at the size of the frames unless that is wider than the
    /// rasterizer's limit.
    ///
    /// - Parameter maxPanelWidth: the maximum width of each of the three panels in pixels; nil uses
    ///   the rasterizer's limit.
    package func png(maxPanelWidth: Int? = nil) throws -> [UInt8] {
        let maxSide = Double(Pixmap.maxSide) - 40
        let scale = min(
            1, Double(maxPanelWidth ?? Pixmap.maxSide) / size.width, (maxSide / 3 - Self.margin) / size.width,
            (maxSide - Self.titleHeight) / size.height)
        return try scene(scale).png(scale: 1)
    }

    /// Returns pixels as a bitmap, optionally over a checkerboard.
    private static func bitmap(_ pixels: Pixels, isOverCheckerboard: Bool) -> Bitmap? {
        var bytes = pixels.bytes
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let index = 4 * (y * pixels.width + x)
                let below = isOverCheckerboard ? (x / 8 + y / 8) % 2 == 0 ? 255 : 208 : 0
                let rest = below * (255 - Int(bytes[index + 3])) / 255
                let colors = (0..<3).map { UInt8(min(255, Int(bytes[index + $0]) + rest)) }
                (bytes[index], bytes[index + 1], bytes[index + 2], bytes[index + 3]) = (
                    colors[2], colors[1], colors[0], 255
                )
            }
        }
        return Bitmap(width: pixels.width, height: pixels.height, pixels: bytes)
    }

    private static func difference(_ a: Pixels, _ b: Pixels) -> Pixels {
        var result = a
        for index in stride(from: 0, to: a.bytes.count, by: 4) {
            let alpha = abs(Int(a.bytes[index + 3]) - Int(b.bytes[index + 3]))
            for channel in 0..<3 {
                let color = abs(Int(a.bytes[index + channel]) - Int(b.bytes[index + channel]))
                result.bytes[index + channel] = UInt8(min(255, gain * max(color, alpha)))
            }
            result.bytes[index + 3] = 255
        }
        return result
    }
}
