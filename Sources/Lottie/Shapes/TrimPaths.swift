import Core

/// The Trim Paths modifier.
enum TrimPaths {
    /// Returns the ranges that a start, an end and an offset keep, as fractions of the length in
    /// 0...1: two ranges if the offset moves the end past 1.
    static func ranges(start: Double, end: Double, offset: Double) -> [ClosedRange<Double>] {
        // The sums with an offset can round to less than the whole.
        if clamp01(max(start, end)) - clamp01(min(start, end)) >= 1 { return [0...1] }
        let shift = offset - offset.rounded(.down)
        let low = clamp01(min(start, end)) + shift
        let high = clamp01(max(start, end)) + shift
        guard high > low else { return [] }
        if high <= 1 { return [low...high] }
        return low >= 1 ? [low - 1...high - 1] : [low...1, 0...high - 1]
    }

    /// Returns a closed contour with its start moved to a fraction of its length, as an offset does
    /// to a contour that it keeps whole. The next trim measures from there.
    static func moved(_ contour: BezierContour, toStartAt fraction: Double) -> BezierContour {
        let start = fraction - fraction.rounded(.down)
        guard contour.isClosed, start > 0 else { return contour }
        let measured = MeasuredContour(contour)
        guard measured.length > 0 else { return contour }
        let length = start * measured.length
        return BezierContour(measured.part(length, measured.length) + measured.part(0, length), isClosed: true)
    }

    /// Returns the parts of contours within ranges. Of two parts of a contour, the one at its end
    /// comes first, as in lottie-web and ThorVG: a second trim measures from its start.
    ///
    /// - Parameter ranges: fractions of the total length of the contours, in sequence.
    static func trimmed(_ contours: [BezierContour], to ranges: [ClosedRange<Double>]) -> [BezierContour] {
        if ranges == [0...1] { return contours }
        let measured = contours.map(MeasuredContour.init)
        let length = measured.reduce(0) { $0 + $1.length }
        guard length > 0 else { return [] }
        var result: [BezierContour] = []
        var position = 0.0
        for contour in measured {
            let start = position
            let end = position + contour.length
            position = end
            let parts = ranges.compactMap { range -> (Double, Double)? in
                let low = max(range.lowerBound * length, start)
                let high = min(range.upperBound * length, end)
                return high > low ? (low - start, high - start) : nil
            }
            // Two parts that meet at the first vertex of a closed contour are joined.
            if parts.count == 2, contour.isClosed, parts[0].1 >= contour.length * (1 - 1e-12), parts[1].0 <= 0 {
                let curves = contour.part(parts[0].0, parts[0].1) + contour.part(parts[1].0, parts[1].1)
                result.append(BezierContour(curves, isClosed: false))
                continue
            }
            if parts.count == 1, parts[0].0 <= 0, parts[0].1 >= contour.length {
                result.append(contour.contour)
                continue
            }
            result += parts.map { BezierContour(contour.part($0.0, $0.1), isClosed: false) }
        }
        return result
    }
}

/// A contour with the arc lengths of its curves.
private struct MeasuredContour {
    let contour: BezierContour
    private let curves: [(curve: CubicCurve, length: ArcLengthTable)]
    let length: Double

    var isClosed: Bool { contour.isClosed }

    init(_ contour: BezierContour) {
        self.contour = contour
        curves = contour.curves.map { ($0, ArcLengthTable($0)) }
        length = curves.reduce(0) { $0 + $1.length.total }
    }

    /// Returns the curves between two arc lengths.
    func part(_ low: Double, _ high: Double) -> [CubicCurve] {
        var result: [CubicCurve] = []
        var position = 0.0
        for (curve, length) in curves {
            let from = max(low - position, 0)
            let to = min(high - position, length.total)
            position += length.total
            guard to > from else { continue }
            let isWhole = from <= 0 && to >= length.total
            result.append(
                isWhole ? curve : curve.trimmed(from: length.parameter(at: from), to: length.parameter(at: to)))
        }
        return result
    }
}
