import Pipeline
import Raster
import Scene

/// Two pictures that differ, and how, side by side.
public struct DifferencePicture {
    private let panels: [(title: String, bitmap: Bitmap)]
    private let size: Size

    private static let (margin, title) = (12.0, 20.0)
    /// Differences of a few codes are to be seen, too.
    private static let gain = 4

    /// The worst pair of two clips as expected, actual and their difference; nil if no pair was kept.
    public init?(_ difference: ClipDifference) {
        guard let (expected, actual) = difference.worstPixels,
            let first = Self.bitmap(expected, over: true), let second = Self.bitmap(actual, over: true),
            let third = Self.bitmap(Self.difference(expected, actual), over: false)
        else { return nil }
        panels = [("expected", first), ("actual", second), ("difference ×\(Self.gain)", third)]
        size = Size(Double(expected.width), Double(expected.height))
    }

    private func scene(_ scale: Double) -> Scene {
        let (width, height) = (size.width * scale, size.height * scale)
        // Titles have room above small pictures, too.
        let pitch = max(width, 96) + Self.margin
        let ink = Color(40, 40, 40)
        let nodes = panels.enumerated().flatMap { number, panel -> [Node] in
            let left = Self.margin + Double(number) * pitch
            return [
                .text(
                    Text(
                        panel.title, frame: Rect(x: left, y: 8, width: pitch, height: Self.title), fontSize: 13,
                        color: ink,
                        bold: true)),
                .image(Image(panel.bitmap, frame: Rect(x: left, y: 8 + Self.title, width: width, height: height))),
            ]
        }
        let whole = Size(Self.margin + pitch * Double(panels.count), height + Self.title + 8 + Self.margin)
        return Scene(size: whole, background: Color(244, 244, 244), nodes: nodes)
    }

    /// The picture as a PNG file, one pixel for each of the clips', unless that is wider than can be drawn.
    ///
    /// - Parameter widest: the most pixels that each of the three may be wide; nil bounds them by what can be drawn.
    public func png(widest: Int? = nil) throws -> [UInt8] {
        let most = Double(Pixmap.largestSide) - 40
        let scale = min(
            1, Double(widest ?? Pixmap.largestSide) / size.width, (most / 3 - Self.margin) / size.width,
            (most - Self.title) / size.height)
        return try scene(scale).png(scale: 1)
    }

    /// Pixels as a bitmap, what is transparent over squares.
    private static func bitmap(_ pixels: Pixels, over squares: Bool) -> Bitmap? {
        var bytes = pixels.bytes
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let place = 4 * (y * pixels.width + x)
                let below = squares ? (x / 8 + y / 8) % 2 == 0 ? 255 : 208 : 0
                let rest = below * (255 - Int(bytes[place + 3])) / 255
                let colors = (0..<3).map { UInt8(min(255, Int(bytes[place + $0]) + rest)) }
                (bytes[place], bytes[place + 1], bytes[place + 2], bytes[place + 3]) = (
                    colors[2], colors[1], colors[0], 255
                )
            }
        }
        return Bitmap(width: pixels.width, height: pixels.height, pixels: bytes)
    }

    private static func difference(_ a: Pixels, _ b: Pixels) -> Pixels {
        var result = a
        for place in stride(from: 0, to: a.bytes.count, by: 4) {
            let alpha = abs(Int(a.bytes[place + 3]) - Int(b.bytes[place + 3]))
            for channel in 0..<3 {
                let color = abs(Int(a.bytes[place + channel]) - Int(b.bytes[place + channel]))
                result.bytes[place + channel] = UInt8(min(255, gain * max(color, alpha)))
            }
            result.bytes[place + 3] = 255
        }
        return result
    }
}
