import CLibAV
import Scene

/// A decoder of libavcodec. Not for use from two threads at once.
public final class VideoDecoder {
    private let context: UnsafeMutablePointer<AVCodecContext>

    /// Opens the decoder for a stream. A strict one takes damaged data for an error instead of patching it up.
    public init(_ parameters: CodecParameters, isStrict: Bool = false) throws(FFmpegError) {
        let operation = "open a decoder for \(parameters.codecName)"
        guard let codec = avcodec_find_decoder(parameters.parameters.pointee.codec_id) else {
            throw FFmpegError(code: LV_ERROR_DECODER_NOT_FOUND, operation: operation)
        }
        context = try unwrap(avcodec_alloc_context3(codec), operation)
        context.pointee.thread_count = 1
        if isStrict { context.pointee.err_recognition |= AV_EF_EXPLODE }
        try check(avcodec_parameters_to_context(context, parameters.parameters), operation)
        try check(avcodec_open2(context, codec, nil), operation)
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&pointer)
    }

    /// Decodes a packet, or with nil what is left at the end. Returns the pictures that are ready, in order.
    public func decode(_ packet: Packet?) throws(FFmpegError) -> [VideoFrame] {
        try check(avcodec_send_packet(context, packet?.packet), "decode a packet")
        var frames: [VideoFrame] = []
        while true {
            let frame = try VideoFrame()
            let status = avcodec_receive_frame(context, frame.frame)
            if status == LV_ERROR_EAGAIN || status == LV_ERROR_EOF { return frames }
            try check(status, "decode a picture")
            frames.append(frame)
        }
    }
}

extension VideoFrame {
    /// The picture as straight RGBA, 4 bytes a pixel, rows without padding, by the colours' own description.
    public func rgba() throws(FFmpegError) -> [UInt8] { try rgba(width: width, height: height) }

    /// The picture scaled to another size in pixels; smaller ones are made of the mean of all pixels.
    func rgba(width targetWidth: Int, height targetHeight: Int) throws(FFmpegError) -> [UInt8] {
        let operation = "convert \(format) to rgba"
        let scaler = targetWidth < width || targetHeight < height ? LV_SWS_AREA : LV_SWS_BILINEAR
        let context = try unwrap(
            lv_sws_get_context(
                Int32(width), Int32(height), format.format, Int32(targetWidth), Int32(targetHeight), AV_PIX_FMT_RGBA,
                scaler | LV_SWS_ACCURATE_RND | LV_SWS_FULL_CHR_H_INT, nil), operation)
        defer { lv_sws_free_context(context) }
        if !format.isRGB {
            let unspecified = frame.pointee.colorspace == AVCOL_SPC_UNSPECIFIED
            let matrix = sws_getCoefficients(unspecified ? SWS_CS_ITU601 : Int32(frame.pointee.colorspace.rawValue))
            let isFull = frame.pointee.color_range == AVCOL_RANGE_JPEG || format.isFullRange
            // Grey formats have no matrix, and refuse to be told one.
            _ = lv_sws_set_matrix(context, matrix, isFull ? 1 : 0, 1)
        }
        var pixels = [UInt8](repeating: 0, count: 4 * targetWidth * targetHeight)
        let stride = Int32(4 * targetWidth)
        let status = pixels.withUnsafeMutableBufferPointer { buffer in
            withUnsafePointer(to: buffer.baseAddress) { target in
                withUnsafePointer(to: stride) { targetStride in
                    UnsafeRawPointer(planePointers).withMemoryRebound(
                        to: Optional<UnsafePointer<UInt8>>.self, capacity: 4
                    ) {
                        lv_sws_scale(context, $0, stridePointer, 0, Int32(height), target, targetStride)
                    }
                }
            }
        }
        try check(status, operation)
        return pixels
    }
}

extension Bitmap {
    /// The first picture of an image file or a video: PNG, JPEG, WebP and whatever else FFmpeg decodes.
    ///
    /// - Parameter limit: sides longer than this many pixels are shrunk to it, in proportion.
    public static func load(path: String, fitting limit: Int = .max) throws(FFmpegError) -> Bitmap {
        let demuxer = try Demuxer(path: path)
        let decoder = try VideoDecoder(try demuxer.parameters())
        var frame: VideoFrame?
        while frame == nil {
            let packet = try demuxer.read()
            frame = try decoder.decode(packet).first
            if packet == nil { break }
        }
        guard let frame else { throw FFmpegError(code: LV_ERROR_INVALIDDATA, operation: "decode \(path)") }
        let scale = min(1, Double(limit) / Double(max(frame.width, frame.height)))
        let (width, height) = (max(1, Int(Double(frame.width) * scale)), max(1, Int(Double(frame.height) * scale)))
        var pixels = try frame.rgba(width: width, height: height)
        for pixel in stride(from: 0, to: pixels.count, by: 4) {
            let (red, green, blue, alpha) = (
                pixels[pixel], pixels[pixel + 1], pixels[pixel + 2], Int(pixels[pixel + 3])
            )
            func premultiplied(_ value: UInt8) -> UInt8 { UInt8((Int(value) * alpha + 127) / 255) }
            pixels[pixel] = premultiplied(blue)
            pixels[pixel + 1] = premultiplied(green)
            pixels[pixel + 2] = premultiplied(red)
        }
        guard let bitmap = Bitmap(width: width, height: height, pixels: pixels) else {
            throw FFmpegError(code: LV_ERROR_INVALIDDATA, operation: "decode \(path)")
        }
        return bitmap
    }
}
