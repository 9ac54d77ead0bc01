import ArgumentParser
import Batch
import Core
import Render

/// `loadervid batch`: renders all clips of presets.
struct BatchCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "batch", abstract: "Render the clips of presets that are new or out of date.",
            discussion: """
                The word 'run' is optional. For its options, see '\(Program.name) batch run --help'.

                EXAMPLES
                  \(Program.name) batch ci-smoke -o out
                  \(Program.name) batch presets/*.yaml -o out --dry-run
                  \(Program.name) batch web -o out --shard auto --junit report.xml
                  \(Program.name) batch merge out
                """,
            subcommands: [BatchRunCommand.self, BatchMergeCommand.self], defaultSubcommand: BatchRunCommand.self)
    }
}

/// `loadervid batch run`, the default subcommand.
struct BatchRunCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "run", abstract: "Render the clips of presets that are new or out of date.",
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
        help: ArgumentHelp("Output directory, created if needed.", valueName: "directory"),
        completion: .directory)
    var output = "out"

    @Option(parsing: .unconditional, help: jobsHelp)
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Render only shard K of N, with K from 0; 'auto' or 'auto/N' reads K from Kubernetes, Slurm, CircleCI or "
                + "GitLab.",
            valueName: "K/N"))
    var shard: String?

    @Flag(help: "Print what would be rendered and why, without rendering.")
    var dryRun = false

    @Flag(help: "Verify every new file, frame by frame, before it gets its name.")
    var verify = false

    @Flag(help: "Check that all outputs are up to date and valid, without rendering.")
    var check = false

    @Flag(help: "Stop at the first failure.")
    var failFast = false

    @Flag(help: "Render everything again, and overwrite files and reports that no batch made.")
    var force = false

    @OptionGroup var reports: ReportOptions
    @OptionGroup var fonts: FontOptions
    @OptionGroup(title: "Presets") var presetOptions: PresetOptions

    func validate() throws {
        try checkRange(of: "--jobs", jobs, jobsRange)
        guard output != "-" else {
            throw ValidationError("-o: a batch writes files, not standard output; name a directory, such as out or ./-")
        }
        if check, force || dryRun {
            let other = force ? "force" : "dry-run"
            throw ValidationError("--\(other) has no effect with --check, which renders nothing; leave it out")
        }
    }

    func run() throws {
        let shard = try shard.map { try ShardChoice(text: $0).shard(environment: environmentVariables) }
        let reading = try presetOptions.reader.readings(presetOptions.paths(presets))
        if reports.progress != .json { for warning in reading.warnings { printError("\(warning)") } }
        let plan = try BatchPlan(reading.clips, toolchain: .current(program: Program.current.version()), shard: shard)
        var options = BatchRun.Options(cores: jobs ?? Resources.processors, memory: Resources.memory / 2)
        options.force = force
        options.failFast = failFast
        if verify { options.check = { try OutputCheck(comparesFrames: true).check($0, $1) } }
        if check {
            try reports.check(in: output, outputs: plan.files.sorted(), force: false)
            let report = try BatchCheck(plan, in: output, options, comparesFrames: verify).report(Interruption.token)
            let summary = BatchSummary(report: report, verb: "made", notRun: "not checked", showsResults: true)
            return try reports.finish(summary, plan.toolchain, shard: shard, force: false, failure: 1)
        }
        guard !dryRun else { return try DryRun(plan, in: output, options).lines.forEach { printText($0) } }
        let report = try run(plan, options)
        let summary = BatchSummary(report: report, verb: "made")
        try reports.finish(summary, plan.toolchain, shard: shard, force: force)
    }

    private func run(_ plan: BatchPlan, _ options: BatchRun.Options) throws -> BatchReport {
        let cancellation = Interruption.token
        let outputDirectory = try OutputDirectory(output, creates: true)
        // Reports may be in the output directory, so this comes after its creation.
        try reports.check(in: output, outputs: plan.files.sorted(), force: force)
        let state = try BatchState(outputDirectory, shard: plan.shard, reports.waitPolicy(cancellation))
        let progress = BatchProgress()
        let display = BatchDisplay(reports.progress, directory: output, progress: progress)
        defer { display.end() }
        let run = BatchRun(
            plan, in: outputDirectory, state: state, options: options, cancellation: cancellation, progress: progress,
            observer: display.show)
        return try OptionName.inDocuments { try run.run() }
    }
}

/// `loadervid batch merge`: merges the outputs of shards.
struct BatchMergeCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "merge", abstract: "Merge the outputs of shards, and report missing ones.",
            discussion: """
                EXAMPLES
                  \(Program.name) batch merge out                   # the shards shared a directory
                  \(Program.name) batch merge artifacts/* -o out    # each shard had its own directory
                """)
    }

    @Argument(help: "The shards' output directories: a shared one, or one per shard.")
    var directories: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Output directory. (default: the first of the shards')", valueName: "directory"))
    var output: String?

    @Flag(help: "Overwrite files and reports that no batch made.")
    var force = false

    @OptionGroup var reports: ReportOptions

    func run() throws {
        let cancellation = Interruption.token
        let sources = try directories.map { try OutputDirectory($0, creates: false) }
        try BatchMerge.check(sources)
        let target = try output.map { try OutputDirectory($0, creates: true) } ?? sources[0]
        let state = try BatchState(target, shard: nil, reports.waitPolicy(cancellation))
        let merge = try BatchMerge(sources, into: target, state: state, force: force)
        let files = merge.files
        FilesInUse.noteInputs(sources.flatMap { source in files.map { source.path(of: $0) } })
        try reports.check(in: target.path, sources: sources.map(\.path), outputs: files, force: force)
        let report = try merge.run(cancellation)
        let summary = BatchSummary(report: report, verb: "copied", showsResults: true)
        try reports.finish(summary, merge.toolchain, shard: nil, force: force)
    }
}
