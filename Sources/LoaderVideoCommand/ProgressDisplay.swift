import ArgumentParser
import Dispatch
import PlatformFoundation
import Platform
import Pipeline

/// Shows on standard error how far a clip is.
final class ProgressDisplay {
    /// How it is shown.
    enum Style: String, CaseIterable, ExpressibleByArgument {
        /// A bar on a terminal, plain lines elsewhere.
        case auto
        /// A line that is drawn over and over.
        case bar
        /// A line every two seconds.
        case plain
        /// A JSON object a line.
        case json
        /// Nothing.
        case none
    }

    /// How far the work is at one moment.
    struct Moment {
        /// Frames drawn so far.
        var done: Int
        /// Frames to draw.
        var total: Int
        /// How much of the work is done, 0...1.
        var share: Double
        /// Clips that ended and clips to render, if there are several.
        var clips: (done: Int, total: Int)?
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
        var bytes: Int?
        var duration: Double?
        var concessions: [String: String]?
    }

    /// How it is shown; never `auto`.
    let style: Style
    private let line: ProgressLine
    /// Keeps lines whole, and the bar away from them.
    private let turn = Locked(())
    private let thread = ThreadGroup()
    private let ended = DispatchSemaphore(value: 0)

    /// Begins to show the progress of work with a name; `moment` tells how far it is, from any thread.
    init(_ style: Style, name: String, moment: @escaping @Sendable () -> Moment) {
        let style = style == .auto ? (Machine.standardErrorIsTerminal ? .bar : .plain) : style
        self.style = style
        let line = ProgressLine(name: name, moment: moment)
        self.line = line
        guard style != .none else { return }
        let interval = style == .bar ? DispatchTimeInterval.milliseconds(100) : .seconds(2)
        // Where there may be no more threads the work is more important than its display.
        _ = thread.start { [turn, ended] in
            while ended.wait(timeout: .now() + interval) == .timedOut {
                turn.withLock { _ in ProgressDisplay.show(line.now, style) }
            }
        }
    }

    /// Shows how far the work is, unless nobody reads: then later figures will do.
    private static func show(_ now: ProgressReading, _ style: Style) {
        switch style {
        case .bar:
            let bar = now.bar(width: Machine.terminalWidth).visible
            writeRaw("\r\u{1B}[K" + bar, to: STDERR_FILENO, waits: false)
        case .plain: writeRaw(now.plain.visible + "\n", to: STDERR_FILENO, waits: false)
        case .json: printEvent(now.event("progress", bytes: nil), waits: false)
        case .auto, .none: break
        }
    }

    /// Begins to show a clip's progress.
    convenience init(_ style: Style, name: String, plan: RenderPlan, progress: RenderProgress) {
        let total = plan.framesToEncode
        self.init(style, name: name) {
            let done = progress.framesEncoded
            return Moment(done: done, total: total, share: Double(done) / Double(max(1, total)))
        }
    }

    /// Writes a line to standard error, from any thread; a bar makes room for it.
    func say(_ text: String) {
        turn.withLock { _ in
            clearBar()
            printError(text)
        }
    }

    /// Stops showing, and clears the bar.
    func end() {
        ended.signal()
        // Whatever was just being written is out before the next line is.
        thread.wait()
        clearBar()
    }

    private func clearBar() { if style == .bar { writeRaw("\r\u{1B}[K", to: STDERR_FILENO) } }

    /// Says in JSON that the clip is made.
    func done(_ summary: Summary) {
        let report = summary.report
        var event = line.now.event("done", bytes: report.byteCount)
        event.duration = summary.duration.thousandths
        if let fit = report.fit { event.concessions = fit.concession.texts }
        printEvent(event)
    }

    /// The work, and since when it is shown.
    private struct ProgressLine: Sendable {
        let name: String
        let moment: @Sendable () -> Moment
        private let start = DispatchTime.now().uptimeNanoseconds

        init(name: String, moment: @escaping @Sendable () -> Moment) { (self.name, self.moment) = (name, moment) }

        var now: ProgressReading {
            let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            return ProgressReading(name: name, seconds: seconds, moment: moment())
        }
    }

    /// What there is to say at one moment.
    private struct ProgressReading {
        let name: String
        let seconds: Double
        let moment: Moment

        private var framesPerSecond: Double { Double(moment.done) / max(seconds, 0.001) }
        private var secondsLeft: Double? {
            moment.done > 0 && moment.share > 0 ? seconds * (1 - moment.share) / moment.share : nil
        }

        private var figures: String {
            let clips = moment.clips.map { "\($0.done)/\($0.total) clips, " } ?? ""
            let left = secondsLeft.map { ", \(ProgressReading.clock($0)) left" } ?? ""
            return "\(clips)\(Int(moment.share * 100))%, \(moment.done)/\(moment.total) frames, "
                + "\(Int(framesPerSecond)) frames/s\(left)"
        }

        var plain: String { "\(name): \(figures)" }

        func bar(width: Int) -> String {
            let shortName = name.count > 24 ? "..." + name.suffix(21) : name
            let text = " \(figures)"
            let cells = max(0, min(40, width - 1 - shortName.count - 3 - text.count))
            guard cells >= 8 else { return String("\(shortName)\(text)".prefix(width - 1)) }
            let full = Int(Double(cells) * moment.share)
            let empty = String(repeating: " ", count: cells - full)
            return "\(shortName) [\(String(repeating: "=", count: full))\(empty)]\(text)"
        }

        func event(_ event: String, bytes: Int?) -> Event {
            Event(
                event: event, output: moment.clips == nil ? name : nil, clip: moment.clips?.done,
                clips: moment.clips?.total, frame: moment.done, frames: moment.total,
                framesPerSecond: (framesPerSecond * 10).rounded() / 10,
                secondsLeft: secondsLeft.map { ($0 * 10).rounded() / 10 }, bytes: bytes)
        }

        private static func clock(_ seconds: Double) -> String {
            let whole = Int(seconds.rounded(.up))
            let rest = whole % 60
            return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
        }
    }
}

/// Writes an event to standard error, as a JSON object in a line.
///
/// - Parameter waits: whether to wait for somebody who reads it; otherwise it may be left out.
func printEvent(_ event: some Encodable, waits: Bool = true) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(event) else { return }
    writeRaw(String(decoding: data, as: UTF8.self).visible + "\n", to: STDERR_FILENO, waits: waits)
}
