import Motion
import Batch
import Pipeline

/// Shows on standard error how far a batch is, and what becomes of its outputs.
final class BatchDisplay: Sendable {
    private struct Event: Encodable {
        var event: String
        var output: String?
        var outputs: Int?
        var stale: Int?
        var reason: String?
        var error: String?
        var exitCode: Int32?
        var frames: Int?
        var duration: Double?
        var bytes: Int?
        var seconds: Double?
    }

    // It keeps what several threads write apart.
    nonisolated(unsafe) private let display: ProgressDisplay
    /// What the program is called and which options it has; the threads that make outputs do not know it.
    private let (program, words) = (Program.name, WayOut.words)

    /// Begins to show a batch's progress.
    init(_ style: ProgressDisplay.Style, directory: String, progress: BatchProgress) {
        display = ProgressDisplay(style, name: directory) {
            let (frames, clips) = (progress.frames, progress.clips)
            return ProgressDisplay.Moment(done: frames.done, total: frames.total, share: progress.share, clips: clips)
        }
    }

    /// Says what happened.
    func show(_ event: BatchEvent) { WayOut.$words.withValue(words) { tell(event) } }

    private func tell(_ event: BatchEvent) {
        guard display.style != .json else { return self.events(of: event).forEach { printEvent($0) } }
        guard case .finished(let result) = event else { return }
        if let error = result.error {
            display.say("\(program): \(result.path): \(error.description)")
        } else if result.state == .made, display.style == .plain {
            let seconds = Summary.decimal(result.seconds, places: 2)
            display.say("\(result.path): \(Summary.bytes(result.bytes ?? 0)) in \(seconds) s (\(result.reason))")
        }
    }

    /// Stops showing.
    func end() { display.end() }

    private func events(of event: BatchEvent) -> [Event] {
        switch event {
        case .began(let outputs, let stale, let frames):
            [Event(event: "plan", outputs: outputs, stale: stale, frames: frames)]
        case .started(let outputs): outputs.map { Event(event: "start", output: $0.path, reason: $0.reason) }
        case .finished(let result):
            [
                Event(
                    event: result.state == .made ? "done" : result.state.rawValue, output: result.path,
                    reason: result.reason.isEmpty ? nil : result.reason, error: result.error?.description,
                    exitCode: result.error.map { Failure.code(of: $0.kind) }, frames: result.frames,
                    duration: result.duration?.thousandths, bytes: result.bytes,
                    seconds: result.seconds > 0 ? result.seconds.thousandths : nil)
            ]
        }
    }
}

/// What a batch would do, as a table.
struct DryRun {
    private let rows: [[String]]
    private let totals: String

    /// Looks at a directory, which need not be there, without changing anything.
    init(_ plan: BatchPlan, in directory: String, _ options: BatchRun.Options) throws {
        let outputs = plan.clips.flatMap(\.outputs)
        let states = try OutputState.all(of: plan, in: directory, options)
        var (stale, frames, bytes) = (0, 0, 0)
        rows = outputs.map { output in
            let plan = output.wish.plan
            var verdict: String
            switch states[output.wish.path] {
            case .stale(let reason, _)?:
                verdict = "make (\(reason))"
                stale += 1
                frames += plan.framesToEncode
                bytes += plan.estimatedBytes
            case .refused(let error)?: verdict = "refused: \(error.description)"
            case .upToDate?, nil: verdict = "up to date"
            }
            return [
                output.wish.path, "\(plan.frameCount)", Summary.length(plan.duration.double), "\(plan.framesToEncode)",
                "\(plan.width)x\(plan.height)", Summary.bytes(plan.estimatedBytes), verdict,
            ]
        }
        totals =
            "\(outputs.count) outputs, \(stale) to make: \(frames) frames to encode, about \(Summary.bytes(bytes))"
    }

    /// A table of all outputs, and a line with the totals.
    var lines: [String] {
        let head = ["output", "frames", "length", "to encode", "pixels", "about", "what and why"]
        return Table.lines([head] + rows) + [totals]
    }
}
