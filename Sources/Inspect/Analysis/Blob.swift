import Core

/// A connected region of one colour in one frame.
struct Blob {
    /// Its colour away from the edge.
    var color: RGB
    /// Its centre in pixels of the view, weighted by coverage.
    var center: Point
    /// Its area in pixels, weighted by coverage.
    var area: Double
    /// Its width and height in pixels.
    var size: (Int, Int)
    /// The index of the sampled frame.
    var frame: Int
    /// True if it touches the edge of the frame.
    var isCut: Bool
}
