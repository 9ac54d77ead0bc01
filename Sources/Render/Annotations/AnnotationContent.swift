import Core

/// The content for which an annotated frame is laid out.
struct AnnotationContent: Sendable {
    /// The size of the canvas in its own points.
    var canvas: Size
    /// The part of the canvas in which anything is drawn during the period.
    var used: Rect
    /// True if the frame shows all of the canvas, even if little of it is used.
    var showsWholeCanvas = false
    /// The maximum radius of the objects, in points of the canvas.
    var maxRadius: Double
    /// True if names lie around the drawing, so that it needs margins.
    var hasOutwardNames: Bool
    /// The number of objects in the phase table.
    var tableRows: Int
    /// The number of entries in the table of displacements; 0 without such a table.
    var steps: Int
    /// The number of plots, one for each axis.
    var plots: Int
    /// The number of rows of text below the lowest objects.
    var labelRows: Int
    /// The maximum widths of the phase's index, of its name, and of the clock and speed.
    var header = (number: 0.0, name: 0.0, right: 0.0)
    /// The widths of the phase table with directions and without.
    var tableWidths: [Double] = []
    /// The width of each column of names beside the drawing, with its gaps; 0 without columns.
    var nameColumn = 0.0
    /// The height of the rows of names below the drawing, with their gaps; 0 without rows. Where
    /// there is room for them, rows above it need none.
    var nameRows = 0.0
    /// True if there are names over the canvas.
    var hasNames = false
    /// True if there are names or arrows that belong to the drawing, and no columns of names or
    /// callouts beside it.
    var hasNotes = false

    /// The share of the canvas's shorter side below which a drawing gets a closer view, and the
    /// share that it then fills. Beside names and charts, the motion of a smaller drawing is
    /// hardly visible. The limit is that of lessons.
    private static let artShare = (min: 0.45, closeUp: 0.6)
    /// The maximum factor of a closer view.
    private static let maxCloseUp = 6.0

    /// The factor by which a closer view enlarges the drawing; 1 if it is large enough.
    var closeUp: Double {
        let side = min(canvas.width, canvas.height)
        let drawn = max(used.width, used.height, side / Self.maxCloseUp)
        return showsWholeCanvas || drawn >= Self.artShare.min * side ? 1 : Self.artShare.closeUp * side / drawn
    }

    /// Returns the maximum scale of a closer view in a panel: the one at which the drawing fills
    /// enough of the shorter side; 0 if it needs none.
    func closeUpScale(in panel: Rect, whole: Double) -> Double {
        guard closeUp > 1 else { return 0 }
        let scale = Self.artShare.closeUp * min(panel.width, panel.height) / max(used.width, used.height)
        return min(scale, Self.maxCloseUp * whole)
    }

    /// The part of the canvas that a frame of its shape shows: all of it, or a closer view.
    var shownPart: Rect {
        let size = Size(canvas.width / closeUp, canvas.height / closeUp)
        return Rect(
            x: min(max(0, used.center.x - size.width / 2), canvas.width - size.width),
            y: min(max(0, used.center.y - size.height / 2), canvas.height - size.height), width: size.width,
            height: size.height)
    }

    /// Returns the content as if the canvas had only a part of it.
    func cropped(to part: Rect) -> AnnotationContent {
        var cropped = self
        cropped.canvas = Size(part.width, part.height)
        cropped.used.x -= part.x
        cropped.used.y -= part.y
        cropped.showsWholeCanvas = true
        return cropped
    }

    /// Reserves margins in a panel for its names and arrows, and for callouts if there are any.
    mutating func addCallouts(_ hasCallouts: Bool) {
        hasNames = hasNotes || hasCallouts
        hasNotes = hasNotes && !hasCallouts && nameColumn == 0
    }
}
