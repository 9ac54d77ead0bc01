import Foundation

@testable import Inspect

/// Frames of discs on white, for checks of motion.
enum DrawnFrames {
    /// A filled disc in pixels.
    struct Disc {
        var x: Double
        var y: Double
        var radius: Double
        /// Red, green and blue.
        var color: [UInt8] = [0, 0, 0]
    }

    /// Returns a square frame with anti-aliased discs, later ones over earlier ones.
    static func frame(side: Int, _ discs: [Disc]) -> Pixels {
        var bytes = [UInt8](repeating: 255, count: 4 * side * side)
        for disc in discs {
            for row in 0..<side {
                for column in 0..<side {
                    let distance = hypot(Double(column) + 0.5 - disc.x, Double(row) + 0.5 - disc.y)
                    let cover = min(1, max(0, disc.radius + 0.5 - distance))
                    guard cover > 0 else { continue }
                    for channel in 0..<3 {
                        let index = 4 * (row * side + column) + channel
                        let mixed = Double(bytes[index]) * (1 - cover) + Double(disc.color[channel]) * cover
                        bytes[index] = UInt8(mixed.rounded())
                    }
                }
            }
        }
        return Pixels(width: side, height: side, bytes: bytes)
    }

    /// Returns a frame of a disc that circles evenly, at a step of a turn.
    static func circling(
        _ step: Int, of steps: Int, side: Int, radius: Double, color: [UInt8] = [0, 0, 0], with others: [Disc] = []
    ) -> Pixels {
        let angle = 2 * Double.pi * Double(step) / Double(steps)
        let center = Double(side) / 2
        let distance = 0.35 * Double(side)
        let disc = Disc(
            x: center + distance * cos(angle), y: center + distance * sin(angle), radius: radius, color: color)
        return frame(side: side, others + [disc])
    }

    /// Returns a frame whose samples other than alpha are changed, given each one and its index.
    static func changed(_ frame: Pixels, _ change: (UInt8, Int) -> UInt8) -> Pixels {
        let bytes = frame.bytes.enumerated().map { $0 % 4 == 3 ? $1 : change($1, $0) }
        return Pixels(width: frame.width, height: frame.height, bytes: bytes)
    }

    /// Returns a frame without colours.
    static func gray(_ frame: Pixels) -> Pixels {
        changed(frame) { _, index in
            let pixel = index / 4 * 4
            return UInt8(frame.bytes[pixel..<pixel + 3].reduce(0) { $0 + Int($1) } / 3)
        }
    }
}
