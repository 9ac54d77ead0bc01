import Animations
import Core

/// A factory that chooses the layout of a loader's frames and creates its parts.
struct FrameRendererFactory {
    let loader: any Loader
    let background: Color
    let request: LoaderRequest
    let captions: FrameCaptions

    private func annotator(_ survey: LoaderSurvey, _ page: AnnotationPage) -> Annotator {
        Annotator(
            survey, kinds: request.annotations, language: request.language, background: background, page: page)
    }

    /// Returns an annotator whose layout has a fixed aspect ratio, and the title and mark over it;
    /// nil if not all annotations fit.
    func fixedAspect(
        _ survey: LoaderSurvey, _ shape: FrameShape, _ mark: Bitmap?
    ) throws -> (annotator: Annotator, overlay: [Node])? {
        // Larger pages, on which the text appears smaller, have room for more annotations.
        for side in AnnotationLayout.shorterSides {
            if let found = try fixedAspect(survey, shape, mark, shorterSide: side) { return found }
        }
        return nil
    }

    private func fixedAspect(
        _ survey: LoaderSurvey, _ shape: FrameShape, _ mark: Bitmap?, shorterSide: Double
    ) throws -> (annotator: Annotator, overlay: [Node])? {
        let size = AnnotationLayout.size(of: shape, shorterSide: shorterSide)
        let decoration = try Decoration(
            title: captions.title, mark: mark, size: size, safe: AnnotationLayout.safeFrame(of: size))
        var page = AnnotationPage()
        page.shape = shape
        page.shorterSide = shorterSide
        page.theme = request.theme
        page.speed = captions.speed
        page.head = decoration.headHeight
        page.trailingInset = decoration.trailingInset
        page.isCompared = captions.isCompared
        let annotator = annotator(survey, page)
        guard annotator.hasFixedAspect else { return nil }
        return (annotator, decoration.nodes(on: annotator.outerBackground))
    }

    /// Returns an annotator whose layout determines the aspect ratio, and another one for the
    /// normal-speed view if there is one.
    func freeAspect(_ survey: LoaderSurvey) -> (own: Annotator, normal: Annotator?) {
        var page = AnnotationPage()
        page.theme = request.theme
        page.speed = captions.speed
        let own = annotator(survey, page)
        guard captions.isCompared, captions.speed != nil else { return (own, nil) }
        page.speed = SpeedText.text(slowmo: 1)
        return (own, annotator(survey, page))
    }

    /// Returns the frame around an annotated view without a fixed aspect ratio; nil if nothing is
    /// around it.
    func frame(around annotator: Annotator?, _ mark: Bitmap?) throws -> CanvasFrame? {
        guard let annotator else { return nil }
        let speedLabels = annotator.writesSpeed ? [] : self.speedLabels
        guard captions.title != nil || mark != nil || !speedLabels.isEmpty else { return nil }
        return try canvasFrame(
            annotator.size, within: nil, mark, speedLabels: speedLabels, background: annotator.outerBackground,
            around: nil, hasAnnotations: true)
    }

    /// Returns the frame around a canvas without annotations; nil if nothing is around it.
    func plainFrame(_ mark: Bitmap?, within size: Size?) throws -> CanvasFrame? {
        let isDivided = captions.isCompared && size != nil
        let around = size == nil ? nil : request.theme?.background
        guard captions.title != nil || mark != nil || !speedLabels.isEmpty || isDivided || around != nil else {
            return nil
        }
        return try canvasFrame(
            loader.canvas, within: size, mark, speedLabels: speedLabels, background: background, around: around)
    }

    /// The speeds of the two views; empty if they are equal or there is only one view.
    private var speedLabels: [String] {
        captions.isCompared ? captions.speed.map { [SpeedText.text(slowmo: 1), $0] } ?? [] : []
    }

    private func canvasFrame(
        _ canvas: Size, within size: Size?, _ mark: Bitmap?, speedLabels: [String], background: Color,
        around: Color?, hasAnnotations: Bool = false
    ) throws -> CanvasFrame {
        let count = captions.isCompared ? 2 : 1
        let whole = size ?? (count == 2 ? Storyboard.sideBySideSize(canvas) : canvas)
        let decoration = try Decoration(
            title: captions.title, mark: mark, size: whole, safe: AnnotationLayout.safeFrame(of: whole),
            isApart: hasAnnotations)
        return CanvasFrame(
            canvas, within: size, speedLabels: speedLabels, count: count, decoration: decoration,
            background: background, around: around)
    }
}
