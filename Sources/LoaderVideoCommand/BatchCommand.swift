import ArgumentParser
import Platform
import Batch
import PlatformFoundation
import Pipeline

/// `loadervid batch`: all clips of some presets.
struct BatchCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "batch", abstract: "Renders all clips of presets; what is up to date is not made again.",
            discussion: """
                'run' may be left out: the options of '\(Program.name) batch run --help' are those of '\(Program.name) batch'.

                EXAMPLES
                  \(Program.name) batch ci-smoke -o out
                  \(Program.name) batch presets/*.yaml -o out --dry-run
                  \(Program.name) batch web -o out --shard auto --junit report.xml
                  \(Program.name) batch merge out
                """,
            subcommands: [BatchRunCommand.self, BatchMergeCommand.self], defaultSubcommand: BatchRunCommand.self)
    }
}

/// `loadervid batch run`, or without `run`.
struct BatchRunCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "run", abstract: "Renders all clips of presets; what is up to date is not made again.",
            usage: "\(Program.name) batch <presets> ... [<options>]",
            discussion: """
                EXAMPLES
                  \(Program.name) batch ci-smoke -o out
                  \(Program.name) batch presets/*.yaml -o out --dry-run
                  \(Program.name) batch web -o out --shard 0/3
                  \(Program.name) batch web -o out --shard auto --junit report.xml
                  \(Program.name) batch web -o out --check
                """)
    }

    @Argument(help: "Preset files, or names of shipped presets.", completion: .file())
    var presets: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The directory to fill, which is created if need be.", valueName: "directory"),
        completion: .directory)
    var output = "out"

    @Option(parsing: .unconditional, help: "Cores to keep busy. (default: all)")
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Make one of N parts: K/N with K from 0, auto (from Kubernetes, Slurm, CircleCI or GitLab) or auto/N.",
            valueName: "K/N"))
    var shard: String?

    @Flag(help: "Show what would be made and why, and make nothing.")
    var dryRun = false

    @Flag(help: "Check every file that is made, picture by picture, before it gets its name.")
    var verify = false

    @Flag(help: "Render nothing, and say whether everything is up to date and right.")
    var check = false

    @Flag(help: "End at the first failure.")
    var failFast = false

    @Flag(help: "Make everything again, and overwrite files that no batch made.")
    var force = false

    @OptionGroup var reports: ReportOptions
    @OptionGroup(title: "Presets") var presetOptions: PresetOptions

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) {
            throw ValidationError("--jobs \(jobs) is not possible: it takes 1...256")
        }
        if check, force || dryRun {
            throw ValidationError("--check makes nothing: leave out --\(force ? "force" : "dry-run")")
        }
    }

    func run() throws {
        let shard = try shard.map { try ShardChoice(text: $0).shard(environment: ProcessInfo.processInfo.environment) }
        let clips = try presetOptions.reader.read(presetOptions.paths(presets))
        let plan = try BatchPlan(clips, toolchain: .current(program: Program.current.version()), shard: shard)
        var options = BatchRun.Options(cores: jobs ?? Resources.processors, memory: Resources.memory / 2)
        (options.force, options.failFast) = (force, failFast)
        if verify { options.check = { try OutputCheck(comparesPictures: true).check($0, $1) } }
        if check {
            try reports.check(in: output, outputs: plan.planned.keys.sorted())
            let report = try BatchCheck(plan, in: output, options, comparesPictures: verify).report(Interruption.token)
            let summary = BatchSummary(report: report, verb: "made", showsFailures: true)
            return try reports.finish(summary, plan.toolchain, shard: shard, failure: 1)
        }
        guard !dryRun else { return try DryRun(plan, in: output, options).lines.forEach { print($0.visible) } }
        let report = try run(plan, options)
        try reports.finish(BatchSummary(report: report, verb: "made"), plan.toolchain, shard: shard)
    }

    private func run(_ plan: BatchPlan, _ options: BatchRun.Options) throws -> BatchReport {
        let cancellation = Interruption.token
        let tree = try OutputTree(output, creates: true)
        // They may be in the directory itself.
        try reports.check(in: output, outputs: plan.planned.keys.sorted())
        let state = try BatchState(tree, shard: plan.shard, reports.patience(cancellation))
        let progress = BatchProgress()
        let display = BatchDisplay(reports.progress, directory: output, progress: progress)
        defer { display.end() }
        let run = BatchRun(
            plan, in: tree, state: state, options: options, cancellation: cancellation, progress: progress,
            observer: display.show)
        return try run.run()
    }
}

/// `loadervid batch merge`: shards become one.
struct BatchMergeCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "merge", abstract: "Joins what shards made, and says what is missing.",
            discussion: """
                EXAMPLES
                  \(Program.name) batch merge out                   # shards shared a directory
                  \(Program.name) batch merge artifacts/* -o out    # shards had one of each
                """)
    }

    @Argument(help: "Where the shards left their outputs: one directory that they shared, or one of each.")
    var directories: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where everything shall be. (default: the first)", valueName: "directory"))
    var output: String?

    @Flag(help: "Overwrite files that no batch made.")
    var force = false

    @OptionGroup var reports: ReportOptions

    func run() throws {
        let cancellation = Interruption.token
        let sources = try directories.map { try OutputTree($0, creates: false) }
        let target = try output.map { try OutputTree($0, creates: true) } ?? sources[0]
        try reports.check(in: target.path)
        let state = try BatchState(target, shard: nil, reports.patience(cancellation))
        let merge = try BatchMerge(sources, into: target, state: state, force: force)
        let report = try merge.run(cancellation)
        let summary = BatchSummary(report: report, verb: "copied", showsFailures: true)
        try reports.finish(summary, merge.toolchain, shard: nil)
    }
}
