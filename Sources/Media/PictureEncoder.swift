/// Makes a stream's packets of pictures. Not for use from two threads at once.
public protocol PictureEncoder: AnyObject {
    /// What it was opened with.
    var settings: EncoderSettings { get }
    /// What a container must know of the stream.
    func parameters() throws(FFmpegError) -> CodecParameters
    /// Encodes a picture that is shown from `pts` on, in units of the time base (frames). Returns what is ready.
    func encode(_ frame: VideoFrame, pts: Int) throws(FFmpegError) -> [Packet]
    /// Ends the stream and returns all that is left. Nothing can be encoded afterwards.
    func finish() throws(FFmpegError) -> [Packet]
}

extension EncoderSettings {
    /// Opens the encoder, of the kind that its codec needs. Throws `AVERROR_ENCODER_NOT_FOUND` if FFmpeg lacks it, and its
    /// own words if it refuses.
    public func pictureEncoder() throws(FFmpegError) -> any PictureEncoder {
        if let stills = traits.stills { return try StillsEncoder(self, stills) }
        return try VideoEncoder(self)
    }
}
