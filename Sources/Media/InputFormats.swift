import CLibAV

/// The accepted formats of an input file, all of which are self-contained.
///
/// libavformat also reads playlists and scripts that refer to other files, devices and servers.
/// These are never accepted.
package struct InputFormats: Sendable {
    /// libavformat's short names.
    let names: Set<String>
    /// A list of the formats for messages and documentation.
    package let summary: String
    /// True if the headers describe the streams completely, so that no packets must be read in
    /// advance.
    let hasCompleteHeaders: Bool

    /// Video containers, and raw streams of H.264, HEVC, AV1, MPEG-1, 2 and 4 and Motion JPEG.
    package static let videos = InputFormats(
        names: [
            "mov", "mp4", "matroska", "webm", "gif", "apng", "avi", "mpegts", "ogg", "flv", "asf", "nut", "ivf",
            "yuv4mpegpipe", "h264", "hevc", "obu", "mpegvideo", "m4v", "mjpeg",
            "jpeg_pipe", "dv", "mxf",
        ],
        summary: "MP4, MOV, Matroska, WebM, GIF, APNG, AVI, MPEG-TS, Ogg, FLV, ASF, NUT, IVF, Y4M, DV, MXF "
            + "or a raw stream",
        hasCompleteHeaders: false)

    /// Image formats.
    package static let images = InputFormats(
        names: [
            "png_pipe", "apng", "jpeg_pipe", "mjpeg", "webp_pipe", "gif", "gif_pipe", "bmp_pipe", "tiff_pipe",
            "j2k_pipe",
            "jpegxl_pipe", "qoi_pipe", "ppm_pipe", "pgm_pipe", "pbm_pipe",
        ], summary: "PNG, JPEG, WebP, GIF, BMP, TIFF, JPEG 2000, JPEG XL, QOI, PPM, PGM or PBM",
        hasCompleteHeaders: true)

    /// Audio in containers that store its exact start and end.
    package static let audio = InputFormats(
        names: ["mov", "mp4", "m4a", "ogg", "matroska", "webm", "wav", "w64", "flac"],
        summary: "WAV, FLAC, AAC in .m4a, or Opus in .ogg or .webm",
        hasCompleteHeaders: true)

    /// Detects the format of a file from its contents, ignoring its name. Throws an `FFmpegError`
    /// if the format is unknown or not accepted.
    func probe(
        _ source: UnsafeMutablePointer<AVIOContext>, _ operation: String
    ) throws(FFmpegError) -> UnsafePointer<AVInputFormat> {
        var format: UnsafePointer<AVInputFormat>?
        let status = av_probe_input_buffer2(source, &format, "", nil, 0, 0)
        // A file that is too short to be recognized has an unknown format.
        guard status >= 0 || status == LV_ERROR_INVALIDDATA || status == LV_ERROR_EOF else {
            throw FFmpegError(code: status, operation: operation)
        }
        let found = format.map { String(cString: $0.pointee.name) }
        if let format, let found, !names.isDisjoint(with: found.split(separator: ",").map(String.init)) {
            return format
        }
        // libavformat's names of image formats, such as `png_pipe`, are unknown to users.
        let name = found.map { $0.hasSuffix("_pipe") ? $0.dropLast(5).uppercased() : $0 }
        throw FFmpegError(
            code: LV_ERROR_INVALIDDATA, operation: operation, reason: "its format is \(name ?? "unknown")",
            remedy: "use \(summary)")
    }

    /// The names in libavformat's list syntax.
    var list: String { names.sorted().joined(separator: ",") }
}
