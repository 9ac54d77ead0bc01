import CLibAV
import Core

/// The unmodified packets of an AAC, Opus, FLAC or PCM file, with exact times. Not thread-safe.
package final class AudioSource: AudioPackets {
    /// The properties of a file that was read to the end.
    package struct Summary: Sendable, Hashable {
        /// FFmpeg's name of the codec: `aac`, `opus`, `flac` or `pcm_...`.
        package let codecName: String
        /// The bits per sample of a lossless codec; 0 if unknown.
        package let bitsPerSample: Int
        /// The end of the last packet in seconds.
        package let end: Rational
        /// The number of packets.
        package let packetCount: Int
    }

    /// The sample rate in Hz, and the unit of all times.
    package let sampleRate: Int
    /// The stream's parameters for a container.
    package let parameters: CodecParameters
    private let file: InputFile
    private let demuxer: Demuxer
    private let packetDuration: AudioPacketDuration
    /// The next packet, read in advance for `nextTime`.
    private var upcoming: Packet?
    /// The end of the last packet that was read, in samples; nil before the first one.
    private var expectedTime: Int?
    /// The time of the last packet that was read, in samples.
    private var lastTime = Int.min
    /// The maximum end time of the packets so far, in samples.
    private var end = 0
    private var packetCount = 0

    /// The maximum file size in bytes, 1 GiB: seven hours at 320 kbit/s. The whole file is read,
    /// and batches hash it.
    package static let maxFileBytes = 1 << 30

    /// The supported sample rates in Hz: up to four times the 384 kHz of the best converters.
    private static let sampleRates = 1...1_536_000
    /// The maximum number of packets: more than 90 hours with packets of 20 ms.
    private static let maxPackets = 1 << 24
    /// The maximum absolute time in samples or units of the time base. It leaves room for
    /// arithmetic without overflow, and is more than half a year at 48 kHz.
    private static let maxTime = 1 << 40

    /// Opens a file. Throws an `FFmpegError` if it cannot be read, has no audio or several audio
    /// tracks, or uses another codec.
    package init(_ file: InputFile) throws(FFmpegError) {
        let operation = "open \(file.path)"
        demuxer = try Demuxer(file, formats: .audio, kind: AVMEDIA_TYPE_AUDIO)
        let parameters = try demuxer.parameters()
        func refusal(_ reason: String, remedy: String? = nil) -> FFmpegError {
            FFmpegError(code: LV_ERROR_INVALIDDATA, operation: operation, reason: reason, remedy: remedy)
        }
        let count = demuxer.streamCount
        guard count == 1 else {
            throw refusal(
                "it has \(count) audio tracks, above the maximum of 1",
                remedy: "extract one: ffmpeg -i \(shellQuoted(file.path)) -map 0:a:0 -c copy FILE")
        }
        let isKnown = ["aac", "opus", "flac"].contains(parameters.codecName)
        guard isKnown || parameters.codecName.hasPrefix("pcm_") else {
            throw refusal("its audio codec is \(parameters.codecName), which is not AAC, Opus, FLAC or PCM")
        }
        guard let packetDuration = AudioPacketDuration(parameters) else { throw refusal("its audio header is damaged") }
        self.parameters = parameters
        self.packetDuration = packetDuration
        self.file = file
        if case .opus = packetDuration {
            parameters.parameters.pointee.sample_rate = Int32(AudioPacketDuration.opusRate)
        }
        sampleRate = Int(parameters.parameters.pointee.sample_rate)
        guard Self.sampleRates.contains(sampleRate) else {
            throw refusal(
                "its sample rate of \(sampleRate) Hz is outside "
                    + "\(Self.sampleRates.lowerBound)...\(Self.sampleRates.upperBound) Hz"
            )
        }
        // Each container has its own codec tags.
        parameters.parameters.pointee.codec_tag = 0
        upcoming = try read()
        guard let first = upcoming else { throw refusal("it has no audio packets") }
        // The priming samples, which decoders output before the audio begins, have negative times.
        // All containers can store this if they know the number of samples.
        parameters.parameters.pointee.initial_padding = Int32(clamping: max(0, -(first.pts ?? 0)))
    }

    /// FFmpeg's name of the codec: `aac`, `opus`, `flac` or `pcm_...`.
    package var codecName: String { parameters.codecName }

    /// The audio track's three-letter language code; nil if the file has none.
    package var language: String? { demuxer.language }

    /// The decoding time of the next packet in seconds; nil if there is none.
    package var nextTime: Rational? { upcoming?.dts.map { Rational(Int128($0), Int128(sampleRate)) } }

    /// Returns the next packet, with times in samples; nil if there is none.
    package func next() throws(FFmpegError) -> Packet? {
        guard let packet = upcoming else { return nil }
        upcoming = try read()
        return packet
    }

    /// Reads all remaining packets. Throws an `FFmpegError` if the file is damaged or truncated.
    package func summary() throws(FFmpegError) -> Summary {
        while try next() != nil {}
        let declared = demuxer.declaredDuration
        let read = Double(end) / Double(sampleRate)
        guard try !isTruncated(after: read, of: declared) else {
            let length = declared.map { $0 > read + slack ? " of \($0.roundedToThousandths) s" : "" } ?? ""
            throw damageError("its audio is truncated after \(read.roundedToThousandths) s\(length)")
        }
        return Summary(
            codecName: codecName, bitsPerSample: bitsPerSample,
            end: Rational(Int128(end), Int128(sampleRate)), packetCount: packetCount)
    }

    /// Returns true if the end is missing, from the times in seconds that were read and declared.
    private func isTruncated(after read: Double, of declared: Double?) throws(FFmpegError) -> Bool {
        switch demuxer.formatName {
        case "ogg": try OggTrailer(file).isTruncated
        case "wav": try WAVHeader(file).missingBytes > 0
        default: declared.map { read < $0 - slack } ?? false
        }
    }

    /// The maximum difference of declared and read durations in seconds. Containers may or may not
    /// count two packets and the priming samples. Lossless codecs have no priming samples, and
    /// their containers declare the exact duration or count the last packet as a full one; FLAC's
    /// own header is exact.
    private var slack: Double {
        let lastDuration = lastTime == .min ? 0 : end - lastTime
        let packets = demuxer.formatName == "flac" ? 0 : isLossless ? 1 : 2
        return Double(packets * lastDuration + primingSamples) / Double(sampleRate) + 0.01
    }

    private var isLossless: Bool { codecName == "flac" || codecName.hasPrefix("pcm_") }

    /// The bits per sample of a lossless codec; 0 if unknown. FFmpeg's demuxer of Matroska does not
    /// declare those of FLAC, but the codec's header does (RFC 9639, section 8.2).
    private var bitsPerSample: Int {
        let declared = Int(parameters.parameters.pointee.bits_per_raw_sample)
        guard declared == 0, codecName == "flac" else { return declared }
        let header = Array(parameters.header)
        // In Matroska, a signature and a block header of 4 bytes each precede the stream's data.
        let start = header.starts(with: Array("fLaC".utf8)) ? 8 : 0
        guard header.count >= start + 14 else { return 0 }
        return (Int(header[start + 12] & 1) << 4 | Int(header[start + 13] >> 4)) + 1
    }

    private func read() throws(FFmpegError) -> Packet? {
        guard let packet = try demuxer.read() else { return nil }
        guard let stored = packet.pts ?? packet.dts, let samples = packetDuration.samples(of: packet.bytes) else {
            throw damageError("an audio packet is damaged")
        }
        let (time, duration) = try timing(of: packet, storedTime: stored, samples: samples)
        guard time > max(lastTime, -AudioSource.maxTime), time < AudioSource.maxTime else {
            throw damageError("its audio packets are not in time order")
        }
        // Ogg stores silence as packets, so a gap means that packets were lost.
        guard !demuxer.isOgg || expectedTime.map({ time <= $0 + samples }) ?? true else {
            throw damageError("its audio is damaged at \((Double(time) / Double(sampleRate)).roundedToThousandths) s")
        }
        guard packetCount < AudioSource.maxPackets else {
            throw damageError(
                "it has more than \(AudioSource.maxPackets) audio packets", remedy: "use a shorter file")
        }
        packet.packet.pointee.pts = Int64(time)
        packet.packet.pointee.dts = Int64(time)
        packet.packet.pointee.duration = Int64(duration)
        lastTime = time
        expectedTime = time + samples
        end = max(end, time + duration)
        packetCount += 1
        return packet
    }

    /// Returns the error for contents that cannot be used.
    func damageError(_ reason: String, remedy: String = "use a complete file") -> FFmpegError {
        FFmpegError(
            code: LV_ERROR_INVALIDDATA, operation: "read \(file.path)", reason: reason, remedy: remedy)
    }

    private var primingSamples: Int { Int(parameters.parameters.pointee.initial_padding) }

    /// Returns a packet's time and duration in samples. If the time base is coarser than a sample,
    /// it only shows whether the packet follows the last one directly. If so, the exact time is the
    /// sum of the packets' own lengths.
    private func timing(
        of packet: Packet, storedTime: Int64, samples: Int
    ) throws(FFmpegError) -> (time: Int, duration: Int) {
        let unit = demuxer.timeBase * Rational(sampleRate)
        guard abs(storedTime) < AudioSource.maxTime, packet.duration < AudioSource.maxTime else { return (.max, 0) }
        let time = (unit * Rational(Int(storedTime))).rounded
        guard unit > 1 else {
            let duration = (unit * Rational(Int(packet.duration))).rounded
            return (time, duration > 0 ? duration : samples)
        }
        let expected = expectedTime ?? -primingSamples
        let isContiguous = abs(time - expected) <= 2 * (unit.floor + 1)
        return (isContiguous ? expected : time, max(1, samples - packet.discardedSamples))
    }
}

/// An audio stream in a container. Copies the packets of its source.
final class AudioStream: SideStream {
    let stream: UnsafeMutablePointer<AVStream>
    private let source: any AudioPackets
    /// The offset in samples that is added to packet times.
    private let delay: Int64

    /// Adds the audio to a container before its header is written.
    init(
        _ source: any AudioPackets, in context: UnsafeMutablePointer<AVFormatContext>, _ container: Container
    ) throws(FFmpegError) {
        self.source = source
        // Matroska stores the duration of the priming samples (CodecDelay), and its times include
        // them. FFmpeg's muxer writes CodecDelay for Opus, but before FFmpeg 7 (libavformat 61) it
        // did not shift the times.
        let padding = Int64(source.parameters.parameters.pointee.initial_padding)
        let needsShift =
            !container.isQuickTime && source.codecName == "opus" && lv_version_major(avformat_version()) < 61
        delay = needsShift ? padding : 0
        stream = try unwrap(avformat_new_stream(context, nil), "add an audio stream")
        try check(
            avcodec_parameters_copy(stream.pointee.codecpar, source.parameters.parameters), "describe the audio stream")
        stream.pointee.time_base = av_make_q(1, Int32(source.sampleRate))
        stream.pointee.disposition |= AV_DISPOSITION_DEFAULT
        if let language = source.language { av_dict_set(&stream.pointee.metadata, "language", language, 0) }
    }

    var nextTime: Rational? { source.nextTime }

    func next() throws(FFmpegError) -> Packet? {
        guard let packet = try source.next() else { return nil }
        let timeBase = av_make_q(1, Int32(source.sampleRate))
        packet.packet.pointee.pts += delay
        packet.packet.pointee.dts += delay
        av_packet_rescale_ts(packet.packet, timeBase, stream.pointee.time_base)
        return packet
    }
}

extension Packet {
    /// The number of samples to discard at the end of the packet.
    fileprivate var discardedSamples: Int {
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, nil) else { return 0 }
        // Bytes 4 to 7, little-endian, after the number of samples to skip at the start.
        return LittleEndian.number(UnsafeBufferPointer(start: data + 4, count: 4))
    }
}
