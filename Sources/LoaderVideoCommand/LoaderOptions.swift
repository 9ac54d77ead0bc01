import ArgumentParser
import Loaders
import Media
import Motion
import Pipeline
import Scene

/// The options that choose a loader and how it moves.
struct LoaderChoice: ParsableArguments {
    @Argument(help: "The loader's id, as '\(Program.name) list' shows it.", completion: .loaders)
    var loader: String

    @OptionGroup var motion: MotionOptions

    /// A request with these options and others, by their keys.
    func request(_ others: [String: String] = [:]) throws -> RenderRequest { try motion.request(loader, others) }

    /// The loader with its settings.
    func checked() throws -> any Loader { try LoaderCanvas(request().loader).loader }
}

/// The options that say how a loader moves.
struct MotionOptions: ParsableArguments {
    @Option(
        name: .customLong("set"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A parameter of the loader; repeatable.", valueName: "key=value"))
    var settings: [String] = []

    @OptionGroup var options: RegisteredOptions<MotionChoice>

    @Option(parsing: .unconditional, help: mostPixelsHelp)
    var maxPixels: Int?

    func validate() throws { try checkMostPixels(maxPixels) }

    /// A request for a loader by its id, with these options and others, by their keys.
    func request(_ id: String, _ others: [String: String] = [:]) throws -> RenderRequest {
        var loader = try LoaderRequest(id: id)
        loader.mostPicturePixels = maxPixels ?? loader.mostPicturePixels
        loader.settings = settings
        var request = RenderRequest(loader: loader, container: .mp4)
        try OptionRegistry.current.apply(options.texts.merging(others) { $1 }, to: &request)
        return request
    }
}

/// What `--max-pixels` does wherever files with pictures are read, and what it takes: libav counts sides with 16 bits.
let mostPixelsHelp = ArgumentHelp(
    "The most pixels of a picture that is read. (default: \(Bitmap.mostPixels))", valueName: "N")
let mostPixelsRange = 1...1 << 32

/// Throws for a number that `--max-pixels` does not take.
func checkMostPixels(_ value: Int?) throws {
    guard let value, !mostPixelsRange.contains(value) else { return }
    throw ValidationError("--max-pixels \(value) is not possible: it takes 1...\(mostPixelsRange.upperBound)")
}

/// Reads a value of a request, or says what would be one.
private func read<Value>(_ value: RequestValue<Value>, _ text: String) throws -> Value {
    guard let value = value.read(text) else { throw ValidationError("give \(value.expected)") }
    return value
}

/// Reads a number that is not negative, exactly.
func parseNumber(_ text: String) throws -> Rational { try read(.number, text) }

/// Reads a CSS colour.
func parseColor(_ text: String) throws -> Color { try read(.color, text) }

/// Reads a moment of model time.
func parseModelTime(_ text: String) throws -> ModelTime { try read(.modelTime, text) }

/// Reads a container's name.
func parseContainer(_ text: String) throws -> Container { try read(.container, text) }
