import Core

/// The content for which an annotated frame is laid out.
struct AnnotationContent: Sendable {
    /// The size of the canvas in its own points.
    var canvas: Size
    /// The part of the canvas in which anything is drawn during the period.
    var used: Rect
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
    /// True if there are names over the canvas.
    var hasNames = false
    /// True if there are names or arrows that belong to the drawing, and no columns of names or
    /// callouts beside it.
    var hasNotes = false

    /// Reserves margins in a panel for its names and arrows, and for callouts if there are any.
    mutating func addCallouts(_ hasCallouts: Bool) {
        hasNames = hasNotes || hasCallouts
        hasNotes = hasNotes && !hasCallouts && nameColumn == 0
    }
}
