import Animations
import ArgumentParser
import Core
import Inspect
import Render

/// `loadervid compare`: judges whether recordings show a loader as it was designed.
struct CompareCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "compare",
            abstract: "Judge whether recordings show a loader as designed, and print what differs.",
            discussion: """
                EXAMPLES
                  \(Program.name) compare recording.mp4 --as qq-mail
                  \(Program.name) compare app.mp4 --as spinner.json --scale 3 --crop 0,120,390,390
                  \(Program.name) compare a.mp4 b.mp4 --as qq --tolerance ms=34 --junit report.xml
                  \(Program.name) compare pink.mp4 --as qq-mail --set green=hotpink --json
                  \(Program.name) compare app.mp4 --as qq --report report.html --overlay over.mp4

                EXIT CODES
                  0 no differences beyond the tolerance, 1 differences,
                  65 a recording cannot be judged, 66 a file is missing
                """)
    }

    @Argument(help: "Recordings: MP4, MOV, WebM, GIF and other self-contained formats.", completion: .file())
    var recordings: [String]

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Loader that the recordings should show: an ID or a Lottie file.", valueName: "loader"),
        completion: .loaders)
    var loader: String

    @OptionGroup var judging: JudgingOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("Write a JUnit XML report for CI systems.", valueName: "file"))
    var junit: String?

    @OptionGroup var files: ComparisonFiles

    @Flag(help: "Overwrite any existing files with the reports, the image and the video.")
    var force = false

    @OptionGroup(title: "Loader") var motion: LoaderOptions

    @OptionGroup var work: WorkOptions

    func validate() throws { try files.check(recordings: recordings.count) }

    func run() throws {
        FilesInUse.noteInputs(recordings + [loader])
        var options = try judging.options()
        options.limits = work.limits(maxPixels: motion.maxPixels)
        let judge = try Judge(motion.request(loader).loader, name: loader, options: options)
        // Opens the outputs before the long work, so that an error appears early, but after the
        // loader has read its images, which they must not replace.
        let report = try junit.map { try ReportKind.junit.file($0, force: force) }
        var outputs = try CompareOutputs(files, loader: loader, tolerance: options.tolerance, force: force)
        var results = CompareResults(isSilent: json)
        for recording in recordings {
            let start = ContinuousClock.now
            var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
            do {
                let verdict = try judge.verdict(of: recording)
                results.add(verdict, seconds: seconds)
                outputs.add(verdict, judge)
            } catch let error as LoadervidError where [.badData, .missingInput].contains(error.kind) {
                results.add(recording, loader, error, seconds: seconds)
                outputs.add(recording, error)
            }
        }
        if json { printJSON(try results.json) }
        let written = Result { try report?.commit(Array(results.junit.utf8)) }
        try outputs.finish()
        _ = try written.get()
        try results.finish()
    }
}

/// The options for judging a recording.
struct JudgingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Maximum differences to ignore. (default: \(JudgeTolerance().text))",
            valueName: "points=n,ms=n,color=n"), transform: parseTolerance)
    var tolerance: JudgeTolerance?

    @Option(
        help: ArgumentHelp(
            "Part that shows the loader, in pixels. (default: found by its motion)", valueName: "x,y,w,h"),
        transform: parseCrop)
    var crop: PixelRect?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Start of the judged part.", valueName: "seconds"),
        transform: parseNumber)
    var from: Rational?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("End of the judged part.", valueName: "seconds"),
        transform: parseNumber)
    var to: Rational?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Pixels of the recording per point. (default: 1, 2, 3 or 4; Lottie files: any)", valueName: "n"),
        transform: parseNumber)
    var scale: Rational?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Designed speed, for example 1/4 for slow motion. (default: 1)", valueName: "n"),
        transform: parseNumber)
    var speed: Rational?

    @Flag(help: "Also fail if the recording starts late or ends early.")
    var strict = false

    func validate() throws {
        try Self.check("--scale", scale, within: Self.scales)
        try Self.check("--speed", speed, within: Self.speeds)
        if let from, let to, from >= to {
            throw ValidationError("--to: \(to) is not later than --from \(from); use a later time")
        }
    }

    /// The limits of `--scale`: a canvas of 4000 units in a recording of 100 pixels, and one of 40
    /// points that fills 4K.
    private static let scales = Rational(1, 40)...100
    /// The limits of `--speed`: a cycle of a second lasts 100 s, or 10 ms.
    private static let speeds = Rational(1, 100)...100

    private static func check(_ option: String, _ value: Rational?, within limits: ClosedRange<Rational>) throws {
        guard let value, !limits.contains(value) else { return }
        let isLow = value < limits.lowerBound
        let limit = isLow ? limits.lowerBound : limits.upperBound
        throw ValidationError(
            "\(option): \(value) is \(isLow ? "below the minimum" : "above the maximum") of \(limit); "
                + "use \(limits.lowerBound) to \(limits.upperBound)")
    }

    /// Returns the options for a judge.
    func options() throws -> JudgeOptions {
        var options = JudgeOptions()
        options.tolerance = tolerance ?? options.tolerance
        options.crop = crop
        options.from = from?.double
        options.to = to?.double
        options.scale = scale?.double
        options.speed = speed?.double ?? options.speed
        options.isStrict = strict
        return options
    }
}

extension JudgeTolerance {
    /// The tolerance as `--tolerance` takes it.
    var text: String {
        "points=\(NumberText.decimal(points, places: 2)),ms=\(NumberText.decimal(milliseconds, places: 1)),"
            + "color=\(NumberText.decimal(color, places: 1))"
    }
}

/// Parses `points=1,ms=34,color=5`; keys may be missing.
func parseTolerance(_ text: String) throws -> JudgeTolerance {
    var tolerance = JudgeTolerance()
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let number = halves.count == 2 ? halves[1] : ""
        let isNegative = number.hasPrefix("-")
        guard let value = Rational(text: isNegative ? number.dropFirst() : number)?.double else {
            throw ValidationError("\(quoted(part)) has no valid number; use points=1,ms=34,color=5")
        }
        guard !isNegative, (0...1000).contains(value) else {
            throw ValidationError("\(quoted(part)) is outside the range 0...1000")
        }
        switch halves[0] {
        case "points": tolerance.points = value
        case "ms": tolerance.milliseconds = value
        case "color": tolerance.color = value
        default: throw ValidationError("there is no tolerance '\(halves[0])'; use points, ms or color")
        }
    }
    return tolerance
}

/// Parses a rectangle in pixels.
func parseCrop(_ text: String) throws -> PixelRect {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    let values = numbers.compactMap { $0 }
    let limit = 1 << 16
    guard numbers.count == 4, values.count == 4, values.allSatisfy({ (0...limit).contains($0) }), values[2] > 0,
        values[3] > 0
    else {
        throw ValidationError("'\(text)' is not a rectangle; use x,y,width,height in pixels, for example 0,0,640,480")
    }
    return PixelRect(x: values[0], y: values[1], width: values[2], height: values[3])
}
