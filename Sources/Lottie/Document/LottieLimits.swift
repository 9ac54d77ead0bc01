/// How much a Lottie file may hold. Files may come from strangers, and a picture should never take more than a second.
public enum LottieLimits {
    /// Bytes of a file, unpacked.
    public static let fileBytes = 16 << 20
    /// Values of a file.
    static let mostValues = 500_000
    /// Members of one object.
    static let mostMembers = 10_000
    /// Levels of nested values. Reading takes stack.
    static let mostDepth = 200
    /// The largest number.
    static let largestNumber = 1e7
    /// The largest that an expression may come to.
    static let largestResult = 1e9
    /// Layers of one composition.
    static let mostLayers = 2_000
    /// Layers on which another hangs, one on the other.
    static let mostParents = 100
    /// Precompositions in one another, groups in one another, and mattes of mattes.
    static let mostNesting = 16
    /// Keyframes of a file.
    static let mostKeyframes = 200_000
    /// Keyframes of a file from which something moves along a curve.
    static let mostCurves = 50_000
    /// Numbers of a gradient's stops.
    static let mostStops = 1_024
    /// Named stretches of a file.
    static let mostMarkers = 1_000
    /// Letters of all texts of a file.
    static let mostLetters = 4_000
    /// The longest animation, in seconds.
    static let longest = 3600
    /// Units of work for a picture: about one for each corner of a path that is drawn, copies included.
    static let mostWork = 100_000
    /// Microseconds or so that merging and offsetting paths may take for a picture.
    static let mostEffort = 50_000
    /// Copies that one repeater makes.
    static let mostCopies = 1_000
    /// Pixels of all pictures of a file.
    static let mostPixels = 16_000_000
    /// Lines that are refused one by one.
    static let mostRefusals = 100
}
