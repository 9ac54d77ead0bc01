import Media

/// Checks the colour properties that a clip declares.
enum ColorCheck {
    /// The codecs of clips for players, which often misinterpret full range and guess undeclared
    /// colours. Others are for editors, and many of their containers cannot declare colours.
    private static let playerCodecs: Set = ["h264", "hevc", "vp8", "vp9", "av1", "mpeg4"]
    private static let highDynamicRange: Set = ["smpte2084", "arib-std-b67"]
    /// The containers that declare colours. Others, such as AVI, cannot declare those of MPEG-4.
    private static let coloredContainers: Set<FileStructure.Kind> = [.mp4, .mov, .matroska, .webm]

    /// Returns findings about the colour tags of a stream and its first frame.
    static func findings(
        _ frame: VideoFrame, _ stream: StreamDescription, _ kind: FileStructure.Kind
    ) -> [Finding] {
        guard !frame.format.isRGB, !frame.format.isPaletted, !frame.format.isGray else { return [] }
        var findings: [Finding] = []
        let declared = stream.colors
        let actual = frame.colorTags
        // JPEG images have the colours of sRGB (JFIF 1.02), and Y4M cannot declare any.
        let missing =
            ["mjpeg", "rawvideo"].contains(stream.codec) ? [] : actual.all.filter { $0.value == nil }.map(\.name)
        if !missing.isEmpty {
            findings.append(
                Finding(
                    .colorMissing,
                    missing == ["range"] || !playerCodecs.contains(stream.codec)
                        || stream.codec == "mpeg4" && !coloredContainers.contains(kind) ? .warning : .error,
                    "the colour \(list(missing)) is undeclared, so players guess; encode with "
                        + "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv"))
        }
        // A VP8 stream cannot declare any matrix but that of BT.601, so the container's counts.
        let isSilent = stream.codec == "vp8"
        let conflicts = zip(declared?.all ?? [], actual.all).filter {
            !isSilent && $0.value != nil && $1.value != nil && $0.value != $1.value
        }
        if !conflicts.isEmpty {
            let texts = conflicts.map { "\($0.name) \($0.value ?? "") and \($1.value ?? "")" }
            findings.append(
                Finding(
                    .colorConflict, .error,
                    "container and frames declare different colours: \(list(texts)); write the same values to both"))
        }
        if actual.matrix == "gbr" {
            findings.append(
                Finding(
                    .colorConflict, .error, "the frames are YUV, but the matrix is RGB; encode with -colorspace bt709"))
        }
        if let transfer = actual.transfer, highDynamicRange.contains(transfer), frame.format.depth <= 8 {
            findings.append(
                Finding(
                    .colorUnusual, transfer == "smpte2084" ? .error : .warning,
                    "8 bits are too few for \(transfer); encode with 10 bits or with bt709"))
        }
        if actual.range == "pc", playerCodecs.contains(stream.codec) {
            findings.append(
                Finding(
                    .colorUnusual, .warning,
                    "the range is full, which many players mistake for limited; encode with -color_range tv"))
        }
        return findings
    }

    private static func list(_ texts: [String]) -> String {
        guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
        return texts.dropLast().joined(separator: ", ") + " and " + last
    }
}
