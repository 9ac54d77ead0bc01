/// The number of frames that a thread decodes or draws before another one needs them.
enum FramesAhead {
    /// The maximum memory of the frames in bytes. An estimate: deep colours need twice as much, and
    /// the last packet of a clip completes several frames.
    private static let maxBytes = 64 << 20
    /// The maximum number of frames. More would not keep both threads busier.
    private static let maxCount = 4

    /// Returns the number of frames of a size in pixels, at least one.
    static func count(width: Int, height: Int) -> Int {
        max(1, min(maxCount, maxBytes / max(1, 4 * width * height)))
    }
}
