import ArgumentParser
import Core
import Media
import Render

/// `loadervid bench`: measures rendering against the encoder alone.
struct BenchCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "bench", abstract: "Measure the rendering of a clip against its encoder alone.",
            discussion: """
                The encoder alone gets the same frames, already converted and in memory, and uses its own threads.

                EXAMPLES
                  \(Program.name) bench
                  \(Program.name) bench --clip jelly --size 1920x1080 --duration 10 --json
                  \(Program.name) bench --suite
                """)
    }

    @Option(
        help: ArgumentHelp("Loader ID, as '\(Program.name) list' prints it, or a Lottie file.", valueName: "loader"))
    var clip = "qq-mail"

    @OptionGroup var options: ClipOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("Number of runs of each. (default: 9)", valueName: "n"))
    var runs: Int?

    @Option(parsing: .unconditional, help: jobsHelp)
    var jobs: Int?

    @Flag(help: "Measure the standard clips, and compare them with their targets.")
    var suite = false

    @Flag(help: "Measure only one run of each.")
    var quick = false

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    func validate() throws {
        try checkRange(of: "--jobs", jobs, jobsRange)
        try checkRange(of: "--runs", runs, 1...1000)
        if options.texts["max-bytes"] != nil {
            throw ValidationError("--max-bytes cannot be measured, because it renders several clips; leave it out")
        }
        if quick, runs != nil { throw ValidationError(conflict(of: "--quick", and: "--runs")) }
        if suite { try BenchCommand.checkSuiteOptions() }
    }

    func run() throws {
        let cancellation = Interruption.token
        let directory = try Machine.makeTemporaryDirectory()
        let conditions = Benchmark.Conditions(
            runs: quick ? 1 : runs ?? 9, jobs: jobs ?? Resources.processors, cores: Resources.processors,
            memory: Resources.memory,
            directory: directory.path)
        if suite { return try BenchSuite.run(conditions, json: json, cancellation: cancellation) }
        let figures = try measure(conditions, cancellation: cancellation)
        if json { printJSON(try figures.json) } else { printText(BenchText.text(figures)) }
    }

    /// Measures the clip of these options, and compares it with `target`, if given.
    func measure(
        _ conditions: Benchmark.Conditions, name: String? = nil, target: BenchTarget? = nil,
        cancellation: CancellationToken
    ) throws -> BenchFigures {
        let container = Container.default(for: options.texts["codec"])
        guard !container.isAnimatedImage else {
            throw ValidationError("--codec \(container) makes animated images; use a video codec")
        }
        let request = try options.request(clip, format: .container(container))
        let report = try Benchmark(request, conditions, cancellation: cancellation).measure()
        return BenchFigures(
            report, name: name ?? clip, clip: clip, usesRepetition: request.usesRepetition, target: target)
    }

    /// Throws `ValidationError` for an option that cannot change the suite's fixed clips.
    private static func checkSuiteOptions() throws {
        let allowed = ["--suite", "--json", "--quick", "--runs", "--jobs"]
        let other = CommandLine.arguments.first { argument in
            argument.hasPrefix("--") && !allowed.contains { argument == $0 || argument.hasPrefix("\($0)=") }
        }
        if let other {
            throw ValidationError(
                "\(other) has no effect with --suite, which measures fixed clips; leave out \(other) or --suite")
        }
    }
}
