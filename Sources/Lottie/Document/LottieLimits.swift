import Core
import Media

/// Limits of a Lottie file, which may be untrusted. A frame should never take more than a second.
package enum LottieLimits {
    /// The maximum size of a file in bytes, or of an archive's contents after decompression.
    package static let maxFileBytes = 16 << 20
    /// The maximum number of JSON values in a file.
    static let maxValues = 1_000_000
    /// The maximum number of members of a JSON object.
    static let maxMembers = 10_000
    /// The maximum nesting depth of JSON values. The parser is recursive.
    static let maxDepth = 200
    /// The maximum absolute value of a number in a file.
    static let maxNumber = 1e7
    /// The maximum absolute value of an expression's result.
    static let maxResult = 1e9
    /// The maximum number of vertices of a path that an expression computes.
    static let maxExpressionVertices = 500
    /// The maximum size of all different expressions of a file in bytes. Their syntax trees are
    /// about a hundred times as large.
    static let maxExpressionBytes = 1_000_000
    /// The maximum number of kept values of chains in expressions. Each is about 250 bytes.
    static let maxChainValues = 20_000
    /// The maximum number of layers in a composition.
    static let maxLayers = 2_000
    /// The maximum length of a chain of parent layers.
    static let maxParents = 100
    /// The maximum nesting depth of precompositions, of shape groups, and of mattes of mattes.
    static let maxNesting = 16
    /// The maximum number of keyframes in a file.
    static let maxKeyframes = 200_000
    /// The maximum number of keyframes with spatial tangents in a file. Each holds a table of arc
    /// lengths.
    static let maxCurves = 25_000
    /// The maximum number of values in a gradient's array of stops.
    static let maxStops = 1_024
    /// The maximum number of markers in a file.
    static let maxMarkers = 1_000
    /// The maximum number of characters in all text layers of a file.
    static let maxCharacters = 20_000
    /// The maximum number of different characters in all text layers of a file, counted for each
    /// font. Reading as many outlines of ideographs takes a quarter of a second.
    static let maxGlyphs = 4_000
    /// The maximum duration in seconds: a day.
    static let maxSeconds = 86_400
    /// The maximum static cost of a frame: about one unit for each vertex of a path that is drawn,
    /// copies included.
    static let maxWork = 100_000
    /// The maximum static cost of the glyphs in a file that its texts use. They are drawn once,
    /// when the file is read.
    static let maxGlyphWork = 400_000
    /// The maximum time for merging and offsetting paths in a frame, in approximate microseconds.
    static let maxPathMicroseconds = 150_000
    /// The maximum number of copies of a repeater, and of points of a star.
    static let maxCopies = 1_000
    /// The maximum number of effects that a layer draws. Each can nest its contents three groups
    /// deeper. The layers of 723 published files have up to 3.
    static let maxEffects = 20
    /// The maximum number of echoes of a layer. After Effects has no maximum, but at a decay of
    /// 0.93, the hundredth is less than half a step of 8 bits.
    static let maxEchoes = 100
    /// The maximum number of samples of a motion blur. With more of them, each sample's share would
    /// be rounded too coarsely in 8 bits.
    static let maxSamples = 16
    /// The maximum number of pixels in all images of a file: 78 images of 640x480, as files have
    /// that show a rendered sequence.
    static let maxPixels = 24_000_000
    /// The maximum size of all image files of an animation in bytes: that of uncompressed images
    /// with the maximum number of pixels.
    static let maxImageBytes = Bitmap.maxFileBytes(pixels: maxPixels)
    /// The number of frames, evenly spaced, whose cost and expressions are checked when a file is
    /// read.
    static let checkedFrames = 8
    /// The maximum number of unsupported features that are listed.
    static let maxReportedFeatures = 100
    /// The maximum number of notes about a file. They are printed as one line.
    static let maxNotes = 10
}
