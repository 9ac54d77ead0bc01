import ArgumentParser
import Pipeline
import Platform
import Verification

/// `loadervid diff`: what differs between two clips, or all clips of two directories.
struct DiffCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "diff", abstract: "Says in which pictures two clips differ, or the clips of two directories.",
            discussion: """
                EXAMPLES
                  \(Program.name) diff old.mp4 new.mp4
                  \(Program.name) diff old.gif new.webp --psnr 32 --picture worst.png
                  \(Program.name) diff golden out --report diff.html --junit diff.xml

                EXIT CODES
                  0 they show the same, 1 they do not, 65 a file is damaged or cannot be read, 66 one is missing
                """)
    }

    @Argument(help: ArgumentHelp("The clip that is expected, or a directory of such.", valueName: "A"))
    var expected: String

    @Argument(help: ArgumentHelp("The clip to compare, or a directory.", valueName: "B"))
    var actual: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How like pictures must be, in dB. (default: \(DifferenceOptions.usualPSNR), and equal where both "
                + "files are lossless)",
            valueName: "dB"), transform: parseDecibels)
    var psnr: Double?

    @Option(help: ArgumentHelp("Draw the worst pair as PNG: expected, actual, difference.", valueName: "file"))
    var picture: String?

    @Option(help: ArgumentHelp("Write an HTML report.", valueName: "file"))
    var report: String?

    @Option(help: ArgumentHelp("Write a JUnit XML report for CI systems.", valueName: "file"))
    var junit: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Overwrite the picture.")
    var force = false

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if let picture, !picture.lowercased().hasSuffix(".png") {
            throw ValidationError("the picture '\(picture.visible)' does not end in .png: rename it")
        }
    }

    func run() throws {
        for output in [picture, report, junit].compactMap({ $0 }) {
            for input in [expected, actual] where Machine.isSameFile(output, input) {
                throw RenderError(.usage, "\(output) is one of the clips: name another file for the output")
            }
        }
        let kinds = try [expected, actual].map { path in
            guard let kind = FileSystem.kind(path) else {
                throw RenderError(.missingInput, "\(path): there is no such file or directory")
            }
            return kind == S_IFDIR
        }
        guard kinds[0] == kinds[1] else {
            let directory = kinds[0] ? expected : actual
            throw RenderError(
                .usage,
                "\(directory) is a directory, the other is none: give two files or two directories")
        }
        if kinds[0], picture != nil {
            throw ValidationError(
                "--picture is of two files: take --report for directories")
        }
        var options = DifferenceOptions()
        (options.leastPSNR, options.limits) = (psnr, reading.limits)
        let outputs = try DiffOutputs(picture: picture, report: report, junit: junit, force: force)
        try kinds[0] ? compareDirectories(options, outputs) : compareFiles(options, outputs)
    }

    private func compareFiles(_ options: DifferenceOptions, _ outputs: DiffOutputs) throws {
        let difference = try ClipDifference(expected, actual, options, cancellation: Interruption.token)
        let entry = try DirectoryDifference.Entry(expected: expected, actual: actual, difference)
        try outputs.write(difference)
        try outputs.write(DirectoryDifference([entry]), expected, actual)
        if json {
            print(try jsonText(difference))
        } else {
            let verdict = difference.isSame ? "the same" : "different"
            printResults(["\(expected) and \(actual): \(verdict)"] + difference.lines.map { "  \($0)" })
        }
        guard difference.isSame else { throw ExitCode(1) }
    }

    private func compareDirectories(_ options: DifferenceOptions, _ outputs: DiffOutputs) throws {
        let difference = try DirectoryDifference(
            expected, actual, options, drawsPictures: outputs.hasReport, cancellation: Interruption.token
        ) { entry in
            guard !json, !entry.state.isSame else { return }
            let (state, lines) = entry.words
            printResults(["\(entry.path): \(state)"] + lines.map { "  \($0)" })
        }
        try outputs.write(difference, expected, actual)
        if json {
            print(try jsonText(DiffOutputs.Report(difference)))
        } else {
            let wrong = difference.entries.count { !$0.state.isSame }
            printResult("\(difference.entries.count) files: \(difference.entries.count - wrong) alike, \(wrong) not")
        }
        guard !difference.isSame else { return }
        let isUnreadable = difference.entries.contains { if case .failed = $0.state { true } else { false } }
        throw ExitCode(isUnreadable ? EX_DATAERR : 1)
    }
}

/// The files that a comparison leaves.
struct DiffOutputs {
    private let (picture, report, junit): (OutputFile?, OutputFile?, OutputFile?)

    /// Whether pictures are wanted in a report.
    var hasReport: Bool { report != nil }

    /// Whether they can be made is known before the long work.
    init(picture: String?, report: String?, junit: String?, force: Bool) throws {
        self.picture = try picture.map { try OutputFile(path: $0, overwrites: force) }
        self.report = try report.map { try OutputFile(path: $0, overwrites: true) }
        self.junit = try junit.map { try OutputFile(path: $0, overwrites: true) }
    }

    func write(_ difference: ClipDifference) throws {
        // Equal clips have no worst pair, and leave no picture.
        guard let picture, let drawn = DifferencePicture(difference) else { return }
        try picture.commit(drawn.png())
    }

    func write(_ difference: DirectoryDifference, _ expected: String, _ actual: String) throws {
        if let report {
            let page = DifferencePage(difference, expected: expected, actual: actual)
            try report.commit(Array(page.html.utf8))
        }
        try junit?.commit(Array(Self.junit(difference).utf8))
    }

    private static func junit(_ difference: DirectoryDifference) -> String {
        let cases = difference.entries.map { entry in
            let (state, lines) = entry.words
            let text = lines.joined(separator: "\n")
            return JUnitReport.Case(
                entry.path,
                entry.state.isSame
                    ? .passed(([state] + lines).joined(separator: "\n"))
                    : .failed(kind: state, message: lines.first ?? state, text: text))
        }
        return JUnitReport(name: Program.name, [.init("diff", cases)]).text
    }

    /// What is printed of directories as JSON.
    struct Report: Encodable {
        struct File: Encodable {
            var path: String
            var state: String
            var difference: ClipDifference?
            var error: String?
        }

        var schema = 1
        var isSame: Bool
        var files: [File]

        init(_ difference: DirectoryDifference) {
            isSame = difference.isSame
            files = difference.entries.map { entry in
                var file = File(path: entry.path, state: entry.words.state)
                switch entry.state {
                case .alike(let difference), .differs(let difference): file.difference = difference
                case .failed(let error): file.error = error.description
                case .equal, .otherBytes, .missing, .new: break
                }
                return file
            }
        }
    }
}
