import Media
import Motion
import Pipeline

/// Compares a decoded clip with the pictures that were encoded, each for as long as it is shown.
struct PictureComparison {
    private let pictures: ClipPictures
    private let hasLongFrames: Bool
    private let cancellation: CancellationToken
    /// nil once a picture could not be compared.
    private var error: SquaredError? = SquaredError()
    private var shown: (picture: VideoFrame, frame: Int)?

    /// The PSNR of packets with times in frames, in dB; nil if the decoder gives pictures of another format.
    static func psnr(
        of run: BareEncoder.Run, against pictures: ClipPictures, _ cancellation: CancellationToken
    ) throws -> Double? {
        var comparison = PictureComparison(pictures, hasLongFrames: false, cancellation)
        let decoder = try VideoDecoder(run.parameters)
        for packet in run.packets.map(Optional.some) + [nil] {
            for picture in try decoder.decode(packet) {
                try comparison.add(picture, atFrame: Int(picture.bestTimestamp ?? -1))
            }
        }
        return try comparison.finish()
    }

    /// The PSNR of a plan's file in dB, likewise, and how many bytes its packets have.
    static func psnr(
        ofFile path: String, of plan: RenderPlan, against pictures: ClipPictures, _ cancellation: CancellationToken
    ) throws -> (psnr: Double?, packetBytes: Int) {
        var comparison = PictureComparison(pictures, hasLongFrames: plan.hasLongFrames, cancellation)
        let demuxer = try Demuxer(path: path)
        let decoder = try VideoDecoder(demuxer.parameters())
        let framesPerTick = demuxer.timeBase * plan.encoder.frameRate.framesPerSecond
        var byteCount = 0
        while true {
            let packet = try demuxer.read()
            byteCount += packet?.byteCount ?? 0
            for picture in try decoder.decode(packet) {
                let frame = (Rational(Int(picture.bestTimestamp ?? -1)) * framesPerTick).rounded
                try comparison.add(picture, atFrame: frame)
            }
            if packet == nil { return (try comparison.finish(), byteCount) }
        }
    }

    private init(_ pictures: ClipPictures, hasLongFrames: Bool, _ cancellation: CancellationToken) {
        (self.pictures, self.hasLongFrames, self.cancellation) = (pictures, hasLongFrames, cancellation)
    }

    private mutating func add(_ picture: VideoFrame, atFrame frame: Int) throws {
        try cancellation.check()
        try compareShown(until: frame)
        shown = (picture, frame)
    }

    private mutating func finish() throws -> Double? {
        try compareShown(until: pictures.frameCount)
        return error?.psnr
    }

    /// Compares the last picture with those of all frames that show it: one, unless a run of frames is one long one.
    private mutating func compareShown(until end: Int) throws {
        let start = shown?.frame ?? -1
        guard end > start, end <= pictures.frameCount, end == start + 1 || hasLongFrames && shown != nil else {
            throw RenderError(
                .internal,
                "after frame \(start) of \(pictures.frameCount) frame \(end) was decoded: the clip is not whole")
        }
        guard let shown else { return }
        for frame in start..<end {
            if let added = shown.picture.squaredError(from: pictures[frame]) {
                error?.add(added)
            } else {
                error = nil
            }
        }
    }
}
