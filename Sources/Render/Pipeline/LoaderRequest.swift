import Animations
import Core

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
