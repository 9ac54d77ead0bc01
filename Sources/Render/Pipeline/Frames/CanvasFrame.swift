import Core

/// The layout of one canvas, or two of equal size, in a frame with a title, a mark and speed
/// labels.
struct CanvasFrame {
    /// The size of the frame in points.
    let size: Size
    /// The background colour of the frame.
    private let background: Color
    /// The bounds of the canvases.
    private let canvasBounds: [Rect]
    /// The background colour of the canvases; nil if it is the frame's.
    private let canvasBackground: Color?
    /// The nodes that are the same in all frames.
    private let fixed: [Node]

    /// The distance between two canvases in points.
    private static let gap = 20.0

    /// Lays out canvases.
    ///
    /// - Parameters:
    ///   - canvas: the size of a canvas in points.
    ///   - within: the size of the frame; nil fits the frame to its contents.
    ///   - speedLabels: the texts above the canvases; empty for none.
    ///   - count: the number of canvases.
    ///   - background: the background colour of the canvases.
    ///   - around: the colour around the canvases; nil for their background colour.
    init(
        _ canvas: Size, within: Size?, speedLabels: [String], count: Int, decoration: Decoration, background: Color,
        around: Color?
    ) {
        let headHeight = decoration.headHeight
        let side = within.map { min($0.width, $0.height) } ?? min(canvas.width, canvas.height)
        let theme = AnnotationTheme(background: around ?? background)
        // A frame that fits a small canvas needs larger text in proportion. Heights are multiples
        // of four points, as in `Decoration`.
        let labelHeight = speedLabels.isEmpty ? 0 : ((side / (within == nil ? 7 : 12)) / 4).rounded(.up) * 4
        let margin = ((within ?? canvas).height * AnnotationLayout.margin / 4).rounded(.up) * 4
        let top = headHeight > 0 ? headHeight + margin : 0
        let bounds: [Rect]
        if let within {
            size = within
            // One canvas fills the frame, two keep its margins.
            let free = count > 1 ? AnnotationLayout.safeFrame(of: within) : Rect(size: within)
            let y = max(free.y, top)
            let body = Rect(x: free.x, y: y, width: free.width, height: free.maxY - y)
            bounds = Self.divide(body, count: count, canvas: canvas, labelHeight: labelHeight)
        } else {
            let width = canvas.width * Double(count) + Self.gap * Double(count - 1)
            size = Size(width, canvas.height + top + labelHeight)
            bounds = (0..<count).map {
                Rect(
                    x: Double($0) * (canvas.width + Self.gap), y: top + labelHeight, width: canvas.width,
                    height: canvas.height)
            }
        }
        canvasBounds = bounds
        self.background = around.map { AnnotationTheme(background: $0).surface } ?? background
        canvasBackground = around == nil ? nil : background
        fixed =
            zip(speedLabels, bounds).flatMap { text, bounds in
                Draw.badge(
                    text, at: Point(bounds.center.x, bounds.y - labelHeight / 2), fontSize: labelHeight * 0.5,
                    theme: theme)
            } + decoration.nodes(on: self.background)
    }

    /// Divides an area into canvases of equal size, in a row or in a column, whichever makes them
    /// larger, with room for a label above each.
    private static func divide(_ body: Rect, count: Int, canvas: Size, labelHeight: Double) -> [Rect] {
        let number = Double(count)
        let width = (body.width - gap * (number - 1)) / number
        let height = (body.height - gap * (number - 1)) / number
        func scale(_ width: Double, _ height: Double) -> Double {
            min(width / canvas.width, (height - labelHeight) / canvas.height)
        }
        let isRow = scale(width, body.height) >= scale(body.width, height)
        let scale = max(scale(width, body.height), scale(body.width, height))
        let size = Size(canvas.width * scale, canvas.height * scale)
        return (0..<count).map { index in
            let offset = Double(index)
            let cell =
                isRow
                ? Rect(x: body.x + offset * (width + gap), y: body.y, width: width, height: body.height)
                : Rect(x: body.x, y: body.y + offset * (height + gap), width: body.width, height: height)
            return Rect(
                x: cell.center.x - size.width / 2, y: cell.center.y + labelHeight / 2 - size.height / 2,
                width: size.width, height: size.height)
        }
    }

    /// Returns the complete scene with a scene on each canvas.
    func scene(_ scenes: [Scene]) -> Scene {
        let canvases = zip(scenes, canvasBounds).flatMap { scene, bounds -> [Node] in
            let scale = bounds.width / scene.size.width
            let transform = AffineTransform.scale(scale).then(.translation(Point(bounds.x, bounds.y)))
            let canvas = Rect(size: scene.size)
            // Only nodes that extend beyond the canvas get a clip, so the others are drawn exactly
            // as without a frame.
            let nodes = scene.nodes.map { node in
                node.bounds.map { canvas.contains($0) } ?? true
                    ? node : Node.group(Group(clip: .rectangle(canvas), nodes: [node]))
            }
            return (canvasBackground.map { [Node.shape(Shape(.rectangle(bounds), fill: $0))] } ?? [])
                + [.group(Group(transform: transform, nodes: nodes))]
        }
        return Scene(size: size, background: background, nodes: canvases + fixed)
    }
}
