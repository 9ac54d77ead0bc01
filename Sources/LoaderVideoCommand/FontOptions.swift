import ArgumentParser
import Core
import Raster

/// The option for fonts that are not installed.
struct FontOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Directory with fonts to use besides the installed ones; can be repeated.", valueName: "dir",
            visibility: .hidden),
        completion: .directory)
    var fontDir: [String] = []

    /// Makes the fonts available before any text is drawn.
    func validate() throws {
        for directory in fontDir where !TextSystem.addFonts(in: directory) {
            throw ValidationError(
                "--font-dir: \(quoted(directory)) is not a directory with fonts; use one with .ttf or .otf files")
        }
    }
}
