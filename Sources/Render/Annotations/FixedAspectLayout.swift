import Core

// Layouts with a fixed aspect ratio. The arrangement of the bands is the one that leaves the canvas
// the most room.
extension AnnotationLayout {
    /// The possible lengths of the shorter side in points. A layout uses the first with enough
    /// room; more points make text smaller.
    package static let shorterSides = [480.0, 540, 600]
    /// The margin at each edge as a fraction of the side.
    package static let margin = 1.0 / 20
    /// The height of a line of the header in points.
    private static let lineHeight = 27.0
    /// The height of the timeline in points.
    private static let timeline = 56.0

    /// Returns the size in points of a frame with the given shape.
    package static func size(of shape: FrameShape, shorterSide: Double = shorterSides[0]) -> Size {
        let (width, height) = shape.pixels
        let scale = shorterSide / Double(min(width, height))
        return Size(Double(width) * scale, Double(height) * scale)
    }

    /// Returns the rectangle inside the margins of a frame.
    package static func safeFrame(of size: Size) -> Rect {
        Rect(
            x: size.width * margin, y: size.height * margin, width: size.width * (1 - 2 * margin),
            height: size.height * (1 - 2 * margin))
    }

    /// A layout for a shape; nil if there is not enough room for all annotations.
    init?(_ content: AnnotationContent, kinds: Set<AnnotationKind>, page: AnnotationPage, shape: FrameShape) {
        let (width, height) = shape.pixels
        guard Double(max(width, height)) <= FrameShape.maxElongation * Double(min(width, height)) else { return nil }
        let size = Self.size(of: shape, shorterSide: page.shorterSide)
        var safe = Self.safeFrame(of: size)
        safe.y += page.head
        safe.height -= page.head
        let isWritten = !page.isCompared && page.speed != nil
        let hasHeader = kinds.contains(.phases) || kinds.contains(.clock) || isWritten || page.trailingInset > 0
        let isTall = content.header.number + content.header.name + content.header.right + 24 > safe.width
        let head = hasHeader ? Self.lineHeight * (isTall ? 2 : 1) + Self.gap : 0
        let foot = kinds.contains(.timeline) ? Self.timeline : 0
        let body = Rect(x: safe.x, y: safe.y + head, width: safe.width, height: safe.height - head - foot)
        guard let best = FixedAspectBody.best(content, kinds: kinds, in: body, isCompared: page.isCompared) else {
            return nil
        }
        self.init(
            size: size, panel: best.panel, fit: best.fit,
            hasSurround: hasHeader || foot > 0 || page.isCompared || page.theme != nil, metrics: .fixedAspect)
        referencePanel = best.referencePanel
        speedLabels = best.speedLabels
        table = best.table
        displacements = best.displacements
        plots = best.plots
        tableChoice = best.tableChoice
        if hasHeader {
            header = Rect(x: safe.x, y: safe.y, width: safe.width - page.trailingInset, height: head - Self.gap)
        }
        // The times at the ends of the timeline extend beyond it by up to two points.
        if foot > 0 { timeline = Rect(x: safe.x + 2, y: safe.maxY - foot, width: safe.width - 4, height: foot) }
    }
}
