import ArgumentParser
import Loaders
import Media
import Motion
import Pipeline
import Scene
import SlowMotion

/// The options that choose a loader and how it moves.
struct LoaderChoice: ParsableArguments {
    @Argument(help: "The loader's id, as 'loadervid list' shows it.")
    var loader: String

    @OptionGroup var motion: MotionOptions

    /// The options as a request.
    var request: LoaderRequest { get throws { try motion.request(loader) } }

    /// The loader with its settings.
    func checked() throws -> any Loader { try LoaderCanvas(request).loader }
}

/// The options that say how a loader moves.
struct MotionOptions: ParsableArguments {
    @Option(
        name: .customLong("set"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A parameter of the loader; repeatable.", valueName: "key=value"))
    var settings: [String] = []

    @Option(
        help: ArgumentHelp("'smooth' motion, or the article's timer 'ticks'. (default: smooth)", valueName: "motion"))
    var motion: String?

    @Option(parsing: .unconditional, help: mostPixelsHelp)
    var maxPixels: Int?

    func validate() throws { try checkMostPixels(maxPixels) }

    /// The options as a request for a loader by its id.
    func request(_ id: String) throws -> LoaderRequest {
        var request = try LoaderRequest(id: id)
        request.mostPicturePixels = maxPixels ?? request.mostPicturePixels
        (request.settings, request.motion) = (settings, motion)
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

/// The options that stills and clips share.
struct LoaderOptions: ParsableArguments {
    @OptionGroup var choice: LoaderChoice
    @OptionGroup var picture: PictureOptions

    /// The options as a request.
    var request: LoaderRequest { get throws { try picture.applied(to: choice.request) } }
}

/// The options that say how pictures look.
struct PictureOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Pixels per point. (default: 4; with --annotate 2)", valueName: "factor"),
        transform: parseNumber)
    var scale: Rational?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Exact size in pixels; the stage is letterboxed.", valueName: "WxH"), transform: parseSize)
    var size: PictureSize?

    @Option(
        help: ArgumentHelp("CSS colour behind everything. (default: the loader's)", valueName: "color"),
        transform: parseColor)
    var background: Color?

    @OptionGroup var annotation: AnnotationOptions

    func validate() throws {
        if scale != nil, size != nil {
            throw ValidationError("--scale and --size exclude each other: give one of them")
        }
    }

    /// A request with these options.
    func applied(to request: LoaderRequest) -> LoaderRequest {
        var request = request
        request.background = background
        request.size = size ?? scale.map { .scale($0) }
        request.annotations = annotation.annotate ?? []
        request.language = annotation.lang
        return request
    }
}

/// The options that add notes to pictures.
struct AnnotationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show how it moves: all, or some of phases,timeline,vectors,trail,ghosts,labels,clock.", valueName: "list"),
        transform: parseAnnotations)
    var annotate: Set<AnnotationKind>?

    @Option(help: ArgumentHelp("Language of captions and chapters: en or zh.", valueName: "language"))
    var lang: Language = .en
}

extension Language: ExpressibleByArgument {}

/// Reads kinds of annotations.
func parseAnnotations(_ text: String) throws -> Set<AnnotationKind> {
    switch AnnotationKind.set(from: text) {
    case .success(let kinds): return kinds
    case .failure(let unknown):
        let known = RequestValue<Set<AnnotationKind>>.annotations.expected
        throw ValidationError("'\(unknown.name)' is no annotation: give \(known)")
    }
}

/// Reads a value of a request, or says what would be one.
private func read<Value>(_ value: RequestValue<Value>, _ text: String) throws -> Value {
    guard let value = value.read(text) else { throw ValidationError("give \(value.expected)") }
    return value
}

/// Reads a number that is not negative, exactly.
func parseNumber(_ text: String) throws -> Rational { try read(.number, text) }

/// Reads a size in pixels.
func parseSize(_ text: String) throws -> PictureSize { try read(.size, text) }

/// Reads a CSS colour.
func parseColor(_ text: String) throws -> Color { try read(.color, text) }

/// Reads a frame rate.
func parseFrameRate(_ text: String) throws -> FrameRate { try read(.frameRate, text) }

/// Reads a moment of model time.
func parseModelTime(_ text: String) throws -> ModelTime { try read(.modelTime, text) }

/// Reads a container's name.
func parseContainer(_ text: String) throws -> Container { try read(.container, text) }
