/// The aspect ratio for which a frame is laid out.
public enum FrameShape: Sendable, Hashable {
    /// 16:9, for screens and players.
    case wide
    /// 1:1.
    case square
    /// 9:16, for phones in portrait orientation.
    case vertical
    /// The aspect ratio of the given size in pixels.
    case pixels(width: Int, height: Int)

    /// Parses `wide`, `square`, `vertical` or `1280x800`. Returns nil for any other text.
    public init?(text: String) {
        switch text {
        case "wide": self = .wide
        case "square": self = .square
        case "vertical": self = .vertical
        default:
            guard let (width, height) = FrameSize.sides(text: text), width > 0, height > 0 else { return nil }
            self = .pixels(width: width, height: height)
        }
    }

    /// The default width and height in pixels.
    public var pixels: (width: Int, height: Int) {
        switch self {
        case .wide: (1920, 1080)
        case .square: (1080, 1080)
        case .vertical: (1080, 1920)
        case .pixels(let width, let height): (width, height)
        }
    }

    /// The text that `init(text:)` parses.
    public var text: String {
        switch self {
        case .wide: "wide"
        case .square: "square"
        case .vertical: "vertical"
        case .pixels(let width, let height): "\(width)x\(height)"
        }
    }

    /// The maximum ratio of the longer to the shorter side. Beyond it, there is no room for
    /// annotations.
    public static let maxElongation = 2.5
}
