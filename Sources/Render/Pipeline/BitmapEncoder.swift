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
        let file: [UInt8]
        do throws(RasterError) {
            // A new surface for each frame: Cairo remembers whether a surface is opaque.
            let pixmap = try Pixmap(width: settings.width, height: settings.height)
            pixmap.copy(source.data, stride: source.stride)
            file = try pixmap.png()
        } catch {
            throw FFmpegError(
                code: error.isOutOfMemory ? -ENOMEM : FFmpegError.invalidData, operation: "write a PNG file",
                reason: error.description)
        }
        return [try Packet(file, pts: pts, isKeyFrame: true)]
    }

    func finish() -> [Packet] { [] }
}
