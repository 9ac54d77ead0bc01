import CLibAV
import Motion

/// The packets of a file of AAC or Opus, as they are, with exact times. Not for use from two threads at once.
public final class AudioSource {
    /// What is known of a file's sound when all of it was read.
    public struct Summary: Sendable, Hashable {
        /// FFmpeg's name of the codec: `aac` or `opus`.
        public let codecName: String
        /// When the last packet ends, in seconds.
        public let end: Rational
        /// How many packets there are.
        public let packetCount: Int
    }

    /// Samples a second, which is the clock of all times.
    let sampleRate: Int
    /// What a container must know of the stream.
    let parameters: CodecParameters
    private let file: InputFile
    private let demuxer: Demuxer
    private let frames: AudioFrames
    /// The packet that comes next, since when it comes is asked before.
    private var upcoming: Packet?
    /// When the packet after that is due, in samples, if nothing is left out.
    private var expected: Int?
    private var (last, end, count) = (Int.min, 0, 0)

    /// Files of more packets are refused: at 20 ms these are some ninety hours.
    private static let mostPackets = 1 << 24

    /// Opens a file. Throws if it cannot be read, or has no sound, several tracks of it, or such of another codec.
    public init(_ file: InputFile) throws(FFmpegError) {
        let operation = "open \(file.path)"
        demuxer = try Demuxer(file, formats: .audio, kind: AVMEDIA_TYPE_AUDIO)
        let parameters = try demuxer.parameters()
        func refusal(_ reason: String) -> FFmpegError {
            FFmpegError(code: LV_ERROR_INVALIDDATA, operation: operation, reason: reason)
        }
        let count = demuxer.streamCount
        guard count == 1 else { throw refusal("it has \(count) tracks of sound, and one is wanted") }
        guard ["aac", "opus"].contains(parameters.codecName) else {
            throw refusal("its sound is \(parameters.codecName), and AAC or Opus is wanted")
        }
        guard let frames = AudioFrames(parameters) else { throw refusal("the header of its sound is damaged") }
        (self.parameters, self.frames, self.file) = (parameters, frames, file)
        if case .opus = frames { parameters.parameters.pointee.sample_rate = Int32(AudioFrames.opusRate) }
        sampleRate = Int(parameters.parameters.pointee.sample_rate)
        // Tags are a container's own.
        parameters.parameters.pointee.codec_tag = 0
        upcoming = try read()
        guard let first = upcoming else { throw refusal("there is no packet of sound in it") }
        // What decoders make before the sound begins lies before 0, which all containers can say if they know how long it is.
        parameters.parameters.pointee.initial_padding = Int32(clamping: max(0, -(first.pts ?? 0)))
    }

    /// FFmpeg's name of the codec: `aac` or `opus`.
    public var codecName: String { parameters.codecName }

    /// The sound's language as its file has it.
    var language: String? { demuxer.language }

    /// When the next packet is decoded, in seconds; nil if there is none.
    var nextTime: Rational? { upcoming?.dts.map { Rational(Int128($0), Int128(sampleRate)) } }

    /// The next packet, with times in samples; nil if there is none.
    func next() throws(FFmpegError) -> Packet? {
        guard let packet = upcoming else { return nil }
        upcoming = try read()
        return packet
    }

    /// Reads on to the end. Throws if the file is damaged, or is cut off before its end.
    public func summary() throws(FFmpegError) -> Summary {
        while try next() != nil {}
        let promised = demuxer.duration ?? demuxer.wholeDuration?.promised
        let read = Double(end) / Double(sampleRate)
        // Two packets and what decoders make before the sound begins may be counted or not.
        let slack = (2 * Double(last == .min ? 0 : end - last) + Double(padding)) / Double(sampleRate) + 0.01
        let isCut = try demuxer.isOgg ? OggEnd(file).isCutOff : promised.map { read < $0 - slack } ?? false
        guard !isCut else {
            let length = promised.map { $0 > read + slack ? " of \($0.thousandths) s" : "" } ?? ""
            throw damage("its sound is cut off after \(read.thousandths) s\(length)")
        }
        return Summary(codecName: codecName, end: Rational(Int128(end), Int128(sampleRate)), packetCount: count)
    }

    private func read() throws(FFmpegError) -> Packet? {
        guard let packet = try demuxer.read() else { return nil }
        guard let stored = packet.pts ?? packet.dts, let samples = frames.samples(of: packet.bytes) else {
            throw damage("a packet of its sound is damaged")
        }
        let (time, duration) = try place(packet, stored, samples)
        guard time > max(last, -(1 << 40)), time < 1 << 40 else {
            throw damage("the packets of its sound are not in order of time")
        }
        // Ogg has no silence without packets: what is missing was damaged.
        guard !demuxer.isOgg || expected.map({ time <= $0 + samples }) ?? true else {
            throw damage("its sound is damaged at \((Double(time) / Double(sampleRate)).thousandths) s")
        }
        guard count < AudioSource.mostPackets else {
            throw damage("it has more than \(AudioSource.mostPackets) packets of sound")
        }
        (packet.packet.pointee.pts, packet.packet.pointee.dts) = (Int64(time), Int64(time))
        packet.packet.pointee.duration = Int64(duration)
        (last, expected, end, count) = (time, time + samples, max(end, time + duration), count + 1)
        return packet
    }

    private func damage(_ reason: String) -> FFmpegError {
        FFmpegError(code: LV_ERROR_INVALIDDATA, operation: "read \(file.path)", reason: reason)
    }

    private var padding: Int { Int(parameters.parameters.pointee.initial_padding) }

    /// When a packet comes and how long it sounds, in samples. A clock that is coarser than samples only tells whether packets
    /// follow each other; where they do, their own lengths are exact.
    private func place(_ packet: Packet, _ stored: Int64, _ samples: Int) throws(FFmpegError) -> (Int, Int) {
        let unit = demuxer.timeBase * Rational(sampleRate)
        guard abs(stored) < 1 << 40, packet.duration < 1 << 40 else { return (.max, 0) }
        let time = (unit * Rational(Int(stored))).rounded
        guard unit > 1 else {
            let duration = (unit * Rational(Int(packet.duration))).rounded
            return (time, duration > 0 ? duration : samples)
        }
        let due = expected ?? -padding
        let isDue = abs(time - due) <= 2 * (unit.floor + 1)
        return (isDue ? due : time, max(1, samples - packet.discardedSamples))
    }
}

/// Sound as a stream of a container, copied packet by packet.
final class AudioStream: SideStream {
    let stream: UnsafeMutablePointer<AVStream>
    private let source: AudioSource
    /// How many samples later than it sounds a packet is said to be.
    private let delay: Int64

    /// Describes the sound in a container that has not begun.
    init(
        _ source: AudioSource, in context: UnsafeMutablePointer<AVFormatContext>, _ container: Container
    ) throws(FFmpegError) {
        self.source = source
        // Matroska tells how much of a stream comes before the sound begins, and counts time from there on. FFmpeg's muxer
        // says so of Opus, but before FFmpeg 7 it left the times as they were.
        let padding = Int64(source.parameters.parameters.pointee.initial_padding)
        let isLate = !container.isQuickTime && source.codecName == "opus" && lv_version_major(avformat_version()) < 61
        delay = isLate ? padding : 0
        stream = try unwrap(avformat_new_stream(context, nil), "add sound")
        try check(avcodec_parameters_copy(stream.pointee.codecpar, source.parameters.parameters), "describe the sound")
        stream.pointee.time_base = av_make_q(1, Int32(source.sampleRate))
        stream.pointee.disposition |= AV_DISPOSITION_DEFAULT
        if let language = source.language { av_dict_set(&stream.pointee.metadata, "language", language, 0) }
    }

    var nextTime: Rational? { source.nextTime }

    func next() throws(FFmpegError) -> Packet? {
        guard let packet = try source.next() else { return nil }
        let clock = av_make_q(1, Int32(source.sampleRate))
        packet.packet.pointee.pts += delay
        packet.packet.pointee.dts += delay
        av_packet_rescale_ts(packet.packet, clock, stream.pointee.time_base)
        return packet
    }
}

extension Packet {
    /// How many of its last samples are not to be heard.
    fileprivate var discardedSamples: Int {
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, nil) else { return 0 }
        // Little-endian, behind the number of samples to leave out at the beginning.
        return (4..<8).reduce(0) { $0 | Int(data[$1]) << (8 * ($1 - 4)) }
    }
}
