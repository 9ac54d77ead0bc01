import Animations
import Core
import Media

/// The options of an encoder and of the file.
extension OptionRegistry {
    /// The names of the codecs, for help texts.
    private static let codecs = CodecProfile.named.map(\.name).joined(separator: ", ")

    /// Returns the default values of a setting for the codecs that have one, for help texts.
    private static func defaults(_ setting: KeyPath<CodecProfile, CodecProfile.Setting?>) -> String {
        CodecProfile.listed.compactMap { name, profile in
            profile[keyPath: setting]?.defaultValue.map { "\(name) \($0)" }
        }
        .joined(separator: ", ")
    }

    static let encoding: [ClipOption] = [
        ClipOption(
            encoder: "codec", .text(expected: "\(codecs) or an encoder of FFmpeg"), "codec",
            defaultValue: "h264, vp9 in WebM, or the animated image's own",
            "Codec: \(codecs), or any FFmpeg encoder by name.",
            \.encoding.codec
        )
        .with { $0.nameStyle = .bare },
        ClipOption(
            encoder: "quality", .number(expected: "a number such as 18"), "n",
            defaultValue: defaults(\.quality) + ", webp lossless",
            "Quality on the codec's scale: crf, 0...100 in WebP, or a quantizer of 1...31.", \.encoding.quality
        )
        .with { $0.dependsOn = ["codec"] },
        ClipOption(
            encoder: "speed", .number(expected: "a preset such as medium, or a number"), "preset",
            defaultValue: defaults(\.speed), "Preset, cpu-used or effort of the codec.", \.encoding.speed
        )
        .with { $0.dependsOn = ["codec"] },
        ClipOption(
            encoder: "pixel-format", .text(expected: "a pixel format such as yuv420p"), "format",
            defaultValue: "yuv420p if the encoder supports it",
            "FFmpeg pixel format, for example yuv420p, yuv444p or yuva420p.", \.encoding.pixelFormat
        )
        .with {
            $0.dependsOn = ["codec", "size", "scale", "side-by-side"]
            $0.nameStyle = .bare
        },
        ClipOption(
            encoder: "profile", .text(expected: "a profile such as 4444 or dnxhr_hqx"), "name",
            defaultValue: "follows from the pixel format",
            "ProRes: proxy, lt, standard, hq, 4444 or xq. DNxHD: dnxhr_lb, dnxhr_sq, dnxhr_hq, dnxhr_hqx or dnxhr_444.",
            \.encoding.profile
        )
        .with {
            $0.dependsOn = ["codec"]
            $0.nameStyle = .bare
        },
        ClipOption(
            "bit-depth", .encoding, .word(["8", "10"]), defaultValue: "that of the pixel format",
            "Bits per sample, for codecs that have a choice: H.264, HEVC, VP9, AV1, raw frames."
        ) { text, request in
            request.bitDepth = Int(text)
            return ["8", "10"].contains(text)
        } format: {
            $0.bitDepth.map(String.init)
        }
        .with {
            $0.excludes = ["pixel-format"]
            $0.dependsOn = ["codec", "profile"]
            $0.outputsMayDiffer = true
        },
        ClipOption(
            "encoder-option", .encoding, .text(expected: "key=value, or several separated by commas, each key once"),
            value: "key=value", defaultValue: "none",
            "Option of the encoder by FFmpeg's name, such as tune=animation; can be repeated."
        ) { text, request in
            request.encoderOptions = EncoderOptions(text)
            return request.encoderOptions != nil
        } format: {
            $0.encoderOptions?.text
        }
        .with {
            $0.isRepeatable = true
            $0.dependsOn = ["codec"]
            $0.outputsMayDiffer = true
            $0.problem = { EncoderOptions.problem(in: $0) }
            $0.textPattern = "^[A-Za-z0-9_-]+=[ -~]+$"
        },
        ClipOption(
            words: "color", .encoding, defaultValue: "bt709",
            "Colour primaries: bt709 (as in sRGB) or p3 (Display P3, for Apple's editors).",
            \.encoding.gamut
        )
        .with { $0.outputsMayDiffer = true },
        ClipOption(
            "gop", .encoding, .number, "seconds", defaultValue: "2",
            "Interval between keyframes, 0.05...60; also the length of a segment.",
            \.encoding.keyFrameInterval),
        ClipOption(
            either: "repetition", .encoding, ("on", "off"), defaultValue: "on",
            "Repeated frames: on (encode once and replay the packets) or off (encode each time).",
            \.encoding.usesRepetition),
        ClipOption(
            either: "static", .encoding, ("vfr", "cfr"), defaultValue: "cfr",
            "Equal frames: cfr (store each one) or vfr (store a run as one long frame).",
            \.encoding.hasLongFrames),
        ClipOption(
            "max-bytes", .encoding, .bytes, "bytes", defaultValue: "none",
            "Maximum file size, for example 2MB. Lowers quality, then frame rate, then dimensions until the file fits."
        ) {
            $0.maxBytes = $1
        } get: {
            $0.maxBytes.map(String.init)
        }
        .with { $0.outputsMayDiffer = true },
        ClipOption(
            "audio", .encoding, .file(expected: "the path of a WAV, FLAC, AAC or Opus file"), value: "file",
            defaultValue: "none", "Audio file, no longer than the clip: WAV, FLAC, AAC or Opus."
        ) { text, request in
            guard isPath(text) else { return false }
            request.audio = text
            return true
        } format: {
            $0.audio
        }
        .with { $0.outputsMayDiffer = true },
        ClipOption(
            words: "audio-codec", .encoding,
            defaultValue: "copy; WAV as aac in MP4, FLAC as aac in MP4 and MOV, both as opus in WebM",
            "Audio codec: copy (unchanged), pcm, flac, aac or opus.", \.encoding.audioCodec
        )
        .with { $0.outputsMayDiffer = true },
        ClipOption(
            "timecode", .encoding, .text(expected: "HH:MM:SS:FF, or HH:MM:SS;FF for drop frame"), value: "timecode",
            defaultValue: "none", "Timecode of the first frame, as a track of MOV or MP4."
        ) { text, request in
            request.timecode = Timecode(text)
            return request.timecode != nil
        } format: {
            $0.timecode?.text
        }
        .with {
            $0.outputsMayDiffer = true
            $0.problem = { Timecode.problem(in: $0) }
            $0.textPattern = "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][:;][0-9]{2}$"
        },
        ClipOption(
            "start-number", .encoding, .whole(0...999_999_999), "n", defaultValue: "0",
            "Number of a sequence's first file."
        ) {
            $0.startNumber = $1
        } get: {
            $0.startNumber.map(String.init)
        }
        .with { $0.outputsMayDiffer = true },
        ClipOption(
            flag: "dither", .encoding, "Dither colours that are not in a GIF's palette.",
            \.encoding.dithers
        )
        .with { $0.outputsMayDiffer = true },
        ClipOption(
            "matte", .encoding, .color, "color", defaultValue: "none",
            "CSS colour behind translucent pixels of a GIF, which has no partial transparency.", \.encoding.matte
        )
        .with { $0.outputsMayDiffer = true },
        ClipOption(
            "loop", .encoding, .whole(EncodingRequest.playCountRange), "n", defaultValue: "endless",
            "Play count of an animated image (\(Container.animations.joined(separator: ", "))), 1...65535."
        ) {
            $0.plays = $1
        } get: {
            $0.plays.map(String.init)
        }
        .with { $0.outputsMayDiffer = true },
    ]
}
