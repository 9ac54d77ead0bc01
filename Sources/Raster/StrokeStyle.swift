import CCairo
import Core

// Conversions of caps and joins to Cairo's constants.
extension Stroke.Cap {
    var cairo: cairo_line_cap_t {
        switch self {
        case .butt: CAIRO_LINE_CAP_BUTT
        case .round: CAIRO_LINE_CAP_ROUND
        case .square: CAIRO_LINE_CAP_SQUARE
        }
    }
}

extension Stroke.Join {
    var cairo: cairo_line_join_t {
        switch self {
        case .miter: CAIRO_LINE_JOIN_MITER
        case .round: CAIRO_LINE_JOIN_ROUND
        case .bevel: CAIRO_LINE_JOIN_BEVEL
        }
    }
}

extension AffineTransform {
    /// True for a transform that keeps areas but not lengths, such as one to twice the width and
    /// half the height. Cairo takes it for one without a scale (`_cairo_matrix_has_unity_scale`)
    /// and cuts strokes off.
    var looksUnscaled: Bool {
        let (larger, smaller) = scales
        return larger > 1.001 && abs(larger * smaller - 1) < 0.01
    }
}

extension Stroke.Dash {
    /// Returns the lengths to give to Cairo. It draws the caps of dashes without length only if all
    /// dashes have none, so among others these get `minLength`, taken from the gaps after them.
    func drawnLengths(minLength: Double) -> [Double] {
        let doubled = lengths.count % 2 == 0 ? lengths : lengths + lengths
        let dashes = stride(from: 0, to: doubled.count, by: 2)
        guard dashes.contains(where: { doubled[$0] == 0 }), dashes.contains(where: { doubled[$0] > 0 }) else {
            return lengths
        }
        var result = doubled
        for index in dashes where result[index] == 0 && result[index + 1] > 2 * minLength {
            result[index] = minLength
            result[index + 1] -= minLength
        }
        return result
    }
}
