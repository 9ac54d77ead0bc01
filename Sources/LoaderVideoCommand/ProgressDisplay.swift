import ArgumentParser
import Core
import Dispatch
import Render

/// The progress of a clip, a page or a batch, on standard error.
final class ProgressDisplay {
    /// A form of the display.
    enum Style: String, CaseIterable, ExpressibleByArgument {
        /// A bar on a terminal, plain lines elsewhere.
        case auto
        /// One line that is redrawn in place.
        case bar
        /// A new line every two seconds.
        case plain
        /// One JSON object per line.
        case json
        /// No output.
        case none

        /// The concrete style for `auto`.
        var shown: Style { self != .auto ? self : Machine.standardErrorIsTerminal ? .bar : .plain }
    }

    /// The state of the work at one instant.
    struct Moment {
        /// Frames drawn so far.
        var done: Int
        /// Frames to draw.
        var total: Int
        /// The fraction of the work that is done, 0...1.
        var share: Double
        /// Finished clips and clips to render; nil for a single clip.
        var clips: (done: Int, total: Int)?
        /// Frames whose colours have been counted and their total; nil once encoding has begun.
        var counted: (done: Int, total: Int)?
        /// The current rendering of a clip with a file size limit.
        var trial: RenderProgress.Trial?
        /// The start of that rendering in nanoseconds of system uptime; nil for the start of the
        /// display.
        var start: UInt64?
        /// The start of encoding after colours were counted, in nanoseconds of system uptime.
        var encodingStart: UInt64?

        /// True while colours are counted.
        var isCounting: Bool { counted.map { $0.done < $0.total } ?? false }
    }

    private struct Event: Encodable {
        var event: String
        var output: String?
        var clip: Int?
        var clips: Int?
        var frame: Int
        var frames: Int
        var framesPerSecond: Double
        var secondsLeft: Double?
        var share: Double?
        var counted: Int?
        var trial: Int?
        var maxTrials: Int?
        var trying: [String: String]?
        var bytes: Int?
        var duration: Double?
        var concessions: [String: String]?
        var timing: String?
        var notes: [ClipNote]?
    }

    /// The style in use; never `auto`.
    let style: Style
    private let line: ProgressLine
    /// Serialises writes, so that lines and the bar do not mix.
    private let writeLock = Locked(())
    private let thread = ThreadGroup()
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the display.
    ///
    /// - Parameters:
    ///   - name: the name of the work in each line.
    ///   - moment: returns the current state of the work; called from any thread.
    init(_ style: Style, name: String, moment: @escaping @Sendable () -> Moment) {
        let style = style.shown
        self.style = style
        let line = ProgressLine(name: name, moment: moment)
        self.line = line
        guard style != .none else { return }
        let interval = style == .bar ? DispatchTimeInterval.milliseconds(100) : .seconds(2)
        // If no thread can be started, the work continues without a display.
        _ = thread.start { [writeLock, ended] in
            while ended.wait(timeout: .now() + interval) == .timedOut {
                writeLock.withLock { _ in ProgressDisplay.show(line.now, style) }
            }
        }
    }

    /// Prints the current state. Drops it if the reader is blocked, since newer figures follow.
    private static func show(_ now: ProgressReading, _ style: Style) {
        switch style {
        case .bar:
            let bar = now.bar(width: Machine.terminalWidth).visible
            writeRaw("\r\u{1B}[K" + bar, to: STDERR_FILENO, waits: false)
        case .plain: printError(now.plain, waits: false)
        case .json: printEvent(now.event("progress", bytes: nil), waits: false)
        case .auto, .none: break
        }
    }

    /// Starts the display of a clip's progress.
    convenience init(_ style: Style, name: String, plan: RenderPlan, progress: RenderProgress) {
        // Repeated frames are encoded once. As the report does, the display counts all of them.
        let encodedCount = max(1, plan.framesToEncode)
        let frameCount = plan.frameCount
        self.init(style, name: name) {
            let now = progress.snapshot
            var moment = Moment(
                done: now.framesEncoded * frameCount / encodedCount,
                total: now.frames > 0 ? now.frames * frameCount / encodedCount : frameCount, share: now.share)
            if now.framesToCount > 0 { moment.counted = (now.framesCounted, now.framesToCount) }
            moment.trial = now.trial
            moment.start = now.trialStart
            moment.encodingStart = now.encodingStart
            return moment
        }
    }

    /// Writes a line to standard error, after clearing the bar. Thread-safe.
    func print(_ text: String) {
        writeLock.withLock { _ in
            clearBar()
            printError(text)
        }
    }

    /// Ends the display, and clears the bar.
    func end() {
        ended.signal()
        // Waits for a write in progress, so that it cannot follow the next line.
        thread.wait()
        clearBar()
    }

    private func clearBar() { if style == .bar { writeRaw("\r\u{1B}[K", to: STDERR_FILENO) } }

    /// Prints the JSON event for a finished clip.
    func done(_ summary: Summary, notes: [ClipNote]) {
        let report = summary.report
        var event = line.now.event("done", bytes: report.byteCount)
        // With a size limit, the progress may be that of a trial that was rejected later.
        event.frame = report.frameCount
        event.frames = report.frameCount
        event.share = nil
        event.counted = nil
        event.trying = nil
        event.trial = report.fit?.trials
        event.maxTrials = nil
        event.duration = summary.duration.roundedToThousandths
        event.timing = summary.timing
        if !notes.isEmpty { event.notes = notes }
        if let fit = report.fit { event.concessions = fit.step.texts }
        printEvent(event)
    }

    /// Prints a JSON event for a finished file of `byteCount` bytes.
    func done(byteCount: Int) { printEvent(line.now.event("done", bytes: byteCount)) }

    /// The work and the start of its display.
    private struct ProgressLine: Sendable {
        let name: String
        let moment: @Sendable () -> Moment
        private let start = DispatchTime.now().uptimeNanoseconds

        init(name: String, moment: @escaping @Sendable () -> Moment) {
            self.name = name
            self.moment = moment
        }

        var now: ProgressReading {
            let moment = moment()
            let phaseStart = moment.encodingStart ?? moment.start ?? start
            let nanoseconds = DispatchTime.now().uptimeNanoseconds.subtractingReportingOverflow(phaseStart)
            let seconds = nanoseconds.overflow ? 0 : Double(nanoseconds.partialValue) / 1e9
            return ProgressReading(name: name, seconds: seconds, moment: moment)
        }
    }

    /// The figures of the display at one instant.
    private struct ProgressReading {
        let name: String
        /// Seconds since the start of the current phase, which is counting colours or encoding.
        let seconds: Double
        let moment: Moment

        private var framesPerSecond: Double {
            let frames = moment.isCounting ? moment.counted?.done ?? 0 : moment.done
            return Double(frames) / max(seconds, 0.001)
        }

        /// The remaining time at the speed so far; nil while colours are counted, whose speed says
        /// nothing about encoding.
        private var secondsLeft: Double? {
            guard !moment.isCounting else { return nil }
            // After counting, only encoding takes time. Otherwise the fraction may weight clips.
            let share =
                moment.counted == nil ? moment.share : min(1, Double(moment.done) / Double(max(1, moment.total)))
            return share > 0 ? seconds * (1 - share) / share : nil
        }

        private var figures: String {
            let clips = moment.clips.map { "\($0.done)/\($0.total) clips, " } ?? ""
            let trial = moment.trial.map { "trial \($0.number) of at most \($0.maxCount): \($0.step.label), " } ?? ""
            let left = secondsLeft.map { ", \(ProgressReading.clock($0)) left" } ?? ""
            let frames =
                moment.counted.flatMap { moment.isCounting ? "colours of \($0.done)/\($0.total) frames counted" : nil }
                ?? "\(moment.done)/\(moment.total) frames"
            return "\(trial)\(clips)\(Int(moment.share * 100))%, \(frames), \(Int(framesPerSecond)) frames/s\(left)"
        }

        var plain: String { "\(name): \(figures)" }

        func bar(width: Int) -> String {
            let shortName = name.visible.shortenedMiddle(toColumns: 24)
            let text = " \(figures)"
            let cells = max(0, min(40, width - 1 - shortName.displayWidth - 3 - text.displayWidth))
            guard cells >= 8 else { return "\(shortName)\(text)".shortenedEnd(toColumns: width - 1) }
            let full = Int(Double(cells) * moment.share)
            let empty = String(repeating: " ", count: cells - full)
            return "\(shortName) [\(String(repeating: "=", count: full))\(empty)]\(text)"
        }

        func event(_ event: String, bytes: Int?) -> Event {
            var event = Event(
                event: event, output: moment.clips == nil ? name : nil, clip: moment.clips?.done,
                clips: moment.clips?.total, frame: moment.done, frames: moment.total,
                framesPerSecond: (framesPerSecond * 10).rounded() / 10,
                secondsLeft: secondsLeft.map { ($0 * 10).rounded() / 10 }, bytes: bytes)
            event.share = (moment.share * 1000).rounded() / 1000
            event.counted = moment.counted?.done
            event.trial = moment.trial?.number
            event.maxTrials = moment.trial?.maxCount
            event.trying = moment.trial?.step.texts
            return event
        }

        private static func clock(_ seconds: Double) -> String {
            let whole = Int(seconds.rounded(.up))
            let rest = whole % 60
            return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
        }
    }
}

/// Writes an event to standard error, as a JSON object on one line.
///
/// - Parameter waits: true to wait for a blocked reader; false may drop the event.
func printEvent(_ event: some Encodable, waits: Bool = true) {
    guard let text = try? JSONCoding.text(event) else { return }
    writeRaw(loggedJSON(text.visible) + "\n", to: STDERR_FILENO, waits: waits)
}
