import CLibAV

/// The formats that a file may have: such as hold all that they show themselves.
///
/// libavformat also reads playlists and scripts, which name other files, devices and servers; those are never taken.
public struct InputFormats: Sendable {
    /// libavformat's short names.
    let names: Set<String>
    /// The formats in words, for messages and documentation.
    public let summary: String
    /// Whether headers, or pictures, say all about a stream, so that no packets need be read ahead to find it out.
    let isDescribed: Bool

    /// Videos: containers, and streams of H.264, HEVC, AV1, MPEG-1, 2 and 4 and Motion JPEG by themselves.
    public static let videos = InputFormats(
        names: [
            "mov", "mp4", "matroska", "webm", "gif", "apng", "avi", "mpegts", "ogg", "flv", "asf", "nut", "ivf",
            "yuv4mpegpipe", "h264", "hevc", "obu", "mpegvideo", "m4v", "mjpeg",
            "jpeg_pipe", "dv", "mxf",
        ],
        summary: "MP4, MOV, Matroska, WebM, GIF, APNG, AVI, MPEG-TS, Ogg, FLV, ASF, NUT, IVF, Y4M, DV, MXF "
            + "or a bare stream",
        isDescribed: false)

    /// Pictures.
    public static let pictures = InputFormats(
        names: [
            "png_pipe", "apng", "jpeg_pipe", "mjpeg", "webp_pipe", "gif", "gif_pipe", "bmp_pipe", "tiff_pipe",
            "j2k_pipe",
            "jpegxl_pipe", "qoi_pipe", "ppm_pipe", "pgm_pipe", "pbm_pipe",
        ], summary: "PNG, JPEG, WebP, GIF, BMP, TIFF, JPEG 2000, JPEG XL, QOI, PPM, PGM or PBM", isDescribed: true)

    /// Sound in containers that say exactly when it begins and ends.
    public static let audio = InputFormats(
        names: ["mov", "mp4", "m4a", "ogg", "matroska", "webm"], summary: "MP4 (M4A), MOV, Ogg, WebM or Matroska",
        isDescribed: true)

    /// The format of a file by its contents, whatever its name is. Throws if it is unknown or not one of these.
    func probe(
        _ source: UnsafeMutablePointer<AVIOContext>, _ operation: String
    ) throws(FFmpegError) -> UnsafePointer<AVInputFormat> {
        var format: UnsafePointer<AVInputFormat>?
        let status = av_probe_input_buffer2(source, &format, "", nil, 0, 0)
        // What is too short to be told apart is no format either.
        guard status >= 0 || status == LV_ERROR_INVALIDDATA || status == LV_ERROR_EOF else {
            throw FFmpegError(code: status, operation: operation)
        }
        let found = format.map { String(cString: $0.pointee.name) }
        if let format, let found, !names.isDisjoint(with: found.split(separator: ",").map(String.init)) {
            return format
        }
        let what = found.map { "its format is \($0)" } ?? "its format is unknown"
        throw FFmpegError(code: LV_ERROR_INVALIDDATA, operation: operation, reason: "\(what), which is not \(summary)")
    }

    /// libavformat's form of a list.
    var list: String { names.sorted().joined(separator: ",") }
}
