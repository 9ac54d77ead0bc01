/// An encoder that turns frames into the packets of a stream. Not thread-safe.
package protocol FrameEncoder: AnyObject {
    /// The settings that the encoder was opened with.
    var settings: EncoderSettings { get }
    /// Returns the stream's parameters for a container.
    func parameters() throws(FFmpegError) -> CodecParameters
    /// Encodes a frame with the presentation time `pts`, in units of the time base (frames).
    /// Returns the finished packets.
    func encode(_ frame: VideoFrame, pts: Int) throws(FFmpegError) -> [Packet]
    /// Ends the stream and returns the remaining packets. `encode` must not be called afterwards.
    func finish() throws(FFmpegError) -> [Packet]
}

extension EncoderSettings {
    /// Opens an encoder of the type that the codec requires. Throws `AVERROR_ENCODER_NOT_FOUND` if
    /// FFmpeg was built without it, or the encoder's own error.
    package func makeEncoder() throws(FFmpegError) -> any FrameEncoder {
        if traits.needsColorHistogram { return GIFEncoder(self) }
        if let coding = traits.imageSequence { return try ImageSequenceEncoder(self, coding) }
        if traits.usesSeparateAlphaEncoder, pixelFormat.hasAlpha { return try SplitAlphaEncoder(self) }
        return try VideoEncoder(self)
    }
}
