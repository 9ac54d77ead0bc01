import Media

/// The check of the colour properties that a clip declares.
enum ColorCheck {
    /// The codecs of clips for players, which often misinterpret full range and guess undeclared
    /// colours. Others are for editors, and many of their containers cannot declare colours.
    private static let playerCodecs: Set = ["h264", "hevc", "vp8", "vp9", "av1", "mpeg4"]
    /// FFmpeg's names of the transfer functions PQ and HLG.
    private static let highDynamicRange: Set = ["smpte2084", "arib-std-b67"]
    /// The containers that declare colours. Others, such as AVI, cannot declare those of MPEG-4.
    private static let coloredContainers: Set<FileStructure.Kind> = [.mp4, .mov, .matroska, .webm]

    /// Returns findings about the colour tags of a stream and its first frame.
    ///
    /// - Parameter isImage: true for AVIF, which usually has full range, as other images do.
    static func findings(
        _ frame: VideoFrame, _ stream: StreamDescription, _ kind: FileStructure.Kind, isImage: Bool
    ) -> [Finding] {
        guard !frame.format.isRGB, !frame.format.isPaletted, !frame.format.isGray else { return [] }
        let tags = frame.colorTags
        return [
            undeclared(tags, stream, kind), conflict(tags, stream), wrongMatrix(tags),
            unusualTransfer(tags, depth: frame.format.depth), isImage ? nil : unusualRange(tags, stream),
        ].compactMap { $0 }
    }

    /// Returns a finding if a frame leaves colour properties undeclared.
    private static func undeclared(
        _ tags: ColorTags, _ stream: StreamDescription, _ kind: FileStructure.Kind
    ) -> Finding? {
        // JPEG images have the colours of sRGB (JFIF 1.02), and Y4M cannot declare any.
        guard !["mjpeg", "rawvideo"].contains(stream.codec) else { return nil }
        let missing = tags.all.filter { $0.value == nil }.map(\.name)
        guard !missing.isEmpty else { return nil }
        let isHarmless =
            missing == ["range"] || !playerCodecs.contains(stream.codec)
            || stream.codec == "mpeg4" && !coloredContainers.contains(kind)
        return Finding(
            .colorMissing, isHarmless ? .warning : .error,
            "the clip does not declare its colour \(list(missing)), so players guess; encode with "
                + "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv")
    }

    /// Returns a finding if the container declares other colours than the frames.
    private static func conflict(_ tags: ColorTags, _ stream: StreamDescription) -> Finding? {
        // A VP8 stream cannot declare any matrix but that of BT.601, so the container's counts.
        guard let declared = stream.colors, stream.codec != "vp8" else { return nil }
        let conflicts = zip(declared.all, tags.all).filter {
            $0.value != nil && $1.value != nil && $0.value != $1.value
        }
        guard !conflicts.isEmpty else { return nil }
        let texts = conflicts.map { "\($0.name) \($0.value ?? "") and \($1.value ?? "")" }
        return Finding(
            .colorConflict, .error,
            "container and frames declare different colours: \(list(texts)); write the same values to both")
    }

    /// Returns a finding if YUV frames declare the matrix of RGB.
    private static func wrongMatrix(_ tags: ColorTags) -> Finding? {
        guard tags.matrix == "gbr" else { return nil }
        return Finding(
            .colorConflict, .error, "the frames are YUV, but the matrix is RGB; encode with -colorspace bt709")
    }

    /// Returns a finding if the transfer function needs more bits than the frames have.
    private static func unusualTransfer(_ tags: ColorTags, depth: Int) -> Finding? {
        guard let transfer = tags.transfer, highDynamicRange.contains(transfer), depth <= 8 else { return nil }
        return Finding(
            .colorUnusual, transfer == "smpte2084" ? .error : .warning,
            "8 bits are too few for \(transfer); encode with 10 bits or with bt709")
    }

    /// Returns a finding if a clip for players has full range.
    private static func unusualRange(_ tags: ColorTags, _ stream: StreamDescription) -> Finding? {
        guard tags.range == "pc", playerCodecs.contains(stream.codec) else { return nil }
        return Finding(
            .colorUnusual, .warning,
            "the range is full, which many players mistake for limited; encode with -color_range tv")
    }

    private static func list(_ texts: [String]) -> String {
        guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
        return texts.dropLast().joined(separator: ", ") + " and " + last
    }
}
