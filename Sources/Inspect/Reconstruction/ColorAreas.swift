import Core

/// The areas of each colour of a clip: one shape per colour and frame, whatever objects they show.
struct ColorAreas {
    /// A track for each colour.
    private(set) var tracks: [ShapeTrack] = []

    /// The difference of colours in codes within which a shape continues that of the frame before:
    /// more, because objects fade.
    private static let nextColor: Float = 48

    init(_ areas: [ShapeTrack]) {
        let frames = Dictionary(grouping: areas.flatMap(\.shapes), by: \.frame)
        for frame in frames.keys.sorted() { add(Self.united(frames[frame] ?? [])) }
    }

    /// Returns the areas of a frame, those of one colour as one shape.
    private static func united(_ areas: [ObservedShape]) -> [ObservedShape] {
        areas.sorted { ($0.area, $0.centroid.x) > ($1.area, $1.centroid.x) }
            .grouped { ($0.color - $1.color).largest <= Channels.maxObjectDifference }
            .map { ObservedShape($0) }
    }

    /// Adds the shapes of the next frame to the tracks of the most similar colours.
    private mutating func add(_ shapes: [ObservedShape]) {
        var candidates: [(cost: Float, first: Int, second: Int)] = []
        for track in tracks.indices {
            for shape in shapes.indices {
                let difference = (tracks[track].last.color - shapes[shape].color).largest
                if difference <= Self.nextColor { candidates.append((difference, track, shape)) }
            }
        }
        var linked: Set<Int> = []
        for (track, shape) in cheapestPairs(candidates) {
            tracks[track].append(shapes[shape])
            linked.insert(shape)
        }
        for index in shapes.indices where !linked.contains(index) { tracks.append(ShapeTrack(shapes[index])) }
    }
}

extension ObservedShape {
    /// Unites areas of one frame. There must be at least one; the first gives the colour.
    fileprivate init(_ areas: [ObservedShape]) {
        self = areas[0]
        area = areas.reduce(0) { $0 + $1.area }
        let whole = area
        centroid = areas.reduce(.zero) { $0 + $1.centroid * ($1.area / whole) }
        contours = areas.flatMap(\.contours).sorted { abs($0.signedArea) > abs($1.signedArea) }
        let corners = areas.flatMap { [Point($0.box.x, $0.box.y), Point($0.box.maxX, $0.box.maxY)] }
        box = Rect(enclosing: corners) ?? box
        isCut = false
        isAlone = true
    }
}
