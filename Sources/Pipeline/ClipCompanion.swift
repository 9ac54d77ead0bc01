import Media
import Raster
import Scene

/// A file beside a clip.
public enum ClipCompanion: String, CaseIterable, Sendable {
    /// Its captions as WebVTT.
    case captions = "vtt"
    /// Its poster as PNG.
    case poster = "png"
}

extension RenderPlan {
    /// The files that there can be beside a clip's.
    public var companions: [ClipCompanion] {
        (subject.captions.isEmpty ? [] : [.captions]) + (subject.posterFrame == nil ? [] : [.poster])
    }

    /// Puts files beside a clip's: they are called as it is, but for the ending, and come with it or not at all.
    ///
    /// Returns those that there are: a subject without captions, or without a poster, has none to give. Throws `RenderError`
    /// as `OutputFile` does.
    @discardableResult
    public func add(_ companions: [ClipCompanion], to file: OutputFile) throws -> [ClipCompanion] {
        try companions.filter { companion in
            let bytes: [UInt8]? =
                switch companion {
                case .captions: subject.captions.isEmpty ? nil : Array(WebVTT.text(of: subject.captions).utf8)
                case .poster: try poster()
                }
            if let bytes { try file.addCompanion(ending: companion.rawValue, bytes) }
            return bytes != nil
        }
    }

    /// The picture that stands for the clip, drawn whole at its size, as a PNG file; nil if the subject names none.
    public func poster() throws -> [UInt8]? {
        guard let frame = try subject.checkedPosterFrame() else { return nil }
        do {
            let rasterizer = try Rasterizer(width: width, height: height)
            let scenes = subject.scenes(ofFrame: frame)
            if scenes.count == 1 {
                try rasterizer.draw(scenes[0])
            } else {
                _ = try LightMixer().draw(scenes, with: rasterizer)
            }
            return try rasterizer.pixmap.png()
        } catch { throw RenderError(error) }
    }
}
