extension Scene {
    /// Rectangles in points outside of which this scene looks like another; empty if they are equal, nil if everything
    /// may differ, as on another canvas or background. They may overlap.
    public func damage(since other: Scene) -> [Rect]? {
        damage(since: other, sharing: 0)
    }

    /// The same, where so many nodes at the beginning are known to be the same.
    package func damage(since other: Scene, sharing count: Int) -> [Rect]? {
        guard size == other.size, background == other.background else { return nil }
        return Node.damage(from: other.nodes.dropFirst(count), to: nodes.dropFirst(count))
    }

    /// How many nodes at the beginning are the same.
    package func sharedNodes(with other: Scene) -> Int { zip(nodes, other.nodes).prefix { $0 == $1 }.count }
}

extension Node {
    /// What differs between two display lists. Equal nodes at their ends are left aside, so that one that comes or goes
    /// does not damage its neighbours.
    fileprivate static func damage(from old: ArraySlice<Node>, to new: ArraySlice<Node>) -> [Rect] {
        let changes = changes(from: old, to: new)
        // What such a node takes away can be anywhere.
        guard !changes.isEmpty, (old + new).contains(where: \.reachesBeyondBounds) else { return changes }
        return Node.bounds(of: Array(old + new)).map { [$0] } ?? []
    }

    private static func changes(from old: ArraySlice<Node>, to new: ArraySlice<Node>) -> [Rect] {
        if old.count == new.count { return zip(old, new).flatMap { $1.damage(since: $0) } }
        let head = zip(old, new).prefix { $0 == $1 }.count
        let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed()).prefix { $0 == $1 }.count
        let changed = old.dropFirst(head).dropLast(tail) + new.dropFirst(head).dropLast(tail)
        return changed.compactMap(\.bounds)
    }

    private func damage(since old: Node) -> [Rect] {
        if case .group(let group) = self, case .group(let before) = old, group.holdsLike(before) {
            // Comparing what is in it first would compare everything twice.
            return Node.damage(from: before.nodes[...], to: group.nodes[...]).compactMap { group.visible($0) }
        }
        return self == old ? [] : [self, old].compactMap(\.bounds)
    }
}

extension Group {
    /// Whether it shows its nodes in the same way as another.
    fileprivate func holdsLike(_ other: Group) -> Bool {
        transform == other.transform && opacity == other.opacity && clip == other.clip && mask == other.mask
            && blendMode == other.blendMode && effects == other.effects
    }

    /// What shows of a rectangle in the nodes' coordinates, in the parent's.
    func visible(_ rect: Rect) -> Rect? {
        var rect = rect
        if let clip {
            guard let clipped = clip.bounds.flatMap({ rect.intersection($0) }) else { return nil }
            rect = clipped
        }
        for effect in effects { rect = effect.reach(of: rect) }
        if let mask, !mask.isInverted {
            guard let masked = Node.bounds(of: mask.nodes).flatMap({ rect.intersection($0) }) else { return nil }
            rect = masked
        }
        return transform.bounds(of: rect)
    }
}
