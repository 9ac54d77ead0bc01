import Core
import Media
import Raster

/// A file next to a clip, with the same name and another extension.
public enum Sidecar: String, CaseIterable, Sendable {
    /// The captions as WebVTT.
    case captions = "vtt"
    /// The poster as PNG.
    case poster = "png"
    /// The poster as JPEG.
    case jpegPoster = "jpg"
}

extension RenderPlan {
    /// The sidecars that the clip has; none for a sequence, which is a directory.
    public var sidecars: [Sidecar] {
        guard !container.isFrameSequence else { return [] }
        return (source.captions.isEmpty ? [] : [.captions])
            + (source.posterFrame == nil ? [] : [posterFormat == .jpg ? .jpegPoster : .poster])
    }

    /// Adds sidecars to the clip's file, which appear together with it or not at all. Skips those
    /// that the clip does not have, and returns the others. Throws `LoadervidError` like
    /// `OutputFile.addSidecar`.
    @discardableResult
    public func add(_ sidecars: [Sidecar], to file: OutputFile) throws -> [Sidecar] {
        try contents(of: sidecars).map { sidecar, bytes in
            try file.addSidecar(ending: sidecar.rawValue, bytes)
            return sidecar
        }
    }

    /// Returns the contents of the clip's sidecars, without those that it does not have.
    package func contents(
        of sidecars: [Sidecar]
    ) throws -> [(sidecar: Sidecar, bytes: [UInt8])] {
        try sidecars.compactMap { sidecar in
            let bytes: [UInt8]? =
                switch sidecar {
                case .captions: source.captions.isEmpty ? nil : Array(WebVTT.text(of: source.captions).utf8)
                case .poster: try poster()
                case .jpegPoster: try jpegPoster()
                }
            return bytes.map { (sidecar, $0) }
        }
    }

    /// Returns the poster frame at the clip's size as a JPEG file; nil if the clip has none.
    private func jpegPoster() throws -> [UInt8]? {
        try posterScenes().map { scenes in
            let pixmap = try draw(scenes)
            return try StillImage(scenes, width: pixmap.width, height: pixmap.height).file(.jpegSequence, of: pixmap)
        }
    }

    /// Returns the poster frame at the clip's size as a PNG file; nil if the clip has none.
    public func poster() throws -> [UInt8]? {
        try posterScenes().map { scenes in
            let pixmap = try draw(scenes)
            do { return try pixmap.png(keepsAlpha: scenes[0].background.alpha < 1) } catch {
                throw LoadervidError(error)
            }
        }
    }

    private func posterScenes() throws -> [Scene]? { try source.checkedPosterFrame().map(source.scenes) }

    /// Returns the bitmap of a frame, with the padding that the pixel format needs.
    private func draw(_ scenes: [Scene]) throws -> Pixmap {
        do { return try PlanPainter(self).draw(scenes) } catch { throw LoadervidError(error) }
    }
}
