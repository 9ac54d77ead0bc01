import Annotations
import Loaders
import Motion
import Scene

/// A loader with checked settings on its background, with the notes that were asked for.
public struct LoaderCanvas: Sendable {
    /// The loader.
    public let loader: any Loader
    /// Colour behind everything.
    public let background: Color
    /// What adds notes to its pictures, if any were asked for.
    public let annotator: Annotator?

    /// Checks a request. Throws `RenderError` with the first thing that is wrong.
    public init(_ request: LoaderRequest) throws {
        do {
            let settings = try request.settings + LoaderCanvas.motionSettings(of: request)
            let mostPixels = request.mostPicturePixels
            let values = try ParameterValues(settings, for: request.definition) { (path) throws(ParameterError) in
                try CoverPicture.load(path, mostPixels: mostPixels)
            }
            loader = try request.definition.make(values)
        } catch { throw RenderError(error) }
        background = request.background ?? loader.background
        annotator =
            request.annotations.isEmpty
            ? nil
            : Annotator(
                loader: loader, kinds: request.annotations, language: request.language, background: background)
    }

    private static func motionSettings(of request: LoaderRequest) throws -> [String] {
        guard let motion = request.motion else { return [] }
        let name = "motion"
        guard !request.settings.contains(where: { $0.hasPrefix("\(name)=") }) else {
            throw RenderError(
                .usage, "motion is set twice: give it as an option or as a setting", about: .options("motion"))
        }
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

    /// The picture's size in points.
    public var size: Size { annotator?.size ?? loader.canvas }
    /// Whether there are letters in its pictures.
    package var hasText: Bool { annotator != nil || loader.drawsText }
    /// Pixels per point unless another number is asked for.
    public var defaultScale: Rational { annotator == nil ? 4 : 2 }

    /// The scene at a model time in seconds, over the background and with the notes that were asked for.
    public func scene(at time: Rational) -> Scene {
        if let annotator { return annotator.scene(at: time) }
        var scene = loader.scene(at: time)
        scene.background = background
        return scene
    }
}
