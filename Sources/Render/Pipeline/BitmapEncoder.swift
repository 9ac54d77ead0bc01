import Core
import Media
import Raster

/// An encoder of frames as PNG files, with the same bytes as `Scene.png`.
final class BitmapEncoder: FrameEncoder {
    let settings: EncoderSettings

    init(_ settings: EncoderSettings) { self.settings = settings }

    func parameters() throws(FFmpegError) -> CodecParameters { try CodecParameters(settings) }

    func encode(_ frame: VideoFrame, pts: Int) throws(FFmpegError) -> [Packet] {
        guard let source = frame.plane(0) else { return [] }
        // A new surface for each frame: Cairo remembers whether a surface is opaque.
        let pixmap: Pixmap
        do throws(RasterError) {
            pixmap = try Pixmap(width: settings.width, height: settings.height)
        } catch { throw FFmpegError(error) }
        pixmap.copy(source.data, stride: source.stride)
        let file = try pixmap.png(keepsAlpha: settings.pixelFormat.hasAlpha)
        return [try Packet(file, pts: pts, isKeyFrame: true)]
    }

    func finish() -> [Packet] { [] }
}
