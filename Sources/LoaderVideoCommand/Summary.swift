import Core
import Explain
import Render

/// The summary of a rendered clip.
struct Summary {
    let name: String
    /// The plan of the requested clip.
    private let requestedPlan: RenderPlan
    /// The plan of the rendered clip, which may have been changed for a file size limit.
    private let plan: RenderPlan
    let report: RenderReport
    /// The files that were written beside the clip.
    private let sidecars: [Sidecar]

    /// Creates a summary. Throws `LoadervidError` if the reduced clip cannot be planned again.
    init(name: String, plan: RenderPlan, report: RenderReport, sidecars: [Sidecar]) throws {
        self.name = name
        self.sidecars = sidecars
        self.report = report
        requestedPlan = plan
        self.plan = try report.fit.map { try plan.making($0.step) } ?? plan
    }

    /// The clip's length in seconds.
    var duration: Double { plan.duration.double }

    /// `seamless` or `exact`; nil if the clip has only one timing.
    var timing: String? { plan.source.timing?.rawValue }

    var line: String {
        let ratio = duration / max(report.seconds, 0.001)
        let speed = NumberText.decimal(ratio, places: ratio < 1 ? 2 : 1)
        let took = NumberText.decimal(report.seconds, places: 2)
        return "\(name): \(Summary.count(report.frameCount, "frame")), "
            + "\(Summary.length(duration)) at \(plan.encoder.frameRate) fps, \(plan.width)x\(plan.height), "
            + "\(encoding), \(Summary.bytes(report.byteCount)), "
            + "made in \(took) s (\(speed) times real time)" + sidecarNote + timingNote + limitNote + keptNote
    }

    /// The format of vector graphics or the encoder, with the pixel format for frames whose file
    /// does not store it.
    private var encoding: String {
        if let vector = plan.vector { return vector.format.title }
        return plan.encoder.encoder + (plan.container == .rawvideo ? " \(plan.encoder.pixelFormat)" : "")
    }

    /// The names of the files beside the clip, as text; empty if there are none.
    private var sidecarNote: String {
        guard !sidecars.isEmpty else { return "" }
        let stem = DocumentFile.stem(name)
        return ", with \(sidecars.map { "\(stem).\($0.rawValue)" }.joined(separator: " and "))"
    }

    /// The frames that were kept from a killed run, as text; empty if there are none.
    private var keptNote: String {
        report.keptFrames == 0 ? "" : "; kept \(Summary.count(report.keptFrames, "frame")) of a killed run"
    }

    /// Notes and warnings about the clip's frames. Draws some of the frames.
    var notes: [ClipNote] {
        // The clip stays even if the visibility check fails.
        let invisibility = try? plan.source.invisibility(cancellation: Interruption.token)
        let warning = invisibility.map { ClipNote(.warning, Self.text(of: $0) { "--from \($0) without --to" }) }
        return plan.notes.map { ClipNote(.note, $0) } + (warning.map { [$0] } ?? [])
    }

    /// Returns the reason why nothing is visible, and the option that helps.
    static func text(of invisibility: Invisibility, time: ((Rational) -> String)? = nil) -> String {
        invisibility.text(background: { "--background \($0)" }, time: time)
    }

    /// The settings that keep the clip under its file size limit.
    private var limitNote: String {
        guard let fit = report.fit, !fit.step.isNone else { return "" }
        return "; for at most \(fit.limit) bytes: \(fit.step.words(besides: requestedPlan)) (\(fit.trials) trials)"
    }

    /// The timing, with the change of speed in percent from fitting a cycle to whole frames; empty
    /// if the clip has only one timing.
    private var timingNote: String {
        guard let timing = plan.source.timing else { return "" }
        let change = plan.source.speedChange.double - 1
        guard change != 0 else { return timing == .exact ? "; exact timing" : "; seamless" }
        let percent = NumberText.decimal(abs(change) * 100, places: 3)
        let amount = percent == "0" ? "less than 0.001" : percent
        return "; seamless: plays \(amount)% \(change > 0 ? "faster" : "slower") than requested"
    }

    /// Returns a note that the clip jumps when it loops, with the options for a seamless clip.
    static func note(on seam: LoopSeam, name: String) -> String {
        let passes = NumberText.decimal(seam.passes.double, places: 3)
        let passDuration = length(seam.passDuration.double)
        guard !seam.isOfCut else {
            return "\(name): note: the clip jumps when it loops, because it shows only a part of the cycle; for a "
                + "seamless loop, leave out --from, --to and --phase"
        }
        let options = Set([seam.wholePasses.lowerBound, seam.wholePasses.upperBound]).sorted().map { count in
            "--cycles \(count) (\(length(seam.passDuration.double * Double(count))))"
        }
        return "\(name): note: the clip jumps when it loops, because it ends after \(passes) cycles of "
            + "\(passDuration); for a seamless loop, use \(options.joined(separator: " or ")) instead of --duration"
    }

    /// Returns a duration in seconds with its unit.
    static func length(_ seconds: Double) -> String { "\(NumberText.decimal(seconds, places: 3)) s" }

    /// Returns a number of bytes in the largest fitting decimal unit.
    static func bytes(_ count: Int) -> String {
        let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")]
        // A size that would be rounded to 1000 belongs to the next unit.
        guard let (size, unit) = units.first(where: { count >= max(1000, $0.0 - $0.0 / 20_000) }) else {
            return "\(count) bytes"
        }
        return "\(NumberText.decimal(Double(count) / Double(size), places: 1)) \(unit)"
    }

    /// Returns a count with its noun, such as `1 file` or `2 files`.
    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
