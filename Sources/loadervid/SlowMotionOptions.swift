import ArgumentParser
import Loaders
import Motion
import Pipeline

/// The options that say which part of the motion is shown, and how slowly.
struct SlowMotionOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("N times slower, 0.05...1000; new instants, no repeated frames.", valueName: "N"),
        transform: parseNumber)
    var slowmo: Rational = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Begin here: seconds of model time, or phase:K[+fraction].", valueName: "time"),
        transform: parseModelTime)
    var from: ModelTime?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("End here, likewise.", valueName: "time"),
        transform: parseModelTime)
    var to: ModelTime?

    @Option(parsing: .unconditional, help: ArgumentHelp("Only this phase, counted from 0.", valueName: "K"))
    var phase: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Stand still for S seconds at each phase boundary.", valueName: "S"), transform: parseNumber)
    var hold: Rational?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("N times slower still at phase boundaries, easing back between them.", valueName: "N"),
        transform: parseNumber)
    var ramp: Rational?

    @Flag(help: "Show only the phase boundaries, each for the seconds of --hold. (default: 1)")
    var step = false

    @Flag(help: "Show normal speed at the left and slow motion at the right.")
    var sideBySide = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long the shutter is open, 0...1 of a frame.", valueName: "shutter"),
        transform: parseNumber)
    var motionBlur: Rational = 0

    @Flag(help: "Make phase boundaries chapters.")
    var chapters = false

    func validate() throws {
        if phase != nil, from != nil || to != nil {
            throw ValidationError("--phase excludes --from and --to: give one or the other")
        }
        if let phase, phase < 0 { throw ValidationError("--phase \(phase) is not possible: phases are counted from 0") }
        if step, ramp != nil {
            throw ValidationError("--step and --ramp exclude each other: nothing moves between stills")
        }
    }

    /// Puts the options into a request.
    func apply(to request: inout RenderRequest) throws {
        request.slowmo = slowmo
        request.from = phase.map { .phase($0, fraction: 0) } ?? from
        request.to = phase.map { .phase($0, fraction: 1) } ?? to
        (request.hold, request.ramp, request.isStepped) = (hold, ramp ?? 1, step)
        (request.isSideBySide, request.motionBlur, request.hasChapters) = (sideBySide, motionBlur, chapters)
    }
}
