/// Why a Lottie file cannot be shown.
struct LottieError: Error, CustomStringConvertible {
    /// Where in the file; empty for all of it.
    var path: String
    /// What is wrong, in one line.
    var what: String

    init(_ what: String, at path: String = "") {
        (self.what, self.path) = (what.plain(atMost: 400), path.plain(atMost: 200))
    }

    var description: String { path.isEmpty ? what : "\(path): \(what)" }
}

/// Something in a Lottie file that is not drawn.
public struct UnsupportedFeature: Sendable, Hashable, CustomStringConvertible {
    /// Where in the file, such as `layers[2].ef[0]`.
    public let path: String
    /// What it is, with its name.
    public let what: String

    init(path: String, what: String) { (self.path, self.what) = (path.plain(atMost: 200), what.plain(atMost: 300)) }

    /// `path: what`.
    public var description: String { "\(path): \(what)" }
}
