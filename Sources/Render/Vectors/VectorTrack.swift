import Core

/// A node followed over the frames of a clip: the same shape or group, with changing numbers.
final class VectorTrack {
    /// The node in the frames in which it is drawn, in order.
    fileprivate(set) var samples: [(frame: Int, node: Node)]
    /// The node just before the clip starts again, with the number of the frame after the last one;
    /// nil if it is not drawn then.
    private var end: (frame: Int, node: Node)?
    /// The frames in which the group around it is drawn, or all frames at the top level.
    private let frames: [Int]
    /// The tracks of a group's nodes, back to front.
    fileprivate(set) var children: [VectorTrack] = []
    /// The tracks of a group's mask.
    fileprivate(set) var mask: [VectorTrack] = []

    private init(_ node: Node, frame: Int, among frames: [Int]) {
        samples = [(frame, node)]
        self.frames = frames
    }

    /// The frames in which the node appears or disappears while the group around it is drawn; empty
    /// if it is always drawn.
    var appearances: [(frame: Int, isDrawn: Bool)] {
        guard samples.count < frames.count else { return [] }
        let drawn = Set(samples.map(\.frame))
        var result: [(frame: Int, isDrawn: Bool)] = []
        for frame in frames where result.last?.isDrawn != drawn.contains(frame) {
            result.append((result.isEmpty ? 0 : frame, drawn.contains(frame)))
        }
        return result
    }

    /// The maximum number of tracks. Clips whose shapes differ in almost every frame exceed it;
    /// they suit containers of frames.
    private static let maxTracks = 5_000

    /// Follows nodes over frames. Throws `LoadervidError` if they have too little in common.
    ///
    /// The tracks are in drawing order at all times: a node that moves to the front gets a second
    /// track there.
    ///
    /// - Parameter end: the nodes just before the clip starts again, with the number of the frame
    ///   after the last one; nil if they are unknown.
    static func tracks(of lists: [NodeList], end: NodeList? = nil) throws -> [VectorTrack] {
        var count = 0
        return try tracks(of: lists, end: end, count: &count)
    }

    /// The nodes of a frame, or those of a group in it.
    typealias NodeList = (frame: Int, nodes: [Node])

    private static func tracks(of lists: [NodeList], end: NodeList?, count: inout Int) throws -> [VectorTrack] {
        var tracks: [VectorTrack] = []
        let frames = lists.map(\.frame)
        for (frame, nodes) in lists {
            let matches = Alignment.matches(of: nodes, with: tracks)
            var position = 0
            for (node, match) in zip(nodes, matches) {
                if let match, let index = tracks[position...].firstIndex(where: { $0 === match }) {
                    match.samples.append((frame, node))
                    position = index + 1
                } else {
                    tracks.insert(VectorTrack(node, frame: frame, among: frames), at: position)
                    position += 1
                    count += 1
                }
            }
            guard count <= maxTracks else {
                throw LoadervidError(
                    .badData,
                    "the clip has more than \(maxTracks) different shapes, too many for vector graphics; use a "
                        + "container of frames, such as .webp")
            }
        }
        if let end {
            for (node, match) in zip(end.nodes, Alignment.matches(of: end.nodes, with: tracks)) {
                match?.end = (end.frame, node)
            }
        }
        for track in tracks { try track.followNodes(count: &count) }
        return tracks
    }

    private func followNodes(count: inout Int) throws {
        guard case .group = samples[0].node else { return }
        let last = Self.groups(end.map { [$0] } ?? []).first
        children = try VectorTrack.tracks(
            of: drawnGroups.map { ($0.frame, $0.group.nodes) }, end: last.map { ($0.frame, $0.group.nodes) },
            count: &count)
        mask = try VectorTrack.tracks(
            of: drawnGroups.map { ($0.frame, $0.group.mask?.nodes ?? []) },
            end: last.map { ($0.frame, $0.group.mask?.nodes ?? []) }, count: &count)
    }

    private static func groups(_ samples: [(frame: Int, node: Node)]) -> [(frame: Int, group: Group)] {
        samples.compactMap { if case .group(let group) = $0.node { ($0.frame, group) } else { nil } }
    }

    /// The samples of a group; empty for a shape.
    var drawnGroups: [(frame: Int, group: Group)] { Self.groups(samples) }

    /// The samples of a group, and the one just before the clip starts again; empty for a shape.
    var groups: [(frame: Int, group: Group)] { Self.groups(samplesWithEnd) }

    /// The samples of a shape, and the one just before the clip starts again; empty for a group.
    var shapes: [(frame: Int, shape: Shape)] {
        samplesWithEnd.compactMap { if case .shape(let shape) = $0.node { ($0.frame, shape) } else { nil } }
    }

    private var samplesWithEnd: [(frame: Int, node: Node)] { samples + (end.map { [$0] } ?? []) }

    /// The number of shapes in the track and below.
    var shapeCount: Int { children.isEmpty ? 1 : children.reduce(0) { $0 + $1.shapeCount } }

    /// The bounds of a group's nodes over all frames, in their own coordinates.
    var contentBounds: Rect? {
        Rect.union(of: groups.compactMap { Node.bounds(of: $0.group.nodes) })
    }
}

/// The best order-preserving assignment of a frame's nodes to tracks.
private enum Alignment {
    /// Returns the track of each node; nil for a new one.
    static func matches(of nodes: [Node], with tracks: [VectorTrack]) -> [VectorTrack?] {
        if nodes.count == tracks.count, zip(nodes, tracks).allSatisfy({ affinity($0, $1) != nil }) { return tracks }
        // The longest common subsequence, weighted by affinity.
        let width = tracks.count + 1
        var best = [Double](repeating: 0, count: (nodes.count + 1) * width)
        var affinities = [Double?](repeating: nil, count: nodes.count * tracks.count)
        for (row, node) in nodes.enumerated().reversed() {
            for (column, track) in tracks.enumerated().reversed() {
                let value = affinity(node, track)
                affinities[row * tracks.count + column] = value
                let skipped = max(best[(row + 1) * width + column], best[row * width + column + 1])
                let matched = value.map { $0 + best[(row + 1) * width + column + 1] } ?? 0
                best[row * width + column] = max(skipped, matched)
            }
        }
        var result: [VectorTrack?] = []
        var column = 0
        for row in nodes.indices {
            while column < tracks.count, best[row * width + column] == best[row * width + column + 1] { column += 1 }
            let total = best[row * width + column]
            guard column < tracks.count, let value = affinities[row * tracks.count + column],
                total == value + best[(row + 1) * width + column + 1]
            else {
                result.append(nil)
                continue
            }
            result.append(tracks[column])
            column += 1
        }
        return result
    }

    /// Returns a value above 1 if the node may continue a track, larger for one that is nearer and
    /// was drawn last; nil if it may not.
    private static func affinity(_ node: Node, _ track: VectorTrack) -> Double? {
        guard let last = track.samples.last?.node, last.isSimilar(to: node) else { return nil }
        guard let (a, b) = last.bounds.flatMap({ a in node.bounds.map { (a, $0) } }) else { return 1 }
        let distance = a.center.distance(to: b.center) + abs(a.width - b.width) + abs(a.height - b.height)
        return 1 + 1 / (1 + distance)
    }
}

extension Node {
    /// The maximum change of a colour component between two frames of one object. A fade to another
    /// colour over four frames changes it by this much, and the colours of QQ's balls differ by 1.
    private static let maxColorChange = 0.25

    /// Returns true if the node may be the same object in another frame: of the same structure and
    /// of similar colours.
    fileprivate func isSimilar(to other: Node) -> Bool {
        switch (self, other) {
        case (.shape(let a), .shape(let b)):
            guard a.path.hasStructure(of: b.path), a.fillRule == b.fillRule else { return false }
            switch (a.fill, b.fill, a.stroke, b.stroke) {
            case (let a?, let b?, nil, nil): return Node.isSimilar(a, b)
            case (nil, nil, let a?, let b?):
                return a.cap == b.cap && a.join == b.join && a.miterLimit == b.miterLimit
                    && a.dash?.lengths.count == b.dash?.lengths.count && Node.isSimilar(a.paint, b.paint)
            default: return false
            }
        case (.group(let a), .group(let b)):
            let clipsMatch = a.clip.map { clip in b.clip.map(clip.hasStructure) ?? false } ?? (b.clip == nil)
            guard clipsMatch, a.blendMode == b.blendMode, (a.mask == nil) == (b.mask == nil),
                a.effects.isEmpty == b.effects.isEmpty
            else { return false }
            if a.nodes.count == b.nodes.count {
                return zip(a.nodes, b.nodes).allSatisfy { $0.isSimilar(to: $1) }
            }
            // Nodes may come and go, as long as half of them stay.
            var rest = b.nodes[...]
            let common = a.nodes.reduce(0) { count, node in
                guard let index = rest.firstIndex(where: { $0.isSimilar(to: node) }) else { return count }
                rest = rest[(index + 1)...]
                return count + 1
            }
            return 2 * common >= max(a.nodes.count, b.nodes.count)
        default: return false
        }
    }

    private static func isSimilar(_ a: Paint, _ b: Paint) -> Bool {
        func near(_ a: Color, _ b: Color) -> Bool {
            [a.red - b.red, a.green - b.green, a.blue - b.blue].allSatisfy { abs($0) <= maxColorChange }
        }
        func near(_ a: [GradientStop], _ b: [GradientStop]) -> Bool {
            a.count == b.count && zip(a, b).allSatisfy { near($0.color, $1.color) }
        }
        switch (a, b) {
        case (.color(let a), .color(let b)): return near(a, b)
        case (.linearGradient(let a), .linearGradient(let b)): return near(a.stops, b.stops)
        case (.radialGradient(let a), .radialGradient(let b)): return near(a.stops, b.stops)
        default: return false
        }
    }
}

extension Path {
    /// Returns true if the paths have the same kinds of segments in the same order.
    fileprivate func hasStructure(of other: Path) -> Bool {
        elements.count == other.elements.count
            && zip(elements, other.elements).allSatisfy { a, b in
                switch (a, b) {
                case (.move, .move), (.line, .line), (.quadratic, .quadratic), (.cubic, .cubic), (.arc, .arc),
                    (.close, .close):
                    true
                default: false
                }
            }
    }
}
