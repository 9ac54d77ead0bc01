import Core
import Media

/// Settings that reduce a clip's file size: a lower quality, a lower frame rate or smaller
/// dimensions.
public struct QualityStep: Sendable, Hashable {
    /// A lower quality on the encoder's scale; nil keeps the clip's quality.
    public internal(set) var quality: String?
    /// A lower frame rate; nil keeps the clip's rate.
    public internal(set) var frameRate: FrameRate?
    /// Smaller dimensions in pixels; nil keeps the clip's size.
    public internal(set) var size: FrameSize?

    /// The requested clip.
    init() {}

    /// Parses the result of `texts`; nil for anything else.
    package init?(texts: [String: String]) {
        quality = texts["quality"]
        frameRate = texts["fps"].flatMap { FrameRate(text: $0) }
        size = texts["size"].flatMap { RequestValue<FrameSize>.size.read($0) }
        guard self.texts == texts else { return nil }
    }

    /// The step with the requested quality.
    package var withoutQuality: QualityStep {
        var step = self
        step.quality = nil
        return step
    }

    /// True if the step changes nothing.
    public var isNone: Bool { self == QualityStep() }

    /// The changed settings as option values by their keys: `quality`, `fps` and `size`.
    public var texts: [String: String] {
        var texts: [String: String] = [:]
        texts["quality"] = quality
        texts["fps"] = frameRate?.exactText
        if case .pixels(let width, let height)? = size { texts["size"] = "\(width)x\(height)" }
        return texts
    }

    /// Returns a description of the changed settings and of the requested ones, such as `quality 26
    /// instead of 18`.
    package func words(besides plan: RenderPlan) -> String {
        var asked = ["fps": plan.encoder.frameRate.exactText, "size": "\(plan.width)x\(plan.height)"]
        asked["quality"] = plan.quality.flatMap(\.value)
        return QualityStep.words(texts, insteadOf: asked)
    }

    /// Returns a description of settings, quality first, with the value that `others` has for the
    /// same key.
    package static func words(_ texts: [String: String], insteadOf others: [String: String] = [:]) -> String {
        ["quality", "fps", "size"].compactMap { key in
            texts[key].map { "\(key) \($0)" + (others[key].map { " instead of \($0)" } ?? "") }
        }
        .joined(separator: ", ")
    }

    /// The settings as progress shows them, such as `quality 26` or `20 fps, 432x216`.
    public var label: String {
        let texts = texts
        let rate = frameRate.map { rate in
            let framesPerSecond = rate.framesPerSecond
            return framesPerSecond.denominator == 1
                ? "\(rate.exactText) fps" : "\((framesPerSecond.double * 100).rounded() / 100) fps"
        }
        let parts = [texts["quality"].map { "quality \($0)" }, rate, texts["size"]].compactMap { $0 }
        return parts.isEmpty ? "as requested" : parts.joined(separator: ", ")
    }
}

/// The result of fitting a clip into its file size limit.
public struct FitResult: Sendable, Hashable {
    /// The maximum file size in bytes.
    public let limit: Int
    /// The settings that fit.
    public let step: QualityStep
    /// The number of renderings, including those that ended early because the file was too large.
    public let trials: Int
}
