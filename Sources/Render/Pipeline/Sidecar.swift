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

    /// The contents of the clip's sidecars, without those that it does not have.
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

    /// The poster frame at the clip's size as a JPEG file; nil if the clip has none.
    private func jpegPoster() throws -> [UInt8]? {
        try source.checkedPosterFrame().map { frame in
            try StillImage(source.scenes(ofFrame: frame), width: content.width, height: content.height)
                .file(.jpegSequence)
        }
    }

    /// The poster frame at the clip's size as a PNG file; nil if the clip has none.
    public func poster() throws -> [UInt8]? {
        guard let frame = try source.checkedPosterFrame() else { return nil }
        do {
            let rasterizer = try makeRasterizer()
            let scenes = source.scenes(ofFrame: frame)
            if scenes.count == 1 {
                try rasterizer.draw(scenes[0])
            } else {
                _ = try LinearLightAverager().draw(scenes, with: rasterizer)
            }
            return try rasterizer.pixmap.png(keepsAlpha: scenes[0].background.alpha < 1)
        } catch { throw LoadervidError(error) }
    }
}
