import ArgumentParser
import Loaders
import Pipeline
import StudyPage
import Tutorials

/// `loadervid page`: a loader to study in a browser.
struct PageCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "page", abstract: "Writes one HTML file in which a loader can be studied.",
            discussion: """
                It plays, at any speed and frame by frame, beside charts and the table of its phases. The file asks for \
                nothing else: it can be opened from a disk or put anywhere. In place of a loader the script of a lesson \
                can be named: its title and what it says of the phases are the page's.

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
            "The page's languages: en, zh, or both with a switch.", valueName: "en|zh|both"))
    var lang: PageLanguages = .both

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The HTML file to make, or - for standard output.", valueName: "file"))
    var output: String

    @Flag(help: "Overwrite the output.")
    var force = false

    func validate() throws {
        let name = output.lowercased()
        guard output == "-" || name.hasSuffix(".html") || name.hasSuffix(".htm") else {
            throw ValidationError("the output '\(output.visible)' does not end in .html: pages are HTML files")
        }
    }

    /// The loader, and the words of the script if one was named.
    private func subject() throws -> (LoaderRequest, title: LocalizedText?, captions: [StudyPage.Caption]?) {
        let name = choice.loader
        guard !LoaderCatalog.current.ids.contains(name), !LoaderCatalog.current.isFile(name),
            case let path = try presets.tutorial(name),
            FileSystem.exists(path)
        else { return (try choice.request(picture.texts).loader, nil, nil) }
        let script = try TutorialScript(file: path)
        var request = RenderRequest(loader: script.loader, container: .mp4)
        request.loader.settings += choice.motion.settings
        try OptionRegistry.current.apply(
            choice.motion.options.texts.merging(picture.texts) { $1 }, to: &request)
        let (title, phases) = try script.texts()
        let captions = phases.map { StudyPage.Caption(from: $0.start, $0.text) }
        return (request.loader, title, captions.isEmpty ? nil : captions)
    }

    func run() throws {
        let (request, title, captions) = try subject()
        let canvas = try LoaderCanvas(request)
        // What is there already is refused before the work.
        let file = output == "-" ? nil : try OutputFile(path: output, overwrites: force)
        let page = try StudyPage(
            canvas, id: canvas.loader.id, title: title, captions: captions, settings: Self.settings(of: request),
            languages: lang.languages,
            generator: Loadervid.versionLine)
        let html = try page.html()
        guard let file else {
            let pipe = try Machine.standardOutput()
            return try html.withUnsafeBytes { try pipe.write($0) }
        }
        printResult("\(output): \(Summary.bytes(try file.commit(html)))")
    }

    /// What was set, without the folders that files are in: pages are passed on.
    private static func settings(of request: LoaderRequest) -> [String] {
        let motion = request.motion.map { $0 == "smooth" ? [] : ["motion=\($0)"] } ?? []
        return request.settings.map { setting in
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, request.definition.isPath(parts[1], for: parts[0]) else { return setting.visible }
            return "\(parts[0])=\(parts[1].split(separator: "/").last ?? "")".visible
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

/// What a page takes of a picture's options.
enum PageChoice: OptionChoice {
    static func takes(_ option: ClipOption) -> Bool { option.key == "background" }
}
