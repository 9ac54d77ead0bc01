import CLibAV
import Core

/// The image codec of an animated image format. Each frame is an image of the box in which it
/// differs from the frame before.
package struct ImageSequenceCoding: Sendable, Hashable {
    /// The format of the images.
    enum Kind: Sendable, Hashable { case png, webp, gif }

    let kind: Kind
    /// FFmpeg's name of the image encoder.
    let encoder: String
    /// The supported pixel formats, best first.
    let formats: [PixelFormat]
    /// Sets of encoder options. Each frame is encoded with all of them, and the smallest image is
    /// kept.
    var candidateOptions: [[String: String]] = [[:]]

    /// The number of pixels of which the positions of boxes must be a multiple. WebP stores half of
    /// each coordinate.
    fileprivate var alignment: Int { kind == .webp ? 2 : 1 }

    /// Returns the packet of a frame, with a placeholder for its delay, from an image file; nil if
    /// the file is invalid.
    ///
    /// - Parameter blends: true if the image is drawn over the previous frame instead of replacing
    ///   its pixels. Only for formats with `blends(_:)`.
    fileprivate func packet(
        from image: UnsafeBufferPointer<UInt8>, at box: PixelRect, blends: Bool
    ) -> [UInt8]? {
        switch kind {
        case .png: APNGFile.packet(fromPNG: image, at: box)
        case .webp: WebPFile.packet(fromWebP: image, at: box, blends: blends)
        case .gif: nil
        }
    }

    /// Returns true if frames can be drawn over the previous one. Lossy compression would blur the
    /// edge between transparent and opaque pixels.
    fileprivate func blends(_ settings: EncoderSettings) -> Bool {
        kind == .webp && settings.pixelFormat == .bgra && settings.options["lossless"] == "1"
    }
}

/// An encoder of frames as images of the pixels that change. The first frame is stored completely,
/// so that segments are independent.
///
/// In lossless WebP, each frame is encoded twice and stored as the smaller image: the box with all
/// its pixels, and the box with the unchanged ones transparent. Which one is smaller depends on the
/// frame: transparent pixels are cheap, but they interrupt the patterns around them.
///
/// Not thread-safe.
final class ImageSequenceEncoder: FrameEncoder {
    let settings: EncoderSettings
    private let coding: ImageSequenceCoding
    /// A copy of the previous frame.
    private let previous: VideoFrame
    /// The current frame with unchanged pixels transparent; nil if frames are not blended.
    private let changes: VideoFrame?
    /// A view of the changed box of the current frame.
    private let view: VideoFrame
    private var hasPrevious = false
    /// The encoders for boxes of one size, one for each set of options.
    private var encoders: (size: PixelRect, all: [VideoEncoder])

    /// Opens the encoders for the first frame. Throws the errors of `VideoEncoder`.
    init(_ settings: EncoderSettings, _ coding: ImageSequenceCoding) throws(FFmpegError) {
        self.settings = settings
        self.coding = coding
        func makeFrame() throws(FFmpegError) -> VideoFrame {
            try VideoFrame(width: settings.width, height: settings.height, format: settings.pixelFormat)
        }
        previous = try makeFrame()
        changes = coding.blends(settings) ? try makeFrame() : nil
        view = try VideoFrame()
        let bounds = PixelRect(x: 0, y: 0, width: settings.width, height: settings.height)
        encoders = (bounds, try ImageSequenceEncoder.open(settings, coding, bounds))
    }

    private static func open(
        _ settings: EncoderSettings, _ coding: ImageSequenceCoding, _ box: PixelRect
    ) throws(FFmpegError) -> [VideoEncoder] {
        var opened: [VideoEncoder] = []
        for options in coding.candidateOptions {
            var imageSettings = settings
            imageSettings.encoder = coding.encoder
            imageSettings.traits = .of(coding.encoder)
            imageSettings.width = box.width
            imageSettings.height = box.height
            imageSettings.threads = 1
            imageSettings.options.merge(options) { $1 }
            opened.append(try VideoEncoder(imageSettings))
        }
        return opened
    }

    func parameters() throws(FFmpegError) -> CodecParameters { try CodecParameters(settings) }

    func encode(_ frame: VideoFrame, pts: Int) throws(FFmpegError) -> [Packet] {
        let box = changedBox(of: frame)
        let size = PixelRect(x: 0, y: 0, width: box.width, height: box.height)
        if encoders.size != size { encoders = (size, try ImageSequenceEncoder.open(settings, coding, size)) }
        var smallest = try packet(of: frame, in: box, pts: pts, blends: false)
        if hasPrevious, let changes, changes.copyChanges(in: box, of: frame, since: previous) {
            let blended = try packet(of: changes, in: box, pts: pts, blends: true)
            if blended.count < smallest.count { smallest = blended }
        }
        previous.copy(box, of: frame)
        let packet = try Packet(smallest, pts: pts, isKeyFrame: !hasPrevious)
        hasPrevious = true
        return [packet]
    }

    /// Returns the smallest packet of a box of a frame.
    private func packet(
        of frame: VideoFrame, in box: PixelRect, pts: Int, blends: Bool
    ) throws(FFmpegError) -> [UInt8] {
        try view.show(box, of: frame)
        defer { view.removeView() }
        var smallest: [UInt8] = []
        for encoder in encoders.all {
            let images = try encoder.encode(view, pts: pts)
            // The buffer belongs to the packet.
            let bytes = withExtendedLifetime(images) {
                images.first.flatMap { coding.packet(from: $0.bytes, at: box, blends: blends) }
            }
            guard images.count == 1, let bytes else {
                throw FFmpegError(
                    code: LV_ERROR_INVALIDDATA, operation: "encode a frame with \(coding.encoder)",
                    reason: "the encoder returned an invalid image")
            }
            if smallest.isEmpty || bytes.count < smallest.count { smallest = bytes }
        }
        return smallest
    }

    func finish() -> [Packet] { [] }

    /// Returns the smallest box in which a frame differs from the previous one. It is the whole
    /// frame for the first one, and one pixel if nothing has changed.
    private func changedBox(of frame: VideoFrame) -> PixelRect {
        guard hasPrevious else { return PixelRect(x: 0, y: 0, width: settings.width, height: settings.height) }
        let box = frame.changedBox(since: previous) ?? PixelRect(x: 0, y: 0, width: 1, height: 1)
        let left = box.x / coding.alignment * coding.alignment
        let top = box.y / coding.alignment * coding.alignment
        return PixelRect(x: left, y: top, width: box.maxX - left, height: box.maxY - top)
    }
}

// These methods require packed RGB or RGBA with whole bytes.
extension VideoFrame {
    private var bytesPerPixel: Int { format.bytesPerRow(ofPlane: 0, width: 1) }

    /// Returns the smallest box with all pixels in which this frame differs from another of the
    /// same size and format; nil if they are equal.
    func changedBox(since other: VideoFrame) -> PixelRect? {
        guard let new = plane(0), let old = other.plane(0) else { return nil }
        let length = width * bytesPerPixel
        func isSame(_ y: Int) -> Bool { memcmp(new.data + y * new.stride, old.data + y * old.stride, length) == 0 }
        guard let top = (0..<height).first(where: { !isSame($0) }),
            let bottom = (top..<height).last(where: { !isSame($0) })
        else { return nil }
        var left = length
        var right = 0
        for y in top...bottom where !isSame(y) {
            let a = new.data + y * new.stride
            let b = old.data + y * old.stride
            if let first = (0..<left).first(where: { a[$0] != b[$0] }) { left = first }
            if let last = (right..<length).last(where: { a[$0] != b[$0] }) { right = last + 1 }
        }
        let firstColumn = left / bytesPerPixel
        let endColumn = (right + bytesPerPixel - 1) / bytesPerPixel
        return PixelRect(x: firstColumn, y: top, width: endColumn - firstColumn, height: bottom - top + 1)
    }

    /// Copies a box of another frame of the same size and format to the same position.
    func copy(_ box: PixelRect, of other: VideoFrame) {
        guard let source = other.plane(0), let target = plane(0) else { return }
        let offset = box.x * bytesPerPixel
        av_image_copy_plane(
            target.data + box.y * target.stride + offset, Int32(target.stride),
            source.data + box.y * source.stride + offset, Int32(source.stride), Int32(box.width * bytesPerPixel),
            Int32(box.height))
    }

    /// Copies the pixels of a box that differ between two frames, and makes the others transparent.
    /// Returns false if drawing the result over the old frame would not give the new one, because a
    /// changed pixel is translucent, or if no pixel is the same. All frames are 32 bits per pixel
    /// with alpha in the last byte.
    func copyChanges(in box: PixelRect, of new: VideoFrame, since old: VideoFrame) -> Bool {
        guard let source = new.plane(0), let before = old.plane(0), let target = plane(0) else { return false }
        var hasUnchanged = false
        for y in box.y..<box.maxY {
            func row(_ plane: (data: UnsafeMutablePointer<UInt8>, stride: Int)) -> UnsafeMutableRawPointer {
                UnsafeMutableRawPointer(plane.data + y * plane.stride)
            }
            let new = row(source)
            let old = row(before)
            let result = row(target)
            for offset in stride(from: 4 * box.x, to: 4 * box.maxX, by: 4) {
                let pixel = new.load(fromByteOffset: offset, as: UInt32.self)
                let isSame = pixel == old.load(fromByteOffset: offset, as: UInt32.self)
                guard isSame || UInt32(littleEndian: pixel) >> 24 == 255 else { return false }
                hasUnchanged = hasUnchanged || isSame
                result.storeBytes(of: isSame ? 0 : pixel, toByteOffset: offset, as: UInt32.self)
            }
        }
        return hasUnchanged
    }

    /// Makes this frame a view of a box of another frame, without a copy of the pixels.
    func show(_ box: PixelRect, of other: VideoFrame) throws(FFmpegError) {
        try check(av_frame_ref(frame, other.frame), "crop a frame")
        frame.pointee.crop_left = box.x
        frame.pointee.crop_top = box.y
        frame.pointee.crop_right = width - box.maxX
        frame.pointee.crop_bottom = height - box.maxY
        try check(av_frame_apply_cropping(frame, Int32(AV_FRAME_CROP_UNALIGNED)), "crop a frame")
    }

    /// Releases the frame's reference to another frame's pixels.
    func removeView() { av_frame_unref(frame) }
}
