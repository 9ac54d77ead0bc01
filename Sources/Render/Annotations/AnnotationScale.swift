import Core

/// The scales and margins of the canvas in a panel.
extension AnnotationLayout {
    /// The margin around a drawing without names, as a share of the panel's shorter side.
    static let plainMargin = 0.08

    /// Returns the largest scale at which a part of the canvas fits into a panel without names.
    static func plainScale(_ used: Rect, in panel: Rect) -> Double {
        let margin = 2 * max(gap, plainMargin * min(panel.width, panel.height))
        return min((panel.width - margin) / used.width, (panel.height - margin) / used.height)
    }

    /// Returns the largest scale at which the whole canvas fits into a panel.
    static func canvasScale(_ content: AnnotationContent, in panel: Rect, labelRows: Double) -> Double {
        let room = Size(panel.width - 2 * gap, panel.height - 2 * gap)
        // Label rows below the objects can use the part of the canvas that stays empty.
        let below = content.canvas.height - content.used.maxY
        let height = labelRows > 0 ? content.canvas.height - below : content.canvas.height
        return min(
            room.width / content.canvas.width, (room.height - labelRows) / height, room.height / content.canvas.height)
    }

    /// Returns the scale of a drawing with names: with ample margins for them, or if those would
    /// make it small, with the minimum margins.
    ///
    /// - Parameter canvasScale: the largest scale at which the whole canvas fits.
    static func namedScale(_ content: AnnotationContent, in panel: Rect, canvasScale: Double) -> Double {
        let ampleScale = ampleScale(content, in: panel)
        if content.hasOutwardNames, ampleScale >= canvasScale / 2 { return ampleScale }
        let minMarginScale = minMarginScale(content, in: panel)
        if minMarginScale.isInfinite {
            return max(canvasScale, ampleScale, scale(with: minNameMargins, for: content.used, in: panel))
        }
        return min(max(canvasScale, plainScale(content.used, in: panel)), minMarginScale)
    }

    /// The minimum scale of an annotated canvas relative to one without annotations. Below it, the
    /// layout is cramped.
    static let minRelativeScale = 0.3
    /// The minimum margins for names around the drawing.
    static let minNameMargins = Size(42, 22)
    /// The minimum margin for arrows in label rows, beside the signs of their objects.
    static let minArrowMargin = 70.0

    /// The minimum size of a drawing with names and arrows, as a share of that without them. They
    /// lie in the margins first.
    static let minNotedShare = 0.85

    /// Returns the minimum scale of a part of the canvas in a panel with names and arrows; 0 if it
    /// depends on their widths.
    static func minNotedScale(_ content: AnnotationContent, in panel: Rect) -> Double {
        guard content.hasNotes else { return 0 }
        let margin = 2 * max(gap, plainMargin * min(panel.width, panel.height))
        return minNotedShare
            * min(
                (panel.width - margin) / content.used.width,
                (panel.height - margin - labelRowsHeight(content)) / content.used.height)
    }

    /// Returns the largest scale with the minimum margins for names and arrows; infinite without
    /// any.
    static func minMarginScale(_ content: AnnotationContent, in panel: Rect) -> Double {
        let room = reserve(for: content)
        guard room.width > 0 else { return .infinity }
        return min((panel.width - room.width) / content.used.width, (panel.height - room.height) / content.used.height)
    }

    /// Returns the largest scale at which a part of the canvas fits into a panel with margins.
    static func scale(with margins: Size, for used: Rect, in panel: Rect) -> Double {
        min((panel.width - 2 * margins.width) / used.width, (panel.height - 2 * margins.height) / used.height)
    }

    /// Returns the total width and height of the minimum margins for names and arrows; zero without
    /// any.
    static func reserve(for content: AnnotationContent) -> Size {
        let labelRows = labelRowsHeight(content)
        if content.nameColumn > 0, labelRows == 0 { return Size(2 * content.nameColumn, 2 * gap) }
        guard labelRows > 0 || content.hasOutwardNames else { return Size(0, 0) }
        return labelRows > 0
            ? Size(2 * minArrowMargin, labelRows + 2 * gap) : Size(2 * minNameMargins.width, 2 * minNameMargins.height)
    }

    /// Returns the total width and height of a panel's margins, which are ample for names.
    static func margins(for content: AnnotationContent, in panel: Size) -> Size {
        let labelRows = labelRowsHeight(content)
        let plain = 2 * max(gap, plainMargin * min(panel.width, panel.height))
        guard content.hasNames else { return Size(plain, plain) }
        return Size(
            2 * (labelRows > 0 ? ampleArrowMargin : ampleNameMargins.width),
            ampleNameMargins.height + max(ampleNameMargins.height, labelRows + gap))
    }

    /// Returns the maximum total width and height of the margins of a drawing with names and
    /// arrows.
    static func maxMargins(for content: AnnotationContent, in panel: Size) -> Size {
        let ample = margins(for: content, in: panel)
        guard content.hasNotes else { return ample }
        let plain = 2 * max(gap, plainMargin * min(panel.width, panel.height))
        let rows = labelRowsHeight(content)
        return Size(
            min(ample.width, panel.width - minNotedShare * (panel.width - plain)),
            min(ample.height, panel.height - minNotedShare * (panel.height - plain - rows)))
    }

    /// The ample margins for names around the drawing.
    static let ampleNameMargins = Size(64, 50)
    /// The radius of an object above which a drawing with names is not enlarged further, as a share
    /// of the panel's shorter side. Two of these radii are above a third of that side.
    static let maxDiscRadius = 0.18
    /// The ample margin for arrows in label rows.
    static let ampleArrowMargin = 84.0

    /// Returns the largest scale at which the used part of the canvas fits into a panel with ample
    /// margins for names.
    static func ampleScale(_ content: AnnotationContent, in panel: Rect) -> Double {
        let margins = margins(for: content, in: Size(panel.width, panel.height))
        return min(
            (panel.width - margins.width) / content.used.width, (panel.height - margins.height) / content.used.height,
            content.maxRadius > 0 ? maxDiscRadius * min(panel.width, panel.height) / content.maxRadius : .infinity)
    }
}
