/// The kinds of effects that are drawn.
enum EffectKind: String, Sendable {
    case gaussianBlur = "gaussian blur"
    case boxBlur = "box blur"
    case tint
    case fill = "fill effect"
    case stroke = "stroke effect"
    case tritone
    case levels
    case channelLevels = "pro levels"
    case dropShadow = "drop shadow"
    case radialWipe = "radial wipe"
    case transform = "transform effect"
    case ramp = "gradient ramp"
    case fourColors = "4-color gradient"
    case choker = "simple choker"
    case matteChoker = "matte choker"
    case hueSaturation = "hue/saturation"
    case brightness = "brightness & contrast"
    case invert
    case directionalBlur = "directional blur"
    case crossBlur = "cross blur"
    case slant
    case bulge
    case circle
    case echo
    case motionBlur = "forced motion blur"

    /// The kinds by match name, After Effects' own identifier.
    private static let matchNames: [String: EffectKind] = [
        "ADBE Gaussian Blur 2": .gaussianBlur, "ADBE Gaussian Blur": .gaussianBlur, "ADBE Fast Blur": .gaussianBlur,
        "ADBE Box Blur2": .boxBlur, "ADBE Tint": .tint, "ADBE Fill": .fill, "ADBE Stroke": .stroke,
        "ADBE Tritone": .tritone, "ADBE Easy Levels2": .levels, "ADBE Pro Levels2": .channelLevels,
        "ADBE Drop Shadow": .dropShadow, "ADBE Radial Wipe": .radialWipe, "ADBE Geometry2": .transform,
        "ADBE Ramp": .ramp, "ADBE 4ColorGradient": .fourColors, "ADBE Simple Choker": .choker,
        "ADBE Matte Choker": .matteChoker, "ADBE HUE SATURATION": .hueSaturation,
        "ADBE Brightness & Contrast 2": .brightness, "ADBE Invert": .invert,
        "ADBE Motion Blur": .directionalBlur, "CS CrossBlur": .crossBlur, "CC Slant": .slant, "ADBE Bulge": .bulge,
        "ADBE Circle": .circle, "ADBE Echo": .echo, "CC Force Motion Blur": .motionBlur,
    ]

    /// The kinds by name, for files of exporters that write no match names.
    private static let names: [String: EffectKind] = [
        "Gaussian Blur": .gaussianBlur, "Fast Blur": .gaussianBlur, "Tint": .tint, "Fill": .fill,
        "Drop Shadow": .dropShadow, "Gradient Ramp": .ramp, "Tritone": .tritone,
    ]

    /// The kinds by type. Exporters write other effects as groups, of type 5.
    private static let types: [Int: EffectKind] = [
        20: .tint, 21: .fill, 22: .stroke, 23: .tritone, 24: .channelLevels, 25: .dropShadow, 26: .radialWipe,
        29: .gaussianBlur, 35: .transform,
    ]

    /// Returns the kind of an effect; nil if it is none of these.
    init?(_ effect: Field, type: Int) {
        let known: EffectKind?
        if type != Self.group {
            known = Self.types[type]
        } else if let matchName = effect.string("mn") {
            known = Self.matchNames[matchName]
        } else {
            known = Self.names[effect.baseName]
        }
        guard let known else { return nil }
        self = known
    }

    /// The type of a group of values.
    static let group = 5
    /// The type of Set Matte, which is a track matte to the renderer.
    static let setMatte = 28

    /// The indices of values that are drawn.
    var indices: [Int] {
        switch self {
        case .gaussianBlur, .tint: Array(0...2)
        case .boxBlur, .tritone: Array(0...3)
        case .fill: [2, 6]
        case .stroke: Array(0...10)
        case .levels: [0] + Array(2...6)
        case .channelLevels: [3, 10, 17, 24, 31].flatMap { $0...$0 + 4 }
        case .dropShadow: Array(0...5)
        case .radialWipe: Array(0...4)
        case .transform: Array(0...8)
        case .ramp: Array(0...4) + [6]
        case .fourColors: Array(1...8) + [10, 12, 13]
        case .choker: [1]
        case .matteChoker: Array(0...6)
        case .hueSaturation: [2, 4, 5, 6, 7, 8, 9, 10]
        case .brightness: Array(0...2)
        case .invert, .directionalBlur: Array(0...1)
        case .crossBlur: Array(0...3)
        case .slant: [0, 2, 3, 4, 5]
        case .bulge, .echo: Array(0...4)
        case .circle: [0, 1, 2, 3, 5, 6, 8, 9, 10, 11]
        case .motionBlur: Array(0...2)
        }
    }

    /// The indices of values that are colours.
    var colors: [Int] {
        switch self {
        case .tint: [0, 1]
        case .fill: [2]
        case .stroke: [3]
        case .tritone: [0, 1, 2]
        case .dropShadow: [0]
        case .ramp: [1, 3]
        case .fourColors: [2, 4, 6, 8]
        case .slant: [5]
        case .circle: [9]
        default: []
        }
    }

    /// The indices of values that are points.
    var points: [Int] {
        switch self {
        case .radialWipe: [2]
        case .transform: [0, 1]
        case .ramp: [0, 2]
        case .fourColors: [1, 3, 5, 7]
        case .slant: [3]
        case .bulge: [2]
        case .circle: [0]
        default: []
        }
    }

    /// True if values are found by the numbers in their match names. Exporters leave out the values
    /// that they cannot write, and the others move up.
    var isNumbered: Bool { self == .hueSaturation }

    /// True if the effect draws something on an empty layer.
    var drawsAlone: Bool { self == .stroke || self == .circle }

    /// True if values are in the coordinates of the composition on shape and text layers.
    var hasPosition: Bool { !points.isEmpty || self == .directionalBlur }
}

extension Field {
    /// True if an effect of type 5 is an expression control, a group of them, or draws nothing
    /// itself.
    var isControl: Bool {
        // Without a match name, a single value indicates a control: most effects have more.
        guard let matchName = string("mn") else {
            return (self["ef"]?.items.count ?? 0) <= 1 || Self.presets.contains(baseName)
        }
        if matchName.lowercased().hasPrefix("pseudo/") { return true }
        if matchName.hasPrefix("ADBE ") { return matchName.hasSuffix(" Control") || Self.inert.contains(matchName) }
        // Presets name their controls as they like, often in lowercase. Their values are there for
        // expressions to read; those of other makers' effects rarely are.
        return !Self.vendors.contains { matchName.hasPrefix($0) }
            && (matchName.first?.isLowercase == true || context.isReadByExpressions(effect: string("nm") ?? matchName))
    }

    /// The name of an effect without the number by which After Effects tells effects of the same
    /// kind apart, as in "Tint 2".
    fileprivate var baseName: String {
        let name = string("nm") ?? ""
        return String(name.reversed().drop { $0.isNumber || $0 == " " }.reversed())
    }

    /// Groups of controls by name, for files whose match names an optimizer left out. Duik's
    /// Kleaner is the only one with more than one value that published files have.
    private static let presets: Set = ["Kleaner"]
    /// Effects that change no pixel: they enlarge the layer's buffer, or hold values of an
    /// animation preset whose expressions are on other properties.
    private static let inert: Set = [
        "ADBE GROW BOUNDS", "ADBE CM WigglePosition", "ADBE CM WiggleRotation", "ADBE CM WiggleScale",
    ]
    /// The beginnings of the match names of effects that draw.
    private static let vendors = ["CC ", "CS ", "tc ", "VIDEOCOPILOT ", "S_", "BCC"]
}
