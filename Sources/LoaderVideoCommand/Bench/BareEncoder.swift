import Media
import Render

/// One encoder for a whole clip, fed with frames from memory: the cost of a clip whose frames are
/// free.
struct BareEncoder {
    let settings: EncoderSettings

    /// The packets and cost of an encoded clip.
    struct Run {
        /// The cost from opening the encoder to its last packet.
        let cost: RunCost
        let packets: [Packet]
        let parameters: CodecParameters

        var byteCount: Int { packets.reduce(0) { $0 + $1.byteCount } }
    }

    /// An encoder with a plan's settings and the given number of threads; 0 lets the encoder
    /// choose.
    init(_ plan: RenderPlan, threads: Int) {
        var settings = plan.encoder
        settings.threads = threads
        self.settings = settings
    }

    /// Encodes the first `frameCount` frames.
    func encode(_ frames: BenchmarkFrames, frameCount: Int, _ cancellation: CancellationToken) throws -> Run {
        let gauge = RunGauge()
        let encoder = try settings.makeEncoder()
        var packets: [Packet] = []
        for frame in 0..<frameCount {
            try cancellation.check()
            packets += try encoder.encode(frames[frame], pts: frame)
        }
        packets += try encoder.finish()
        let cost = gauge.cost
        return Run(cost: cost, packets: packets, parameters: try encoder.parameters())
    }
}
