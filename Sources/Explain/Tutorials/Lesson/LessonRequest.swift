import Animations
import Core
import Raster
import Render

/// The options of a lesson's layout.
package struct LessonRequest: Sendable {
    /// The language of all texts.
    package var language = Language.en
    /// The shape of the frame.
    package var shape = FrameShape.wide
    /// The tone of the area around the loader; nil for the loader's background.
    package var theme: ThemeTone?
    /// True if captions are drawn on the frames.
    package var drawsCaptions = true
    /// The style of the transitions between shots.
    package var transitions = TransitionStyle.ease
    /// The title of the lesson; nil for the script's title.
    package var title: String?
    /// Frames per second.
    package var frameRate = FrameRate.standard
    /// The font family of texts; nil for the default.
    package var font: String?
    /// The logo in the upper right corner; nil for none.
    package var mark: Bitmap?

    /// The default options: English, wide, with captions.
    package init() {}

    /// The options of a render request. Throws `LoadervidError` if the logo cannot be read.
    package init(_ request: RenderRequest) throws {
        language = request.loader.language
        shape = request.loader.shape ?? .wide
        theme = request.loader.theme
        drawsCaptions = request.encoding.captions != .track
        transitions = request.encoding.transitions
        frameRate = request.encoding.frameRate
        title = request.encoding.title
        font = try request.loader.checkedFont()
        mark = try request.loader.markBitmap()
    }
}

extension LessonRequest {
    /// The minimum side of a frame in pixels: a clip has at least a tenth of a pixel per point.
    private static let minSide = max(FrameSize.minSide, Int(LessonLayout.shorterSide / 10))

    /// Runs a check of the lesson's title. If the request sets the title, a problem becomes a
    /// `LoadervidError` about the option, since no line of the script causes it.
    func checkTitle(_ check: () throws(DocumentError) -> Void) throws {
        do throws(DocumentError) { try check() } catch {
            guard title != nil else { throw error }
            throw LoadervidError(
                .usage, "\(option: "title"): \(error.problems[0].message)", subjects: .options("title"))
        }
    }

    /// Throws `LoadervidError` if the title of the request does not fit on a script's title card.
    func checkCard(of script: TutorialScript, _ title: SpannedText, _ header: LessonHeader) throws {
        guard self.title != nil, script.steps.contains(where: { $0 is TitleStep }) else { return }
        try checkTitle { () throws(DocumentError) in _ = try header.cardLines(title) }
    }

    /// Throws `LoadervidError` if a side or the aspect ratio of the frame is out of range.
    func checkShape() throws {
        let (width, height) = shape.pixels
        let sides = Self.minSide...Pixmap.maxSide
        guard sides.contains(width), sides.contains(height),
            Double(max(width, height)) <= FrameShape.maxElongation * Double(min(width, height))
        else {
            throw LoadervidError(
                .usage,
                "\(option: "layout"): \(width)x\(height) is not a valid size; use sides of \(sides.lowerBound)..."
                    + "\(sides.upperBound) "
                    + "pixels, the longer at most \(FrameShape.maxElongation) times the shorter",
                subjects: .options("layout"))
        }
    }
}

extension RenderPlan {
    /// Lays out and plans a lesson. Throws `DocumentError` with every problem of the script, or
    /// `LoadervidError` if the request is invalid.
    package init(_ script: TutorialScript, _ request: RenderRequest) throws {
        var encoding = request.encoding
        encoding.hasCaptionTrack = encoding.captions != .picture
        let lesson = try Lesson(script, LessonRequest(request))
        encoding.title = lesson.title
        try self.init(lesson, encoding)
    }
}

extension Lesson {
    /// Returns true if an option of clips applies to lessons. The script decides the motion, the
    /// background and the annotations, and the layout decides the size.
    package static func takes(_ option: ClipOption) -> Bool {
        option.group == .encoding || option.group == .lesson
            || ["fps", "lang", "layout", "theme", "title", "mark", "font"].contains(option.key)
    }
}
