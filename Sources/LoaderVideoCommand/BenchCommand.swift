import ArgumentParser
import Benchmark
import Platform
import Media
import Pipeline

/// `loadervid bench`: how long a clip takes, beside the encoder alone.
struct BenchCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "bench", abstract: "Measures a clip from its scenes to its file, beside the encoder alone.",
            discussion: """
                The encoder alone gets the same pictures, converted and in memory, and may use its own threads.

                EXAMPLES
                  \(Program.name) bench
                  \(Program.name) bench --clip jelly --size 1920x1080 --duration 10 --repetition off --json
                  \(Program.name) bench --suite
                """)
    }

    @Option(help: ArgumentHelp("The loader's id, as '\(Program.name) list' shows it.", valueName: "loader"))
    var clip = "qq-mail"

    @OptionGroup var options: ClipOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("How often both are measured. (default: 9)", valueName: "N"))
    var runs: Int?

    @Option(parsing: .unconditional, help: "Cores to use. (default: all)")
    var jobs: Int?

    @Flag(help: "Measure the clips that this program promises figures for.")
    var suite = false

    @Flag(help: "Measure once only.")
    var quick = false

    @Flag(help: "Print JSON, an object a line.")
    var json = false

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) {
            throw ValidationError("--jobs \(jobs) is not possible: it takes 1...256")
        }
        if let runs, !(1...1000).contains(runs) {
            throw ValidationError("--runs \(runs) is not possible: it takes 1...1000")
        }
        if options.texts["max-bytes"] != nil {
            throw ValidationError("--max-bytes would measure several clips: leave it out")
        }
        if quick, runs != nil {
            throw ValidationError("--quick and --runs exclude each other: give one of them")
        }
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
        print(try json ? figures.json : BenchText.text(figures))
    }

    /// Measures the clip of these options, which has a target or not.
    func measure(
        _ conditions: Benchmark.Conditions, name: String? = nil, target: BenchTarget? = nil,
        cancellation: CancellationToken
    ) throws -> BenchFigures {
        let container = Container.usual(for: options.texts["codec"])
        guard !container.isAnimation else {
            throw ValidationError("--codec \(container) makes animated pictures: only encoders of video are measured")
        }
        let request = try options.request(clip, container: container)
        let report = try Benchmark(request, conditions, cancellation: cancellation).measure()
        return BenchFigures(
            report, name: name ?? clip, clip: clip, usesRepetition: request.usesRepetition, target: target)
    }

    /// The suite's clips are what they are: throws if options say otherwise.
    private static func checkSuiteOptions() throws {
        let own = ["--suite", "--json", "--quick", "--runs", "--jobs"]
        let other = CommandLine.arguments.first { argument in
            argument.hasPrefix("--") && !own.contains { argument == $0 || argument.hasPrefix("\($0)=") }
        }
        if let other {
            throw ValidationError(
                "--suite measures clips of its own: leave out \(other), or leave out --suite to measure another clip")
        }
    }
}
