import Core
import Raster
import Render

extension Lesson {
    /// Returns a contact sheet with a frame of every shot.
    ///
    /// - Parameter columns: frames per row; nil for 4 in landscape and 6 in other shapes.
    package func sheet(columns: Int? = nil) -> Scene {
        let columns = min(columns ?? (size.width > size.height ? 4 : 6), max(1, sheetFrames.count))
        let width = 320.0 * min(1, size.width / size.height)
        let scale = width / size.width
        let height = size.height * scale
        let gap = 10.0
        let rows = (sheetFrames.count + columns - 1) / columns
        let nodes = sheetFrames.enumerated().flatMap { index, frame -> [Node] in
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            let corner = Point(gap + Double(column) * (width + gap), gap + Double(row) * (height + gap))
            let thumbnail = Group(
                transform: AffineTransform.scale(scale).then(.translation(corner)), clip: .rectangle(Rect(size: size)),
                nodes: scenes(ofFrame: frame)[0].nodes)
            let frame = Rect(x: corner.x, y: corner.y, width: width, height: height)
            return [.shape(Shape(.rectangle(frame), fill: background)), .group(thumbnail)]
        }
        return Scene(
            size: Size(gap + Double(columns) * (width + gap), gap + Double(rows) * (height + gap)),
            background: Color(128, 130, 136), nodes: nodes)
    }
}
