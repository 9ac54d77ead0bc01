import Core
import Media

#if canImport(FoundationEssentials)
    public import struct FoundationEssentials.URL
#else
    public import struct Foundation.URL
#endif

/// A clip of a loader or another source of frames, which can be written into files.
///
///     let clip = try Clip(PulsingDots(), slowmo: 4)
///     try await clip.write(to: "dots.webm")
///
/// Prints nothing and handles no signals. The same clip gives the same bytes in every run. Two
/// encoders need `HostProcess.allowChanges()`: HEVC to give equal bytes, and AV1 to print nothing.
/// Several clips can be written at the same time.
public struct Clip: Sendable {
    private enum Source {
        case loader(RenderRequest)
        case clipSource(any ClipSource, size: FrameSize?)
    }

    private var source: Source
    /// The requested encoding. Its container is ignored: the name of each output file determines
    /// it.
    public var encoding: EncodingRequest

    /// A clip of a loader in slow motion.
    ///
    /// - Parameters:
    ///   - loader: one of the library's loaders, or your own.
    ///   - slowmo: the slow motion factor in 0.05...1000.
    ///   - frameRate: the number of frames per second; nil is the container's default, 25 for GIF
    ///     and 60 for all others.
    ///   - cycles: the number of whole periods, at least one; they play without a seam.
    ///   - size: the frame size; nil is 4 pixels per point, or 2 for annotated frames.
    ///   - background: the colour behind everything; nil is the loader's background.
    ///   - annotations: the notes that show how the loader moves.
    ///   - language: the language of captions and chapters.
    ///
    /// Throws `LoadervidError` if the request is invalid.
    public init(
        _ loader: any Loader, slowmo: Rational = 1, frameRate: FrameRate? = nil, cycles: Int = 1,
        size: FrameSize? = nil, background: Color? = nil, annotations: Set<AnnotationKind> = [],
        language: Language = .en
    ) throws {
        var loaderRequest = LoaderRequest(LoaderDefinition(loader))
        loaderRequest.size = size
        loaderRequest.background = background
        loaderRequest.annotations = annotations
        loaderRequest.language = language
        var request = RenderRequest(loader: loaderRequest, container: .mp4, frameRate: frameRate)
        request.slowmo = slowmo
        request.extent = .cycles(cycles)
        try self.init(request)
    }

    /// A clip of a loader with all available settings. Throws `LoadervidError` if the request is
    /// invalid.
    public init(_ request: RenderRequest) throws {
        _ = try LoaderClip(request)
        source = .loader(request)
        encoding = request.encoding
    }

    /// A clip of a source other than a loader.
    ///
    /// - Parameters:
    ///   - clipSource: the source of the frames.
    ///   - frameRate: the number of frames per second for which the source was made.
    ///   - size: the frame size; nil is the source's default scale.
    public init(_ clipSource: any ClipSource, frameRate: FrameRate, size: FrameSize? = nil) {
        source = .clipSource(clipSource, size: size)
        encoding = EncodingRequest(container: .mp4, frameRate: frameRate)
    }

    /// Returns the plan of the clip for a container. Throws `LoadervidError` if the clip is not
    /// possible in it.
    package func plan(for container: Container) throws -> RenderPlan { try plan(for: .container(container)) }

    /// Returns the plan of the clip for a container or as vector graphics. Throws `LoadervidError`
    /// if the clip is not possible in it.
    package func plan(for format: ClipFormat) throws -> RenderPlan {
        var encoding = encoding
        encoding.format = format
        switch source {
        case .loader(var request):
            request.encoding = encoding
            return try RenderPlan(request)
        case .clipSource(let clipSource, let size): return try RenderPlan(clipSource, size: size, encoding)
        }
    }

    /// Writes the clip into a file. The suffix of its name, such as `.mp4` or `.webm`, determines
    /// the container.
    ///
    /// The file appears under its name only when it is complete. A cancelled task leaves no files
    /// behind.
    ///
    /// - Parameters:
    ///   - path: the path of the output file.
    ///   - overwrites: true to replace an existing file.
    ///   - sidecars: the additional files to write, such as `dots.vtt`, if the clip has captions or
    ///     a poster.
    ///   - cores: the number of cores to use; nil is all that this process may use.
    ///
    /// Throws `LoadervidError`, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func write(
        to path: String, overwrites: Bool = false, sidecars: [Sidecar] = [], cores: Int? = nil
    ) async throws -> RenderReport {
        try await writing(to: path, overwrites: overwrites, sidecars: sidecars, cores: cores).run()
    }

    /// Writes the clip into a file and reports the progress.
    ///
    /// - Parameters:
    ///   - url: the file URL of the output. The suffix of its name determines the container.
    ///   - overwrites: true to replace an existing file.
    ///   - progress: called at most every 50 milliseconds, and with the final state, in order and
    ///     outside of any actor. A slow function delays later reports, not the rendering.
    ///
    /// Throws `LoadervidError`, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func write(
        to url: URL, overwrites: Bool = false, progress: @escaping @Sendable (ClipProgress) -> Void = { _ in }
    ) async throws -> RenderReport {
        guard url.isFileURL else {
            throw LoadervidError(.usage, "\(quoted(url.absoluteString)) is not the URL of a file; use URL(filePath:)")
        }
        let writing = try writing(to: url.path, overwrites: overwrites)
        async let reports: Void = { for await report in writing.progress { progress(report) } }()
        let result = try await writing.run()
        await reports
        return result
    }

    /// Prepares writing the clip, so that its progress can be observed. Rendering starts with
    /// `run()`.
    public func writing(
        to path: String, overwrites: Bool = false, sidecars: [Sidecar] = [], cores: Int? = nil
    ) throws -> ClipWriting {
        // The clip must not replace a file that its plan reads.
        let files = FilesInUse.current ?? FilesInUse()
        let plan = try FilesInUse.$current.withValue(files) {
            try self.plan(for: Clip.format(of: path))
        }
        let jobs = max(1, cores ?? Resources.processors)
        return ClipWriting(
            plan, to: path, overwrites: overwrites, sidecars: sidecars, jobs: jobs, filesInUse: files)
    }

    private static func format(of path: String) throws -> ClipFormat {
        guard let format = ClipFormat(ofFile: path), !format.isFrameSequence else {
            throw LoadervidError(
                .usage, "the output \(quoted(path)) does not end in \(ClipFormat.listedExtensions()); rename it")
        }
        return format
    }
}
