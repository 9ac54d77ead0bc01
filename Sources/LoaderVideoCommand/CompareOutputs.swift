import ArgumentParser
import Core
import Inspect
import Render

/// The options of `compare` for files that show the differences.
struct ComparisonFiles: ParsableArguments {
    @Option(help: ArgumentHelp("Write an HTML report with frames and charts.", valueName: "file"))
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Write the frame of the first finding as PNG: recorded, designed and difference.", valueName: "file"))
    var picture: String?

    @Option(
        help: ArgumentHelp(
            "Write the recording with the design's outline and the differences drawn over it, as MP4.",
            valueName: "file"))
    var overlay: String?

    func validate() throws {
        try checkIsPNG("--picture", picture)
        if let overlay, !overlay.lowercased().hasSuffix(".mp4") {
            throw ValidationError("--overlay \(quoted(overlay)) does not end in .mp4; rename it")
        }
    }

    /// Throws an error if an option does not support several recordings.
    func check(recordings: Int) throws {
        for (name, value) in [("picture", picture), ("overlay", overlay)] where value != nil && recordings > 1 {
            throw ValidationError("--\(name) needs a single recording; use --report for several")
        }
    }
}

/// The files that show the differences of recordings.
struct CompareOutputs {
    private let loader: String
    private let report: OutputFile?
    private let picture: OutputFile?
    private let overlay: OutputFile?
    private var page: ComparisonPage
    /// The first error of writing a file. It is thrown after all verdicts are printed.
    private var failure: (any Error)?

    /// Opens the files before the long work, so that errors appear early. Throws `LoadervidError`
    /// if one cannot be created.
    init(_ files: ComparisonFiles, loader: String, tolerance: JudgeTolerance, force: Bool) throws {
        self.loader = loader
        report = try files.report.map { try ReportKind.comparison.file($0, force: force) }
        picture = try files.picture.map { try OutputFile(path: $0, overwrites: force) }
        overlay = try files.overlay.map { try OutputFile(path: $0, overwrites: force) }
        page = ComparisonPage(loader: loader, tolerance: tolerance)
    }

    /// Adds a judged recording. Writes its image and video unless its loader was not found.
    mutating func add(_ verdict: Verdict, _ judge: Judge) {
        guard report != nil || picture != nil || overlay != nil else { return }
        do {
            let evidence = try judge.evidence(of: verdict)
            if report != nil { try page.add(verdict, evidence) }
            guard let evidence else { return }
            if let picture {
                keep(Result { if let drawn = try ComparisonImage(evidence) { try picture.commit(drawn.png()) } })
            }
            if let overlay { keep(Result { _ = try ComparisonOverlay(evidence).write(to: overlay) }) }
        } catch { failure = failure ?? error }
    }

    /// Keeps the first error. The other files are still written.
    private mutating func keep(_ result: Result<Void, any Error>) {
        if case .failure(let error) = result { failure = failure ?? error }
    }

    /// Adds a recording that cannot be read.
    mutating func add(_ file: String, _ error: LoadervidError) {
        let verdict = Verdict(file: file, loader: loader, reason: error.description)
        do { try page.add(verdict, nil) } catch { failure = failure ?? error }
    }

    /// Writes the report. Throws the first error of any file.
    func finish() throws {
        try report?.commit(Array(try page.html().utf8))
        if let failure { throw failure }
    }
}
