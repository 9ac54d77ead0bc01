/// The placement of captions.
public enum CaptionPlacement: String, CaseIterable, Sendable {
    /// Drawn into the frames.
    case picture
    /// A subtitle track.
    case track
    /// Both.
    case both
}
