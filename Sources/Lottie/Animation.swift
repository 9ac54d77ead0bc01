import Motion
import Scene

/// A Lottie animation: what a file says, with exact times. It never changes.
struct Animation: Sendable {
    /// The canvas in points.
    let size: Size
    /// Frames a second, exact.
    let rate: Rational
    /// The frames with which it begins and ends.
    let start: Rational
    let end: Rational
    let composition: Composition
    let markers: [Marker]
    /// What is not drawn.
    let unsupported: [UnsupportedFeature]
    /// What is used, as lists show it.
    let features: [String]

    /// A named stretch, in frames.
    struct Marker: Sendable {
        var name: String
        var start: Rational
        var duration: Rational
    }

    /// Reads a file's root. Throws `LottieError` for what makes no sense; what is not supported is listed.
    init(_ json: JSON, files: AssetFiles, subframes: Subframes) throws {
        let log = ReadingLog()
        log.subframes = subframes
        let root = Field(json, log: log)
        guard root["layers"] != nil, root["fr"] != nil else {
            throw LottieError("this is no Lottie animation: it has no layers or no frame rate (fr)")
        }
        log.slots = root["slots"]
        // It would keep itself alive.
        defer { log.slots = nil }
        log.hasByteColors = Self.isOlder(root.string("v"), than: [4, 1, 9])
        size = Size(try root.number("w", or: 0), try root.number("h", or: 0))
        guard (1...100_000).contains(size.width), (1...100_000).contains(size.height) else {
            throw root.error("a canvas of \(size.width) x \(size.height); both take 1...100000 (w, h)")
        }
        rate = try Self.rate(root)
        (start, end) = (Self.frame(try root.number("ip", or: 0)), Self.frame(try root.number("op", or: 0)))
        guard start < end, (end - start) / rate <= Rational(LottieLimits.longest) else {
            let longest = LottieLimits.longest
            throw root.error("frames \(start)...\(end) (ip, op); there must be some, and at most \(longest) s of them")
        }
        var reader = try CompositionReader(root: root, files: files)
        composition = try reader.composition(root)
        let marks = root["markers"]?.items ?? []
        guard marks.count <= LottieLimits.mostMarkers else {
            throw root.error("\(marks.count) markers; there can be \(LottieLimits.mostMarkers) at most")
        }
        markers = try marks.map { try Marker(reading: $0) }
        try WorkEstimate.check(self.composition)
        (unsupported, features) = (log.unsupported, log.features.sorted())
    }

    /// How long it takes, in seconds.
    var period: Rational { (end - start) / rate }

    /// The frame at a time in seconds from the beginning; exact until here.
    func frame(at time: Rational) -> Double { (start + time * rate).double }

    /// A frame's number as it is meant: exporters compute whole numbers and miss them by a millionth.
    static func frame(_ number: Double) -> Rational {
        let whole = number.rounded()
        return abs(number - whole) < 1e-4 ? Rational(Int(whole)) : Rational(Int128((number * 1e6).rounded()), 1_000_000)
    }

    /// Frames a second as they are meant: exporters write 30000/1001 as 29.9700012207031.
    private static func rate(_ root: Field) throws -> Rational {
        let rate = try root.number("fr", or: 0)
        guard (0.01...1000).contains(rate) else {
            throw root.error("\(rate) frames a second (fr); 0.01...1000 are possible")
        }
        let nominal = (rate * 1.001).rounded()
        if abs(rate - nominal / 1.001) < 2e-6 * rate, abs(rate - rate.rounded()) > 1e-3 {
            return Rational(Int128(nominal) * 1000, 1001)
        }
        return frame(rate)
    }

    private static func isOlder(_ version: String?, than other: [Int]) -> Bool {
        guard let version else { return false }
        let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
        return numbers.count == 3 && numbers.lexicographicallyPrecedes(other)
    }
}

extension Animation.Marker {
    fileprivate init(reading field: Field) throws {
        start = Animation.frame(try field.number("tm", or: 0))
        duration = Animation.frame(max(0, try field.number("dr", or: 0)))
        // Newer files have a JSON text in the comment, with the name in it.
        var text = field.string("cm") ?? ""
        if text.hasPrefix("{"), text.utf8.count < 10_000,
            case .object(let members)? = try? JSON(parsing: Array(text.utf8)),
            case .string(let inner)? = members["name"]
        {
            text = inner
        }
        name = text.plain(atMost: 60)
    }
}
