import Core

/// The format of an annotated frame: its shape, theme and reserved areas.
package struct AnnotationPage: Sendable {
    /// The aspect ratio of the frame. If nil, the frame is 480 points high and as wide as its
    /// content.
    package var shape: FrameShape?
    /// The shorter side in points for a frame with a shape. Font sizes are fixed in points, so a
    /// larger value makes text smaller.
    package var shorterSide = AnnotationLayout.shorterSides[0]
    /// The theme of the area around the canvas; nil matches the canvas.
    package var theme: ThemeTone?
    /// The playback speed shown beside the clock; nil shows none.
    package var speed: String?
    /// True to show the loader at normal speed as well, beside or above the slow one.
    package var isCompared = false
    /// The height in points at the top of the frame that is reserved for other content.
    package var head = 0.0
    /// The width in points at the right end of the header that is reserved for other content.
    package var trailingInset = 0.0

    /// A page with default settings.
    package init() {}

    /// True if the frame is clearly taller than wide, by more than 15 percent.
    var isUpright: Bool { shape.map { Double($0.pixels.height) > 1.15 * Double($0.pixels.width) } ?? false }
}
