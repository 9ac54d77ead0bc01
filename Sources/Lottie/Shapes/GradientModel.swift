import Motion
import Platform
import Scene

/// A gradient of After Effects: its ends, and its stops as one list of numbers.
struct GradientModel: Sendable {
    var isRadial: Bool
    var start: Property<Point>
    var end: Property<Point>
    /// How many stops have a colour; those with an alpha follow.
    var colorCount: Int
    var stops: Property<[Double]>
    /// Percent of the radius, and degrees from the way to the end: where the highlight is.
    var highlightLength: Property<Double>
    var highlightAngle: Property<Double>

    init(reading field: Field) throws {
        guard let gradient = field["g"], let stops: Property<[Double]> = try gradient.property("k") else {
            throw field.error("a gradient without stops (g)")
        }
        isRadial = try field.number("t", or: 1) == 2
        start = try field.property("s", or: .zero)
        end = try field.property("e", or: .zero)
        highlightLength = try field.property("h", or: 0)
        highlightAngle = try field.property("a", or: 0)
        self.stops = stops
        let fewest = stops.keyValues.map(\.count).min() ?? 0
        colorCount = min(max(try gradient.integer("p") ?? fewest / 4, 0), fewest / 4)
        guard colorCount > 0, stops.keyValues.allSatisfy({ $0.count == fewest && $0.count <= LottieLimits.mostStops })
        else {
            throw gradient.error("the numbers of the gradient do not fit its count of stops (p)")
        }
    }

    /// What it paints at a frame, all of it by an opacity.
    func paint(at frame: Double, rate: Double, opacity: Double) -> Paint {
        let (start, end) = (start.value(at: frame, rate: rate), end.value(at: frame, rate: rate))
        let stops = Self.stops(stops.value(at: frame, rate: rate), colorCount: colorCount, opacity: opacity)
        guard isRadial else { return .linearGradient(LinearGradient(from: start, to: end, stops: stops)) }
        let radius = start.distance(to: end)
        let angle = atan2(end.y - start.y, end.x - start.x) + highlightAngle.value(at: frame, rate: rate) * .pi / 180
        let length = min(max(highlightLength.value(at: frame, rate: rate) / 100, -0.99), 0.99)
        let focus = start.moved(by: radius * length, towards: angle)
        return .radialGradient(RadialGradient(center: start, radius: radius, focus: focus, stops: stops))
    }

    /// A colour or an alpha at a place.
    private struct Stop {
        var offset: Double
        var values: [Double]
    }

    /// Stops with colours and alpha, from their two lists.
    private static func stops(_ numbers: [Double], colorCount: Int, opacity: Double) -> [GradientStop] {
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
            // Two stops at one place are a hard edge: what comes from the left, and what goes on to the right.
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
        let (a, b) = (stops[next - 1], stops[next])
        let part = (offset - a.offset) / (b.offset - a.offset)
        return zip(a.values, b.values).map { lerp($0, $1, part) }
    }

    private static let curveSteps = 12

    /// The stops with more of them where a midpoint bends the way between two colours.
    ///
    /// Files have a stop for each midpoint, half way in colour. After Effects does not go straight to it and on: as its pictures
    /// show, with the midpoint at m < 1/2 what is left of the first colour is (1 - u)^p with p = ln 1/2 / ln(1 - m).
    private static func smooth(_ stops: [Stop]) -> [Stop] {
        guard stops.count >= 3, stops.count % 2 == 1 else { return stops }
        for index in stride(from: 1, to: stops.count, by: 2) {
            let middle = zip(stops[index - 1].values, stops[index + 1].values).map { ($0 + $1) / 2 }
            guard zip(middle, stops[index].values).allSatisfy({ abs($0 - $1) < 0.01 }) else { return stops }
        }
        var result = [stops[0]]
        for index in stride(from: 1, to: stops.count, by: 2) {
            let (a, middle, b) = (stops[index - 1], stops[index], stops[index + 1])
            let span = b.offset - a.offset
            let place = span > 0 ? (middle.offset - a.offset) / span : 0.5
            if abs(place - 0.5) > 0.01, place > 0.01, place < 0.99 {
                for step in 1..<curveSteps {
                    let u = Double(step) / Double(curveSteps)
                    let part =
                        place < 0.5 ? 1 - pow(1 - u, log(0.5) / log(1 - place)) : pow(u, log(0.5) / log(place))
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
