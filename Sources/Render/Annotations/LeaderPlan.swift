import Core

/// A choice of positions for names whose leaders neither cross each other nor run over other
/// objects or names, as far as the motion allows. The positions stay the same for the whole period.
struct LeaderPlan {
    /// The costs of conflicts, in points of a leader's length. A conflict that lasts for a part of
    /// the period has that part of its cost.
    private enum Cost {
        /// Two leaders that cross.
        static let crossing = 240.0
        /// A leader over an object that it does not belong to.
        static let object = 200.0
        /// A leader behind another name.
        static let name = 300.0
        /// A name over a drawing of its own size.
        static let art = 400.0
        /// A leader over other art, for each point of its length.
        static let line = 4.0
        /// Two names over each other: larger than all other costs together.
        static let overlap = 10_000.0
    }

    /// The maximum number of names whose positions are searched for: twice as many as are shown by
    /// default. More need a search that takes too long.
    static let maxNames = 16
    /// The maximum number of times that all names are moved.
    private static let maxSweeps = 12
    /// The distance from another object at which a leader still seems to touch it, in points.
    private static let clearance = 3.0

    /// A name at a position.
    private struct Candidate {
        let box: Rect
        /// The leader at each instant; nil if the object is invisible or next to the name.
        let leaders: [LineSegment?]
        /// The cost without that of other names.
        let cost: Double
    }

    /// The outlines of the visible objects at each instant, in points of the frame.
    private let moments: [[Int: ObjectTrace.Outline]]
    /// The drawn part of the canvas; nil if it is not known.
    private let coverage: ArtCoverage?
    private let layout: AnnotationLayout

    /// A plan for a layout; nil if no object has its name beside the drawing.
    init?(_ survey: LoaderSurvey, layout: AnnotationLayout) {
        guard let trace = survey.trace else { return nil }
        coverage = survey.coverage
        self.layout = layout
        moments = trace.moments.map { moment in
            moment.mapValues { outline in
                let reach = Size(outline.reach.width * layout.scale, outline.reach.height * layout.scale)
                return ObjectTrace.Outline(center: layout.place(outline.center), reach: reach)
            }.filter { layout.panel.nearest(to: $1.center) == $1.center }
        }
    }

    /// Returns better positions of names, by their object. Returns the same ones if no leader or
    /// name is in the way, and for one name or more than `maxNames`.
    func improved(_ boxes: [Int: Rect], in slots: NameSlots) -> [Int: Rect] {
        let indices = boxes.keys.sorted()
        guard (2...Self.maxNames).contains(indices.count) else { return boxes }
        let start = indices.compactMap { index in boxes[index].map { candidate($0, of: index) } }
        guard hasConflicts(start, of: indices) else { return boxes }
        let points = indices.map { center(of: $0) } + start.map(\.box.center)
        let all = slots.slots(beside: points)
        let choices = zip(indices, start).map { index, known in
            all.map { slot in slots.box(at: slot, width: known.box.width).map { candidate($0, of: index) } }
        }
        let found = [start, inserted(choices)].compactMap(\.self).map { settled($0, choices) }
        let costs = found.map { cost($0) }
        let best = found.indices.min { costs[$0] < costs[$1] } ?? 0
        return Dictionary(uniqueKeysWithValues: zip(indices, found[best].map(\.box)))
    }

    /// Returns the cost of names over art, and of leaders that cross, or run over other objects or
    /// names.
    func conflicts(of boxes: [Int: Rect]) -> Double {
        let indices = boxes.keys.sorted()
        let placed = indices.compactMap { index in boxes[index].map { candidate($0, of: index) } }
        let touchCount = zip(indices, placed).reduce(0) { $0 + touches($1.1.leaders, of: $1.0) }
        let covers = placed.reduce(0) { $0 + cover(of: $1.box) }
        let pairs = placed.indices.reduce(0) { sum, index in
            placed[..<index].reduce(sum) { $0 + cost(placed[index], $1) }
        }
        return Cost.object * Double(touchCount) / Double(max(1, moments.count)) + Cost.art * covers + pairs
    }

    // MARK: Costs

    /// The share of a box over which art may be drawn for a part of the period.
    private static let maxCover = 0.01

    /// Returns the share of a box that covers the drawing. A name that hides passing art is hardly
    /// better than one over art at rest.
    private func cover(of box: Rect) -> Double {
        let share = coverage?.share(of: layout.onCanvas(box)) ?? 0
        return share > Self.maxCover ? min(1, 0.5 + share) : share
    }

    /// Returns the mean position of an object while it is visible.
    private func center(of index: Int) -> Point {
        let centers = moments.compactMap { $0[index]?.center }
        return centers.reduce(.zero, +) * (1 / Double(max(1, centers.count)))
    }

    private func candidate(_ box: Rect, of index: Int) -> Candidate {
        let leaders = moments.map { $0[index].flatMap { leader(to: $0, from: box) } }
        let length = leaders.reduce(0) { sum, leader in
            sum + (leader.map { $0.start.distance(to: $0.end) + Cost.line * lengthOverArt($0) } ?? 0)
        }
        let cost = (length + Cost.object * Double(touches(leaders, of: index))) / Double(max(1, moments.count))
        return Candidate(
            box: box, leaders: leaders, cost: cost + Cost.art * cover(of: box))
    }

    /// The share of the period for which art that hardly moves is drawn at a point.
    private static let minShare = 0.75
    /// The distance between the points of a leader at which art is looked for. Next to its object,
    /// a leader may lie over art that belongs to the object.
    private static let artStep = 8.0

    /// Returns the length of a leader over art that is drawn most of the time, in points.
    private func lengthOverArt(_ leader: LineSegment) -> Double {
        guard let coverage else { return 0 }
        let length = leader.start.distance(to: leader.end)
        let direction = (leader.end - leader.start) * (1 / length)
        return stride(from: Self.artStep, to: length, by: Self.artStep).reduce(0) { sum, distance in
            let point = leader.start + direction * distance - Point(layout.canvas.x, layout.canvas.y)
            return coverage.share(at: point * (1 / layout.scale)) >= Self.minShare ? sum + Self.artStep : sum
        }
    }

    /// Returns the leader from a box to the edge of an object; nil if the object reaches the box.
    private func leader(to object: ObjectTrace.Outline, from box: Rect) -> LineSegment? {
        let near = box.nearest(to: object.center)
        let distance = object.distance(to: near)
        return distance > 1 ? LineSegment(object.center + (near - object.center) * (1 / distance), near) : nil
    }

    /// Returns the number of objects, over all instants, that leaders run over. An object that lies
    /// on another one cannot be reached otherwise.
    private func touches(_ leaders: [LineSegment?], of index: Int) -> Int {
        zip(moments, leaders).reduce(0) { sum, pair in
            guard let leader = pair.1, let own = pair.0[index] else { return sum }
            return sum
                + pair.0.count { other, outline in
                    var wide = outline
                    wide.reach.width += Self.clearance
                    wide.reach.height += Self.clearance
                    return other != index && wide.distance(to: own.center) > 1 && wide.meets(leader)
                }
        }
    }

    /// Returns the cost of two names beside each other.
    private func cost(_ first: Candidate, _ second: Candidate) -> Double {
        let spaced = Rect(
            x: first.box.x - PlacedName.gap, y: first.box.y - 0.5, width: first.box.width + 2 * PlacedName.gap,
            height: first.box.height + 1)
        if let shared = spaced.intersection(second.box), shared.width > 0, shared.height > 0 { return Cost.overlap }
        var sum = 0.0
        for (line, other) in zip(first.leaders, second.leaders) {
            if let line, let other, line.crosses(other) { sum += Cost.crossing }
            if let line, line.meets(second.box) { sum += Cost.name }
            if let other, other.meets(first.box) { sum += Cost.name }
        }
        return sum / Double(max(1, moments.count))
    }

    /// Returns the cost of a name at a position, beside all others.
    private func cost(of index: Int, at candidate: Candidate, among placed: [Candidate?]) -> Double {
        placed.indices.reduce(candidate.cost) { sum, other in
            guard other != index, let name = placed[other] else { return sum }
            return sum + cost(candidate, name)
        }
    }

    private func cost(_ placed: [Candidate]) -> Double {
        placed.indices.reduce(0) { sum, index in
            placed[..<index].reduce(sum + placed[index].cost) { $0 + cost(placed[index], $1) }
        }
    }

    /// Returns true if leaders cross, or run over other objects or names.
    private func hasConflicts(_ placed: [Candidate], of indices: [Int]) -> Bool {
        zip(indices, placed).contains { touches($1.leaders, of: $0) > 0 }
            || placed.indices.contains { index in placed[..<index].contains { cost(placed[index], $0) > 0 } }
    }

    // MARK: Search

    /// Returns the best position of a name beside others, with its cost; nil if it has none.
    private func best(of index: Int, _ choices: [Candidate?], among placed: [Candidate?]) -> (Candidate, Double)? {
        var best: (Candidate, Double)?
        for case let choice? in choices where choice.cost < best?.1 ?? .infinity {
            let total = cost(of: index, at: choice, among: placed)
            if total < best?.1 ?? .infinity { best = (choice, total) }
        }
        return best
    }

    /// Returns positions that names take one after another; nil if there is no room for all.
    private func inserted(_ choices: [[Candidate?]]) -> [Candidate]? {
        var placed: [Candidate?] = Array(repeating: nil, count: choices.count)
        for index in choices.indices { placed[index] = best(of: index, choices[index], among: placed)?.0 }
        let all = placed.compactMap(\.self)
        return all.count == placed.count ? all : nil
    }

    /// The smallest improvement for which a name moves, in points.
    private static let minGain = 0.01

    /// Returns positions that no move of a name and no exchange of two improves.
    private func settled(_ start: [Candidate], _ choices: [[Candidate?]]) -> [Candidate] {
        var placed = start
        for _ in 0..<Self.maxSweeps {
            let before = cost(placed)
            for index in placed.indices {
                guard let (choice, total) = best(of: index, choices[index], among: placed),
                    total < cost(of: index, at: placed[index], among: placed) - Self.minGain
                else { continue }
                placed[index] = choice
            }
            var total = cost(placed)
            for index in placed.indices {
                for other in 0..<index { exchange(index, other, in: &placed, total: &total, choices) }
            }
            if total > before - Self.minGain { break }
        }
        return placed
    }

    /// Exchanges two names where that is better.
    ///
    /// - Parameter total: the cost of all names, which the exchange changes.
    private func exchange(
        _ index: Int, _ other: Int, in placed: inout [Candidate], total: inout Double, _ choices: [[Candidate?]]
    ) {
        var exchanged = placed
        guard let first = choice(nextTo: placed[other].box, in: choices[index]),
            let second = choice(nextTo: placed[index].box, in: choices[other])
        else { return }
        exchanged[index] = first
        exchanged[other] = second
        let changed = cost(exchanged)
        guard changed < total - Self.minGain else { return }
        placed = exchanged
        total = changed
    }

    /// Returns the position whose edges are the nearest to those of a box of another width.
    private func choice(nextTo box: Rect, in choices: [Candidate?]) -> Candidate? {
        func distance(_ other: Rect) -> Double {
            min(abs(other.x - box.x), abs(other.maxX - box.maxX), abs(other.center.x - box.center.x))
                + abs(other.y - box.y)
        }
        return choices.compactMap(\.self).min { distance($0.box) < distance($1.box) }
    }
}
