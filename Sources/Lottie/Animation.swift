import Core

/// A parsed Lottie animation with exact times.
struct Animation: Sendable {
    /// The canvas in points.
    let size: Size
    /// The frame rate in frames per second, for example 30000/1001.
    let rate: Rational
    /// The in point (`ip`), in frames.
    let start: Rational
    /// The out point (`op`), in frames. It is not part of the animation.
    let end: Rational
    let composition: Composition
    /// The compositions for expressions; empty if the file has no programs.
    private let model: ExpressionModel
    let markers: [Marker]
    /// The features of the file that are not drawn.
    let unsupported: [UnsupportedFeature]
    /// Notes about how the file is drawn, such as replaced fonts.
    let notes: [String]
    /// The timing functions of keyframes except the linear one.
    let curves: Set<TimingFunction>
    /// The names of the supported features that the file uses, sorted, as `list` shows them.
    let features: [String]

    /// A named range of frames.
    struct Marker: Sendable {
        var name: String
        var start: Rational
        var duration: Rational

        /// True if a designer chose the name: it is neither a number nor the name that After
        /// Effects or a script gives to an unnamed marker, such as `Marker_3`.
        var isNamed: Bool {
            let words = name.lowercased().filter { $0.isLetter || $0 == " " }.split(separator: " ")
            return !words.isEmpty && !words.allSatisfy(Self.defaultWords.contains)
        }

        /// The words of names that designers did not choose.
        private static let defaultWords: Set<Substring> = ["marker", "comp", "composition", "layer", "untitled", "标记"]
    }

    /// Reads the root object of a file. Throws `LottieError` if the file is invalid or exceeds a
    /// limit. Unsupported features are collected in `unsupported`.
    ///
    /// - Parameters:
    ///   - font: the family for text whose own font is not installed; empty for a similar one.
    ///   - hasStrictFonts: true to record a missing font as unsupported instead.
    ///   - easing: the timing function that replaces those of keyframes; nil for none.
    init(
        _ json: JSON, files: AssetFiles, subframes: Subframes, font: String = "", hasStrictFonts: Bool = false,
        easing: EasingOverride? = nil
    ) throws {
        let context = ParseContext()
        context.font = font
        context.hasStrictFonts = hasStrictFonts
        context.easing = easing
        let root = try Self.root(json, subframes: subframes, context)
        size = Size(try root.number("w", or: 0), try root.number("h", or: 0))
        guard (1...100_000).contains(size.width), (1...100_000).contains(size.height) else {
            throw root.error(
                "the canvas of \(size.width.expressionText)x\(size.height.expressionText) is outside the range of 1...100000 "
                    + "points per side; correct w and h")
        }
        rate = try Self.rate(root)
        start = Self.frame(try root.number("ip", or: 0))
        end = Self.frame(try root.number("op", or: 0))
        try Self.check(start, end, rate, root)
        var reader = try CompositionReader(root: root, files: files)
        composition = try reader.composition(root)
        let markerFields = root["markers"]?.items ?? []
        guard markerFields.count <= LottieLimits.maxMarkers else {
            throw root.error("\(markerFields.count) markers; the maximum is \(LottieLimits.maxMarkers)")
        }
        markers = try markerFields.map { try Marker(reading: $0) }
        try StaticCost.check(self.composition)
        model = context.hasPrograms ? reader.expressionModel : ExpressionModel()
        if context.hasPrograms {
            try ExpressionCheck.run(
                composition, from: start.double, to: end.double, root: root,
                makeContext: { [rate, model] in FrameContext(rate: rate.double, model: model) })
        }
        unsupported = context.unsupported
        notes = context.notes
        curves = context.timings
        features = context.features.sorted()
    }

    /// Returns the root object of a file, with the settings of the file in its context. Throws
    /// `LottieError` if it is not of a Lottie animation.
    private static func root(_ json: JSON, subframes: Subframes, _ context: ParseContext) throws -> Field {
        let root = Field(json, context: context)
        for (key, name) in [("layers", "layers"), ("fr", "frame rate (fr)")] where root[key] == nil {
            throw LottieError(
                "not a Lottie animation: it has no \(name); export one, for example with Bodymovin")
        }
        context.root = json
        context.settings = ParseContext.Settings(subframes: subframes, slots: root["slots"]?.json)
        context.version = FormatVersion(root.string("v") ?? "")
        // lottie-web converts values when it loads a file. Some files were saved after that.
        context.isConverted = try root.flag("__complete")
        context.hasByteColors = context.version.isOlder(than: [4, 1, 9]) && !context.isConverted
        return root
    }

    /// Throws `LottieError` unless the frames last longer than 0 s and no longer than the limit.
    private static func check(_ start: Rational, _ end: Rational, _ rate: Rational, _ root: Field) throws {
        guard start < end else {
            throw root.error("the end frame \(end) (op) is not after the start frame \(start) (ip); correct ip or op")
        }
        guard (end - start) / rate <= Rational(LottieLimits.maxSeconds) else {
            throw root.error(
                "frames \(start)...\(end) (ip, op) at \(rate) fps last longer than the maximum of "
                    + "\(LottieLimits.maxSeconds) s; correct ip, op or fr")
        }
    }

    /// Returns the state for the properties of one frame.
    func frameContext() -> FrameContext { FrameContext(rate: rate.double, model: model) }

    /// The duration in seconds.
    var period: Rational { (end - start) / rate }

    /// Returns the frame number at a time in seconds after the in point. Only the result is
    /// rounded.
    func frame(at time: Rational) -> Double { (start + time * rate).double }

    /// Returns the frame number that an exporter meant. Exporters compute whole numbers in floating
    /// point and miss them by about a millionth.
    static func frame(_ number: Double) -> Rational {
        let whole = number.rounded()
        return abs(number - whole) < 1e-4 ? Rational(Int(whole)) : Rational(Int128((number * 1e6).rounded()), 1_000_000)
    }

    /// Returns the frame rate that an exporter meant. Exporters write 30000/1001 as
    /// 29.9700012207031.
    private static func rate(_ root: Field) throws -> Rational {
        let rate = try root.number("fr", or: 0)
        guard (0.01...1000).contains(rate) else {
            throw root.error(
                "the frame rate of \(rate) (fr) is outside the range of 0.01...1000 frames per second; correct fr")
        }
        let nominal = (rate * 1.001).rounded()
        if abs(rate - nominal / 1.001) < 2e-6 * rate, abs(rate - rate.rounded()) > 1e-3 {
            return Rational(Int128(nominal) * 1000, 1001)
        }
        return frame(rate)
    }
}

extension Animation.Marker {
    fileprivate init(reading field: Field) throws {
        start = Animation.frame(try field.number("tm", or: 0))
        duration = Animation.frame(max(0, try field.number("dr", or: 0)))
        // Newer exporters write a JSON object with the name into the comment.
        var text = field.string("cm") ?? ""
        if text.hasPrefix("{"), text.utf8.count < 10_000,
            case .object(let members)? = try? JSON(parsing: Array(text.utf8)),
            case .string(let inner)? = members["name"]
        {
            text = inner
        }
        name = text.singleLine(atMost: Self.maxNameLength, hasEllipsis: true)
    }

    /// The maximum length of a name in characters.
    private static let maxNameLength = 60

    /// Returns the part of the marker within an animation; nil if it is outside.
    func clipped(to animation: Animation) -> Animation.Marker? {
        var marker = self
        if start < animation.start, start + duration > animation.start {
            marker.start = animation.start
            marker.duration = start + duration - animation.start
        }
        return marker.start >= animation.start && marker.start < animation.end ? marker : nil
    }
}
