import Core

extension Node {
    /// The colours of all paints, without alpha.
    var paintColors: [Color] {
        switch self {
        case .shape(let shape):
            return [shape.fill, shape.stroke?.paint].flatMap { paint -> [Color] in
                switch paint {
                case .color(let color): color.alpha > 0 ? [color.opacity(1)] : []
                case .linearGradient(let gradient): gradient.stops.map { $0.color.opacity(1) }
                case .radialGradient(let gradient): gradient.stops.map { $0.color.opacity(1) }
                case .conicGradient(let gradient): gradient.stops.map { $0.color.opacity(1) }
                case nil: []
                }
            }
        case .image: return []
        case .text(let text): return [text.color.opacity(1)]
        case .group(let group): return group.nodes.flatMap(\.paintColors)
        }
    }

    /// Returns the largest width of its lines in points; nil if it has none.
    func lineWidth(scale: Double) -> Double? {
        switch self {
        case .shape(let shape): return shape.stroke.map { $0.width * scale }
        case .group(let group):
            let factor = abs(group.transform.determinant).squareRoot()
            return group.nodes.compactMap { $0.lineWidth(scale: factor * scale) }.max()
        case .image, .text: return nil
        }
    }

    /// The ends of its lines that are drawn in part or are not closed.
    var openLineCaps: [Stroke.Cap] {
        switch self {
        case .shape(let shape):
            guard let stroke = shape.stroke, stroke.width > 0 else { return [] }
            let isWhole = stroke.start <= 0 && stroke.end >= 1 && stroke.dash == nil
            return isWhole && shape.path.elements.contains(.close) ? [] : [stroke.cap]
        case .group(let group): return group.nodes.flatMap(\.openLineCaps)
        case .image, .text: return []
        }
    }
}
