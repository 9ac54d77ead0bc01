/// The file format of a poster beside a clip.
public enum PosterFormat: String, CaseIterable, Sendable {
    case png, jpg
}
