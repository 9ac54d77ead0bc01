import Annotations
import Scene

/// Where one canvas, or two of one size, are on a picture with what is around them.
struct CanvasFrame {
    /// The whole picture in points.
    let size: Size
    /// Colour behind everything.
    private let background: Color
    /// Where the canvases are, whole.
    private let frames: [Rect]
    /// What is behind each, if that is not what is behind everything.
    private let ground: Color?
    private let fixed: [Node]

    private static let gap = 20.0

    /// Canvases with a title and a mark around them, and texts above each that say how fast it runs.
    ///
    /// - Parameters:
    ///   - canvas: a canvas's size in points.
    ///   - within: the picture; nil makes it as large as what it holds.
    ///   - around: colour around the canvases.
    init(
        _ canvas: Size, within: Size?, tags: [String], count: Int, decoration: Decoration, background: Color,
        around: Color?
    ) {
        let head = decoration.head
        let side = within.map { min($0.width, $0.height) } ?? min(canvas.width, canvas.height)
        let theme = AnnotationTheme(stage: around ?? background)
        // On small canvases letters are larger in proportion.
        let tagHeight = tags.isEmpty ? 0 : ((side / (within == nil ? 7 : 12)) / 4).rounded(.up) * 4
        let margin = ((within ?? canvas).height * AnnotationLayout.margin / 4).rounded(.up) * 4
        let top = head > 0 ? head + margin : 0
        let pictures: [Rect]
        if let within {
            size = within
            // One canvas fills the picture, several keep its margins.
            let free = count > 1 ? AnnotationLayout.safeFrame(of: within) : Rect(size: within)
            let y = max(free.y, top)
            let body = Rect(x: free.x, y: y, width: free.width, height: free.maxY - y)
            pictures = Self.divide(body, count: count, canvas: canvas, above: tagHeight)
        } else {
            let width = canvas.width * Double(count) + Self.gap * Double(count - 1)
            size = Size(width, canvas.height + top + tagHeight)
            pictures = (0..<count).map {
                Rect(
                    x: Double($0) * (canvas.width + Self.gap), y: top + tagHeight, width: canvas.width,
                    height: canvas.height)
            }
        }
        frames = pictures
        self.background = around.map { AnnotationTheme(stage: $0).canvas } ?? background
        ground = around == nil ? nil : background
        fixed =
            zip(tags, pictures).flatMap { text, frame in
                Draw.badge(
                    text, at: Point(frame.center.x, frame.y - tagHeight / 2), fontSize: tagHeight * 0.5, theme: theme)
            } + decoration.nodes(on: self.background)
    }

    /// Canvases of one size beside or above each other, whichever makes them larger, with room above each.
    private static func divide(_ body: Rect, count: Int, canvas: Size, above: Double) -> [Rect] {
        let number = Double(count)
        let (width, height) = (
            (body.width - gap * (number - 1)) / number, (body.height - gap * (number - 1)) / number
        )
        func scale(_ width: Double, _ height: Double) -> Double {
            min(width / canvas.width, (height - above) / canvas.height)
        }
        let isRow = scale(width, body.height) >= scale(body.width, height)
        let scale = max(scale(width, body.height), scale(body.width, height))
        let size = Size(canvas.width * scale, canvas.height * scale)
        return (0..<count).map { index in
            let place = Double(index)
            let cell =
                isRow
                ? Rect(x: body.x + place * (width + gap), y: body.y, width: width, height: body.height)
                : Rect(x: body.x, y: body.y + place * (height + gap), width: body.width, height: height)
            return Rect(
                x: cell.center.x - size.width / 2, y: cell.center.y + above / 2 - size.height / 2, width: size.width,
                height: size.height)
        }
    }

    /// The picture with a scene in each frame.
    func scene(_ scenes: [Scene]) -> Scene {
        let canvases = zip(scenes, frames).flatMap { scene, frame -> [Node] in
            let scale = frame.width / scene.size.width
            let transform = AffineTransform.scale(scale).then(.translation(Point(frame.x, frame.y)))
            let canvas = Rect(size: scene.size)
            // Only what reaches beyond the canvas is cut, so that the rest is drawn as it always is.
            let nodes = scene.nodes.map { node in
                node.bounds.map { canvas.contains($0) } ?? true
                    ? node : Node.group(Group(clip: .rectangle(canvas), nodes: [node]))
            }
            return (ground.map { [Node.shape(Shape(.rectangle(frame), fill: $0))] } ?? [])
                + [.group(Group(transform: transform, nodes: nodes))]
        }
        return Scene(size: size, background: background, nodes: canvases + fixed)
    }
}
