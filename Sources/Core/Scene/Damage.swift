extension Scene {
    /// Returns rectangles in points outside of which two scenes look the same; they may overlap.
    /// The result is empty for equal scenes, and nil if everything may differ, as with another
    /// canvas size or background.
    public func damage(since other: Scene) -> [Rect]? {
        damage(since: other, sharing: 0)
    }

    /// Returns the same as `damage(since:)` for scenes whose first `count` nodes are known to be
    /// equal.
    package func damage(since other: Scene, sharing count: Int) -> [Rect]? {
        guard size == other.size, background == other.background else { return nil }
        let (old, new) = (other.nodes.dropFirst(count), nodes.dropFirst(count))
        let changes = Node.damage(from: old, to: new)
        // Such a node can clear everything before it, the background included.
        guard changes.isEmpty || !(old + new).contains(where: \.reachesBeyondBounds) else { return nil }
        return changes
    }

    /// Returns the number of equal nodes at the start of two scenes.
    package func sharedNodeCount(with other: Scene) -> Int { zip(nodes, other.nodes).prefix { $0 == $1 }.count }
}

extension Node {
    /// Returns the rectangles in which two display lists differ. Lists of equal length are compared
    /// node by node. Otherwise equal nodes at both ends are skipped, so that inserting or removing
    /// nodes does not damage their neighbours.
    fileprivate static func damage(from old: ArraySlice<Node>, to new: ArraySlice<Node>) -> [Rect] {
        let changes = changes(from: old, to: new)
        // A node that reaches beyond its bounds can clear all others.
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
        if case .group(let group) = self, case .group(let before) = old, group.isEqualExceptNodes(before) {
            // Comparing the nodes first would compare everything twice.
            return Node.damage(from: before.nodes[...], to: group.nodes[...]).compactMap { group.visibleBounds(of: $0) }
        }
        return self == old ? [] : [self, old].compactMap(\.bounds)
    }
}

extension Group {
    /// True if both groups differ at most in their nodes.
    func isEqualExceptNodes(_ other: Group) -> Bool {
        transform == other.transform && opacity == other.opacity && blendMode == other.blendMode
            && clip == other.clip && mask == other.mask && effects == other.effects
    }

    /// Returns the visible part, in the parent's coordinates, of a rectangle in the nodes'
    /// coordinates.
    func visibleBounds(of rect: Rect) -> Rect? {
        var rect = rect
        if let clip {
            guard let clipped = clip.bounds.flatMap({ rect.intersection($0) }) else { return nil }
            rect = clipped
        }
        for effect in effects { rect = effect.reach(of: rect) }
        if let mask, !mask.isInverted {
            guard let masked = mask.contentBounds.flatMap({ rect.intersection($0) }) else { return nil }
            rect = masked
        }
        return transform.bounds(of: rect)
    }
}
