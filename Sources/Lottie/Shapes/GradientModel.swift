import Core

/// The gradient of a gradient fill or stroke.
struct GradientModel: Sendable {
    var isRadial: Bool
    var start: Property<Point>
    var end: Property<Point>
    /// The number of colour stops (`p`).
    var colorCount: Int
    /// The colour stops as offset, red, green and blue, followed by the opacity stops as offset and
    /// alpha; all in 0...1.
    var stops: Property<[Double]>
    /// The distance of the highlight from the centre, in percent of the radius.
    var highlightLength: Property<Double>
    /// The direction of the highlight, in degrees from the direction to the end point.
    var highlightAngle: Property<Double>

    /// True if the gradient is the same at all times.
    var isConstant: Bool {
        start.isConstant && end.isConstant && stops.isConstant && highlightLength.isConstant
            && highlightAngle.isConstant
    }

    init(reading field: Field) throws {
        (stops, colorCount) = try Self.stops(reading: field, "g")
        isRadial = try field.number("t", or: 1) == 2
        start = try field.property("s", or: .zero)
        end = try field.property("e", or: .zero)
        highlightLength = try field.property("h", or: 0)
        highlightAngle = try field.property("a", or: 0)
    }

    /// Returns the stops at a key, and the number of colour stops.
    static func stops(reading field: Field, _ key: String) throws -> (Property<[Double]>, Int) {
        guard let gradient = field[key], let stops: Property<[Double]> = try gradient.property("k") else {
            throw field.error("the gradient has no stops (\(key))")
        }
        let minCount = stops.keyValues.map(\.count).min() ?? 0
        let colorCount = min(max(try gradient.integer("p") ?? minCount / 4, 0), minCount / 4)
        guard colorCount > 0, stops.keyValues.allSatisfy({ $0.count == minCount && $0.count <= LottieLimits.maxStops })
        else {
            throw gradient.error(
                "the gradient's values (k) do not fit its number of stops (p), or exceed \(LottieLimits.maxStops)")
        }
        return (stops, colorCount)
    }

    /// Returns the paint at a frame, with an opacity in 0...1.
    func paint(at frame: Double, in context: FrameContext, opacity: Double) -> Paint {
        let start = start.value(at: frame, in: context)
        let end = end.value(at: frame, in: context)
        let stops = Self.stops(stops.value(at: frame, in: context), colorCount: colorCount, opacity: opacity)
        guard isRadial else { return .linearGradient(LinearGradient(from: start, to: end, stops: stops)) }
        let radius = start.distance(to: end)
        let angle = atan2(end.y - start.y, end.x - start.x) + highlightAngle.value(at: frame, in: context) * .pi / 180
        let length = min(max(highlightLength.value(at: frame, in: context) / 100, -0.99), 0.99)
        let focus = start.moved(by: radius * length, towards: angle)
        return .radialGradient(RadialGradient(center: start, radius: radius, focus: focus, stops: stops))
    }

    /// A colour stop with three values or an opacity stop with one.
    private struct Stop {
        var offset: Double
        var values: [Double]
    }

    /// Returns combined stops for the colour stops and opacity stops in an array of numbers.
    static func stops(_ numbers: [Double], colorCount: Int, opacity: Double) -> [GradientStop] {
        let colors = smooth(
            (0..<colorCount).map { index in
                Stop(offset: clamp01(numbers[4 * index]), values: numbers[4 * index + 1...4 * index + 3].map(clamp01))
            })
        let rest = numbers.dropFirst(4 * colorCount)
        let alphas = smooth(
            stride(from: rest.startIndex, to: rest.endIndex - 1, by: 2).map { index in
                Stop(offset: clamp01(rest[index]), values: [clamp01(rest[index + 1])])
            })
        func stop(_ offset: Double, _ values: [Double], _ alpha: Double) -> GradientStop {
            GradientStop(offset, Color(red: values[0], green: values[1], blue: values[2], alpha: alpha * opacity))
        }
        guard !alphas.isEmpty else { return colors.map { stop($0.offset, $0.values, 1) } }
        return Set((colors + alphas).map(\.offset)).sorted().flatMap { offset in
            // Two stops at one offset make a hard edge, with different values on its two sides.
            let isEdge = [colors, alphas].contains { $0.filter { $0.offset == offset }.count > 1 }
            return (isEdge ? [false, true] : [false]).map { isRight in
                stop(
                    offset, value(of: colors, at: offset, isRight: isRight),
                    value(of: alphas, at: offset, isRight: isRight)[0])
            }
        }
    }

    private static func value(of stops: [Stop], at offset: Double, isRight: Bool) -> [Double] {
        if isRight, let last = stops.last(where: { $0.offset == offset }) { return last.values }
        guard let next = stops.firstIndex(where: { $0.offset >= offset }) else { return stops[stops.count - 1].values }
        guard next > 0, stops[next].offset > offset else { return stops[next].values }
        let a = stops[next - 1]
        let b = stops[next]
        let part = (offset - a.offset) / (b.offset - a.offset)
        return zip(a.values, b.values).map { lerp($0, $1, part) }
    }

    /// The number of linear pieces that approximate the curve between two colours.
    private static let curveSteps = 12
    /// The difference from the mean colour up to which a stop is a midpoint, and the distance from
    /// the centre and from the ends up to which a midpoint stays a stop.
    private static let maxMeanError = 0.01
    private static let minMidpointDistance = 0.01

    /// Returns the stops with additional ones around midpoints that are off centre.
    ///
    /// Exporters write a stop for each midpoint, with the mean of the two colours. After Effects
    /// does not interpolate linearly to it: in its rendered frames, with a midpoint at m < 1/2, the
    /// share of the first colour at u is (1 - u)^p with p = ln(1/2) / ln(1 - m).
    private static func smooth(_ stops: [Stop]) -> [Stop] {
        guard stops.count >= 3, stops.count % 2 == 1 else { return stops }
        for index in stride(from: 1, to: stops.count, by: 2) {
            let mean = zip(stops[index - 1].values, stops[index + 1].values).map { ($0 + $1) / 2 }
            guard zip(mean, stops[index].values).allSatisfy({ abs($0 - $1) < maxMeanError }) else { return stops }
        }
        var result = [stops[0]]
        for index in stride(from: 1, to: stops.count, by: 2) {
            let a = stops[index - 1]
            let middle = stops[index]
            let b = stops[index + 1]
            let span = b.offset - a.offset
            let midpoint = span > 0 ? (middle.offset - a.offset) / span : 0.5
            let isInside = midpoint > minMidpointDistance && midpoint < 1 - minMidpointDistance
            if isInside, abs(midpoint - 0.5) > minMidpointDistance {
                for step in 1..<curveSteps {
                    let u = Double(step) / Double(curveSteps)
                    let part =
                        midpoint < 0.5
                        ? 1 - pow(1 - u, log(0.5) / log(1 - midpoint)) : pow(u, log(0.5) / log(midpoint))
                    let values = zip(a.values, b.values).map { lerp($0, $1, part) }
                    result.append(Stop(offset: a.offset + span * u, values: values))
                }
            } else {
                result.append(middle)
            }
            result.append(b)
        }
        return result
    }
}
