import Annotations
import Loaders
import Motion
import Pipeline
import Raster
import Scene

/// How a lesson is to be laid out.
public struct LessonRequest: Sendable {
    /// The language of all texts.
    public var language = Language.en
    /// The shape of the pictures.
    public var shape = PictureShape.wide
    /// What is around the canvas; nil goes by its background.
    public var theme: ThemeTone?
    /// Whether captions are part of the pictures.
    public var drawsCaptions = true
    /// What the lesson is called; nil takes the script's title.
    public var title: String?
    /// Frames a second.
    public var frameRate = FrameRate.standard
    /// A picture that is drawn small in the upper right corner; nil draws none.
    public var mark: Bitmap?

    /// English, wide, with captions.
    public init() {}

    /// As a request has it. Throws `RenderError` if its mark cannot be read.
    public init(_ request: RenderRequest) throws {
        language = request.loader.language
        shape = request.loader.shape ?? .wide
        theme = request.loader.theme
        drawsCaptions = request.encoding.captions != .track
        (frameRate, title) = (request.encoding.frameRate, request.encoding.title)
        mark = try request.loader.markPicture()
    }
}

extension LessonRequest {
    /// Throws if nothing has room in pictures of the shape.
    func checkShape() throws {
        let (width, height) = shape.pixels
        let sides = PictureSize.smallestSide...Pixmap.largestSide
        guard sides.contains(width), sides.contains(height),
            Double(max(width, height)) <= PictureShape.mostElongated * Double(min(width, height))
        else {
            throw RenderError(
                .usage,
                "layout \(width)x\(height) is not possible: sides are \(sides.lowerBound)...\(sides.upperBound) pixels, the "
                    + "longer one at most \(PictureShape.mostElongated) times the shorter",
                about: .options("layout"))
        }
    }
}

extension RenderPlan {
    /// A lesson as a request has it, with everything decided. Throws all that is wrong with the script.
    public init(_ script: TutorialScript, _ request: RenderRequest) throws {
        var encoding = request.encoding
        encoding.hasCaptionTrack = encoding.captions != .picture
        let lesson = try Lesson(script, LessonRequest(request))
        encoding.title = lesson.title
        try self.init(lesson, encoding)
    }
}

extension Lesson {
    /// Whether an option of clips says something about lessons, too: how they look and are encoded, not which part of a
    /// loader's motion is shown.
    public static func takes(_ option: ClipOption) -> Bool {
        option.group == .encoding || option.group == .lesson
            || ["fps", "lang", "layout", "theme", "title", "mark"].contains(option.key)
    }
}
