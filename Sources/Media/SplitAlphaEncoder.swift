import CLibAV

/// An encoder of colour and alpha as two streams, as AVIF stores them: alpha is the luma of a
/// second stream without chroma and in full range.
///
/// Each packet of colour carries the packet of alpha for the same frame. Not thread-safe.
final class SplitAlphaEncoder: FrameEncoder {
    let settings: EncoderSettings
    private let color: VideoEncoder
    private let alpha: VideoEncoder
    private let colorFormat: PixelFormat
    /// Views of the planes of the current frame.
    private let colorView: VideoFrame
    private let alphaView: VideoFrame
    private var pendingColor: [Packet] = []
    private var pendingAlpha: [Packet] = []

    /// Opens both encoders. Throws the errors of `VideoEncoder`.
    init(_ settings: EncoderSettings) throws(FFmpegError) {
        self.settings = settings
        // FFmpeg names formats with alpha yuva... instead of yuv...
        colorFormat = PixelFormat(name: settings.pixelFormat.description.replacing("yuva", with: "yuv")) ?? .yuv420p
        var colorSettings = settings
        colorSettings.pixelFormat = colorFormat
        var alphaSettings = settings
        alphaSettings.pixelFormat = .gray
        alphaSettings.isFullRange = true
        color = try VideoEncoder(colorSettings)
        alpha = try VideoEncoder(alphaSettings)
        colorView = try VideoFrame()
        alphaView = try VideoFrame()
    }

    func parameters() throws(FFmpegError) -> CodecParameters {
        try CodecParameters(color.parameters(), alpha: alpha.parameters())
    }

    func encode(_ frame: VideoFrame, pts: Int) throws(FFmpegError) -> [Packet] {
        try colorView.show(planes: [0, 1, 2], of: frame, as: colorFormat)
        try alphaView.show(planes: [3], of: frame, as: .gray)
        defer {
            colorView.removeView()
            alphaView.removeView()
        }
        pendingColor += try color.encode(colorView, pts: pts)
        pendingAlpha += try alpha.encode(alphaView, pts: pts)
        return try pairs()
    }

    func finish() throws(FFmpegError) -> [Packet] {
        pendingColor += try color.finish()
        pendingAlpha += try alpha.finish()
        let last = try pairs()
        guard pendingColor.isEmpty, pendingAlpha.isEmpty else { throw mismatch }
        return last
    }

    /// Joins the finished packets of colour and alpha.
    private func pairs() throws(FFmpegError) -> [Packet] {
        let count = min(pendingColor.count, pendingAlpha.count)
        for index in 0..<count {
            guard pendingColor[index].pts == pendingAlpha[index].pts else { throw mismatch }
            pendingColor[index].alphaPacket = pendingAlpha[index]
        }
        defer {
            pendingColor.removeFirst(count)
            pendingAlpha.removeFirst(count)
        }
        return Array(pendingColor[..<count])
    }

    private var mismatch: FFmpegError {
        FFmpegError(
            code: LV_ERROR_INVALIDDATA, operation: "encode with \(settings.encoder)",
            reason: "colour and alpha have different frames")
    }
}

extension VideoFrame {
    /// Makes this frame a view of some planes of another frame, in a format that has these planes.
    fileprivate func show(planes: [Int], of other: VideoFrame, as format: PixelFormat) throws(FFmpegError) {
        try check(av_frame_ref(frame, other.frame), "split a frame")
        let found = planes.map { other.plane($0) }
        withUnsafeMutablePointer(to: &frame.pointee.data) { data in
            data.withMemoryRebound(to: Optional<UnsafeMutablePointer<UInt8>>.self, capacity: 8) { data in
                for index in 0..<8 { data[index] = index < found.count ? found[index]?.data : nil }
            }
        }
        withUnsafeMutablePointer(to: &frame.pointee.linesize) { strides in
            strides.withMemoryRebound(to: Int32.self, capacity: 8) { strides in
                for index in 0..<8 { strides[index] = index < found.count ? Int32(found[index]?.stride ?? 0) : 0 }
            }
        }
        frame.pointee.format = format.format.rawValue
    }
}
