import CLibAV
import Platform
import Scene

/// How the pictures of an animated picture are made: each is a still of the box in which it differs from the one before.
public struct StillCoding: Sendable, Hashable {
    /// How a still becomes a part of the file.
    enum Kind: Sendable, Hashable { case png, webp }

    let kind: Kind
    /// FFmpeg's name of the stills' encoder.
    let encoder: String
    /// The formats of the pictures, best first.
    let formats: [PixelFormat]
    /// Options that are tried one after the other: the smallest still is taken.
    var trials: [[String: String]] = [[:]]

    /// Boxes begin at multiples of this.
    fileprivate var step: Int { kind == .webp ? 2 : 1 }

    /// A still as it will stand in the file, with room for its time.
    fileprivate func part(_ still: UnsafeBufferPointer<UInt8>, at box: PixelRect) -> [UInt8]? {
        switch kind {
        case .png: APNGFile.part(ofPNG: still, at: box)
        case .webp: WebPFile.part(ofWebP: still, at: box)
        }
    }
}

/// Encodes pictures as stills of what changes. Its first picture is whole, so that segments stand by themselves.
///
/// Not for use from two threads at once.
final class StillsEncoder: PictureEncoder {
    let settings: EncoderSettings
    private let coding: StillCoding
    /// The picture before, and a view of the next one's box.
    private let previous: VideoFrame
    private let view: VideoFrame
    private var hasPrevious = false
    /// Encoders for boxes of one size, one for each trial.
    private var encoders: (size: PixelRect, all: [VideoEncoder])

    /// Opens the encoders of the first picture. Throws as `VideoEncoder` does.
    init(_ settings: EncoderSettings, _ coding: StillCoding) throws(FFmpegError) {
        (self.settings, self.coding) = (settings, coding)
        previous = try VideoFrame(width: settings.width, height: settings.height, format: settings.pixelFormat)
        view = try VideoFrame()
        let whole = PixelRect(x: 0, y: 0, width: settings.width, height: settings.height)
        encoders = (whole, try StillsEncoder.open(settings, coding, whole))
    }

    private static func open(
        _ settings: EncoderSettings, _ coding: StillCoding, _ box: PixelRect
    ) throws(FFmpegError) -> [VideoEncoder] {
        var opened: [VideoEncoder] = []
        for trial in coding.trials {
            var still = settings
            (still.encoder, still.width, still.height, still.threads) = (coding.encoder, box.width, box.height, 1)
            still.options.merge(trial) { $1 }
            opened.append(try VideoEncoder(still))
        }
        return opened
    }

    func parameters() throws(FFmpegError) -> CodecParameters { try CodecParameters(settings) }

    func encode(_ frame: VideoFrame, pts: Int) throws(FFmpegError) -> [Packet] {
        let box = changedBox(of: frame)
        let size = PixelRect(x: 0, y: 0, width: box.width, height: box.height)
        if encoders.size != size { encoders = (size, try StillsEncoder.open(settings, coding, size)) }
        try view.show(box, of: frame)
        defer { view.showNothing() }
        var smallest: [UInt8] = []
        for encoder in encoders.all {
            let stills = try encoder.encode(view, pts: pts)
            // The bytes are the packet's, which must live as long.
            let part = withExtendedLifetime(stills) { stills.first.flatMap { coding.part($0.bytes, at: box) } }
            guard stills.count == 1, let part else {
                throw FFmpegError(
                    code: LV_ERROR_INVALIDDATA, operation: "encode a picture with \(coding.encoder)",
                    reason: "what it makes is no picture")
            }
            if smallest.isEmpty || part.count < smallest.count { smallest = part }
        }
        previous.copy(box, of: frame)
        let packet = try Packet(smallest)
        packet.packet.pointee.pts = Int64(pts)
        packet.packet.pointee.dts = Int64(pts)
        packet.packet.pointee.duration = 1
        if !hasPrevious { packet.packet.pointee.flags |= AV_PKT_FLAG_KEY }
        hasPrevious = true
        return [packet]
    }

    func finish() -> [Packet] { [] }

    /// The smallest box in which a picture differs from the one before: all of the first, and a corner of one that does not
    /// differ.
    private func changedBox(of frame: VideoFrame) -> PixelRect {
        guard hasPrevious else { return PixelRect(x: 0, y: 0, width: settings.width, height: settings.height) }
        let box = frame.changedBox(since: previous) ?? PixelRect(x: 0, y: 0, width: 1, height: 1)
        let (left, top) = (box.x / coding.step * coding.step, box.y / coding.step * coding.step)
        return PixelRect(x: left, y: top, width: box.maxX - left, height: box.maxY - top)
    }
}

// Pictures of one plane, red, green, blue and perhaps alpha in whole bytes.
extension VideoFrame {
    private var bytesPerPixel: Int { format.bytesPerRow(ofPlane: 0, width: 1) }

    /// The smallest box that holds all pixels in which this picture differs from another of its size and format; nil if
    /// there are none.
    func changedBox(since other: VideoFrame) -> PixelRect? {
        guard let new = plane(0), let old = other.plane(0) else { return nil }
        let length = width * bytesPerPixel
        func isSame(_ y: Int) -> Bool { memcmp(new.data + y * new.stride, old.data + y * old.stride, length) == 0 }
        guard let top = (0..<height).first(where: { !isSame($0) }),
            let bottom = (top..<height).last(where: { !isSame($0) })
        else { return nil }
        var (left, right) = (length, 0)
        for y in top...bottom where !isSame(y) {
            let (a, b) = (new.data + y * new.stride, old.data + y * old.stride)
            if let first = (0..<left).first(where: { a[$0] != b[$0] }) { left = first }
            if let last = (right..<length).last(where: { a[$0] != b[$0] }) { right = last + 1 }
        }
        let (first, end) = (left / bytesPerPixel, (right + bytesPerPixel - 1) / bytesPerPixel)
        return PixelRect(x: first, y: top, width: end - first, height: bottom - top + 1)
    }

    /// Copies a box of another picture of this size and format to the same place.
    func copy(_ box: PixelRect, of other: VideoFrame) {
        guard let source = other.plane(0), let target = plane(0) else { return }
        let offset = box.x * bytesPerPixel
        av_image_copy_plane(
            target.data + box.y * target.stride + offset, Int32(target.stride),
            source.data + box.y * source.stride + offset, Int32(source.stride), Int32(box.width * bytesPerPixel),
            Int32(box.height))
    }

    /// Becomes a view of a box of another picture, whose pixels stay where they are.
    func show(_ box: PixelRect, of other: VideoFrame) throws(FFmpegError) {
        try check(av_frame_ref(frame, other.frame), "show a part of a picture")
        (frame.pointee.crop_left, frame.pointee.crop_top) = (box.x, box.y)
        (frame.pointee.crop_right, frame.pointee.crop_bottom) = (width - box.maxX, height - box.maxY)
        try check(av_frame_apply_cropping(frame, Int32(AV_FRAME_CROP_UNALIGNED)), "show a part of a picture")
    }

    /// Ends being a view.
    func showNothing() { av_frame_unref(frame) }
}
