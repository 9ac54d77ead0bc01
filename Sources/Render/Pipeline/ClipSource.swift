import Animations
import Core
import Media

/// The source of a clip's frames, such as a loader in slow motion. It maps frame numbers to scenes,
/// so it is made for one frame rate. Frames are drawn in any order and on any thread.
///
/// Most properties have a default implementation, named in their descriptions.
public protocol ClipSource: Sendable {
    /// The size of the frames in points.
    var size: Size { get }
    /// The background colour. If it is translucent, the clip needs a pixel format with alpha.
    var background: Color { get }
    /// The pixels per point if the request names neither a scale nor a size.
    var defaultScale: Rational { get }
    /// True if the frames must have exactly this size, so that a size that needs padding is
    /// refused; the default is false.
    var hasExactSize: Bool { get }
    /// The number of frames, at least one.
    var frameCount: Int { get }
    /// Returns the scene of a frame, or several scenes whose average in linear light is the frame.
    func scenes(ofFrame frame: Int) -> [Scene]
    /// The frames that repeat, which are encoded once; the default is none.
    var repetition: Repetition { get }
    /// The named parts of the clip, in order; the default is none.
    var chapters: [Chapter] { get }
    /// The captions, in order and without overlaps; the default is none.
    var captions: [Caption] { get }
    /// The captions' language as an ISO 639-2/T code of three letters, such as `eng` or `zho`; nil
    /// if unknown, which is the default.
    var captionLanguage: String? { get }
    /// The frame that represents the clip when it does not play; the default is nil.
    var posterFrame: Int? { get }
    /// The size of the whole canvas in points if the clip shows only a part of it; nil otherwise,
    /// which is the default.
    var trimmedFrom: Size? { get }
    /// True if the frames contain text, whose fonts need memory; the default is true.
    var hasText: Bool { get }
    /// The factor by which the clip is faster than requested, because a cycle was fitted to whole
    /// frames; the default is 1.
    var speedChange: Rational { get }
    /// The timing of the frames; nil if they have only one, which is the default.
    var timing: TimeMap.Timing? { get }
    /// The jump at the end of a looped clip; nil if there is none or the clip is not meant to loop,
    /// which is the default.
    var seam: LoopSeam? { get }
    /// The features that it does not render correctly, one per line; the default is none.
    var omissions: [String] { get }
    /// Notes about how it is drawn, one per line; the default is none.
    var notes: [String] { get }
    /// Returns the reason why nothing is visible in the clip's frames; nil if something is. Draws
    /// some of the frames. Returns nil if it is cancelled or takes too long. The default
    /// implementation returns nil.
    func invisibility(cancellation: CancellationToken) throws -> Invisibility?
}

extension ClipSource {
    public var hasExactSize: Bool { false }
    public var repetition: Repetition { Repetition() }
    public var chapters: [Chapter] { [] }
    public var captions: [Caption] { [] }
    public var captionLanguage: String? { nil }
    public var posterFrame: Int? { nil }
    public var trimmedFrom: Size? { nil }
    public var hasText: Bool { true }
    public var speedChange: Rational { 1 }
    public var timing: TimeMap.Timing? { nil }
    public var seam: LoopSeam? { nil }
    public var omissions: [String] { [] }
    public var notes: [String] { [] }
    public func invisibility(cancellation: CancellationToken) throws -> Invisibility? { nil }
}
