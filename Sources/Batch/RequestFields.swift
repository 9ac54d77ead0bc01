import Loaders
import Media
import Motion
import Pipeline
import Scene
import SlowMotion

/// Everything in a request that shapes an output, as texts by the names of `encode`'s options.
///
/// What is left to its default has no entry. A test changes every field of a request and expects a change here.
struct RequestFields {
    private(set) var texts: [String: String]

    /// Reads the pictures that settings refer to: their contents count, not their places.
    init(_ request: RenderRequest) throws {
        let loader = request.loader
        let fields: [String: String?] = [
            "loader": loader.definition.id,
            "motion": loader.motion,
            "background": loader.background?.exactText,
            "size": loader.size?.text,
            "annotate": loader.annotations.isEmpty
                ? nil : loader.annotations.map(\.rawValue).sorted().joined(separator: ","),
            "lang": loader.language.rawValue,
            "format": request.container.rawValue,
            "slowmo": request.slowmo.exactText,
            "fps": request.frameRate.framesPerSecond.exactText,
            "extent": request.extent.text,
            "timing": request.timing?.rawValue,
            "from": request.from?.text,
            "to": request.to?.text,
            "hold": request.hold?.exactText,
            "ramp": request.ramp.exactText,
            "step": request.isStepped ? "yes" : nil,
            "side-by-side": request.isSideBySide ? "yes" : nil,
            "motion-blur": request.motionBlur.exactText,
            "chapters": request.hasChapters ? "yes" : nil,
            "gop": request.keyFrameInterval.exactText,
            "codec": request.codec,
            "quality": request.quality,
            "speed": request.speed,
            "pixel-format": request.pixelFormat,
            "repetition": request.usesRepetition ? nil : "off",
            "static": request.hasLongFrames ? "vfr" : nil,
        ]
        texts = fields.compactMapValues { $0 }
        try addSettings(of: loader)
    }

    private mutating func addSettings(of request: LoaderRequest) throws {
        let parameters = request.definition.parameters
        for setting in request.settings {
            let (name, value) = setting.keyAndValue
            let field = "set \(name)"
            // A key that is given twice takes its last value.
            texts[field] = value
            guard value != "drawn", parameters.contains(where: { $0.name == name && $0 is Parameter<Bitmap?> }) else {
                continue
            }
            texts[field] = "sha256:" + (try SHA256.file(value).hash)
        }
    }
}

extension String {
    /// The parts of `key=value`.
    fileprivate var keyAndValue: (key: String, value: String) {
        guard let equals = utf8.firstIndex(of: UInt8(ascii: "=")) else { return (self, "") }
        return (String(self[..<equals]), String(self[utf8.index(after: equals)...]))
    }
}

extension Rational {
    fileprivate var exactText: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

extension Color {
    /// As CSS has it where that says all, else its components.
    fileprivate var exactText: String {
        Color(css: hexString) == self ? hexString : [red, green, blue, alpha].map { "\($0)" }.joined(separator: " ")
    }
}

extension PictureSize {
    fileprivate var text: String {
        switch self {
        case .scale(let scale): "scale \(scale.exactText)"
        case .pixels(let width, let height): "\(width)x\(height)"
        }
    }
}

extension TimeMap.Extent {
    fileprivate var text: String {
        switch self {
        case .cycles(let count): "\(count) cycles"
        case .duration(let seconds): "\(seconds.exactText) s"
        }
    }
}

extension ModelTime {
    fileprivate var text: String {
        switch self {
        case .seconds(let seconds): "\(seconds.exactText) s"
        case .phase(let index, let fraction): "phase:\(index)+\(fraction.exactText)"
        }
    }
}
