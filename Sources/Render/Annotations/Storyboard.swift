import Animations
import Core

/// Scenes composed of other scenes.
public enum Storyboard {
    /// The size of a loader's cell in the gallery, in points.
    private static let cell = Size(180, 200)
    /// The distance between cells, and to the edges, in points.
    private static let gap = 16.0
    /// The height of a caption below a cell in points.
    private static let captionHeight = 22.0

    /// Returns a gallery of loaders in rows. Each loader is fitted into a cell with its own
    /// background and has its id below.
    ///
    /// - Parameters:
    ///   - loaders: at least one loader, with the ids to show.
    ///   - columns: the number of cells in a row, at least one.
    ///   - fraction: the elapsed fraction of every loader's period.
    public static func gallery(of loaders: [(id: String, loader: any Loader)], columns: Int, fraction: Rational)
        -> Scene
    {
        let rows = (loaders.count + columns - 1) / columns
        let size = Size(
            gap + Double(columns) * (cell.width + gap), gap + Double(rows) * (cell.height + captionHeight + gap))
        let nodes = loaders.enumerated().flatMap { index, entry in
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            let frame = Rect(
                x: gap + Double(column) * (cell.width + gap),
                y: gap + Double(row) * (cell.height + captionHeight + gap), width: cell.width, height: cell.height)
            let caption = Rect(x: frame.x, y: frame.maxY + 4, width: frame.width, height: captionHeight - 4)
            let text = Text(entry.id, frame: caption, fontSize: 13, color: Color(60, 60, 67), alignment: .center)
            return [panel(entry.loader, in: frame, fraction: fraction), .text(text)]
        }
        return Scene(size: size, background: Color(236, 236, 240), nodes: nodes)
    }

    /// Returns two scenes of the same size side by side, with a gap between them.
    public static func sideBySide(_ left: Scene, _ right: Scene) -> Scene {
        let shift = left.size.width + sideGap
        func panel(_ scene: Scene, at x: Double) -> Node {
            let clip = Path.rectangle(Rect(size: scene.size))
            return .group(Group(transform: .translation(Point(x, 0)), clip: clip, nodes: scene.nodes))
        }
        return Scene(
            size: sideBySideSize(left.size), background: left.background,
            nodes: [panel(left, at: 0), panel(right, at: shift)])
    }

    /// Returns the size of two scenes of the given size side by side, in points.
    public static func sideBySideSize(_ size: Size) -> Size { Size(2 * size.width + sideGap, size.height) }

    /// The distance between two scenes side by side in points.
    private static let sideGap = 20.0

    private static func panel(_ loader: any Loader, in frame: Rect, fraction: Rational) -> Node {
        let scene = loader.scene(at: loader.period * fraction)
        let scale = min(frame.width / scene.size.width, frame.height / scene.size.height)
        let inset = Point(
            (frame.width - scene.size.width * scale) / 2 + frame.x,
            (frame.height - scene.size.height * scale) / 2 + frame.y)
        let canvas = Group(
            transform: AffineTransform.scale(scale).then(.translation(inset)),
            clip: .rectangle(Rect(size: scene.size)), nodes: scene.nodes)
        return .group(
            Group(
                clip: Draw.roundedRectangle(frame, radius: 12),
                nodes: [
                    .shape(Shape(.rectangle(frame), fill: scene.background)), .group(canvas),
                ]))
    }
}
