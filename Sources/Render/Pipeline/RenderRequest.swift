import Animations
import Core
import Media

/// A request for a clip of a loader. `RenderPlan` checks it.
@dynamicMemberLookup
public struct RenderRequest: Sendable {
    /// The loader and its look.
    public var loader: LoaderRequest
    /// The encoding.
    public var encoding: EncodingRequest
    /// The slow motion factor, 0.05...1000; 2 is half the speed.
    public var slowmo: Rational = 1
    /// The length in cycles or seconds.
    public var extent = TimeMap.Extent.cycles(1)
    /// The timing mode; nil is seamless for cycles and exact for seconds.
    public var timing: TimeMap.Timing?
    /// The model time at the start of the clip; nil for the start of the period.
    public var from: ModelTime?
    /// The model time at the end of the clip; nil for the end of the period.
    public var to: ModelTime?
    /// The hold at each phase boundary in seconds, 0...3600; nil is 0, or 1 for a stepped clip.
    public var hold: Rational?
    /// The additional slow motion factor at phase boundaries, 1...1000. The speed eases back to
    /// normal between them.
    public var ramp: Rational = 1
    /// True to show only the phase boundaries, each for the duration of `hold`.
    public var isStepped = false
    /// True to show the loader at normal speed on the left and as requested on the right.
    public var isSideBySide = false
    /// The shutter time as a share of the frame duration, 0...1; 0 disables motion blur.
    public var motionBlur: Rational = 0
    /// True to store phases as chapters.
    public var hasChapters = false
    /// True to write the most telling frame beside the clip.
    public var hasPoster = false

    /// A request for one seamless cycle with default settings.
    public init(loader: LoaderRequest, container: Container, frameRate: FrameRate? = nil) {
        self.loader = loader
        encoding = EncodingRequest(container: container, frameRate: frameRate)
    }

    /// A property of `encoding`.
    public subscript<Value>(dynamicMember path: WritableKeyPath<EncodingRequest, Value>) -> Value {
        get { encoding[keyPath: path] }
        set { encoding[keyPath: path] = newValue }
    }
}
