import Animations
import ArgumentParser
import Core
import Explain
import Render

/// `loadervid page`: writes an HTML page about a loader.
struct PageCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "page", abstract: "Write an interactive HTML page to study a loader in a browser.",
            discussion: """
                The page plays the loader at any speed and frame by frame, beside charts and a table of its phases. It \
                is self-contained: open it from disk or host it anywhere. For the script of a lesson in place of a \
                loader, the page takes its title and captions from the script.

                EXAMPLES
                  \(Program.name) page qq-mail -o balls.html
                  \(Program.name) page jelly --set outcome=cancel --lang zh -o jelly.html
                """)
    }

    @OptionGroup var choice: LoaderChoice
    @OptionGroup var presets: ShippedOptions
    @OptionGroup var picture: RegisteredOptions<PageChoice>

    @Option(
        help: ArgumentHelp(
            "Languages of the page: en, zh, or both with a switch.", valueName: "en|zh|both"))
    var lang: PageLanguages = .both

    @Option(
        name: .shortAndLong, help: ArgumentHelp("HTML file to create, or - for standard output.", valueName: "file"))
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames per second of model time: \(StudyPage.rates.map { "\($0)" }.joined(separator: ", ")). (default: 960, "
                + "or 240 for periods over 20 s; less if the page would be too large)", valueName: "n"))
    var fps: Int?

    @Option(
        help: progressHelp, completion: .list(ProgressDisplay.Style.allCases.map(\.rawValue)),
        transform: parseProgress)
    var progress: ProgressDisplay.Style = .auto

    @Flag(help: "Overwrite the output.")
    var force = false

    func validate() throws {
        let name = output.lowercased()
        guard output == "-" || name.hasSuffix(".html") || name.hasSuffix(".htm") else {
            throw ValidationError("the output \(quoted(output)) does not end in .html; rename it")
        }
    }

    /// Returns the loader of the page, with the title and captions of the script if the argument
    /// names one.
    private func source() throws -> (LoaderRequest, title: LocalizedText?, captions: [StudyPage.PageCaption]?) {
        let name = choice.loader
        guard !LoaderCatalog.current.ids.contains(name), !LoaderCatalog.current.isFile(name),
            case let path = try presets.script(name), FileSystem.exists(path) || DocumentFile.isPath(name)
        else { return (try choice.request(picture.texts).loader, nil, nil) }
        let script = try TutorialScript(file: path)
        var request = RenderRequest(loader: script.loader, container: .mp4)
        request.loader.settings += choice.motion.settings
        try OptionRegistry.current.apply(
            choice.motion.texts.merging(picture.texts) { $1 }, to: &request)
        request.loader.maxImagePixels = choice.motion.maxPixels ?? request.loader.maxImagePixels
        let (title, phases) = try script.texts(for: request.loader)
        let captions = phases.map { StudyPage.PageCaption(from: $0.start, $0.text) }
        return (request.loader, title, captions.isEmpty ? nil : captions)
    }

    func run() throws {
        var (request, title, captions) = try source()
        var renderer = try LoaderRenderer(request)
        let chosen = request.background == nil ? AnnotationBackground.color(for: renderer.loader) : nil
        if let chosen {
            request.background = chosen
            renderer = try LoaderRenderer(request)
        }
        // Opens the output before the work, so that an error appears early.
        let file = output == "-" ? nil : try streamableFile(output, force: force)
        let page = try StudyPage(
            renderer, id: renderer.loader.id, title: title, captions: captions, settings: Self.settings(of: request),
            languages: lang.languages,
            generator: Loadervid.versionLine, rate: fps)
        let document = try make(page)
        if document.isReduced, progress != .none, progress != .json {
            printError("\(output): reduced to \(document.rate) frames/s, because the page would be too large")
        }
        if let chosen, progress != .json {
            printError(
                "\(output): note: " + AnnotationBackground.note(chosen, for: renderer.loader, hasOption: true))
        }
        guard let file else {
            let pipe = try Machine.standardOutput()
            return try document.html.withUnsafeBytes { try pipe.write($0) }
        }
        let size = try file.commit(document.html)
        if progress != .json { printResult("\(output): \(Summary.bytes(size))") }
    }

    /// Makes the page and shows its progress.
    private func make(_ page: StudyPage) throws -> StudyPage.PageDocument {
        let state = PageProgress()
        let display = ProgressDisplay(progress, name: output == "-" ? "standard output" : output) {
            let (done, total) = state.frames
            return ProgressDisplay.Moment(done: done, total: total, share: Double(done) / Double(total))
        }
        let result = Result { try page.document(state) }
        display.end()
        let document = try result.get()
        if progress == .json { display.done(byteCount: document.html.count) }
        return document
    }

    /// Returns the loader's settings. Paths are shortened to file names, because pages may be
    /// published.
    private static func settings(of request: LoaderRequest) -> [String] {
        let motion = request.motion.map { $0 == "smooth" ? [] : ["motion=\($0)"] } ?? []
        return request.settings.map { setting in
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, request.definition.isPath(parts[1], for: parts[0]) else { return setting.visible }
            return "\(parts[0])=\(parts[1].unicodeScalars.split(separator: "/").last.map { String($0) } ?? "")".visible
        } + motion
    }
}

/// The languages of a page.
enum PageLanguages: String, ExpressibleByArgument, CaseIterable {
    case en, zh, both

    var languages: [Language] {
        switch self {
        case .en: [.en]
        case .zh: [.zh]
        case .both: [.en, .zh]
        }
    }
}

/// The options for a page's background.
enum PageChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { option.key == "background" }
}
