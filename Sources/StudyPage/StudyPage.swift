import Loaders
import Motion
import Pipeline
import PlatformFoundation

/// A loader as one HTML file to study it in a browser: it plays, slowly if wanted, frame by frame, beside charts and the
/// table of its phases. The file needs nothing else and asks for nothing.
public struct StudyPage: Sendable {
    /// What is said below the picture from a time on.
    public struct Caption: Sendable {
        /// From when on, in seconds of model time within the period.
        public let start: Rational
        /// What is said.
        public let text: LocalizedText

        /// A caption from a time on.
        public init(from start: Rational, _ text: LocalizedText) { (self.start, self.text) = (start, text) }
    }

    /// By so many steps a second of model time one goes from picture to picture.
    public static let stepRate = 240
    /// The longest period, in seconds.
    public static let longestPeriod: Rational = 600
    /// Up to this period, in seconds, there are four pictures for each step, so that slow motion stays smooth.
    private static let longestFinePeriod: Rational = 20

    let canvas: LoaderCanvas
    let id: String
    let title: LocalizedText
    let captions: [Caption]
    let settings: [String]
    let languages: [Language]
    let generator: String

    /// A page about a loader.
    ///
    /// - Parameters:
    ///   - canvas: the loader on its background; notes that it may have are left out.
    ///   - id: what the loader is called.
    ///   - title: the page's title; nil takes the loader's.
    ///   - captions: what is said below the picture, by growing times; nil says the phases' numbers and names.
    ///   - settings: what was set, as the page shows it.
    ///   - languages: the languages between which one can choose; at least one, the first is shown first.
    ///   - generator: what made the page.
    ///
    /// Throws `RenderError` if the period is too long.
    public init(
        _ canvas: LoaderCanvas, id: String, title: LocalizedText? = nil, captions: [Caption]? = nil,
        settings: [String] = [], languages: [Language] = Language.allCases, generator: String
    ) throws {
        let loader = canvas.loader
        guard loader.period <= Self.longestPeriod else {
            throw RenderError(
                .usage,
                "a page of a period of \(loader.period) s is not possible: it takes up to \(Self.longestPeriod) s; "
                    + "set what makes the period shorter")
        }
        (self.canvas, self.id, self.settings, self.generator) = (canvas, id, settings, generator)
        self.title = title ?? loader.title
        self.languages = languages.isEmpty ? Language.allCases : languages
        self.captions =
            captions
            ?? loader.phases.map { phase in
                Caption(
                    from: phase.start, LocalizedText(phase.title(in: .en), zh: phase.title(in: .zh)))
            }
    }

    /// Pictures a second of model time: a whole multiple of the steps.
    var rate: Int { Self.stepRate * (canvas.loader.period <= Self.longestFinePeriod ? 4 : 1) }

    /// How many pictures the period has: the last one may be shorter than the others.
    var frameCount: Int { -(Rational.zero - canvas.loader.period * Rational(rate)).floor }

    /// The file. The same page gives the same bytes. Throws `RenderError` if something cannot be drawn or is too much.
    public func html() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // No text ends the element that holds the data.
        let data = String(decoding: try encoder.encode(data()), as: UTF8.self).replacing("<", with: "\\u003c")
        let parts: [(mark: String, text: String)] = [
            ("@language@", languages[0] == .zh ? "zh-Hans" : "en"),
            ("@title@", Self.escaped(title.text(in: languages[0]))), ("@generator@", Self.escaped(generator)),
            ("@style@", PageStyle.text), ("@data@", data),
            ("@script@", [PageScript.drawing, PageScript.words, PageScript.view, PageScript.player].joined()),
        ]
        var page = ""
        var rest = Substring(PageMarkup.text)
        // In the template's order and never in what was put in.
        for part in parts {
            guard let place = rest.firstRange(of: part.mark) else {
                throw RenderError(.internal, "the page's template has no \(part.mark)")
            }
            page += rest[..<place.lowerBound] + part.text
            rest = rest[place.upperBound...]
        }
        return Array((page + rest).utf8)
    }

    private static func escaped(_ text: String) -> String {
        [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
