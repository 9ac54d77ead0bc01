import Animations
import Core
import Render

/// A self-contained HTML page to study a loader in a browser.
///
/// The page plays the loader at any speed or frame by frame, beside charts and a table of its
/// phases. It loads nothing from the network.
package struct StudyPage: Sendable {
    /// A text below the frame.
    package struct PageCaption: Sendable {
        /// The start of the caption, in seconds of model time within the period.
        package let start: Rational
        package let text: LocalizedText

        package init(from start: Rational, _ text: LocalizedText) {
            self.start = start
            self.text = text
        }
    }

    /// Steps per second of model time, at most the frame rate.
    package static let stepRate = 240
    /// The supported frame rates of model time.
    package static let rates = PageLimits.rates
    /// Maximum period in seconds.
    package static let maxPeriod: Rational = 600
    /// Maximum period in seconds at 960 frames per second. A step then has four frames, which keeps
    /// slow motion smooth.
    private static let maxFinePeriod: Rational = 20

    let renderer: LoaderRenderer
    let id: String
    let title: LocalizedText
    let captions: [PageCaption]
    let settings: [String]
    let languages: [Language]
    let generator: String
    /// The frame rate of model time; nil for the highest rate within the limits.
    let rate: Int?

    /// A page about a loader. Throws `LoadervidError` if the period is too long.
    ///
    /// - Parameters:
    ///   - renderer: the loader on its background; annotations are left out.
    ///   - id: the loader's name.
    ///   - title: the page's title; nil for the loader's title.
    ///   - captions: texts below the frame, sorted by time; nil for the phases' numbers and names.
    ///   - settings: the settings that the page lists.
    ///   - languages: the languages of the page; at least one, and the first is the default.
    ///   - generator: the name of the program that made the page.
    ///   - rate: frames per second of model time, one of `rates`; nil for the highest within the
    ///     limits.
    package init(
        _ renderer: LoaderRenderer, id: String, title: LocalizedText? = nil, captions: [PageCaption]? = nil,
        settings: [String] = [], languages: [Language] = Language.allCases, generator: String, rate: Int? = nil
    ) throws {
        let loader = renderer.loader
        guard loader.period <= Self.maxPeriod else {
            throw LoadervidError(
                .usage,
                "period: \(loader.period) s is above the maximum of \(Self.maxPeriod) s for a page; "
                    + "choose settings with a shorter period")
        }
        if let rate, !Self.rates.contains(rate) {
            let known = Self.rates.map { "\($0)" }.joined(separator: ", ")
            throw LoadervidError(.usage, "\(option: "fps"): a page cannot have \(rate) frames/s; give one of \(known)")
        }
        self.renderer = renderer
        self.id = id
        self.settings = settings
        self.generator = generator
        self.rate = rate
        self.title = title ?? loader.title
        self.languages = languages.isEmpty ? Language.allCases : languages
        self.captions =
            captions
            ?? loader.phases.map { phase in
                PageCaption(
                    from: phase.start, LocalizedText(phase.title(in: .en), zh: phase.title(in: .zh)))
            }
    }

    /// The frame rate of model time for pages within the limits.
    var defaultRate: Int { renderer.loader.period <= Self.maxFinePeriod ? 960 : 240 }

    /// A page file.
    package struct PageDocument: Sendable {
        /// The contents.
        package let html: [UInt8]
        /// The frame rate of model time.
        package let rate: Int
        /// True if the rate is below the default to keep within the limits.
        package let isReduced: Bool
    }

    /// Makes the file and chooses its frame rate.
    ///
    /// - Parameter progress: receives the progress.
    package func document(_ progress: PageProgress = PageProgress()) throws -> PageDocument {
        let data = try data(progress)
        let html = try html(data)
        guard html.count <= PageLimits.maxBytes else {
            throw LoadervidError(
                .badData,
                "\(id): the page has \(html.count) bytes with its images, above the maximum of \(PageLimits.maxBytes); "
                    + "save its images smaller")
        }
        return PageDocument(html: html, rate: data.rate, isReduced: rate == nil && data.rate < defaultRate)
    }

    private func html(_ data: StudyData) throws -> [UInt8] {
        let data = JSONText.inScriptElement(try JSONCoding.encode(data))
        let style = "\n" + PageStyle.text
        let script = "\n" + PageScript.text
        let policy = try ContentPolicy(scripts: [script], styles: [style]).text
        let parts: [(mark: String, text: String)] = [
            ("@language@", languages[0] == .zh ? "zh-Hans" : "en"), ("@policy@", policy.xml),
            ("@title@", title.text(in: languages[0]).xml), ("@generator@", generator.xml),
            ("@style@", style), ("@data@", data), ("@script@", script),
        ]
        var page = ""
        var rest = Substring(PageMarkup.text)
        // Searches only the rest of the template, so a placeholder in an inserted text stays.
        for part in parts {
            guard let range = rest.firstRange(of: part.mark) else {
                throw LoadervidError(.internal, "the page's template has no \(part.mark)")
            }
            page += rest[..<range.lowerBound] + part.text
            rest = rest[range.upperBound...]
        }
        return Array((page + rest).utf8)
    }
}
