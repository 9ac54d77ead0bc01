import Core
import Raster

/// The colour that a viewer sees of an object: the most frequent one of its pixels that nothing
/// covers.
struct DrawnColors {
    /// The sum of the colours in a cell of the colour cube.
    private struct Cell {
        var red = 0.0
        var green = 0.0
        var blue = 0.0
        var weight = 0.0
    }

    /// The longer side of the bitmaps, in pixels.
    static let side = 48
    /// The number of cells of the colour cube along each axis. A gradient falls into a few of them.
    private static let cellsPerAxis = 8
    /// The minimum alpha of pixels that count, without the soft edges.
    private static let minAlpha = 64
    /// The minimum alpha of a pixel that hides what is behind it.
    private static let minOpaqueAlpha = 250
    /// The maximum difference of a component that leaves a pixel visible in the whole frame.
    private static let maxDifference = 6
    /// The share of opaque pixels below which an object counts as covered.
    private static let minVisibleShare = 0.03

    private var cells: [Int: Cell] = [:]
    private var opaquePixels = 0
    private var visiblePixels = 0

    /// Adds an object's pixels at one instant.
    ///
    /// - Parameters:
    ///   - nodes: the object alone.
    ///   - bounds: its bounds on the canvas.
    ///   - scene: everything that is drawn.
    mutating func add(_ nodes: [Node], in bounds: Rect, among scene: [Node]) {
        let longer = max(bounds.width, bounds.height)
        guard longer > 0, let own = Self.pixels(of: nodes, in: bounds), let all = Self.pixels(of: scene, in: bounds)
        else { return }
        for start in stride(from: 0, to: own.count, by: 4) where own[start + 3] >= Self.minAlpha {
            let isOpaque = own[start + 3] >= Self.minOpaqueAlpha
            let isVisible = (start..<start + 4).allSatisfy { abs(own[$0] - all[$0]) <= Self.maxDifference }
            if isOpaque {
                opaquePixels += 1
                visiblePixels += isVisible ? 1 : 0
            }
            if !isOpaque || isVisible { add(own[start..<start + 4]) }
        }
    }

    /// Adds a premultiplied pixel: blue, green, red and alpha.
    private mutating func add(_ pixel: ArraySlice<Int>) {
        let parts = Array(pixel)
        let components = parts.prefix(3).map { min(255, $0 * 255 / parts[3]) }
        let key = components.reduce(0) { $0 * Self.cellsPerAxis + $1 * Self.cellsPerAxis / 256 }
        let weight = Double(parts[3])
        cells[key, default: Cell()].blue += weight * Double(components[0])
        cells[key, default: Cell()].green += weight * Double(components[1])
        cells[key, default: Cell()].red += weight * Double(components[2])
        cells[key, default: Cell()].weight += weight
    }

    /// The most frequent colour; nil if the object is covered.
    var dominant: Color? {
        if opaquePixels > 0, Double(visiblePixels) < Self.minVisibleShare * Double(opaquePixels) { return nil }
        let best = cells.max { ($0.value.weight, $1.key) < ($1.value.weight, $0.key) }?.value
        return best.map { cell in
            func component(_ sum: Double) -> Int { Int((sum / cell.weight).rounded()) }
            return Color(component(cell.red), component(cell.green), component(cell.blue))
        }
    }

    /// Returns the premultiplied components of the pixels in a part of the canvas; nil if they
    /// cannot be drawn.
    static func pixels(of nodes: [Node], in bounds: Rect, side: Int = side) -> [Int]? {
        let scale = Double(side) / max(bounds.width, bounds.height)
        let width = max(1, Int((bounds.width * scale).rounded()))
        let height = max(1, Int((bounds.height * scale).rounded()))
        let placed = Group(transform: .translation(Point(-bounds.x, -bounds.y)).then(.scale(scale)), nodes: nodes)
        let scene = Scene(
            size: Size(Double(width), Double(height)), background: Color.black.opacity(0), nodes: [.group(placed)])
        guard let rasterizer = try? Rasterizer(width: width, height: height), (try? rasterizer.draw(scene)) != nil
        else { return nil }
        return rasterizer.pixmap.packedBytes.map(Int.init)
    }
}
