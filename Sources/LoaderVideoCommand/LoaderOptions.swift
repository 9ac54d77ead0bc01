import Animations
import ArgumentParser
import Core
import Media
import Render

/// The loader argument and the options for its motion.
struct LoaderChoice: ParsableArguments {
    @Argument(help: loaderHelp, completion: .loaders)
    var loader: String

    @OptionGroup var motion: LoaderOptions

    /// Returns a request with these options and additional ones, given by their keys.
    func request(_ others: [String: String] = [:]) throws -> RenderRequest { try motion.request(loader, others) }

    /// Returns the loader with its settings. Throws `LoadervidError` if a setting is invalid.
    func configuredLoader() throws -> any Loader { try LoaderRenderer(request().loader).loader }
}

/// The options for a loader: its parameters, motion, Lottie options and `--max-pixels`.
struct LoaderOptions: ParsableArguments {
    @Option(
        name: .customLong("set"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Set a parameter of the loader; can be repeated.", valueName: "key=value"))
    var settings: [String] = []

    @OptionGroup var options: RegisteredOptions<MotionChoice>
    @OptionGroup(title: "Lottie") var lottie: RegisteredOptions<LottieChoice>

    @Option(parsing: .unconditional, help: maxPixelsHelp)
    var maxPixels: Int?

    @OptionGroup var fonts: FontOptions

    /// The given values as text, by option key.
    var texts: [String: String] { options.texts.merging(lottie.texts) { $1 } }

    func validate() throws { try checkRange(of: "--max-pixels", maxPixels, maxPixelsRange) }

    /// Returns a request for a loader by its ID, with these options and additional ones, given by
    /// their keys.
    func request(_ id: String, _ others: [String: String] = [:]) throws -> RenderRequest {
        var loader = try LoaderRequest(id: id)
        loader.maxImagePixels = maxPixels ?? loader.maxImagePixels
        loader.settings = settings
        // A placeholder: commands that encode set the container afterwards.
        var request = RenderRequest(loader: loader, container: .mp4)
        try OptionRegistry.current.apply(texts.merging(others) { $1 }, to: &request)
        return request
    }
}

/// The help of the loader argument. Computed, because the program's name is set at run time.
var loaderHelp: ArgumentHelp { "Loader ID, as '\(Program.name) list' prints it, or a Lottie file." }

/// The help of `--max-pixels` in all commands that read images or videos.
let maxPixelsHelp = ArgumentHelp(
    "Maximum number of pixels in an input image or frame. (default: \(Bitmap.maxPixels))", valueName: "n",
    visibility: .hidden)
/// The range of `--max-pixels`. The upper bound only catches typing errors: FFmpeg decodes no image
/// of 2^28 pixels or more.
let maxPixelsRange = 1...1 << 32
/// The range of `--jobs`.
let jobsRange = 1...256
/// The help of `--jobs`.
let jobsHelp = ArgumentHelp("Number of CPU cores to use. (default: all)", valueName: "n")
/// The help of `--progress`.
let progressHelp = ArgumentHelp("Progress display: auto, bar, plain, json or none.", valueName: "style")
/// The help of `-o` in commands that make an image.
let imageOutputHelp = ArgumentHelp("PNG file to create, or - for standard output.", valueName: "file")

/// Throws `ValidationError` if an image's name has another extension than `.png`.
func checkIsPNG(_ option: String, _ path: String?) throws {
    guard let path, path != "-", !path.lowercased().hasSuffix(".png") else { return }
    throw ValidationError("\(option) \(quoted(path)) does not end in .png; rename it")
}

/// Throws `ValidationError` if an option's value is outside its range.
func checkRange(of option: String, _ value: Int?, _ range: ClosedRange<Int>) throws {
    guard let value, !range.contains(value) else { return }
    throw ValidationError("\(option): \(value) is outside the range \(range.lowerBound)...\(range.upperBound)")
}

/// Parses a value of a request. Throws `ValidationError` with the expected form if the text is
/// invalid.
private func read<Value>(_ value: RequestValue<Value>, _ text: String) throws -> Value {
    guard let value = value.read(text) else { throw ValidationError(value.refusal(of: text)) }
    return value
}

/// Parses a non-negative number, exactly.
func parseNumber(_ text: String) throws -> Rational { try read(.number, text) }

/// Parses a CSS colour.
func parseColor(_ text: String) throws -> Color { try read(.color, text) }

/// Parses an instant of model time.
func parseModelTime(_ text: String) throws -> ModelTime { try read(.modelTime, text) }

/// Parses a progress style.
func parseProgress(_ text: String) throws -> ProgressDisplay.Style {
    if let style = ProgressDisplay.Style(rawValue: text) { return style }
    let known = ProgressDisplay.Style.allCases.map(\.rawValue)
    let question = NearestName.question(text, in: known).map { "\($0) Use " } ?? "use "
    throw ValidationError(question + "auto, bar, plain, json or none")
}

/// Parses a container's name.
func parseFormat(_ text: String) throws -> ClipFormat { try read(.format, text) }

extension ArgumentHelp {
    /// The help, shown by `--help-hidden` only.
    var hidden: ArgumentHelp {
        var help = self
        help.visibility = .hidden
        return help
    }
}
