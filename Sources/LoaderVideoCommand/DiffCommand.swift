import ArgumentParser
import Core
import Inspect
import Media
import Render

/// `loadervid diff`: compares two clips, or all clips of two directories.
struct DiffCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "diff", abstract: "Compare two clips, or the clips of two directories, frame by frame.",
            discussion: """
                EXAMPLES
                  \(Program.name) diff old.mp4 new.mp4
                  \(Program.name) diff old.gif new.webp --psnr 32 --picture worst.png
                  \(Program.name) diff golden out --report diff.html --junit diff.xml

                EXIT CODES
                  0 no differences, 1 differences,
                  65 a file is damaged or cannot be read, 66 a file is missing
                """)
    }

    @Argument(
        help: ArgumentHelp(
            "Expected clip, a sequence such as frames/%04d.png, or a directory of expected clips.", valueName: "A"),
        completion: .file())
    var expected: String

    @Argument(
        help: ArgumentHelp("Clip to compare, or a directory of clips.", valueName: "B"), completion: .file())
    var actual: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Minimum PSNR of a frame. (default: \(NumberText.decimal(DifferenceOptions.defaultMinPSNR, places: 1)), or "
                + "identical frames if both files are lossless)",
            valueName: "dB"), transform: parseDecibels)
    var psnr: Double?

    @Option(
        help: ArgumentHelp("Write the worst frame as PNG: expected, actual and difference.", valueName: "file"))
    var picture: String?

    @Option(help: ArgumentHelp("Write an HTML report.", valueName: "file"))
    var report: String?

    @Option(help: ArgumentHelp("Write a JUnit XML report for CI systems.", valueName: "file"))
    var junit: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Overwrite any existing files with the image and the reports.")
    var force = false

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        try checkIsPNG("--picture", picture)
    }

    func run() throws {
        // A sequence is reported by its reader, with the directory or the pattern that is missing.
        let sides = [expected, actual].map { path in
            (
                path: path,
                kind: FileSystem.kind(path) ?? (Container(ofFile: path)?.isFrameSequence == true ? S_IFREG : nil)
            )
        }
        let missing = sides.first { $0.kind == nil }?.path
        let areDirectories = sides.map { $0.kind == S_IFDIR }
        if missing == nil { try checkKinds(areDirectories) }
        for (path, kind) in sides {
            let files = try kind == S_IFDIR ? DirectoryDifference.files(in: path).map { "\(path)/\($0)" } : [path]
            FilesInUse.noteInputs(files)
        }
        let outputs = try DiffOutputs(picture: picture, report: report, junit: junit, force: force)
        if let missing {
            let error = LoadervidError(missing: missing)
            try outputs.write(DirectoryDifference([.init(actual: actual, error)]), expected, actual)
            throw error
        }
        var options = DifferenceOptions()
        options.minPSNR = psnr
        options.limits = reading.limits
        try areDirectories[0] ? compareDirectories(options, outputs) : compareFiles(options, outputs)
    }

    /// Throws an error if only one side is a directory, or if an option does not support
    /// directories.
    private func checkKinds(_ areDirectories: [Bool]) throws {
        guard areDirectories[0] == areDirectories[1] else {
            let directory = areDirectories[0] ? expected : actual
            throw LoadervidError(
                .usage,
                "\(directory) is a directory, but the other argument is not; compare two files or two directories")
        }
        if areDirectories[0], picture != nil {
            throw ValidationError(
                "--picture needs two files; use --report for directories")
        }
    }

    /// Compares vector graphics, which have no frames, by their bytes.
    private func compareBytes(_ outputs: DiffOutputs) throws {
        let entry = try DirectoryDifference.Entry(bytesOf: expected, actual, cancellation: Interruption.token)
        let difference = DirectoryDifference([entry])
        try outputs.write(difference, expected, actual)
        if json {
            printJSON(try jsonText(DiffOutputs.Report(difference)))
        } else {
            let verdict =
                difference.isSame ? "the same bytes" : "different bytes; to compare frames, encode both to .webp"
            printLines(["\(expected) and \(actual): \(verdict)"])
        }
        guard difference.isSame else { throw ExitCode(1) }
    }

    private func compareFiles(_ options: DifferenceOptions, _ outputs: DiffOutputs) throws {
        let vectors = [expected, actual].compactMap { path in
            if case .vector(let format)? = ClipFormat(ofFile: path) { format } else { nil }
        }
        if let format = vectors.first {
            guard picture == nil else {
                throw LoadervidError(
                    .usage,
                    "--picture: \(format.title) has no frames to draw; omit the option, or encode both to .webp")
            }
            guard vectors == [format, format] else {
                let formats = vectors.map(\.title).joined(separator: " and ")
                throw LoadervidError(
                    .usage,
                    "\(expected) and \(actual): \(formats) \(vectors.count == 1 ? "has" : "have") no frames to "
                        + "compare; encode both to .webp, or name two files of one format")
            }
            return try compareBytes(outputs)
        }
        let difference: ClipDifference
        do {
            difference = try ClipDifference(expected, actual, options, cancellation: Interruption.token)
        } catch let error as LoadervidError where [.badData, .missingInput].contains(error.kind) {
            try outputs.write(DirectoryDifference([.init(actual: actual, error)]), expected, actual)
            throw error
        }
        let entry = try DirectoryDifference.Entry(expected: expected, actual: actual, difference)
        try outputs.write(difference)
        try outputs.write(DirectoryDifference([entry]), expected, actual)
        if json {
            printJSON(try jsonText(difference))
        } else {
            let verdict = difference.isSame ? "the same" : "different"
            printLines(["\(expected) and \(actual): \(verdict)"] + difference.lines.map { "  \($0)" })
        }
        guard difference.isSame else { throw ExitCode(1) }
    }

    private func compareDirectories(_ options: DifferenceOptions, _ outputs: DiffOutputs) throws {
        var frames = DifferingFrames(
            expected, try ImageSequences(DirectoryDifference.files(in: expected)), actual,
            try ImageSequences(DirectoryDifference.files(in: actual)))
        let difference = try DirectoryDifference(
            expected, actual, options, drawsImages: outputs.hasReport, cancellation: Interruption.token
        ) { entry in
            guard !json, !entry.state.isSame, !frames.add(entry) else { return }
            let (state, lines) = entry.summary
            printLines(["\(entry.path): \(state)"] + lines.map { "  \($0)" })
        }
        try outputs.write(difference, expected, actual)
        if json {
            printJSON(try jsonText(DiffOutputs.Report(difference)))
        } else {
            for line in frames.lines { printLines([line]) }
            let wrong = difference.entries.count { !$0.state.isSame }
            let count = difference.entries.count
            printLines(["\(Summary.count(count, "file")): \(count - wrong) equal, \(wrong) different"])
        }
        if let hint = frames.hint { printError("\(Program.name): note: \(hint)") }
        guard !difference.isSame else { return }
        let failures = Set(difference.entries.compactMap(\.failure?.kind))
        throw ExitCode(failures.contains(.missingInput) ? EX_NOINPUT : failures.isEmpty ? 1 : EX_DATAERR)
    }
}

/// The output files of a comparison.
struct DiffOutputs {
    private let picture: OutputFile?
    private let report: OutputFile?
    private let junit: OutputFile?

    /// True if an HTML report is written, which shows frames.
    var hasReport: Bool { report != nil }

    /// Opens the outputs before the long work, so that errors appear early. Throws `LoadervidError`
    /// if one cannot be created.
    init(picture: String?, report: String?, junit: String?, force: Bool) throws {
        self.picture = try picture.map { try OutputFile(path: $0, overwrites: force) }
        self.report = try report.map { try ReportKind.page.file($0, force: force) }
        self.junit = try junit.map { try ReportKind.junit.file($0, force: force) }
    }

    func write(_ difference: ClipDifference) throws {
        // Equal clips have no worst frame, so no image is written.
        guard let picture, let drawn = DifferenceImage(difference) else { return }
        try picture.commit(drawn.png())
    }

    func write(_ difference: DirectoryDifference, _ expected: String, _ actual: String) throws {
        if let report {
            let page = DifferencePage(difference, expected: expected, actual: actual)
            try report.commit(Array(try page.html().utf8))
        }
        try junit?.commit(Array(Self.junit(difference).utf8))
    }

    private static func junit(_ difference: DirectoryDifference) -> String {
        let cases = difference.entries.map { entry in
            let (state, lines) = entry.summary
            let text = lines.joined(separator: "\n")
            return JUnitReport.Case(
                entry.path,
                entry.state.isSame
                    ? .passed(([state] + lines).joined(separator: "\n"))
                    : .failed(kind: entry.failure?.kind.rawValue ?? state, message: lines.first ?? state, text: text))
        }
        return JUnitReport(name: Program.name, [.init("diff", cases)]).text
    }

    /// The JSON report about two directories.
    struct Report: Encodable {
        struct File: Encodable {
            var path: String
            var state: String
            var difference: ClipDifference?
            var error: String?
            var kind: LoadervidError.Kind?
        }

        var schema = 1
        var isSame: Bool
        var files: [File]

        init(_ difference: DirectoryDifference) {
            isSame = difference.isSame
            files = difference.entries.map { entry in
                var file = File(path: entry.path, state: entry.summary.state)
                switch entry.state {
                case .alike(let difference), .differs(let difference): file.difference = difference
                case .failed(let error):
                    file.error = error.description
                    file.kind = error.kind
                case .equal, .otherBytes, .missing, .new: break
                }
                return file
            }
        }
    }
}
