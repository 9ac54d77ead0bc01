import CLibAV

/// The packet durations of an audio codec, computed from the bitstream, since containers may round
/// them.
enum AudioPacketDuration {
    /// Opus (RFC 6716).
    case opus
    /// AAC (ISO/IEC 14496-3) with a number of samples per packet at the stream's sample rate.
    case aac(samplesPerPacket: Int)
    /// FLAC (RFC 9639).
    case flac
    /// PCM with a number of bytes per sample of all channels.
    case pcm(bytesPerSample: Int)

    /// The rate at which Opus counts samples, regardless of the source's sample rate.
    static let opusRate = 48_000

    /// The packet durations of a stream; nil if it has another codec or an invalid header.
    init?(_ parameters: CodecParameters) {
        let header = Array(parameters.header)
        switch parameters.parameters.pointee.codec_id {
        case AV_CODEC_ID_OPUS:
            guard header.count >= 19, header.starts(with: Array("OpusHead".utf8)) else { return nil }
            self = .opus
        case AV_CODEC_ID_AAC:
            guard let core = AACHeader(header), case let rate = Int(parameters.parameters.pointee.sample_rate),
                (7350...192_000).contains(rate), core.samplesPerFrame * rate % core.sampleRate == 0
            else { return nil }
            self = .aac(samplesPerPacket: core.samplesPerFrame * rate / core.sampleRate)
        case AV_CODEC_ID_FLAC:
            guard header.count >= 34 else { return nil }
            self = .flac
        default:
            // MOV declares no block size.
            let details = parameters.parameters.pointee
            let bits = Int(av_get_bits_per_sample(details.codec_id)) * Int(lv_channels(parameters.parameters))
            guard parameters.codecName.hasPrefix("pcm_"),
                case let bytes = details.block_align > 0 ? Int(details.block_align) : bits / 8, bytes > 0
            else { return nil }
            self = .pcm(bytesPerSample: bytes)
        }
    }

    /// Returns the number of samples of a packet; nil if it is damaged.
    func samples(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let first = bytes.first else { return nil }
        switch self {
        case .aac(let samples): return samples
        case .pcm(let size): return bytes.count >= size ? bytes.count / size : nil
        case .flac: return AudioPacketDuration.flacSamples(of: bytes)
        case .opus:
            let count: Int
            switch first & 3 {
            case 0: count = 1
            case 1, 2: count = 2
            default:
                guard bytes.count > 1 else { return nil }
                count = Int(bytes[1] & 63)
            }
            let samples = count * AudioPacketDuration.opusFrameSamples(configuration: Int(first >> 3))
            // An Opus packet has a maximum of 120 ms (RFC 6716, section 3.2.5).
            return (1...5760).contains(samples) ? samples : nil
        }
    }

    /// Returns the number of samples of a FLAC frame (RFC 9639, section 9.1); nil if its header is
    /// damaged.
    private static func flacSamples(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count > 5, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8 else { return nil }
        let code = Int(bytes[2] >> 4)
        // The frame or sample number is coded like a character in UTF-8, and precedes the size.
        let first = bytes[4]
        let numberLength = first < 0x80 ? 1 : (~first).leadingZeroBitCount
        switch code {
        case 1: return 192
        case 2...5: return 576 << (code - 2)
        case 6, 7:
            let start = 4 + numberLength
            let length = code - 5
            guard bytes.count >= start + length else { return nil }
            return bytes[start..<start + length].reduce(0) { $0 << 8 | Int($1) } + 1
        case 8...15: return 256 << (code - 8)
        default: return nil
        }
    }

    /// Returns the number of samples of a frame (RFC 6716, section 3.1): 10 to 60 ms with SILK, 10
    /// or 20 ms in hybrid mode, 2.5 to 20 ms with CELT.
    private static func opusFrameSamples(configuration: Int) -> Int {
        switch configuration {
        case ..<12: [480, 960, 1920, 2880][configuration % 4]
        case ..<16: [480, 960][configuration % 2]
        default: [120, 240, 480, 960][configuration % 4]
        }
    }
}

/// The timing fields of an AudioSpecificConfig. With spectral band replication, the number of
/// samples per packet refers to the core's lower sample rate.
private struct AACHeader {
    let sampleRate: Int
    let samplesPerFrame: Int

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]

    init?(_ bytes: [UInt8]) {
        var position = 0
        func bits(_ count: Int) -> Int? {
            guard position + count <= 8 * bytes.count else { return nil }
            defer { position += count }
            var value = 0
            for bit in position..<position + count {
                let byte = Int(bytes[bit / 8])
                value = value << 1 | byte >> (7 - bit % 8) & 1
            }
            return value
        }
        func objectType() -> Int? { bits(5).flatMap { $0 == 31 ? bits(6).map { $0 + 32 } : $0 } }
        func rate() -> Int? {
            bits(4).flatMap { $0 == 15 ? bits(24) : Self.rates.indices.contains($0) ? Self.rates[$0] : nil }
        }
        guard var type = objectType(), let core = rate(), core > 0, bits(4) != nil else { return nil }
        // Spectral band replication (5), or with parametric stereo (29): its sample rate, then the
        // core's object type.
        if type == 5 || type == 29 {
            guard rate() != nil, let inner = objectType() else { return nil }
            type = inner
        }
        guard let frameLengthFlag = bits(1) else { return nil }
        sampleRate = core
        // The low-delay object types, LD (23) and ELD (39), have packets of half the length.
        samplesPerFrame = (frameLengthFlag == 1 ? 960 : 1024) / (type == 23 || type == 39 ? 2 : 1)
    }
}
