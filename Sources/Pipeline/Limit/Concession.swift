import Media
import Motion

/// What is given up so that a file stays under a limit of bytes: nothing, or some of quality, rate and size.
public struct Concession: Sendable, Hashable {
    /// Another quality, on the encoder's own scale.
    public internal(set) var quality: String?
    /// Fewer frames a second.
    public internal(set) var frameRate: FrameRate?
    /// Smaller pictures, in pixels.
    public internal(set) var size: PictureSize?

    /// Nothing is given up.
    init() {}

    /// What `texts` says; nil if that is none.
    public init?(texts: [String: String]) {
        quality = texts["quality"]
        frameRate = texts["fps"].flatMap { FrameRate(text: $0) }
        size = texts["size"].flatMap { RequestValue<PictureSize>.size.read($0) }
        guard self.texts == texts else { return nil }
    }

    /// Whether nothing is given up.
    public var isNone: Bool { self == Concession() }

    /// What is other than asked for, as options are written and by their keys: `quality`, `fps` and `size`.
    public var texts: [String: String] {
        var texts: [String: String] = [:]
        texts["quality"] = quality
        texts["fps"] = frameRate?.exactText
        if case .pixels(let width, let height)? = size { texts["size"] = "\(width)x\(height)" }
        return texts
    }

    /// The same in words, beside what a plan without concessions has, such as `quality 26 instead of 18`.
    public func words(besides plan: RenderPlan) -> String {
        var asked = ["fps": plan.encoder.frameRate.exactText, "size": "\(plan.width)x\(plan.height)"]
        asked["quality"] = plan.quality.flatMap(\.value)
        return Concession.words(texts, insteadOf: asked)
    }

    /// Texts in words, the least concession first, and beside each what stands in its place in `others`.
    public static func words(_ texts: [String: String], insteadOf others: [String: String] = [:]) -> String {
        ["quality", "fps", "size"].compactMap { key in
            texts[key].map { "\(key) \($0)" + (others[key].map { " instead of \($0)" } ?? "") }
        }
        .joined(separator: ", ")
    }
}

/// How a file came to stay under its limit of bytes.
public struct SizeFit: Sendable, Hashable {
    /// The most bytes that it may have.
    public let limit: Int
    /// What was given up.
    public let concession: Concession
    /// How often the clip was rendered.
    public let trials: Int
}

extension RenderPlan {
    /// The setting of the encoder's quality, and its value, which is nil for no loss; nil if it has none.
    var quality: (setting: CodecProfile.Setting, value: String?)? {
        CodecProfile.find(encoder.encoder)?.quality.map { ($0, encoder.options[$0.option] ?? $0.defaultValue) }
    }

    /// Whether pictures may be coded with loss that else are not: of drawings that mostly makes more bytes of them.
    var mayLose: Bool { quality.map { $0.value == nil } ?? false }

    /// What may be given up to make the file smaller, the least first, nothing before all: a little quality first; of animated
    /// pictures, which are large for each of their frames, some of these next; then size. Each has what those before it have.
    ///
    /// - Parameter keepsQuality: whether quality is none of it.
    func concessions(keepsQuality: Bool = false) -> [Concession] {
        var all = [Concession()]
        func add(_ change: (inout Concession) -> Void) {
            var next = all[all.count - 1]
            change(&next)
            all.append(next)
        }
        for quality in keepsQuality ? [] : lowerQualities { add { $0.quality = quality } }
        if mayChangeRate { for rate in lowerRates { add { $0.frameRate = rate } } }
        for size in smallerSizes { add { $0.size = size } }
        return all
    }

    /// Values of the encoder's quality: its own, or steps of about a thirteenth of its scale. A video is still fair after five
    /// such steps; an animated picture has other ways to become smaller.
    private var lowerQualities: [String] {
        guard let (setting, text) = quality else { return [] }
        let value = text.flatMap { Double($0) }
        if let values = setting.smallerValues {
            return values.filter { other in value.map { (Double(other) ?? .infinity) < $0 } ?? true }
        }
        guard let range = setting.range, let value else { return [] }
        let step = Double(max(1, range.count / 13))
        return (1...(container.isAnimation ? 2 : 5)).map { value + Double($0) * step }
            .filter { $0 <= Double(range.upperBound) }
            .map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
    }

    /// The rates of animated pictures below the clip's, of which those that GIF's clock can say begin at 50: of others parts,
    /// so that frames stay as far from each other. Below 12 frames a second nothing seems to move any more.
    private var lowerRates: [FrameRate] {
        guard container.isAnimation else { return [] }
        let rate = encoder.frameRate.framesPerSecond
        let isOfGIF = rate.denominator == 1 && rate.numerator % 25 == 0
        let rates = isOfGIF ? [50, 25, 20, 15] : [2, 3, 4, 8].map { rate / $0 }
        return rates.filter { $0 < rate && $0 >= 12 }.compactMap { FrameRate($0) }
    }

    /// Sizes in even steps down to a quarter of the sides, as far as there are such pictures.
    private var smallerSizes: [PictureSize] {
        let format = encoder.pixelFormat
        func side(_ side: Int, _ tenths: Int, _ step: Int) -> Int { (side * tenths + 5 * step) / (10 * step) * step }
        var sizes: [PictureSize] = []
        for tenths in [9, 8, 7, 6, 5, 4, 3] {
            let (width, height) = (
                side(width, tenths, format.horizontalStep), side(height, tenths, format.verticalStep)
            )
            guard min(width, height) >= PictureSize.smallestSide else { break }
            sizes.append(.pixels(width: width, height: height))
        }
        return sizes
    }
}
