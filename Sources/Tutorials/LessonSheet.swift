import Annotations
import Raster
import Scene

extension Lesson {
    /// A picture of every shot, so that a lesson can be looked through at once.
    ///
    /// - Parameter columns: pictures in a row; nil takes as many as suit the shape.
    public func sheet(columns: Int? = nil) -> Scene {
        let columns = min(columns ?? (size.width > size.height ? 4 : 6), max(1, sheetFrames.count))
        let width = 320.0 * min(1, size.width / size.height)
        let scale = width / size.width
        let (height, gap) = (size.height * scale, 10.0)
        let rows = (sheetFrames.count + columns - 1) / columns
        let nodes = sheetFrames.enumerated().flatMap { index, frame -> [Node] in
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            let corner = Point(gap + Double(column) * (width + gap), gap + Double(row) * (height + gap))
            let picture = Group(
                transform: AffineTransform.scale(scale).then(.translation(corner)), clip: .rectangle(Rect(size: size)),
                nodes: scenes(ofFrame: frame)[0].nodes)
            let frame = Rect(x: corner.x, y: corner.y, width: width, height: height)
            return [.shape(Shape(.rectangle(frame), fill: background)), .group(picture)]
        }
        return Scene(
            size: Size(gap + Double(columns) * (width + gap), gap + Double(rows) * (height + gap)),
            background: Color(128, 130, 136), nodes: nodes)
    }
}
