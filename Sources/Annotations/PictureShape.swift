/// The shape of pictures that are laid out for it.
public enum PictureShape: Sendable, Hashable {
    /// 16:9, as screens and players are.
    case wide
    /// 1:1.
    case square
    /// 9:16, as telephones are held.
    case vertical
    /// As the given number of pixels.
    case pixels(width: Int, height: Int)

    /// Reads `wide`, `square`, `vertical` or `1280x800`; nil for anything else.
    public init?(text: String) {
        switch text {
        case "wide": self = .wide
        case "square": self = .square
        case "vertical": self = .vertical
        default:
            let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else {
                return nil
            }
            self = .pixels(width: width, height: height)
        }
    }

    /// Width and height in pixels, unless another scale is asked for.
    public var pixels: (width: Int, height: Int) {
        switch self {
        case .wide: (1920, 1080)
        case .square: (1080, 1080)
        case .vertical: (1080, 1920)
        case .pixels(let width, let height): (width, height)
        }
    }

    /// As it is written.
    public var text: String {
        switch self {
        case .wide: "wide"
        case .square: "square"
        case .vertical: "vertical"
        case .pixels(let width, let height): "\(width)x\(height)"
        }
    }

    /// How many times the longer side is as long as the shorter one at most: beyond it nothing has room.
    public static let mostElongated = 2.5
}
