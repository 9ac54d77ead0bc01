import Core

// Effects that draw the contents of a layer at several times.
extension CompositionRenderer {
    /// Returns a layer's contents in its own coordinates, with the contents at the other times that
    /// its effects show.
    func contentsWithEchoes(of layer: Layer) -> [Node] {
        guard let effect = layer.effects.first(where: { $0.kind == .echo || $0.kind == .motionBlur }) else {
            return contents(of: layer)
        }
        let values = effect.values(at: frame, in: context)
        return effect.kind == .echo ? echoes(of: layer, values) : blurred(layer, values)
    }

    private func contents(of layer: Layer, after delay: Double) -> [Node] {
        guard delay != 0 else { return contents(of: layer) }
        guard layer.isVisible(at: frame + delay) else { return [] }
        return CompositionRenderer(
            composition: composition, frame: frame + delay, context: context, path: path
        ).contents(of: layer)
    }

    /// Echo: contents at multiples of a delay in seconds, each fainter by a factor, combined by an
    /// operator: Add, Maximum, Minimum, Screen, behind, in front, or their mean.
    private func echoes(of layer: Layer, _ values: LayerEffect.Values) -> [Node] {
        let count = Int(min(max(values.number(1, or: 1), 0), Double(LottieLimits.maxEchoes)).rounded())
        let delay = values.number(0, or: -1.0 / 30) * context.rate
        var images: [(nodes: [Node], opacity: Double)] = []
        var opacity = clamp01(values.number(2, or: 1))
        for index in 0...count {
            let nodes = contents(of: layer, after: delay * Double(index))
            if !nodes.isEmpty, opacity > 0 { images.append((nodes, opacity)) }
            opacity *= clamp01(values.number(3, or: 1))
        }
        switch values.number(4, or: 1).rounded() {
        case 2:
            // The maximum of equal images is the first, the most opaque one.
            let distinct = images.enumerated().filter { index, image in
                !images[..<index].contains { $0.nodes == image.nodes }
            }
            return Self.combined(distinct.map(\.element), by: .lighten)
        case 4: return Self.combined(images, by: .screen)
        case 5: return Self.combined(images.reversed(), by: .normal)
        case 6: return Self.combined(images, by: .normal)
        case 7: return Self.combined(images.map { ($0.nodes, $0.opacity / Double(images.count)) }, by: .add)
        default: return Self.combined(images, by: .add)
        }
    }

    /// CC Force Motion Blur: the mean of a number of images while the shutter is open, by default
    /// for half a frame.
    private func blurred(_ layer: Layer, _ values: LayerEffect.Values) -> [Node] {
        let count = Int(min(max(values.number(0, or: 8), 1), Double(LottieLimits.maxSamples)).rounded())
        let shutter = (values.number(1) == 0 ? 180 : min(max(values.number(2, or: 180), 0), 720)) / 360
        let images = (0..<count).map { index in
            contents(of: layer, after: shutter * ((Double(index) + 0.5) / Double(count) - 0.5))
        }
        let now = contents(of: layer)
        guard images.contains(where: { $0 != now }) else { return now }
        return Self.combined(images.map { ($0, 1 / Double(count)) }, by: .add)
    }

    /// Returns images blended with each other, but not with the backdrop.
    private static func combined(_ images: [(nodes: [Node], opacity: Double)], by mode: BlendMode) -> [Node] {
        guard images.count > 1, let bounds = Node.bounds(of: images.flatMap(\.nodes)) else {
            return images.first.map { Group.nodes($0.nodes, transform: .identity, opacity: $0.opacity) } ?? []
        }
        let groups = images.map { Node.group(Group(opacity: $0.opacity, nodes: $0.nodes, blendMode: mode)) }
        return [.group(Group(clip: .rectangle(bounds.expanded(by: 2)), nodes: groups))]
    }
}
