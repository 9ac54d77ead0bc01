import Animations
import Core
import Raster

/// Text in a loader's frames besides its annotations.
public struct FrameCaptions: Sendable {
    /// The title at the top.
    public var title: String?
    /// The speed, such as `1/6×`.
    public var speed: String?
    /// True to show the loader at normal speed too, next to it or above.
    public var isCompared = false

    /// No text.
    public init() {}

    /// The text of a requested clip.
    public init(_ request: RenderRequest) {
        title = request.title
        speed = request.speedText
        isCompared = request.isSideBySide
    }
}

/// A renderer that builds the scenes of a loader with checked settings, on its background and with
/// its annotations.
public struct LoaderRenderer: Sendable {
    /// The loader.
    public let loader: any Loader
    /// The background colour of the canvas.
    public let background: Color
    /// Notes about how it is drawn, one per line, such as one about its background.
    public let notes: [String]
    /// The font family of text; nil for the default.
    private let font: String?
    /// The annotator; nil without annotations.
    package let annotator: Annotator?
    /// The annotator of the normal-speed view, if it is a separate one.
    private let normalAnnotator: Annotator?
    /// The frame around the canvas; nil for none.
    private let frame: CanvasFrame?
    /// The nodes drawn over a fixed-aspect layout, such as the title.
    private let overlay: [Node]
    private let isCompared: Bool

    /// Checks a request. Throws `LoadervidError` with the first problem.
    public init(_ request: LoaderRequest, captions: FrameCaptions = FrameCaptions()) throws {
        let loader = try LoaderRenderer.loader(of: request)
        let chosen =
            request.background == nil && !request.annotations.isEmpty ? AnnotationBackground.color(for: loader) : nil
        let background = request.background ?? chosen ?? loader.background
        self.loader = loader
        self.background = background
        font = try request.checkedFont()
        notes =
            (chosen.map { [AnnotationBackground.note($0, for: loader, hasOption: true)] } ?? [])
            + LoaderRenderer.opacityNote(request) + LoaderRenderer.coverNote(request, loader)
            + (captions.title.flatMap(TitleText.emojiNote).map { [$0] } ?? []) + loader.notes
        isCompared = captions.isCompared
        let mark = try request.markBitmap()
        let shape = request.layoutShape
        let factory = FrameRendererFactory(loader: loader, background: background, request: request, captions: captions)
        guard !request.annotations.isEmpty else {
            annotator = nil
            normalAnnotator = nil
            overlay = []
            frame = try factory.plainFrame(mark, within: shape.map { AnnotationLayout.size(of: $0) })
            return
        }
        let survey = LoaderSurvey(loader)
        if let shape, let fixedAspect = try factory.fixedAspect(survey, shape, mark) {
            annotator = fixedAspect.annotator
            normalAnnotator = nil
            overlay = fixedAspect.overlay
            frame = nil
            return
        }
        (annotator, normalAnnotator) = factory.freeAspect(survey)
        overlay = []
        frame = try factory.frame(around: annotator, mark)
    }

    /// Returns the note about a translucent background behind annotations.
    private static func opacityNote(_ request: LoaderRequest) -> [String] {
        guard !request.annotations.isEmpty, let background = request.background, background.alpha < 1 else { return [] }
        return [
            "the frames are opaque, because annotations are drawn on opaque panels; leave out "
                + "\(option: "annotate") for a transparent background"
        ]
    }

    /// Returns the note about a background that the loader hides; none if the loader cannot be
    /// drawn.
    private static func coverNote(_ request: LoaderRequest, _ loader: any Loader) -> [String] {
        guard request.annotations.isEmpty, let background = request.background, background != loader.background,
            (try? BackgroundCover.isComplete(in: loader)) ?? false
        else { return [] }
        let remedy = loader is any KeyframedLoader ? "; remove the background layer from the file" : ""
        return ["\(option: "background") has no effect, because the loader covers its whole canvas\(remedy)"]
    }

    /// Returns the loader of a request.
    private static func loader(of request: LoaderRequest) throws -> any Loader {
        do {
            let settings =
                try request.settings + LoaderRenderer.motionSettings(of: request)
                + LoaderRenderer.fileSettings(of: request)
            let maxPixels = request.maxImagePixels
            let values = try ParameterValues(settings, for: request.definition) { (path) throws(ParameterError) in
                try ParameterImage.load(path, maxPixels: maxPixels)
            }
            var loader = try request.definition.make(values)
            if !request.objects.isEmpty { loader = try loader.showing(request.objects) }
            return loader
        } catch { throw LoadervidError(error) }
    }

    private static func motionSettings(of request: LoaderRequest) throws -> [String] {
        guard let motion = request.motion else { return [] }
        let name = "motion"
        try checkIsSetOnce(name, in: request)
        let isKnown = request.definition.hasParameter(name)
        guard isKnown || motion == "smooth" else {
            let others = LoaderCatalog.current.definitions.filter { $0.hasParameter(name) }.map(\.id)
            throw LoadervidError(
                .usage,
                "\(option: "motion"): \(request.definition.id) has no timer steps; leave it out, or use "
                    + "\(others.alternatives)",
                subjects: .options("motion"))
        }
        return isKnown ? ["\(name)=\(motion)"] : []
    }

    /// Returns the settings from options that are parameters of loaders in files.
    private static func fileSettings(of request: LoaderRequest) throws -> [String] {
        var parameters = request.parameters
        let font = "font"
        if request.definition.hasParameter(font) { parameters[font] = request.font }
        return try parameters.sorted { $0.key < $1.key }.map { name, value in
            try checkIsSetOnce(name, in: request)
            guard request.definition.hasParameter(name) else {
                throw LoadervidError(
                    .usage, "\(option: name): \(request.definition.id) is not a Lottie file; leave it out",
                    subjects: .options(name))
            }
            return "\(name)=\(value)"
        }
    }

    private static func checkIsSetOnce(_ name: String, in request: LoaderRequest) throws {
        guard request.settings.contains(where: { $0.hasPrefix("\(name)=") }) else { return }
        throw LoadervidError(
            .usage, "\(option: name) is set twice; pass either the option or the setting", subjects: .options(name))
    }

    /// The size of one view in points, without the frame around it.
    private var viewSize: Size { annotator?.size ?? loader.canvas }

    /// True if two views are placed next to each other.
    private var isPair: Bool { isCompared && annotator?.showsNormalSpeed != true }

    /// The size of the frame in points.
    public var size: Size { frame?.size ?? (isPair ? Storyboard.sideBySideSize(viewSize) : viewSize) }
    /// The background colour of the frames: that of the annotations around the canvas if there are
    /// any, which is opaque.
    public var frameBackground: Color {
        annotator == nil && frame == nil ? background : scene(at: .zero).background
    }
    /// True if the frames contain text.
    package var hasText: Bool { annotator != nil || frame != nil || loader.drawsText }
    /// The pixels per point if the request names none.
    public var defaultScale: Rational { loader.preferredScale ?? (annotator == nil ? 4 : 2) }

    /// Returns the complete scene at a model time in seconds.
    ///
    /// - Parameter normal: the model time of the normal-speed view, if there is one.
    public func scene(at time: Rational, normal: Rational = .zero) -> Scene {
        var scene = composedScene(at: time, normal: normal)
        scene.nodes = scene.nodes.withFont(font)
        return scene
    }

    private func composedScene(at time: Rational, normal: Rational) -> Scene {
        if let annotator, annotator.showsNormalSpeed || !isPair {
            var scene = annotator.scene(at: time, normal: normal)
            scene.nodes += overlay
            return frame?.scene([scene]) ?? scene
        }
        let own = plainScene(annotator, at: time)
        guard isPair else { return frame?.scene([own]) ?? own }
        let other = plainScene(normalAnnotator ?? annotator, at: normal)
        return frame?.scene([other, own]) ?? Storyboard.sideBySide(other, own)
    }

    private func plainScene(_ annotator: Annotator?, at time: Rational) -> Scene {
        if let annotator { return annotator.scene(at: time) }
        var scene = loader.scene(at: time)
        scene.background = background
        return scene
    }
}

extension LoaderRequest {
    /// Returns the requested font. Throws `LoadervidError` if it is not installed.
    package func checkedFont() throws -> String? {
        guard let font else { return nil }
        let families = TextSystem.fontFamilies()
        if let family = families.first(where: { $0.lowercased() == font.lowercased() }) { return family }
        let remedy =
            NearestName.question(font, in: families).map { "\($0) For others," } ?? "install it, or"
        throw LoadervidError(
            .usage,
            "\(option: "font"): the family \(quoted(font)) is not installed; \(remedy) "
                + "add \(option: "font-dir") with a directory that contains it",
            subjects: .options("font"))
    }

    /// The shape for which frames are laid out; nil for none.
    var layoutShape: FrameShape? {
        if let shape { return shape }
        guard case .pixels(let width, let height) = size, width > 0, height > 0 else { return nil }
        return .pixels(width: width, height: height)
    }

    /// The requested size of the frames; nil for none.
    public var frameSize: FrameSize? {
        size ?? shape.map { .pixels(width: $0.pixels.width, height: $0.pixels.height) }
    }

    /// Returns the image of the mark; nil for none. Throws `LoadervidError` if it cannot be read.
    package func markBitmap() throws -> Bitmap? {
        do {
            return try mark.map { (path) throws(ParameterError) in
                try ParameterImage.load(path, maxPixels: maxImagePixels)
            }
        } catch {
            let error = LoadervidError(error)
            throw LoadervidError(
                error.kind, error.reason, subjects: [.option("mark")] + error.subjects, hint: error.hint)
        }
    }
}
