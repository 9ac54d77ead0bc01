import Annotations
import Loaders
import Motion
import Scene

/// What is written into pictures of a loader besides its notes.
public struct PictureCaptions: Sendable {
    /// A title at the top.
    public var title: String?
    /// How fast it runs.
    public var speed: String?
    /// Whether it is shown at normal speed, too, beside or above.
    public var isCompared = false

    /// Nothing.
    public init() {}

    /// What a clip has.
    public init(_ request: RenderRequest) {
        (title, speed, isCompared) = (request.title, request.speedText, request.isSideBySide)
    }
}

/// A loader with checked settings on its background, with the notes that were asked for.
public struct LoaderCanvas: Sendable {
    /// The loader.
    public let loader: any Loader
    /// Colour behind everything.
    public let background: Color
    /// What adds notes to its pictures, if any were asked for.
    public let annotator: Annotator?
    /// What adds notes to pictures at normal speed, if they are apart.
    private let normalAnnotator: Annotator?
    /// What is around it, if anything is.
    private let frame: CanvasFrame?
    /// What lies over a picture that has room for it.
    private let overlay: [Node]
    private let isCompared: Bool

    /// Checks a request. Throws `RenderError` with the first thing that is wrong.
    public init(_ request: LoaderRequest, captions: PictureCaptions = PictureCaptions()) throws {
        let (loader, background) = try LoaderCanvas.loader(of: request)
        (self.loader, self.background, isCompared) = (loader, background, captions.isCompared)
        let mark = try request.markPicture()
        let shape = request.layoutShape
        let makers = PictureMakers(loader: loader, background: background, request: request, captions: captions)
        guard !request.annotations.isEmpty else {
            (annotator, normalAnnotator, overlay) = (nil, nil, [])
            frame = try makers.plainFrame(mark, within: shape.map { AnnotationLayout.size(of: $0) })
            return
        }
        let survey = LoaderSurvey(loader)
        if let shape, let made = try makers.shaped(survey, shape, mark) {
            (annotator, normalAnnotator, overlay, frame) = (made.annotator, nil, made.overlay, nil)
            return
        }
        (annotator, normalAnnotator) = makers.standard(survey)
        overlay = []
        frame = try makers.frame(around: annotator, mark)
    }

    /// The loader of a request, and the colour behind it.
    private static func loader(of request: LoaderRequest) throws -> (any Loader, Color) {
        do {
            let settings =
                try request.settings + LoaderCanvas.motionSettings(of: request) + LoaderCanvas.fileSettings(of: request)
            let mostPixels = request.mostPicturePixels
            let values = try ParameterValues(settings, for: request.definition) { (path) throws(ParameterError) in
                try CoverPicture.load(path, mostPixels: mostPixels)
            }
            let loader = try request.definition.make(values)
            return (loader, request.background ?? loader.background)
        } catch { throw RenderError(error) }
    }

    private static func motionSettings(of request: LoaderRequest) throws -> [String] {
        guard let motion = request.motion else { return [] }
        let name = "motion"
        try checkIsSetOnce(name, in: request)
        let isKnown = request.definition.hasParameter(name)
        guard isKnown || motion == "smooth" else {
            let others = LoaderCatalog.current.definitions.filter { $0.hasParameter(name) }.map(\.id)
            throw RenderError(
                .usage,
                "motion \(motion): \(request.definition.id) has no timer steps "
                    + "(only \(others.joined(separator: ", ")) have); leave it out",
                about: .options("motion"))
        }
        return isKnown ? ["\(name)=\(motion)"] : []
    }

    /// The options that are parameters of loaders in files, as settings.
    private static func fileSettings(of request: LoaderRequest) throws -> [String] {
        try request.parameters.sorted { $0.key < $1.key }.map { name, value in
            try checkIsSetOnce(name, in: request)
            guard request.definition.hasParameter(name) else {
                throw RenderError(
                    .usage, "\(name) is for Lottie files, and \(request.definition.id) is none: leave it out",
                    about: .options(name))
            }
            return "\(name)=\(value)"
        }
    }

    private static func checkIsSetOnce(_ name: String, in request: LoaderRequest) throws {
        guard request.settings.contains(where: { $0.hasPrefix("\(name)=") }) else { return }
        throw RenderError(.usage, "\(name) is set twice: give it as an option or as a setting", about: .options(name))
    }

    /// A picture at some time, without what is around it.
    private var single: Size { annotator?.size ?? loader.canvas }

    /// Whether two pictures are put beside each other.
    private var isPair: Bool { isCompared && annotator?.showsNormalSpeed != true }

    /// The picture's size in points.
    public var size: Size { frame?.size ?? (isPair ? Storyboard.sideBySideSize(single) : single) }
    /// Whether there are letters in its pictures.
    package var hasText: Bool { annotator != nil || frame != nil || loader.drawsText }
    /// Pixels per point unless another number is asked for.
    public var defaultScale: Rational { loader.preferredScale ?? (annotator == nil ? 4 : 2) }

    /// The scene at a model time in seconds, over the background and with what was asked for.
    ///
    /// - Parameter normal: the model time of what is shown at normal speed, if that is shown beside.
    public func scene(at time: Rational, normal: Rational = .zero) -> Scene {
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
    /// The shape that pictures are laid out for, if there is one.
    var layoutShape: PictureShape? {
        if let shape { return shape }
        guard case .pixels(let width, let height) = size, width > 0, height > 0 else { return nil }
        return .pixels(width: width, height: height)
    }

    /// The pictures' size, if it is asked for.
    public var pictureSize: PictureSize? {
        size ?? shape.map { .pixels(width: $0.pixels.width, height: $0.pixels.height) }
    }

    /// The picture that is drawn in a corner.
    package func markPicture() throws -> Bitmap? {
        do {
            return try mark.map { (path) throws(ParameterError) in
                try CoverPicture.load(path, mostPixels: mostPicturePixels)
            }
        } catch {
            let error = RenderError(error)
            throw RenderError(error.kind, error.reason, about: [.option("mark")] + error.about, wayOut: error.wayOut)
        }
    }
}
