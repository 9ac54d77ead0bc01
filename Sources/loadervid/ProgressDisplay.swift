import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
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

    private struct Event: Encodable {
        var event: String
        var output: String
        var frame: Int
        var frames: Int
        var framesPerSecond: Double
        var secondsLeft: Double?
        var bytes: Int?
    }

    private let style: Style
    private let timer: any DispatchSourceTimer
    private let line: ProgressLine
    private let queue = DispatchQueue(label: "loadervid.progress")

    /// Begins to show a clip's progress.
    init(_ style: Style, name: String, plan: RenderPlan, progress: RenderProgress) {
        let style = style == .auto ? (Machine.standardErrorIsTerminal ? .bar : .plain) : style
        self.style = style
        let line = ProgressLine(name: name, total: plan.framesToEncode, progress: progress)
        self.line = line
        timer = DispatchSource.makeTimerSource(queue: queue)
        let interval = style == .bar ? DispatchTimeInterval.milliseconds(100) : .seconds(2)
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler {
            switch style {
            case .bar: writeRaw("\r\u{1B}[K" + oneLine(line.bar(width: Machine.terminalWidth)), to: STDERR_FILENO)
            case .plain: printError(line.plain)
            case .json: ProgressDisplay.print(line.event("progress", bytes: nil))
            case .auto, .none: break
            }
        }
        timer.activate()
    }

    /// Stops showing, and clears the bar.
    func end() {
        timer.cancel()
        // Whatever the timer was just writing is out before the next line is.
        queue.sync {}
        if style == .bar { writeRaw("\r\u{1B}[K", to: STDERR_FILENO) }
    }

    /// Says in JSON that the clip is made.
    func done(_ report: RenderReport) { ProgressDisplay.print(line.event("done", bytes: report.byteCount)) }

    private static func print(_ event: Event) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(event) else { return }
        printError(String(decoding: data, as: UTF8.self))
    }

    /// What there is to say at one moment.
    private struct ProgressLine: Sendable {
        let name: String
        let total: Int
        let progress: RenderProgress
        private let start = DispatchTime.now().uptimeNanoseconds

        init(name: String, total: Int, progress: RenderProgress) {
            (self.name, self.total, self.progress) = (name, total, progress)
        }

        private var seconds: Double { Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 }
        private var framesPerSecond: Double { Double(progress.framesEncoded) / max(seconds, 0.001) }
        private var secondsLeft: Double? {
            progress.framesEncoded > 0 ? Double(total - progress.framesEncoded) / framesPerSecond : nil
        }
        private var percent: Int { progress.framesEncoded * 100 / max(1, total) }

        private var figures: String {
            let left = secondsLeft.map { ", \(ProgressLine.clock($0)) left" } ?? ""
            return "\(percent)%, \(progress.framesEncoded)/\(total) frames, \(Int(framesPerSecond)) frames/s\(left)"
        }

        var plain: String { "\(name): \(figures)" }

        func bar(width: Int) -> String {
            let shortName = name.count > 24 ? "..." + name.suffix(21) : name
            let text = " \(figures)"
            let cells = max(0, min(40, width - 1 - shortName.count - 3 - text.count))
            guard cells >= 8 else { return String("\(shortName)\(text)".prefix(width - 1)) }
            let full = cells * progress.framesEncoded / max(1, total)
            let empty = String(repeating: " ", count: cells - full)
            return "\(shortName) [\(String(repeating: "=", count: full))\(empty)]\(text)"
        }

        func event(_ name: String, bytes: Int?) -> Event {
            Event(
                event: name, output: self.name, frame: progress.framesEncoded, frames: total,
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
