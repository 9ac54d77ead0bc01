/// Font sizes and heights of the bands around the canvas, in points.
struct AnnotationMetrics: Sendable, Equatable {
    /// The font size of table headers, plot titles and scales, and times.
    let small: Double
    /// The font size of step numbers.
    let tiny: Double
    /// The font size of grid numbers.
    let grid: Double
    /// The height of the table of displacements.
    let displacements: Double
    /// The vertical offset of the entries in the table of displacements.
    let entries: Double
    /// The height of the title above a plot.
    let plotTitle: Double
    /// The width of the scale at the left of a plot.
    let scaleWidth: Double

    /// The metrics of frames that are 480 points high.
    static let standard = AnnotationMetrics(
        small: 11, tiny: 10, grid: 9, displacements: (74, 32.5), plotTitle: 17, scaleWidth: 34)
    /// The metrics of frames with a fixed aspect ratio. All text has at least 12 points, a fortieth
    /// of 480.
    static let fixedAspect = AnnotationMetrics(
        small: 12, tiny: 12, grid: 12, displacements: (80, 36.5), plotTitle: 19, scaleWidth: 38)

    private init(
        small: Double, tiny: Double, grid: Double, displacements: (Double, Double), plotTitle: Double,
        scaleWidth: Double
    ) {
        self.small = small
        self.tiny = tiny
        self.grid = grid
        (self.displacements, entries) = displacements
        self.plotTitle = plotTitle
        self.scaleWidth = scaleWidth
    }
}
