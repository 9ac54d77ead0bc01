import Core

/// A canvas fitted into a panel of a frame with a fixed aspect ratio.
struct CanvasFit {
    /// Points of the frame per point of the canvas.
    let scale: Double
    /// The canvas on the frame. Any part beyond the panel is empty.
    let canvas: Rect
    /// The height that the canvas needs at this scale.
    let neededHeight: Double
    /// The width that the canvas needs at this scale.
    let neededWidth: Double

    /// The maximum factor by which cropping unused parts of the canvas may enlarge it, unless the
    /// drawing is smaller than that of a closer view.
    private static let maxCropScale = 2.0
    /// The horizontal margin for names if the canvas is cropped, in points.
    private static let besideNames = 64.0
    /// The horizontal margin for the arrows of label rows if the canvas is cropped, in points.
    private static let besideLabelRows = 88.0
    /// The vertical margin for names if the canvas is cropped, in points.
    private static let aboveNames = 24.0

    /// The largest canvas that fits into the panel; nil if the panel is too small.
    init?(_ content: AnnotationContent, in panel: Rect) {
        let canvas = content.canvas
        let used = content.used
        let inset = AnnotationLayout.inset
        let labelRows = AnnotationLayout.labelRowsHeight(content)
        let (left, top) = (
            max(
                labelRows > 0 ? Self.besideLabelRows : content.hasNames ? Self.besideNames : inset,
                content.nameColumn),
            content.hasNames ? Self.aboveNames : inset
        )
        let below = labelRows > 0 ? labelRows + inset / 2 : max(top, content.nameRows)
        let whole = max(
            0,
            min(
                (panel.width - 2 * AnnotationLayout.sideInset(content)) / canvas.width,
                (panel.height - 2 * inset - labelRows) / canvas.height))
        let cropped = min(
            (panel.width - 2 * left) / max(used.width, 1), (panel.height - top - below) / max(used.height, 1))
        let limit = max(whole * Self.maxCropScale, content.closeUpScale(in: panel, whole: whole))
        let scale = content.nameRows > 0 ? min(limit, cropped) : max(whole, min(limit, cropped))
        guard scale > 0 else { return nil }
        self.scale = scale
        let size = Size(canvas.width * scale, canvas.height * scale)
        // The canvas is centred if all of it fits; otherwise its drawn part is.
        let spare = panel.height - size.height - labelRows - 2 * inset
        let y =
            spare >= 0 && content.nameRows == 0
            ? panel.y + inset + spare / 2
            : panel.y + (panel.height - below + top - used.height * scale) / 2 - used.y * scale
        let isWide = size.width + 2 * AnnotationLayout.sideInset(content) > panel.width + 0.5
        let x = panel.center.x - (isWide ? used.center.x * scale : size.width / 2)
        self.canvas = Rect(x: x.rounded(), y: y.rounded(), width: size.width, height: size.height)
        let drawn = used.height * scale + top + below
        let needed = min(size.height + 2 * inset + labelRows, drawn * 1.2)
        neededHeight = content.nameRows > 0 ? max(drawn, needed) : needed
        neededWidth = min(size.width, used.width * scale + 2 * left) + 2 * inset
    }
}
