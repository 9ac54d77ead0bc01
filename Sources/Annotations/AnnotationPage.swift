import Scene

/// What an annotated picture is made for, besides what it shows.
public struct AnnotationPage: Sendable {
    /// The picture's shape; nil makes it 480 points high and as wide as what is shown wants.
    public var shape: PictureShape?
    /// The shape's shorter side in points. Letters have the same size in points on any, so more points make them smaller.
    public var shorterSide = AnnotationLayout.shorterSides[0]
    /// Whether what is around the canvas is dark or light; nil goes by the canvas.
    public var theme: ThemeTone?
    /// How fast it runs, as it is written beside the clock; nil writes nothing.
    public var speed: String?
    /// Whether the same loader is shown at normal speed, too, beside or above.
    public var isCompared = false
    /// Points at the upper edge that are somebody else's.
    public var head = 0.0
    /// Points at the header's right end that are somebody else's.
    public var corner = 0.0

    /// As it is by default.
    public init() {}

    /// Whether the picture is clearly higher than wide.
    var isUpright: Bool { shape.map { Double($0.pixels.height) > 1.15 * Double($0.pixels.width) } ?? false }
}

/// Font sizes and heights of what is beside the canvas, in points.
struct AnnotationMetrics: Sendable, Equatable {
    /// Heads of tables, titles and scales of plots, times.
    let small: Double
    /// Numbers of the stages.
    let tiny: Double
    /// Numbers of the grid.
    let grid: Double
    /// The displacements' table, and where its entries begin in it.
    let displacements: Double
    let entries: Double
    /// The title above a plot.
    let plotTitle: Double
    /// Room for a plot's scale at its left.
    let scaleWidth: Double

    /// Of pictures that are 480 points high.
    static let standard = AnnotationMetrics(
        small: 11, tiny: 10, grid: 9, displacements: (74, 32.5), plotTitle: 17, scaleWidth: 34)
    /// Of pictures that are laid out for a shape: no letter is smaller than 12 points, a fortieth of 480.
    static let shaped = AnnotationMetrics(
        small: 12, tiny: 12, grid: 12, displacements: (80, 36.5), plotTitle: 19, scaleWidth: 38)

    private init(
        small: Double, tiny: Double, grid: Double, displacements: (Double, Double), plotTitle: Double,
        scaleWidth: Double
    ) {
        (self.small, self.tiny, self.grid) = (small, tiny, grid)
        (self.displacements, entries) = displacements
        (self.plotTitle, self.scaleWidth) = (plotTitle, scaleWidth)
    }
}
