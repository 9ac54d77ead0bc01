import Media
import Motion
import Scene

/// What a clip shows: pictures in points, one for each frame, drawn in any order and on any thread.
///
/// A loader in slow motion is one, and anything else that knows which scene its frame k is: whoever makes one has chosen the
/// frame rate already.
public protocol Subject: Sendable {
    /// The pictures' size in points.
    var size: Size { get }
    /// Colour behind everything; a clip of one that is translucent needs a pixel format with alpha.
    var background: Color { get }
    /// Pixels per point unless another number, or a size, is asked for.
    var defaultScale: Rational { get }
    /// How many frames there are, at least one.
    var frameCount: Int { get }
    /// The scene of a frame, or several whose mean in linear light the picture is.
    func scenes(ofFrame frame: Int) -> [Scene]
    /// What comes again; nothing unless it says otherwise. Pictures that do are encoded once.
    var repetition: Repetition { get }
    /// Named parts of the clip, in order; none unless it says otherwise.
    var chapters: [Chapter] { get }
    /// What is said while it plays, in order and none beside another; nothing unless it says otherwise.
    var captions: [Caption] { get }
    /// The captions' language, as ISO 639-2 has it in three letters for terminology, such as `eng` or `zho`; nil, if it is not
    /// known, unless it says otherwise.
    var captionLanguage: String? { get }
    /// The frame that stands for the clip where it does not play; nil, for none, unless it says otherwise.
    var posterFrame: Int? { get }
    /// Whether there are letters in its pictures, whose fonts need memory; so unless it says otherwise.
    var hasText: Bool { get }
    /// How much faster than asked for it runs because a cycle was fitted to whole frames; 1 unless it says otherwise.
    var speedChange: Rational { get }
    /// Where it jumps when it is played in a loop; nil if it does not, or is not meant to be.
    var seam: LoopSeam? { get }
    /// What it does not show as it should, a line each; nothing unless it says otherwise.
    var omissions: [String] { get }
}

extension Subject {
    public var repetition: Repetition { Repetition() }
    public var chapters: [Chapter] { [] }
    public var captions: [Caption] { [] }
    public var captionLanguage: String? { nil }
    public var posterFrame: Int? { nil }
    public var hasText: Bool { true }
    public var speedChange: Rational { 1 }
    public var seam: LoopSeam? { nil }
    public var omissions: [String] { [] }
}

/// What comes again in a clip.
public struct Repetition: Sendable, Hashable {
    /// Frames after which all pictures come again; nil if they do not.
    public var cycleFrames: Int?
    /// Runs of equal frames within a cycle, in order.
    public var stills: [Range<Int>]

    /// Nothing comes again, or what is said to.
    public init(cycleFrames: Int? = nil, stills: [Range<Int>] = []) {
        (self.cycleFrames, self.stills) = (cycleFrames, stills)
    }

    /// Whether it can be said of a clip of so many frames.
    func fits(_ frameCount: Int) -> Bool {
        let cycle = cycleFrames ?? frameCount
        guard cycle > 0 else { return false }
        let edges = [0] + stills.flatMap { [$0.lowerBound, $0.upperBound] } + [min(cycle, frameCount)]
        return zip(edges, edges.dropFirst()).allSatisfy { $0 <= $1 }
    }
}
