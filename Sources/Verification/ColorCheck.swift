import Media

/// Looks at what a clip says of its colours.
enum ColorCheck {
    /// Codecs for which players take full range for a mistake.
    private static let limitedCodecs: Set = ["h264", "hevc", "vp8", "vp9", "av1", "mpeg4"]
    private static let highDynamicRange: Set = ["smpte2084", "arib-std-b67"]

    /// What is wrong with the tags of a stream, by its first picture.
    static func findings(_ frame: VideoFrame, _ stream: StreamDescription) -> [Finding] {
        guard !frame.format.isRGB, !frame.format.isPaletted, !frame.format.isGray else { return [] }
        var findings: [Finding] = []
        let (said, shown) = (stream.colors, frame.colorTags)
        let missing = shown.all.filter { $0.value == nil }.map(\.name)
        if !missing.isEmpty {
            findings.append(
                Finding(
                    .colorMissing, missing == ["range"] ? .warning : .error,
                    "nothing says the colours' \(list(missing)), so that players guess: encode with "
                        + "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv"))
        }
        let conflicts = zip(said?.all ?? [], shown.all).filter {
            $0.value != nil && $1.value != nil && $0.value != $1.value
        }
        if !conflicts.isEmpty {
            let words = conflicts.map { "\($0.name) \($0.value ?? "") and \($1.value ?? "")" }
            findings.append(
                Finding(
                    .colorConflict, .error,
                    "container and pictures contradict each other: \(list(words)): write both alike"))
        }
        if shown.matrix == "gbr" {
            findings.append(
                Finding(.colorConflict, .error, "its pictures have luma and chroma, its matrix says RGB: set bt709"))
        }
        if let transfer = shown.transfer, highDynamicRange.contains(transfer), frame.format.depth <= 8 {
            findings.append(
                Finding(.colorUnusual, .warning, "8 bits are too few for \(transfer): encode with 10, or as bt709"))
        }
        if shown.range == "pc", limitedCodecs.contains(stream.codec) {
            findings.append(
                Finding(
                    .colorUnusual, .warning, "its range is full, which many players take for limited: encode as tv"))
        }
        return findings
    }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}
