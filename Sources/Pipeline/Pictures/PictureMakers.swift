import Annotations
import Loaders
import Scene

/// Decides how a loader's pictures are put together.
struct PictureMakers {
    let loader: any Loader
    let background: Color
    let request: LoaderRequest
    let captions: PictureCaptions

    private func annotator(_ survey: LoaderSurvey, _ page: AnnotationPage) -> Annotator {
        Annotator(
            survey, kinds: request.annotations, language: request.language, background: background, page: page)
    }

    /// Notes laid out for a shape, with room for what is drawn over them; nil if the shape has no room for all.
    func shaped(
        _ survey: LoaderSurvey, _ shape: PictureShape, _ mark: Bitmap?
    ) throws -> (annotator: Annotator, overlay: [Node])? {
        // What has no room on the usual page has it on one of more points, with smaller letters.
        for side in AnnotationLayout.shorterSides {
            if let found = try shaped(survey, shape, mark, shorterSide: side) { return found }
        }
        return nil
    }

    private func shaped(
        _ survey: LoaderSurvey, _ shape: PictureShape, _ mark: Bitmap?, shorterSide: Double
    ) throws -> (annotator: Annotator, overlay: [Node])? {
        let size = AnnotationLayout.size(of: shape, shorterSide: shorterSide)
        let decoration = try Decoration(
            title: captions.title, mark: mark, size: size, safe: AnnotationLayout.safeFrame(of: size))
        var page = AnnotationPage()
        (page.shape, page.shorterSide) = (shape, shorterSide)
        (page.theme, page.speed) = (request.theme, captions.speed)
        (page.head, page.corner, page.isCompared) = (decoration.head, decoration.corner, captions.isCompared)
        let annotator = annotator(survey, page)
        guard annotator.isShaped else { return nil }
        return (annotator, decoration.nodes(on: annotator.outerGround))
    }

    /// Notes as they are without a shape, with those of normal speed if that is shown beside.
    func standard(_ survey: LoaderSurvey) -> (own: Annotator, normal: Annotator?) {
        var page = AnnotationPage()
        (page.theme, page.speed) = (request.theme, captions.speed)
        let own = annotator(survey, page)
        guard captions.isCompared, captions.speed != nil else { return (own, nil) }
        page.speed = SpeedText.text(slowmo: 1)
        return (own, annotator(survey, page))
    }

    /// What is around pictures with notes that have no shape of their own, if anything is.
    func frame(around annotator: Annotator?, _ mark: Bitmap?) throws -> CanvasFrame? {
        guard let annotator else { return nil }
        let tags = annotator.writesSpeed ? [] : self.tags
        guard captions.title != nil || mark != nil || !tags.isEmpty else { return nil }
        return try canvasFrame(
            annotator.size, within: nil, mark, tags: tags, background: annotator.outerGround, around: nil,
            hasNotes: true)
    }

    /// What is around a canvas without notes, if anything is.
    func plainFrame(_ mark: Bitmap?, within size: Size?) throws -> CanvasFrame? {
        let isDivided = captions.isCompared && size != nil
        let around = size == nil ? nil : request.theme?.ground
        guard captions.title != nil || mark != nil || !tags.isEmpty || isDivided || around != nil else { return nil }
        return try canvasFrame(
            loader.canvas, within: size, mark, tags: tags, background: background, around: around)
    }

    /// How fast two pictures run, if not equally fast.
    private var tags: [String] {
        captions.isCompared ? captions.speed.map { [SpeedText.text(slowmo: 1), $0] } ?? [] : []
    }

    private func canvasFrame(
        _ canvas: Size, within size: Size?, _ mark: Bitmap?, tags: [String], background: Color, around: Color?,
        hasNotes: Bool = false
    ) throws -> CanvasFrame {
        let count = captions.isCompared ? 2 : 1
        let whole = size ?? (count == 2 ? Storyboard.sideBySideSize(canvas) : canvas)
        let decoration = try Decoration(
            title: captions.title, mark: mark, size: whole, safe: AnnotationLayout.safeFrame(of: whole),
            isApart: hasNotes)
        return CanvasFrame(
            canvas, within: size, tags: tags, count: count, decoration: decoration, background: background,
            around: around)
    }
}
