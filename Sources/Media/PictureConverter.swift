import Scene

/// Makes an encoder's pictures of the rasterizer's pixels. Not for use from two threads at once.
public protocol PictureConverter: AnyObject {
    /// Converts those boxes of a picture in which it differs from what a frame holds. The result is the same to the byte,
    /// whichever boxes are told.
    ///
    /// - Parameters:
    ///   - data: the picture's upper left pixel, in premultiplied BGRA, of the encoder's size.
    ///   - stride: bytes from one row of it to the next.
    ///   - frame: where the result goes, of the encoder's size and format.
    ///   - boxes: within the picture, with even edges, or such as the format's chroma has; nil converts all of it.
    func convert(
        _ data: UnsafePointer<UInt8>, stride: Int, into frame: VideoFrame, boxes: [PixelRect]?
    ) throws(FFmpegError)
}

extension EncoderSettings {
    /// A converter for the encoder's pictures, of the kind that its pixel format needs.
    public func pictureConverter() throws(FFmpegError) -> any PictureConverter {
        try PixelConverter(width: width, height: height, to: pixelFormat, matrix: matrix, gamut: gamut)
    }
}
