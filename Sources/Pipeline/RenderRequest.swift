import Annotations
import Loaders
import Media
import Motion
import Scene
import Timing

/// A loader with its settings, as asked for: what stills and clips have in common.
public struct LoaderRequest: Sendable {
    /// The loader and what can be set.
    public var definition: LoaderDefinition
    /// Parameters as `key=value`.
    public var settings: [String] = []
    /// `smooth` or `ticks`, for loaders that know timer steps.
    public var motion: String?
    /// Values of options that loaders in files know as parameters, by their names: `subframes`, `animation`, `lenient`.
    public var parameters: [String: String] = [:]
    /// Colour behind everything; nil takes the loader's.
    public var background: Color?
    /// Size of the picture; nil takes the shape's, or 4 pixels per point, of an annotated picture 2.
    public var size: PictureSize?
    /// The shape that the picture is laid out for; nil takes that of what is shown.
    public var shape: PictureShape?
    /// Whether what is around the canvas is dark or light; nil goes by the background.
    public var theme: ThemeTone?
    /// A file with a picture that is drawn small in the upper right corner; nil draws none.
    public var mark: String?
    /// What is added to show how it moves.
    public var annotations: Set<AnnotationKind> = []
    /// The language of what is added.
    public var language = Language.en
    /// Pictures for parameters have at most so many pixels. Says nothing about what is shown.
    public var mostPicturePixels = Bitmap.mostPixels

    /// A loader as it is by default.
    public init(_ definition: LoaderDefinition) { self.definition = definition }

    /// A loader by its name in the current catalogue. Throws `RenderError` if there is none.
    public init(id: String) throws {
        do { self.init(try LoaderCatalog.current.definition(id)) } catch { throw RenderError(error) }
    }
}

/// Where captions are.
public enum CaptionPlacement: String, CaseIterable, Sendable {
    /// Drawn into the pictures.
    case picture
    /// A track that players show.
    case track
    /// Both.
    case both
}

/// How a clip is encoded, as asked for.
public struct EncodingRequest: Sendable {
    /// The container it goes into.
    public var container: Container
    /// Frames a second of output that are asked for; nil takes the container's.
    public var chosenFrameRate: FrameRate?
    /// How many times an animated picture plays, 1...65535; nil for without end.
    public var plays: Int?
    /// Whether pictures that come again are encoded once and played again.
    public var usesRepetition = true
    /// Whether a run of equal pictures is stored as one long frame.
    public var hasLongFrames = false
    /// Whether GIF mixes colours that are not among its few of two that are.
    public var dithers = false
    /// The colour behind what is half transparent, in a GIF; nil leaves out what is more than half transparent.
    public var matte: Color?
    /// Where the captions of a lesson are.
    public var captions = CaptionPlacement.picture
    /// Seconds of output between key frames, which is also the length of a segment; 0.05...60.
    public var keyFrameInterval: Rational = 2
    /// A codec's or encoder's name; nil takes the container's.
    public var codec: String?
    /// Quality on the codec's own scale; nil takes its default.
    public var quality: String?
    /// Speed in the codec's own words; nil takes its default.
    public var speed: String?
    /// FFmpeg's name of a pixel format; nil takes yuv420p where the encoder knows it, and for a translucent background one
    /// with alpha.
    public var pixelFormat: String?
    /// What the pictures' red, green and blue are.
    public var gamut = ColorGamut.bt709

    /// The clip's title, which is drawn at the top of a loader's pictures and told to players; nil leaves the clip without one.
    public var title: String?
    /// The path of a file of AAC or Opus whose sound goes with the pictures, from their beginning; nil for none.
    public var audio: String?
    /// The most bytes of the file; nil for as many as it takes. Quality, rate and size give way until it fits.
    public var mostBytes: Int?
    /// Whether what the subject says becomes a track of captions that players can show.
    public var hasCaptionTrack = true

    /// The defaults of everything.
    public init(container: Container, frameRate: FrameRate? = nil) {
        (self.container, chosenFrameRate) = (container, frameRate)
    }

    /// Frames a second of output.
    public var frameRate: FrameRate {
        get { chosenFrameRate ?? container.standardFrameRate }
        set { chosenFrameRate = newValue }
    }
}

/// A clip of a loader as asked for. Nothing is checked yet: `RenderPlan` does that.
@dynamicMemberLookup
public struct RenderRequest: Sendable {
    /// What is shown.
    public var loader: LoaderRequest
    /// How it is encoded.
    public var encoding: EncodingRequest
    /// How many times slower, 0.05...1000.
    public var slowmo: Rational = 1
    /// Whole cycles or seconds.
    public var extent = TimeMap.Extent.cycles(1)
    /// Seamless or exact; nil takes seamless for cycles and exact for seconds.
    public var timing: TimeMap.Timing?
    /// Where in model time the clip begins; nil begins with the period.
    public var from: ModelTime?
    /// Where in model time the clip ends; nil ends with the period.
    public var to: ModelTime?
    /// Seconds for which every phase boundary stands still; nil is 0, or 1 if only the boundaries are shown. 0...3600.
    public var hold: Rational?
    /// How many times slower still at phase boundaries, easing back to the normal speed between; 1...1000.
    public var ramp: Rational = 1
    /// Whether only the phase boundaries are shown, each held.
    public var isStepped = false
    /// Whether the clip is shown at normal speed at the left and as asked for at the right.
    public var isSideBySide = false
    /// How long the shutter is open, 0...1 of a frame; 0 shows instants.
    public var motionBlur: Rational = 0
    /// Whether phase boundaries become chapters.
    public var hasChapters = false

    /// One seamless cycle with the defaults of everything.
    public init(loader: LoaderRequest, container: Container, frameRate: FrameRate? = nil) {
        (self.loader, encoding) = (loader, EncodingRequest(container: container, frameRate: frameRate))
    }

    /// What `encoding` holds.
    public subscript<Value>(dynamicMember path: WritableKeyPath<EncodingRequest, Value>) -> Value {
        get { encoding[keyPath: path] }
        set { encoding[keyPath: path] = newValue }
    }
}
