/// How much a Lottie file may hold. Files may come from strangers, and a picture should never take more than a second.
public enum LottieLimits {
    /// Bytes of a file, unpacked.
    public static let fileBytes = 16 << 20
    /// Values of a file.
    static let mostValues = 2_000_000
    /// Levels of nested values. Reading takes stack.
    static let mostDepth = 200
    /// The largest number.
    static let largestNumber = 1e7
    /// Layers of one composition.
    static let mostLayers = 2_000
    /// Precompositions in one another.
    static let mostNesting = 16
    /// Keyframes of a file.
    static let mostKeyframes = 500_000
    /// The longest animation, in seconds.
    static let longest = 3600
    /// Units of work for a picture: about one for each corner of a path that is drawn, copies included.
    static let mostWork = 100_000
    /// Copies that one repeater makes.
    static let mostCopies = 1_000
    /// Pixels of all pictures of a file.
    static let mostPixels = 64_000_000
    /// Lines that are refused one by one.
    static let mostRefusals = 100
}
