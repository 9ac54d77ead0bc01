import Motion
import Scene

/// What is left of paths by trim paths.
enum TrimPaths {
    /// The stretches of a whole that a start, an end and an offset leave, each within 0...1: two if the end is behind the
    /// whole's own.
    static func stretches(start: Double, end: Double, offset: Double) -> [ClosedRange<Double>] {
        let shift = offset - offset.rounded(.down)
        let (low, high) = (clamp01(min(start, end)) + shift, clamp01(max(start, end)) + shift)
        if high - low >= 1 { return [0...1] }
        guard high > low else { return [] }
        if high <= 1 { return [low...high] }
        return low >= 1 ? [low - 1...high - 1] : [low...1, 0...high - 1]
    }

    /// Parts of some contours, which are passed one after the other.
    ///
    /// - Parameter stretches: parts of the whole length.
    static func trimmed(_ contours: [Contour], to stretches: [ClosedRange<Double>]) -> [Contour] {
        if stretches == [0...1] { return contours }
        let measured = contours.map(MeasuredContour.init)
        let length = measured.reduce(0) { $0 + $1.length }
        guard length > 0 else { return [] }
        var (result, passed): ([Contour], Double) = ([], 0)
        for contour in measured {
            let (start, end) = (passed, passed + contour.length)
            passed = end
            var parts = stretches.compactMap { stretch -> (Double, Double)? in
                let (low, high) = (max(stretch.lowerBound * length, start), min(stretch.upperBound * length, end))
                return high > low ? (low - start, high - start) : nil
            }
            // What ends at the end of a closed contour and goes on at its beginning is one line.
            if parts.count == 2, contour.isClosed, parts[0].1 >= contour.length * (1 - 1e-12), parts[1].0 <= 0 {
                let curves = contour.part(parts[0].0, parts[0].1) + contour.part(parts[1].0, parts[1].1)
                result.append(Contour(curves, isClosed: false))
                continue
            }
            if parts.count == 1, parts[0].0 <= 0, parts[0].1 >= contour.length {
                result.append(contour.contour)
                continue
            }
            parts.sort { $0.0 < $1.0 }
            result += parts.map { Contour(contour.part($0.0, $0.1), isClosed: false) }
        }
        return result
    }
}

/// A contour with the lengths of its curves.
private struct MeasuredContour {
    let contour: Contour
    private let curves: [(curve: Cubic, length: CurveLength)]
    let length: Double

    var isClosed: Bool { contour.isClosed }

    init(_ contour: Contour) {
        self.contour = contour
        curves = contour.curves.map { ($0, CurveLength($0)) }
        length = curves.reduce(0) { $0 + $1.length.total }
    }

    /// The curves between two lengths.
    func part(_ low: Double, _ high: Double) -> [Cubic] {
        var (result, passed): ([Cubic], Double) = ([], 0)
        for (curve, length) in curves {
            let (from, to) = (max(low - passed, 0), min(high - passed, length.total))
            passed += length.total
            guard to > from else { continue }
            let isWhole = from <= 0 && to >= length.total
            result.append(isWhole ? curve : curve.part(length.parameter(at: from), length.parameter(at: to)))
        }
        return result
    }
}
