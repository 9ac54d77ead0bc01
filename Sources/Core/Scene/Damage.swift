extension Scene {
    /// Returns rectangles in points outside of which two scenes look the same; they may overlap.
    /// The result is empty for equal scenes, and nil if everything may differ, as with another
    /// canvas size or background.
    public func damage(since other: Scene) -> [Rect]? {
        damage(since: other, sharing: 0)
    }

    /// Returns the same as `damage(since:)` for scenes whose first `count` nodes are known to be
    /// equal.
    ///
    /// - Parameter tolerance: the maximum distance, in points, of an arc from the polygon that is
    ///   drawn for it. If it is given, only the changed ends of a stroked arc are damage.
    package func damage(since other: Scene, sharing count: Int, tolerance: Double? = nil) -> [Rect]? {
        guard size == other.size, background == other.background else { return nil }
        let old = other.nodes.dropFirst(count)
        let new = nodes.dropFirst(count)
        // Such a node can clear everything before it, the background included.
        guard !Node.reachBeyondBounds(old, new) || old == new else { return nil }
        return Node.damage(from: old, to: new, tolerance)
    }

    /// Returns the number of equal nodes at the start of two scenes.
    package func sharedNodeCount(with other: Scene) -> Int { zip(nodes, other.nodes).prefix { $0 == $1 }.count }
}

extension Node {
    /// Returns the rectangles in which two display lists differ. Lists of equal length are compared
    /// node by node. Otherwise equal nodes at both ends are skipped, so that inserting or removing
    /// nodes does not damage their neighbours.
    fileprivate static func damage(
        from old: ArraySlice<Node>, to new: ArraySlice<Node>, _ tolerance: Double?
    ) -> [Rect] {
        // A node that reaches beyond its bounds can clear all others.
        if reachBeyondBounds(old, new) {
            return old == new ? [] : Node.bounds(of: Array(old + new)).map { [$0] } ?? []
        }
        if old.count == new.count { return zip(old, new).flatMap { $1.damage(since: $0, tolerance) } }
        let head = zip(old, new).prefix { $0 == $1 }.count
        let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed()).prefix { $0 == $1 }.count
        let changed = old.dropFirst(head).dropLast(tail) + new.dropFirst(head).dropLast(tail)
        return changed.compactMap(\.bounds)
    }

    /// Returns true if a node of either display list changes the backdrop outside its bounds.
    fileprivate static func reachBeyondBounds(_ old: ArraySlice<Node>, _ new: ArraySlice<Node>) -> Bool {
        old.contains(where: \.reachesBeyondBounds) || new.contains(where: \.reachesBeyondBounds)
    }

    private func damage(since old: Node, _ tolerance: Double?) -> [Rect] {
        switch (self, old) {
        case (.group(let group), .group(let before)) where group.isComparableByNodes(to: before):
            // Comparing the nodes first would compare everything twice.
            let inner = group.isPlain ? tolerance : nil
            return Node.damage(from: before.nodes[...], to: group.nodes[...], inner)
                .compactMap { group.visibleBounds(of: $0, { $1.clamped(to: $0) }) { $0.influence(of: $1) } }
        case (.shape(let shape), .shape(let before)):
            guard shape != before else { return [] }
            let ends = tolerance.flatMap { shape.damageOfArc(since: before, tolerance: $0) }
            return ends ?? [self, old].compactMap(\.bounds)
        default: return self == old ? [] : [self, old].compactMap(\.bounds)
        }
    }
}

extension Shape {
    /// Returns the damage between two strokes along the same circle that begin and end at different
    /// angles; nil for other shapes.
    ///
    /// The polygons of both strokes have the same corners but for those at their ends, so pixels
    /// elsewhere are equal. Cairo computes a row differently if an edge begins or ends in it, so
    /// rows with a changed end are damaged across the whole shape.
    fileprivate func damageOfArc(since old: Shape, tolerance: Double) -> [Rect]? {
        guard fill == nil, old.fill == nil, let stroke, let before = old.stroke,
            stroke.isEqualExceptEnds(before), stroke.visibleDash == nil,
            let arc = drawnArc, let oldArc = old.drawnArc, arc.turn == oldArc.turn, !arc.isClosed, !oldArc.isClosed,
            (arc.center, arc.radius) == (oldArc.center, oldArc.radius),
            let bounds = Node.bounds(of: [.shape(self), .shape(old)])
        else { return nil }
        // The last edge reaches from an end to the corner before it, which is less than two steps
        // away. The inner side of the line has the longest steps.
        let margin = 2 * ArcPolygon.step(radius: arc.radius - stroke.width / 2, tolerance: tolerance)
        return [(arc.start, oldArc.start), (arc.end, oldArc.end)].compactMap { new, old in
            guard new != old else { return nil }
            var path = Path()
            path.addArc(
                center: arc.center, radius: arc.radius, startAngle: min(new, old) - margin,
                endAngle: max(new, old) + margin)
            return path.bounds.map { changed in
                let rows = changed.expanded(by: stroke.width / 2)
                return Rect(x: bounds.x, y: rows.y, width: bounds.width, height: rows.height)
            }
        }
    }

    /// The arc whose outline is drawn for the visible part of the stroke; nil if there is none.
    private var drawnArc: SingleArc? {
        guard let stroke, let path = stroke.visiblePart(of: path) else { return nil }
        return SingleArc(strokedAlong: path, width: stroke.width, cap: stroke.cap)
    }
}

extension Stroke {
    /// Returns true if both strokes differ at most in the part of the path that they cover.
    fileprivate func isEqualExceptEnds(_ other: Stroke) -> Bool {
        var copy = other
        copy.start = start
        copy.end = end
        return self == copy
    }
}

extension Group {
    /// True if the nodes are drawn with the parent's scale, straight on its pixels.
    fileprivate var isPlain: Bool {
        let isMoved = (transform.a, transform.b, transform.c, transform.d) == (1, 0, 0, 1)
        return isMoved && effects.isEmpty
    }

    /// True if the nodes are drawn on a plane whose pixels are then resampled. The position of
    /// these pixels depends on the bounds of all nodes, so a change of one node can affect the
    /// others.
    fileprivate var isResampled: Bool {
        effects.contains { if case .perspective = $0 { true } else { false } }
    }

    /// Returns true if both groups differ only where their nodes do.
    fileprivate func isComparableByNodes(to other: Group) -> Bool {
        // A second node under a clip moves the first one to a layer, where it blends with that
        // only.
        !isResampled && clipsSeveralNodes == other.clipsSeveralNodes && isEqualExceptNodes(other)
    }

    /// Returns true if both groups differ at most in their nodes.
    func isEqualExceptNodes(_ other: Group) -> Bool {
        transform == other.transform && opacity == other.opacity && blendMode == other.blendMode
            && clip == other.clip && mask == other.mask && effects == other.effects
    }

    /// Returns the visible part, in the parent's coordinates, of a rectangle in the nodes'
    /// coordinates.
    ///
    /// - Parameters:
    ///   - clipped: returns the part of the second rectangle in the first one. Damage beside a clip
    ///     may share pixels with its soft edge, so it is moved there (`clamped`).
    ///   - expanded: returns the rectangle that an effect makes of another one: the part that it
    ///     may paint (`reach`), or the part that it may change (`influence`).
    func visibleBounds(
        of rect: Rect, _ clipped: (Rect, Rect) -> Rect? = { $0.intersection($1) },
        _ expanded: (Effect, Rect) -> Rect = { effect, rect in effect.reach(of: rect) }
    ) -> Rect? {
        var rect = rect
        if let clip {
            guard let inside = clip.bounds.flatMap({ clipped($0, rect) }) else { return nil }
            rect = inside
        }
        for effect in effects { rect = expanded(effect, rect) }
        if let mask, !mask.isInverted {
            guard let masked = mask.contents.bounds.flatMap({ clipped($0, rect) }) else { return nil }
            rect = masked
        }
        return transform.bounds(of: rect)
    }
}
