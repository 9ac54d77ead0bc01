import Animations
import Batch
import Core
import Render

/// The progress of a batch and the results of its outputs, on standard error.
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
        var timing: TimeMap.Timing?
        var bytes: Int?
        var seconds: Double?
        var notes: [ClipNote]?
    }

    // `ProgressDisplay` serialises the lines of several threads.
    nonisolated(unsafe) private let display: ProgressDisplay
    /// The task-local program name, which threads that render outputs do not inherit.
    private let program = Program.name

    /// Starts the display of a batch's progress.
    init(_ style: ProgressDisplay.Style, directory: String, progress: BatchProgress) {
        display = ProgressDisplay(style, name: directory) {
            let frames = progress.frames
            let clips = progress.clips
            return ProgressDisplay.Moment(done: frames.done, total: frames.total, share: progress.share, clips: clips)
        }
    }

    /// Prints an event of the batch.
    func show(_ event: BatchEvent) {
        guard display.style != .json else { return Self.printEvents(of: event) }
        guard case .finished(let result) = event else { return }
        if let error = result.error {
            display.print("\(program): \(result.path): \(error.description)")
        } else if result.state == .made, display.style == .plain {
            let seconds = NumberText.decimal(result.seconds, places: 2)
            display.print("\(result.path): \(Summary.bytes(result.bytes ?? 0)) in \(seconds) s (\(result.reason))")
        }
    }

    /// Ends the display.
    func end() { display.end() }

    /// Prints an event of the batch as JSON.
    static func printEvents(of event: BatchEvent) { events(of: event).forEach { printEvent($0) } }

    private static func events(of event: BatchEvent) -> [Event] {
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
                    duration: result.duration?.roundedToThousandths, timing: result.timing, bytes: result.bytes,
                    seconds: result.seconds > 0 ? result.seconds.roundedToThousandths : nil,
                    notes: result.notes.isEmpty ? nil : result.notes)
            ]
        }
    }
}

/// A table of the outputs that a batch would render.
struct DryRun {
    private let rows: [[String]]
    private let totals: String

    /// Examines a directory, which need not exist, without changing anything. Throws
    /// `LoadervidError` if the batch's records cannot be read.
    init(_ plan: BatchPlan, in directory: String, _ options: BatchRun.Options) throws {
        let outputs = plan.clips.flatMap(\.outputs)
        let states = try OutputState.all(of: plan, in: directory, options)
        var stale = 0
        var frames = 0
        var bytes = 0
        rows = outputs.map { output in
            let plan = output.requested.plan
            var verdict: String
            switch states[output.requested.path] {
            case .stale(let reason, _, _)?:
                verdict = "make (\(reason))"
                stale += 1
                frames += plan.framesToEncode
                bytes += plan.estimatedBytes
            case .refused(let error)?: verdict = "refused: \(error.description)"
            case .upToDate?, nil: verdict = "up to date"
            }
            return [
                output.requested.path, "\(plan.frameCount)", Summary.length(plan.duration.double),
                plan.source.timing?.rawValue ?? "", "\(plan.framesToEncode)", "\(plan.width)x\(plan.height)",
                Summary.bytes(plan.estimatedBytes), verdict,
            ]
        }
        totals =
            "\(Summary.count(outputs.count, "output")), \(stale) to make: \(Summary.count(frames, "frame")) to encode, "
            + "about \(Summary.bytes(bytes))"
    }

    /// A table of all outputs, and a line with the totals.
    var lines: [String] {
        let head = ["output", "frames", "length", "timing", "to encode", "pixels", "about", "action"]
        return Table.lines(ofFiles: [head] + rows, columns: Machine.outputColumns, optional: 3) + [totals]
    }
}
