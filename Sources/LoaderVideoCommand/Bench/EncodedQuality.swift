import Core
import Media
import Render

/// A comparison of a decoded clip with the frames that were encoded, each at its time.
struct EncodedQuality {
    private let frames: BenchmarkFrames
    private let hasLongFrames: Bool
    private let cancellation: CancellationToken
    /// The error so far; nil after a frame that could not be compared.
    private var error: SquaredError? = SquaredError()
    private var shown: (decoded: VideoFrame, frame: Int)?

    /// Returns the PSNR in dB of packets with timestamps in frames; nil if the decoder's pixel
    /// format differs.
    static func psnr(
        of run: BareEncoder.Run, against frames: BenchmarkFrames, _ cancellation: CancellationToken
    ) throws -> Double? {
        var comparison = EncodedQuality(frames, hasLongFrames: false, cancellation)
        let decoder = try VideoDecoder(run.parameters)
        for packet in run.packets.map(Optional.some) + [nil] {
            for decoded in try decoder.decode(packet) {
                try comparison.add(decoded, atFrame: Int(decoded.bestTimestamp ?? -1))
            }
        }
        return try comparison.finish()
    }

    /// Returns the PSNR in dB of a plan's file, nil if the decoder's pixel format differs, and the
    /// total size of its packets in bytes.
    static func psnr(
        ofFile path: String, of plan: RenderPlan, against frames: BenchmarkFrames, _ cancellation: CancellationToken
    ) throws -> (psnr: Double?, packetBytes: Int) {
        var comparison = EncodedQuality(frames, hasLongFrames: plan.hasLongFrames, cancellation)
        let demuxer = try Demuxer(path: path)
        let decoder = try VideoDecoder(demuxer.parameters())
        let framesPerTick = demuxer.timeBase * plan.encoder.frameRate.framesPerSecond
        var byteCount = 0
        while true {
            let packet = try demuxer.read()
            byteCount += packet?.byteCount ?? 0
            for decoded in try decoder.decode(packet) {
                let frame = (Rational(Int(decoded.bestTimestamp ?? -1)) * framesPerTick).rounded
                try comparison.add(decoded, atFrame: frame)
            }
            if packet == nil { return (try comparison.finish(), byteCount) }
        }
    }

    private init(_ frames: BenchmarkFrames, hasLongFrames: Bool, _ cancellation: CancellationToken) {
        self.frames = frames
        self.hasLongFrames = hasLongFrames
        self.cancellation = cancellation
    }

    private mutating func add(_ decoded: VideoFrame, atFrame frame: Int) throws {
        try cancellation.check()
        try compareShown(until: frame)
        shown = (decoded, frame)
    }

    private mutating func finish() throws -> Double? {
        try compareShown(until: frames.frameCount)
        return error?.psnr
    }

    /// Compares the last decoded frame with each frame up to `end` that it represents: exactly one,
    /// unless the clip merges runs of equal frames. Throws `LoadervidError` if frames are missing.
    private mutating func compareShown(until end: Int) throws {
        let start = shown?.frame ?? -1
        guard end > start, end <= frames.frameCount, end == start + 1 || hasLongFrames && shown != nil else {
            throw LoadervidError(
                .internal,
                "frame \(end) of \(frames.frameCount) was decoded after frame \(start); the clip is incomplete")
        }
        guard let shown else { return }
        for frame in start..<end {
            if let added = shown.decoded.squaredError(from: frames[frame]) {
                error?.add(added)
            } else {
                error = nil
            }
        }
    }
}
