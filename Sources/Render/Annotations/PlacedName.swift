import Core

/// A name with its position on the frame.
struct PlacedName {
    /// The space around a named point that its name leaves free, in points.
    private static let clearance = 1.0
    /// The minimum horizontal space between two names, in points: about a word space, so that they
    /// do not read as one name.
    static let gap = 5.0

    let name: String
    let color: Color
    /// The position of the named object or point.
    var point: Point
    /// The distance from `point` at which a leader starts; infinite for none.
    var edge: Double
    var box: Rect

    /// The disc of the named object or point, which the name does not cover.
    var own: Disc { Disc(center: point, radius: (edge.isFinite ? edge : 0) + Self.clearance) }
}

/// A disc on the frame.
struct Disc {
    let center: Point
    let radius: Double

    var bounds: Rect { Rect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius) }

    /// Returns true if a box overlaps the disc.
    func meets(_ box: Rect) -> Bool { box.nearest(to: center).distance(to: center) < radius }
}

extension [PlacedName] {
    /// Returns the names without overlaps. A name that would cover another one, an object or other
    /// art moves to the nearest free position. If there is none near it, the name is left out, and
    /// its point keeps its mark.
    ///
    /// - Parameters:
    ///   - fixed: boxes that no name covers.
    ///   - discs: the discs of objects.
    ///   - art: returns true for boxes that cover the drawing.
    func separated(by fixed: [Rect], discs: [Disc], art: (Rect) -> Bool, in room: Rect) -> [PlacedName] {
        var taken = fixed
        return compactMap { name in
            let own = name.own
            func isFree(_ box: Rect) -> Bool {
                room.contains(box) && !own.meets(box)
                    && !taken.contains { $0.expanded(by: 0.5).widened(by: PlacedName.gap).intersection(box) != nil }
                    && !discs.contains { $0.meets(box) } && !art(box)
            }
            guard let box = name.box.nearestFree(beside: taken + (discs + [own]).map(\.bounds), in: room, isFree)
            else { return nil }
            taken.append(box)
            var name = name
            name.box = box
            return name
        }
    }
}

extension Rect {
    /// The maximum distance in points over which a name moves to a free position. Further away, a
    /// viewer would have to search for it.
    private static let maxDetour = 90.0
    /// The distance in points between the positions that are tried in a direction.
    private static let step = 3.0
    /// The number of halvings of `step` after which a position is precise enough to follow moving
    /// art without visible jumps.
    private static let halvings = 5

    /// Returns the rectangle itself if it is free, or else the nearest free rectangle of its size;
    /// nil if there is none near it.
    fileprivate func nearestFree(beside obstacles: [Rect], in room: Rect, _ isFree: (Rect) -> Bool) -> Rect? {
        if isFree(self) { return self }
        let beside = obstacles.flatMap { positions(beside: $0, in: room) }.filter {
            $0.center.distance(to: center) <= Self.maxDetour && isFree($0)
        }
        let directions = (0..<8).map { Point.zero.moved(by: 1, towards: Double($0) * .pi / 4) }
        let found = beside + directions.compactMap { firstFree(towards: $0, isFree) }
        return found.min { $0.center.distance(to: center) < $1.center.distance(to: center) }
    }

    /// Returns the first free position in a direction; nil if there is none near the rectangle.
    private func firstFree(towards direction: Point, _ isFree: (Rect) -> Bool) -> Rect? {
        func moved(_ distance: Double) -> Rect {
            Rect(x: x + direction.x * distance, y: y + direction.y * distance, width: width, height: height)
        }
        let distances = stride(from: Self.step, through: Self.maxDetour, by: Self.step)
        guard var end = distances.first(where: { isFree(moved($0)) }) else { return nil }
        var start = end - Self.step
        for _ in 0..<Self.halvings {
            let middle = (start + end) / 2
            if isFree(moved(middle)) { end = middle } else { start = middle }
        }
        return moved(end)
    }

    /// Returns the rectangle, moved by a vector.
    func moved(by offset: Point) -> Rect {
        Rect(x: x + offset.x, y: y + offset.y, width: width, height: height)
    }

    /// Returns the point of a name's box at which a leader to a point begins: the middle of the
    /// left or right edge, or the point above or below it.
    func leaderStart(towards point: Point) -> Point {
        if (x...maxX).contains(point.x) { return nearest(to: point) }
        return Point(center.x < point.x ? maxX : x, center.y)
    }

    /// Returns the rectangle, moved by the smallest distance that puts it inside `room`.
    func moved(into room: Rect) -> Rect {
        Rect(
            x: min(max(x, room.x), room.maxX - width), y: min(max(y, room.y), room.maxY - height), width: width,
            height: height)
    }

    /// Returns the rectangle with space at its left and right.
    fileprivate func widened(by space: Double) -> Rect {
        Rect(x: x - space, y: y, width: width + 2 * space, height: height)
    }

    /// Returns the rectangle above, below, left and right of another one.
    fileprivate func positions(beside other: Rect, in room: Rect) -> [Rect] {
        let gap = 1.0
        let side = PlacedName.gap + gap
        let corners = [
            Point(x, other.y - height - gap), Point(x, other.maxY + gap), Point(other.x - width - side, y),
            Point(other.maxX + side, y),
        ]
        return corners.map { Rect(x: $0.x, y: $0.y, width: width, height: height).moved(into: room) }
    }
}
