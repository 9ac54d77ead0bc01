import Scene

// Layouts for a picture's shape: what is beside the stage goes where the stage remains largest.
extension AnnotationLayout {
    /// The shorter side of such a picture in points: the first that has room for all. The more points, the smaller the letters.
    package static let shorterSides = [480.0, 540, 600]
    /// What stays free at each edge, as a fraction of the side.
    package static let margin = 1.0 / 20
    private static let lineHeight = 27.0
    private static let timeline = 56.0

    /// The size in points of a picture of a shape.
    package static func size(of shape: PictureShape, shorterSide: Double = shorterSides[0]) -> Size {
        let (width, height) = shape.pixels
        let scale = shorterSide / Double(min(width, height))
        return Size(Double(width) * scale, Double(height) * scale)
    }

    /// What lies within the margins of a picture.
    package static func safeFrame(of size: Size) -> Rect {
        Rect(
            x: size.width * margin, y: size.height * margin, width: size.width * (1 - 2 * margin),
            height: size.height * (1 - 2 * margin))
    }

    /// A layout for a shape; nil if there is no room for all that was asked for.
    init?(_ content: AnnotationContent, kinds: Set<AnnotationKind>, page: AnnotationPage, shape: PictureShape) {
        let (width, height) = shape.pixels
        guard Double(max(width, height)) <= PictureShape.mostElongated * Double(min(width, height)) else { return nil }
        let size = Self.size(of: shape, shorterSide: page.shorterSide)
        var safe = Self.safeFrame(of: size)
        (safe.y, safe.height) = (safe.y + page.head, safe.height - page.head)
        let isWritten = !page.isCompared && page.speed != nil
        let hasHeader = kinds.contains(.phases) || kinds.contains(.clock) || isWritten || page.corner > 0
        let isTall = content.header.number + content.header.name + content.header.right + 24 > safe.width
        let head = hasHeader ? Self.lineHeight * (isTall ? 2 : 1) + Self.gap : 0
        let foot = kinds.contains(.timeline) ? Self.timeline : 0
        let body = Rect(x: safe.x, y: safe.y + head, width: safe.width, height: safe.height - head - foot)
        guard let best = ShapedBody.best(content, kinds: kinds, in: body, isCompared: page.isCompared) else {
            return nil
        }
        self.init(
            size: size, panel: best.panel, fit: best.fit,
            hasStrips: hasHeader || foot > 0 || page.isCompared || page.theme != nil, metrics: .shaped)
        (companion, tags) = (best.companion, best.tags)
        (table, displacements, plots) = (best.table, best.displacements, best.plots)
        tableChoice = best.tableChoice
        if hasHeader { header = Rect(x: safe.x, y: safe.y, width: safe.width - page.corner, height: head - Self.gap) }
        // The times at its ends may stand out by two points.
        if foot > 0 { timeline = Rect(x: safe.x + 2, y: safe.maxY - foot, width: safe.width - 4, height: foot) }
    }
}
