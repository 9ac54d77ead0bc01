import Raster

/// The font that replaces one that is not installed: of the same class of families, such as
/// serif, and with the same weight and slant.
struct FontSubstitute {
    /// The generic families of CSS and Fontconfig.
    enum Class: String {
        case sansSerif = "sans-serif"
        case serif
        case monospace
        case cursive
    }

    /// Pango's list of families: the missing one, for which Fontconfig may know one with the same
    /// metrics, and the class.
    let families: String
    /// The style in Pango's words, such as `Semi-Bold Italic`.
    let style: String

    init(for font: TextSource.Font) {
        let words = Self.words(font.family)
        families = "\(font.family),\(Self.familyClass(words).rawValue)"
        style = Self.style(words + Self.words(font.style))
    }

    /// The family that Pango selects; nil if there are no fonts.
    var family: String? { TextSystem.family(of: families, style: style) }

    // MARK: The class

    /// Words in the names of families, by the class that they indicate.
    private static let classes: [(Class, Set<String>)] = [
        (
            .monospace,
            ["code", "console", "consolas", "courier", "inconsolata", "menlo", "monaco", "mono", "typewriter"]
        ),
        (
            .cursive,
            [
                "brush", "calligraphy", "caveat", "comic", "cursive", "dancing", "hand", "handwriting", "lobster",
                "pacifico", "satisfy", "script", "zapfino",
            ]
        ),
        (.sansSerif, ["gothic", "grotesk", "grotesque", "sans"]),
        (
            .serif,
            [
                "antiqua", "baskerville", "bodoni", "bookman", "cambria", "caslon", "century", "didot", "garamond",
                "georgia", "lora", "merriweather", "mincho", "ming", "minion", "palatino", "playfair", "rockwell",
                "roman", "serif", "slab", "song", "times",
            ]
        ),
    ]

    private static func familyClass(_ words: [String]) -> Class {
        classes.first { words.contains(where: $0.1.contains) }?.0 ?? .sansSerif
    }

    // MARK: The style

    /// Pango's names of weights and slants by the words in the names of fonts.
    private static let styles = [
        "thin": "Thin", "hairline": "Thin", "light": "Light", "lt": "Light", "book": "Book", "medium": "Medium",
        "md": "Medium", "bold": "Bold", "bd": "Bold", "black": "Black", "blk": "Black", "heavy": "Heavy",
        "italic": "Italic", "it": "Italic", "oblique": "Oblique",
    ]
    /// Words that change the weight after them.
    private static let degrees = ["semi": "Semi-", "demi": "Semi-", "extra": "Ultra-", "ultra": "Ultra-"]
    /// The weights of names that end with such a word, such as `Gotham Ultra`.
    private static let lastDegrees = ["demi": "Semi-Bold", "ultra": "Ultra-Bold"]
    private static let compounds = [
        "semibold": "Semi-Bold", "demibold": "Semi-Bold", "extrabold": "Ultra-Bold", "ultrabold": "Ultra-Bold",
        "extralight": "Ultra-Light", "ultralight": "Ultra-Light",
    ]

    private static func style(_ words: [String]) -> String {
        var result: [String] = []
        var degree = ""
        for word in words {
            if let name = compounds[word] ?? styles[word].map({ degree + $0 }), !result.contains(name) {
                result.append(name)
            }
            degree = degrees[word] ?? ""
        }
        if let last = words.last, let name = lastDegrees[last] { result.append(name) }
        return result.joined(separator: " ")
    }

    /// Returns the words of a name in lower case. Words also begin at capitals, as in
    /// `TimesNewRomanPS-BoldItalic`.
    private static func words(_ name: String) -> [String] {
        var words = [""]
        var isAfterSmall = false
        for character in name {
            let isStart = !character.isLetter || isAfterSmall && character.isUppercase
            if isStart { words.append("") }
            if character.isLetter { words[words.count - 1] += character.lowercased() }
            isAfterSmall = character.isLowercase
        }
        return words.filter { !$0.isEmpty }
    }
}
