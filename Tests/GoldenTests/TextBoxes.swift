import Raster
import Scene
import TestSupport

extension Scene {
    /// Where letters are in its picture, in whole pixels, with room for another system's letters, which may be a little
    /// larger or lie a little beside.
    func textBoxes(width: Int, height: Int) throws -> [PixelRect] {
        let viewport = Viewport(canvas: size, width: width, height: height)
        return try nodes.flatMap { try $0.textFrames(viewport.transform) }.compactMap { frame in
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
    /// The rectangles that letters of the node take.
    fileprivate func textFrames(_ transform: AffineTransform) throws -> [Rect] {
        switch self {
        case .text(let text): return [transform.bounds(of: try text.lettersFrame())]
        case .group(let group):
            return try group.nodes.flatMap { try $0.textFrames(group.transform.then(transform)) }
        case .shape, .image: return []
        }
    }
}

extension Text {
    /// The part of the frame that the letters take.
    fileprivate func lettersFrame() throws -> Rect {
        let extent = try TextSystem.extent(of: self)
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
