import Glibc
import Loaders
import Media
import Motion
import Raster
import Scene
import SlowMotion

/// A loader with checked settings on a picture of a known size.
public struct LoaderStage: Sendable {
    /// The loader.
    public let loader: any Loader
    /// Colour behind everything.
    public let background: Color
    /// What adds notes to its pictures, if any were asked for.
    public let annotator: Annotator?
    /// Width of the picture in pixels.
    public let width: Int
    /// Height of the picture in pixels.
    public let height: Int

    /// The smallest side of a picture in pixels.
    public static let smallestSide = 16

    /// Checks a request for pictures with one stage, or with two `panels` side by side. Throws `RenderError` with the first thing that is wrong.
    public init(_ request: LoaderRequest, panels: Int = 1) throws {
        do {
            let type = try LoaderCatalog.loader(id: request.id)
            let settings =
                try request.settings + LoaderStage.motionSettings(request.motion, besides: request.settings, of: type)
            let mostPixels = request.mostPicturePixels
            let values = try ParameterValues(settings, for: type) { (path) throws(ParameterError) in
                try CoverPicture.load(path, mostPixels: mostPixels)
            }
            loader = try type.init(values)
        } catch { throw RenderError(error) }
        background = request.background ?? loader.background
        annotator =
            request.annotations.isEmpty
            ? nil
            : Annotator(
                loader: loader, kinds: request.annotations, language: request.language, background: background)
        let size = annotator?.size ?? loader.stage
        (width, height) = try LoaderStage.pixels(
            request.size ?? .scale(annotator == nil ? 4 : 2), of: panels == 1 ? size : Storyboard.sideBySideSize(size))
    }

    private static func motionSettings(
        _ motion: String?, besides settings: [String], of type: any Loader.Type
    ) throws -> [String] {
        guard let motion else { return [] }
        let name = "motion"
        guard !settings.contains(where: { $0.hasPrefix("\(name)=") }) else {
            throw RenderError(
                .usage, "motion is set twice: give it as an option or as a setting", about: .options("motion"))
        }
        guard type.parameters.contains(where: { $0.name == name }) || motion == "smooth" else {
            let ids = LoaderCatalog.all.filter { $0.parameters.contains { $0.name == name } }.map { $0.id }
            throw RenderError(
                .usage,
                "motion \(motion): \(type.id) has no timer steps (only \(ids.joined(separator: ", ")) have); leave it out",
                about: .options("motion"))
        }
        return type.parameters.contains { $0.name == name } ? ["\(name)=\(motion)"] : []
    }

    private static func pixels(_ size: PictureSize, of stage: Size) throws -> (Int, Int) {
        let sides: (Int, Int)
        switch size {
        case .pixels(let width, let height): sides = (width, height)
        case .scale(let scale):
            guard (Rational(1, 10)...Rational(1000)).contains(scale) else {
                throw RenderError(
                    .usage, "scale \(scale) is not possible: it takes 0.1...1000 pixels per point",
                    about: .options("scale"))
            }
            func scaled(_ points: Double) -> Int { (Rational(Int(points)) * scale).rounded }
            sides = (scaled(stage.width), scaled(stage.height))
        }
        let limits = smallestSide...Pixmap.largestSide
        guard limits.contains(sides.0), limits.contains(sides.1) else {
            throw RenderError(
                .usage,
                "a picture of \(sides.0)x\(sides.1) is not possible: each side takes \(smallestSide)...\(Pixmap.largestSide) pixels",
                about: .options("size", "scale"))
        }
        return sides
    }

    /// The scene at a model time in seconds, over the background and with the notes that were asked for.
    public func scene(at time: Rational) -> Scene {
        if let annotator { return annotator.scene(at: time) }
        var scene = loader.scene(at: time)
        scene.background = background
        return scene
    }

    /// The picture at a model time in seconds, as a PNG file.
    public func png(at time: Rational) throws -> [UInt8] {
        do {
            let rasterizer = try Rasterizer(width: width, height: height)
            try rasterizer.draw(scene(at: time))
            return try rasterizer.pixmap.png()
        } catch { throw RenderError(error) }
    }
}
