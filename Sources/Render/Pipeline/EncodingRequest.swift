import Core
import Media

/// The requested encoding of a clip.
public struct EncodingRequest: Sendable {
    /// The container.
    public var container: Container
    /// The format of vector graphics; nil for a container of frames.
    var vector: VectorFormat?
    /// The requested frame rate; nil for the container's default.
    public var chosenFrameRate: FrameRate?
    /// The play count of an animated image, 1...65535; nil for endless.
    public var plays: Int?
    /// True to encode repeated frames once and replay their packets.
    public var usesRepetition = true
    /// True to store a run of equal frames as one long frame.
    public var hasLongFrames = false
    /// The number of a sequence's first file; nil for 0.
    public var startNumber: Int?
    /// True to dither a GIF's colours that are not in its palette.
    public var dithers = false
    /// The colour behind translucent pixels of a GIF; nil drops pixels that are less than half
    /// opaque.
    public var matte: Color?
    /// The placement of a lesson's captions.
    public var captions = CaptionPlacement.picture
    /// The changes between a lesson's shots.
    public var transitions = TransitionStyle.ease
    /// The interval between keyframes in seconds of output, 0.05...60. It is also the maximum
    /// length of a segment.
    public var keyFrameInterval: Rational = 2
    /// The name of a codec or encoder; nil for the container's default.
    public var codec: String?
    /// The quality on the encoder's scale; nil for its default.
    public var quality: String?
    /// The encoder's speed preset; nil for its default.
    public var speed: String?
    /// The encoder's profile by name; nil for its default.
    public var profile: String?
    /// The bits per sample; nil for those of the pixel format.
    public var bitDepth: Int?
    /// Further options of the encoder by FFmpeg's names; nil for none.
    public var encoderOptions: EncoderOptions?
    /// The timecode of the first frame, for MOV and MP4; nil for none.
    public var timecode: Timecode?
    /// FFmpeg's name of a pixel format; nil for yuv420p if the encoder supports it, or for a format
    /// with alpha if the background is translucent.
    public var pixelFormat: String?
    /// The file format of the poster beside the clip.
    public var posterFormat = PosterFormat.png
    /// The colour primaries.
    public var gamut = ColorGamut.bt709

    /// The title, which is drawn at the top of a loader's frames and stored as metadata; nil for
    /// none.
    public var title: String?
    /// The path of an audio file to mux from the start of the clip; nil for none.
    public var audio: String?
    /// The audio codec; nil for the container's default.
    public var audioCodec: AudioCodec?
    /// The maximum file size in bytes; nil for no limit. Quality, frame rate and dimensions are
    /// lowered until the file fits.
    public var maxBytes: Int?
    /// True to store the source's captions as a subtitle track.
    public var hasCaptionTrack = true

    /// A request with default settings.
    public init(container: Container, frameRate: FrameRate? = nil) {
        self.container = container
        chosenFrameRate = frameRate
    }

    /// The frame rate of the output.
    public var frameRate: FrameRate {
        get { chosenFrameRate ?? container.defaultFrameRate }
        set { chosenFrameRate = newValue }
    }
}
