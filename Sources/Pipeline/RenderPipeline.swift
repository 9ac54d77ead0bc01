import Dispatch
import Media

/// What was made.
public struct RenderReport: Sendable {
    /// Frames in the clip.
    public let frameCount: Int
    /// Frames that were drawn and encoded; the others were played again.
    public let encodedFrames: Int
    /// Size of the output.
    public let byteCount: Int
    /// Wall time in seconds.
    public let seconds: Double
}

/// Where a clip goes.
public enum RenderTarget {
    /// A file that appears whole or not at all.
    case file(OutputFile)
    /// Standard output, as it comes.
    case standardOutput(StandardOutput)
}

/// Carries out plans: workers draw and encode segments side by side, and one thread muxes them in order.
public struct RenderPipeline: Sendable {
    private let plan: RenderPlan
    private let workers: Int
    /// How far it is.
    public let progress = RenderProgress()
    /// Stops it soon when asked.
    public let cancellation: CancellationToken

    /// A pipeline with at most `jobs` workers, fewer if they would need more than `memory` bytes.
    public init(_ plan: RenderPlan, jobs: Int, memory: Int, cancellation: CancellationToken = CancellationToken()) {
        self.plan = plan
        workers = plan.workers(jobs: jobs, memory: memory)
        self.cancellation = cancellation
    }

    /// Renders the clip. Throws `RenderError` with the first cause, and leaves nothing behind.
    public func run(to target: RenderTarget) throws -> RenderReport {
        let start = DispatchTime.now().uptimeNanoseconds
        let queue = SegmentQueue(count: plan.workCount, capacity: 2 * workers, cancellation: cancellation)
        let crew = DispatchGroup()
        startWorkers(on: queue, crew)
        defer {
            queue.stop()
            crew.wait()
        }
        do {
            let assembly = ClipAssembly(plan, to: target)
            for position in 0..<plan.playCount {
                try cancellation.check()
                let played = plan.played(at: position)
                let segment = try assembly.kept(played) ?? queue.collect()
                try assembly.append(segment, as: played)
            }
            let byteCount = try assembly.finish(cancellation)
            let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            return RenderReport(
                frameCount: plan.timeMap.frameCount, encodedFrames: plan.framesToEncode, byteCount: byteCount,
                seconds: seconds)
        } catch { throw RenderError(error) }
    }

    /// Each worker takes segments until there are none: draws, converts and encodes them with its own tools.
    private func startWorkers(on queue: SegmentQueue, _ crew: DispatchGroup) {
        let dispatchQueue = DispatchQueue(label: "loadervid.segments", attributes: .concurrent)
        for _ in 0..<workers {
            dispatchQueue.async(group: crew) { [plan, progress] in
                var tools: SegmentEncoder?
                while let number = queue.take() {
                    queue.deliver(of: number) {
                        let encoder = try tools ?? SegmentEncoder(plan)
                        tools = encoder
                        return try encoder.encode(plan.work(number), progress: progress, checkpoint: queue.check)
                    }
                }
            }
        }
    }
}

/// Puts segments together into a clip: shifts their times, muxes them, and keeps those that will be played again.
private final class ClipAssembly {
    private let plan: RenderPlan
    private let target: RenderTarget
    private var muxer: Muxer?
    private var parameters: CodecParameters?
    private var delay = 0
    private var keptSegments: [EncodedSegment] = []

    init(_ plan: RenderPlan, to target: RenderTarget) { (self.plan, self.target) = (plan, target) }

    /// The segment from an earlier cycle, if this is a repeat.
    func kept(_ played: RenderPlan.Played) -> EncodedSegment? {
        played.isReplay ? keptSegments[played.segment.index] : nil
    }

    func append(_ segment: EncodedSegment, as played: RenderPlan.Played) throws {
        if keptSegments.count == played.segment.index, keptSegments.count < plan.replayedSegments {
            keptSegments.append(segment)
        }
        let muxer = try self.muxer ?? openMuxer(for: segment)
        guard segment.parameters == parameters else {
            throw RenderError(
                .internal, "\(plan.encoder.encoder) made segments with different headers: it cannot be used")
        }
        // Times count from the segment's first frame. Decoding runs ahead of presentation by the same delay throughout,
        // which keeps decoding times growing across segments of any length.
        for (number, packet) in segment.packets.enumerated() {
            let pts = played.firstFrame + Int(packet.pts ?? Int64(number))
            let dts = played.firstFrame + number - delay
            guard dts <= pts else {
                throw RenderError(
                    .internal, "\(plan.encoder.encoder) reorders more pictures than it says: it cannot be used")
            }
            try muxer.write(packet, pts: pts, dts: dts)
        }
    }

    private func openMuxer(for first: EncodedSegment) throws -> Muxer {
        // Players find VP8's and VP9's transparency by this mark.
        let isVPX = plan.encoder.encoder.hasPrefix("libvpx")
        let metadata = isVPX && plan.encoder.pixelFormat.hasAlpha ? ["alpha_mode": "1"] : [:]
        let (sink, url): (any ByteSink, String) =
            switch target {
            case .file(let file): (file, "file:" + file.temporaryPath)
            case .standardOutput(let output): (output, "")
            }
        let muxer = try self.muxer(for: first.parameters, sink, url, metadata)
        (self.muxer, parameters, delay) = (muxer, first.parameters, max(first.reorderDelay, plan.reorderDelay))
        return muxer
    }

    /// Only beginning a container tells whether it takes this stream.
    private func muxer(
        for parameters: CodecParameters, _ sink: any ByteSink, _ url: String, _ metadata: [String: String]
    ) throws -> Muxer {
        do {
            return try Muxer(
                plan.container, to: sink, url: url, parameters: parameters, frameRate: plan.encoder.frameRate,
                metadata: metadata, chapters: plan.chapters)
        } catch let error as FFmpegError {
            throw RenderError(
                .usage,
                "\(plan.container) does not take \(parameters.codecName) in \(plan.encoder.pixelFormat) "
                    + "(\(error.reason)): choose another container or codec")
        }
    }

    /// Ends the container and gives the file its name, unless that is no longer wanted. Returns the size in bytes.
    func finish(_ cancellation: CancellationToken) throws -> Int {
        try muxer?.finish()
        try cancellation.check()
        switch target {
        case .file(let file): return try file.commit()
        case .standardOutput(let output): return output.byteCount
        }
    }
}
