import Core
import Raster
import TestSupport

extension Scene {
    /// Returns the boxes of text in whole pixels. Their margins allow for the slightly different
    /// glyph sizes and positions of another system.
    func textBoxes(width: Int, height: Int) throws -> [PixelRect] {
        let viewport = Viewport(canvas: size, width: width, height: height)
        return try nodes.flatMap { try $0.textBounds(viewport.transform) }.compactMap { frame in
            let margin = 3.0
            let whole = Rect(x: 0, y: 0, width: Double(width), height: Double(height))
            guard let visible = frame.expanded(by: margin).intersection(whole) else { return nil }
            let (left, top) = (Int(visible.x.rounded(.down)), Int(visible.y.rounded(.down)))
            let (right, bottom) = (Int(visible.maxX.rounded(.up)), Int(visible.maxY.rounded(.up)))
            return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        }
    }
}

extension Node {
    /// Returns the bounds of the node's texts.
    fileprivate func textBounds(_ transform: AffineTransform) throws -> [Rect] {
        switch self {
        case .text(let text): return [transform.bounds(of: try text.glyphBounds())]
        case .group(let group):
            return try group.nodes.flatMap { try $0.textBounds(group.transform.then(transform)) }
        case .shape, .image: return []
        }
    }
}

extension Text {
    /// Returns the part of the frame that glyphs cover.
    fileprivate func glyphBounds() throws -> Rect {
        let extent = try TextGauge().extent(of: self)
        let (width, height) = (min(extent.width, frame.width), min(extent.height, frame.height))
        let left =
            switch alignment {
            case .left: frame.x
            case .center: frame.center.x - width / 2
            case .right: frame.maxX - width
            }
        return Rect(x: left, y: frame.y, width: width, height: height)
    }
}
