/// A requested audio codec.
public enum AudioCodec: String, CaseIterable, Sendable {
    /// The file's own packets, unchanged.
    case copy
    /// PCM.
    case pcm
    /// FLAC.
    case flac
    /// AAC.
    case aac
    /// Opus.
    case opus
}

/// The treatment of a file's audio when it is muxed into a container.
package enum AudioTreatment: Sendable, Hashable {
    /// Unchanged.
    case copy
    /// Encoded by an encoder with FFmpeg's name.
    case encode(String)

    /// Chooses the treatment; nil if the container does not support the codec.
    ///
    /// PCM is copied into MOV and Matroska, and FLAC into Matroska; for other containers they are
    /// encoded. Audio that is already lossy is not encoded again unless a codec is requested.
    package init?(of summary: AudioSource.Summary, in container: Container, requested: AudioCodec?) {
        let name = summary.codecName
        let isPCM = name.hasPrefix("pcm_")
        let codec = requested ?? AudioTreatment.defaultCodec(of: name, isPCM, in: container)
        let isSame = codec == .copy || codec.rawValue == name || codec == .pcm && isPCM
        if isSame {
            guard AudioTreatment.supports(name, in: container) else { return nil }
            self = .copy
            return
        }
        let encoder: String
        switch codec {
        case .aac: encoder = "aac"
        case .opus: encoder = "libopus"
        case .flac: encoder = "flac"
        case .pcm, .copy: encoder = summary.bitsPerSample > 16 ? "pcm_s24le" : "pcm_s16le"
        }
        let target = codec == .pcm ? encoder : codec.rawValue
        guard AudioTreatment.supports(target, in: container) else { return nil }
        self = .encode(encoder)
    }

    private static func supports(_ name: String, in container: Container) -> Bool {
        // Players do not expect PCM in MP4, although some versions of FFmpeg write it.
        if name.hasPrefix("pcm_"), ![.mov, .mkv].contains(container) { return false }
        return container.supports(codec: name)
    }

    private static func defaultCodec(of name: String, _ isPCM: Bool, in container: Container) -> AudioCodec {
        let isLossless = isPCM || name == "flac"
        let staysLossless = container == .mkv || isPCM && container == .mov
        guard isLossless, !staysLossless else { return .copy }
        return container == .webm ? .opus : .aac
    }

    /// Returns the codecs that a container supports, for messages.
    package static func codecs(in container: Container) -> [AudioCodec] {
        [(AudioCodec.pcm, "pcm_s16le"), (.flac, "flac"), (.aac, "aac"), (.opus, "opus")].compactMap {
            supports($0.1, in: container) ? $0.0 : nil
        }
    }
}
