import ArgumentParser
import Core
import Explain
import Render

/// `loadervid snippet`: prints markup that shows a clip.
struct SnippetCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "snippet", abstract: "Print the HTML and Markdown that show a clip's files.",
            discussion: """
                Browsers show the first file that they know, and load no other: videos before images, and efficient \
                codecs first. People who prefer reduced motion see the still, if one is among the files. Paths become \
                relative URLs as given.

                EXAMPLES
                  \(Program.name) snippet spinner.webm spinner.mp4 spinner.png
                  \(Program.name) snippet spinner.webp spinner.gif --alt "Loading"
                """)
    }

    @Argument(
        help: ArgumentHelp(
            "Files of one clip: .webm, .mp4, .m4v, .mov, .avif, .webp, .svg, .apng, .gif, and a still: .png, "
                + ".jpg, .webp or .avif."),
        completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp("Text for people who do not see the clip. (default: the file's name)", valueName: "text"))
    var alt: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Width in CSS pixels, 1...65535. (default: the width of the first file shown)", valueName: "n"))
    var width: Int?

    func validate() throws {
        try checkRange(of: "--width", width, 1...65535)
    }

    func run() throws {
        let name = alt ?? DocumentFile.stem(files[0])
        let markup = try SnippetMarkup(try files.map { try SnippetFile(path: $0) }, alt: name, width: width)
        printText(markup.html)
        if let line = markup.markdown { printText("\n" + line) }
        if !markup.obeysReducedMotion {
            printError(
                "\(files[0]): note: viewers who prefer reduced motion still see it move; add a still, such as the .png "
                    + "of encode --poster")
        }
    }
}
