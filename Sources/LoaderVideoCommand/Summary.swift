import Motion
import Pipeline

/// The line that says what was made.
struct Summary {
    let name: String
    /// The clip as asked for.
    private let asked: RenderPlan
    /// The clip as made.
    private let plan: RenderPlan
    let report: RenderReport

    /// Throws `RenderError` if what was given up cannot be planned, which it was.
    init(name: String, plan: RenderPlan, report: RenderReport) throws {
        (self.name, self.report, asked) = (name, report, plan)
        self.plan = try report.fit.map { try plan.making($0.concession) } ?? plan
    }

    /// The clip's length in seconds.
    var duration: Double { plan.duration.double }

    var line: String {
        let ratio = duration / max(report.seconds, 0.001)
        let speed = Summary.decimal(ratio, places: ratio < 1 ? 2 : 1)
        let took = Summary.decimal(report.seconds, places: 2)
        return "\(name): \(report.frameCount) \(report.frameCount == 1 ? "frame" : "frames"), "
            + "\(Summary.length(duration)) at \(plan.encoder.frameRate) fps, \(plan.width)x\(plan.height), "
            + "\(plan.encoder.encoder), \(Summary.bytes(report.byteCount)), made in \(took) s (\(speed) times real time)"
            + seamlessNote + limitNote
    }

    /// What was given up for a limit of bytes.
    private var limitNote: String {
        guard let fit = report.fit, !fit.concession.isNone else { return "" }
        return "; for at most \(fit.limit) bytes: \(fit.concession.words(besides: asked)) (\(fit.trials) trials)"
    }

    /// By how much fitting a cycle to whole frames changed the speed.
    private var seamlessNote: String {
        let change = plan.subject.speedChange.double - 1
        guard change != 0 else { return "" }
        let percent = Summary.decimal(abs(change) * 100, places: 3)
        return "; seamless: runs \(percent)% \(change > 0 ? "faster" : "slower") than asked"
    }

    /// Says that a clip jumps when it is played in a loop, and how to make one that does not.
    static func note(on seam: LoopSeam, name: String) -> String {
        let (passes, seconds) = (decimal(seam.passes.double, places: 3), decimal(seam.passDuration.double, places: 3))
        guard !seam.isOfCut else {
            return "\(name): note: played in a loop it jumps where it begins again, since only a part of the cycle is "
                + "shown; without a seam: leave out --from, --to and --phase"
        }
        let ways = Set([seam.wholePasses.lowerBound, seam.wholePasses.upperBound]).sorted().map { count in
            "--cycles \(count) (\(decimal(seam.passDuration.double * Double(count), places: 3)) s)"
        }
        return "\(name): note: played in a loop it jumps where it begins again, after \(passes) cycles of "
            + "\(seconds) s; without a seam: \(ways.joined(separator: " or ")) instead of --duration"
    }

    /// A length in seconds with its unit.
    static func length(_ seconds: Double) -> String { "\(decimal(seconds, places: 3)) s" }

    /// A count of bytes in the unit that suits it.
    static func bytes(_ count: Int) -> String {
        let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")]
        guard let (size, unit) = units.first(where: { count >= $0.0 }) else { return "\(count) bytes" }
        return "\(decimal(Double(count) / Double(size), places: 1)) \(unit)"
    }

    /// A number with at most so many decimals.
    static func decimal(_ value: Double, places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let rounded = (value * scale).rounded() / scale
        return rounded == rounded.rounded() ? String(Int(rounded)) : "\(rounded)"
    }
}
