import Media
import Pipeline

/// One encoder for a whole clip: what remains if pictures cost nothing.
struct BareEncoder {
    let settings: EncoderSettings

    /// What it made, and what that took.
    struct Run {
        /// From opening the encoder to its last packet.
        let cost: RunCost
        let packets: [Packet]
        let parameters: CodecParameters

        var byteCount: Int { packets.reduce(0) { $0 + $1.byteCount } }
    }

    /// An encoder with a plan's settings, but another number of threads; 0 leaves it to the encoder.
    init(_ plan: RenderPlan, threads: Int) {
        var settings = plan.encoder
        settings.threads = threads
        self.settings = settings
    }

    /// Encodes the first `frameCount` pictures.
    func encode(_ pictures: ClipPictures, frameCount: Int, _ cancellation: CancellationToken) throws -> Run {
        let gauge = RunGauge()
        let encoder = try settings.pictureEncoder()
        var packets: [Packet] = []
        for frame in 0..<frameCount {
            try cancellation.check()
            packets += try encoder.encode(pictures[frame], pts: frame)
        }
        packets += try encoder.finish()
        let cost = gauge.cost
        return Run(cost: cost, packets: packets, parameters: try encoder.parameters())
    }
}
