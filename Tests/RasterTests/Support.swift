import Core
import Raster
import TestSupport

/// Draws nodes on white at one pixel per point.
func rendered(_ nodes: [Node], width: Int = 100, height: Int = 100) throws -> PixelGrid {
    let scene = Scene(size: Size(Double(width), Double(height)), background: .white, nodes: nodes)
    return try PixelGrid(of: scene, width: width, height: height)
}

/// Draws one shape on white.
func rendered(_ shape: Shape) throws -> PixelGrid { try rendered([.shape(shape)]) }

extension PixelGrid {
    /// The coverage of a pixel in 0...1, for black on white.
    func coverage(_ x: Int, _ y: Int) -> Double { Double(255 - self[x, y].green) / 255 }

    /// The black area in pixels.
    var area: Double {
        (0..<height).reduce(0) { sum, y in (0..<width).reduce(sum) { $0 + coverage($1, y) } }
    }

    /// The black area's centre of mass in pixels.
    var centroid: Point {
        var sum = Point.zero
        for y in 0..<height {
            for x in 0..<width { sum = sum + Point(Double(x) + 0.5, Double(y) + 0.5) * coverage(x, y) }
        }
        return sum * (1 / area)
    }

    /// The bounding box of all pixels that differ from `background`; nil if none does.
    func inked(unlike background: Pixel) -> Rect? {
        let plain = [background.blue, background.green, background.red, background.alpha].map { UInt8($0) }
        let corners = pixels.withUnsafeBufferPointer { bytes -> [Point] in
            var corners: [Point] = []
            for y in 0..<height {
                func isInked(_ x: Int) -> Bool {
                    let index = 4 * (y * width + x)
                    return bytes[index] != plain[0] || bytes[index + 1] != plain[1] || bytes[index + 2] != plain[2]
                        || bytes[index + 3] != plain[3]
                }
                var (first, last) = (0, width - 1)
                while first < width, !isInked(first) { first += 1 }
                guard first < width else { continue }
                while !isInked(last) { last -= 1 }
                corners += [Point(Double(first), Double(y)), Point(Double(last + 1), Double(y + 1))]
            }
            return corners
        }
        return Rect(enclosing: corners)
    }
}

/// Returns an open polyline.
func line(_ points: Point...) -> Path { .polyline(points) }
