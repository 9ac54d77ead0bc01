import Media
import Platform

/// A clip of a loader, or of anything else whose pictures are known, which can be written into files.
///
///     let clip = try Clip(PulsingDots(), slowmo: 4)
///     try await clip.write(to: "dots.webm")
///
/// Nothing is printed, no signal is caught, and the same clip gives the same bytes in every run. Several clips may be
/// written at once.
public struct Clip: Sendable {
    private enum Source {
        case loader(RenderRequest)
        case subject(any Subject, size: PictureSize?)
    }

    private var source: Source
    /// How it is encoded. The container is chosen anew by the name of each file that is written.
    public var encoding: EncodingRequest

    /// A loader in slow motion.
    ///
    /// - Parameters:
    ///   - loader: what is shown: one of the library's, or one of your own.
    ///   - slowmo: how many times slower, 0.05...1000.
    ///   - frameRate: frames a second; nil takes the container's: 60, in GIF 25.
    ///   - cycles: how many whole periods, at least one; they play without a seam.
    ///   - size: nil takes 4 pixels per point, of an annotated picture 2.
    ///   - background: colour behind everything; nil takes the loader's.
    ///   - annotations: what is added to show how it moves.
    ///   - language: the language of captions and chapters.
    ///
    /// Throws `RenderError` with the first thing that is wrong.
    public init(
        _ loader: any Loader, slowmo: Rational = 1, frameRate: FrameRate? = nil, cycles: Int = 1,
        size: PictureSize? = nil, background: Color? = nil, annotations: Set<AnnotationKind> = [],
        language: Language = .en
    ) throws {
        var pictures = LoaderRequest(LoaderDefinition(loader))
        (pictures.size, pictures.background) = (size, background)
        (pictures.annotations, pictures.language) = (annotations, language)
        var request = RenderRequest(loader: pictures, container: .mp4, frameRate: frameRate)
        (request.slowmo, request.extent) = (slowmo, .cycles(cycles))
        try self.init(request)
    }

    /// A clip with everything that can be asked for. Throws `RenderError` with the first thing that is wrong.
    public init(_ request: RenderRequest) throws {
        _ = try LoaderClip(request)
        (source, encoding) = (.loader(request), request.encoding)
    }

    /// A clip of something else than a loader.
    ///
    /// - Parameters:
    ///   - subject: what is shown, frame by frame.
    ///   - frameRate: frames a second of the subject, which has been made for it.
    ///   - size: nil takes the subject's own scale.
    public init(_ subject: any Subject, frameRate: FrameRate, size: PictureSize? = nil) {
        source = .subject(subject, size: size)
        encoding = EncodingRequest(container: .mp4, frameRate: frameRate)
    }

    /// Everything decided and checked for a container. Throws `RenderError` with the first thing that is wrong.
    public func plan(for container: Container) throws -> RenderPlan {
        var encoding = encoding
        encoding.container = container
        switch source {
        case .loader(var request):
            request.encoding = encoding
            return try RenderPlan(request)
        case .subject(let subject, let size): return try RenderPlan(subject, size: size, encoding)
        }
    }

    /// Writes the clip into a file, whose name says the container, such as `.mp4` or `.webm`.
    ///
    /// The path holds what it held before, or the whole new file. A cancelled task leaves nothing behind.
    ///
    /// - Parameters:
    ///   - path: where the file is to be.
    ///   - overwrites: whether a file that is there is replaced.
    ///   - companions: files beside it, such as `dots.vtt`, as far as there are captions or a poster.
    ///   - cores: how many to use; nil takes all that this process may use.
    ///
    /// Throws `RenderError`, of kind `interrupted` if the task was cancelled.
    @discardableResult
    public func write(
        to path: String, overwrites: Bool = false, companions: [ClipCompanion] = [], cores: Int? = nil
    ) async throws -> RenderReport {
        try await writing(to: path, overwrites: overwrites, companions: companions, cores: cores).run()
    }

    /// The same in two steps, for those who want to watch it. Nothing is done before it runs.
    public func writing(
        to path: String, overwrites: Bool = false, companions: [ClipCompanion] = [], cores: Int? = nil
    ) throws -> ClipWriting {
        let plan = try plan(for: Clip.container(of: path))
        let jobs = max(1, cores ?? Resources.processors)
        return ClipWriting(plan, to: path, overwrites: overwrites, companions: companions, jobs: jobs)
    }

    private static func container(of path: String) throws -> Container {
        guard let container = Container(ofFile: path) else {
            throw RenderError(
                .usage, "the output '\(path.visible)' does not end in \(Container.listed(prefix: ".")): rename it")
        }
        return container
    }
}
