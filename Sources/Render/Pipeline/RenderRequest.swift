import Animations
import Core
import Media

/// A requested loader with its settings and look: the part that still images and clips share.
public struct LoaderRequest: Sendable {
    /// The loader's definition.
    public var definition: LoaderDefinition
    /// Parameters as `key=value`.
    public var settings: [String] = []
    /// `smooth` or `ticks`, for loaders with timer steps; nil for the default.
    public var motion: String?
    /// Values of the options `subframes`, `animation` and `lenient`, which are parameters of
    /// loaders in files.
    public var parameters: [String: String] = [:]
    /// The background colour; nil for the loader's.
    public var background: Color?
    /// The size of the frame; nil for the shape's size, or for 4 pixels per point, 2 with
    /// annotations.
    public var size: FrameSize?
    /// The shape for which the frame is laid out; nil for the shape of the content.
    public var shape: FrameShape?
    /// The tone of the area around the canvas; nil follows the background.
    public var theme: ThemeTone?
    /// True to show only the part of the canvas in which anything is drawn.
    public var isTrimmed = false
    /// The margin around that part in points, 0...1000; nil is 2.
    public var trimMargin: Rational?
    /// The path of an image for the upper right corner, such as a logo; nil for none.
    public var mark: String?
    /// The annotations to draw.
    public var annotations: Set<AnnotationKind> = []
    /// The objects to show in annotations, charts and tables; empty for the loader's default.
    public var objects: [ObjectChoice] = []
    /// The font family of titles and annotations, and of Lottie text whose font is missing; nil for
    /// the default.
    public var font: String?
    /// The language of annotations.
    public var language = Language.en
    /// The maximum number of pixels in input images. It does not change the output.
    public var maxImagePixels = Bitmap.maxPixels

    /// A request for a loader with default settings.
    public init(_ definition: LoaderDefinition) { self.definition = definition }

    /// A request for a loader of the current catalogue. Throws `LoadervidError` if there is none
    /// with this id.
    public init(id: String) throws {
        do { self.init(try LoaderCatalog.current.definition(id)) } catch { throw LoadervidError(error) }
    }
}

/// The placement of captions.
public enum CaptionPlacement: String, CaseIterable, Sendable {
    /// Drawn into the frames.
    case picture
    /// A subtitle track.
    case track
    /// Both.
    case both
}

/// The changes between a lesson's shots.
public enum TransitionStyle: String, CaseIterable, Sendable {
    /// Boards move, and texts, panels and annotations fade in and out.
    case ease
    /// Each shot replaces the one before.
    case cut
}

/// The file format of a poster beside a clip.
public enum PosterFormat: String, CaseIterable, Sendable {
    case png, jpg
}

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
