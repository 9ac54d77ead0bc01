import Scene

/// A stage fitted into a panel of a picture that is laid out for a shape.
struct StageFit {
    /// Points of the picture per point of the stage.
    let scale: Double
    /// The stage on the picture. What reaches beyond the panel is empty.
    let stage: Rect
    /// The height that would do at this scale.
    let neededHeight: Double
    /// The width that would do at this scale.
    let neededWidth: Double

    /// How many times as large a stage may become by leaving out what it never draws in.
    private static let mostCut = 2.0
    /// Free of what is drawn where parts of the stage are left out: room for names, or for arrows beside lines of text.
    private static let (besideNames, besideLanes, aboveNames) = (64.0, 88.0, 24.0)

    /// Nil if the panel is too small for anything.
    init?(_ content: AnnotationContent, in panel: Rect) {
        let (stage, used, inset) = (content.stage, content.used, AnnotationLayout.inset)
        let lanes = AnnotationLayout.lanesHeight(content)
        let (left, top) = (
            lanes > 0 ? Self.besideLanes : content.hasNames ? Self.besideNames : inset,
            content.hasNames ? Self.aboveNames : inset
        )
        let below = lanes > 0 ? lanes + inset / 2 : top
        let whole = max(
            0, min((panel.width - 2 * inset) / stage.width, (panel.height - 2 * inset - lanes) / stage.height))
        let cut = min(
            (panel.width - 2 * left) / max(used.width, 1), (panel.height - top - below) / max(used.height, 1))
        let scale = max(whole, min(whole * Self.mostCut, cut))
        guard scale > 0 else { return nil }
        self.scale = scale
        let size = Size(stage.width * scale, stage.height * scale)
        // Where all of the stage has room it is in the middle, else what is drawn is.
        let spare = panel.height - size.height - lanes - 2 * inset
        let y =
            spare >= 0
            ? panel.y + inset + spare / 2
            : panel.y + (panel.height - below + top - used.height * scale) / 2 - used.y * scale
        let isWide = size.width + 2 * inset > panel.width + 0.5
        let x = panel.center.x - (isWide ? used.center.x * scale : size.width / 2)
        self.stage = Rect(x: x.rounded(), y: y.rounded(), width: size.width, height: size.height)
        let drawn = used.height * scale + top + below
        neededHeight = min(size.height + 2 * inset + lanes, drawn * 1.2)
        neededWidth = min(size.width, used.width * scale + 2 * left) + 2 * inset
    }
}
