import Core

/// Douyin's album: a spinning record with a cover, and notes that rise from it along a curve.
///
/// Shows the steady state, in which all three notes are in flight. Source: "iOS: the album
/// animation in Douyin's lower right corner".
public struct Douyin: CatalogLoader {
    public static let id = "douyin"
    public static let title = LocalizedText("Douyin's album with notes", zh: "抖音唱片与音符")

    static let cover = Parameter.image("cover", "Cover image in the middle of the record")
    static let noteColor = Parameter.color("noteColor", .white, "Colour of the notes")
    static let discColor = Parameter.color("discColor", Color(24, 24, 26), "Colour of the record")
    static let coverDiameter = Parameter.number("coverDiameter", 25, 5...48, "Diameter of the cover")
    static let turn = Parameter.time("turn", 3, Rational(1, 10)...60, "Duration of one turn of the record")
    static let rate = Parameter.time("rate", 12, Rational(2, 5)...240, "Four times the duration of a note's flight")
    static let noteDelay = Parameter.time("noteDelay", 1, 0...60, "Delay between two notes")
    static let sideX = Parameter.number("sideX", 40, 0...110, "Distance that a note flies to the left")
    static let sideY = Parameter.number("sideY", 100, 0...170, "Distance that a note rises")
    static let controlLength = Parameter.number("controlLength", 60, 0...120, "Bulge of the flight's curve")
    static let noteSize = Parameter.number("noteSize", 10, 1...30, "Side of a note's box before it grows")

    public static let parameters: [any LoaderParameter] = [
        cover, noteColor, discColor, coverDiameter, turn, rate, noteDelay, sideX, sideY, controlLength, noteSize,
    ]

    /// The maximum period in seconds: the common multiple of the turn and a note's flight. An hour
    /// is more than any clip shows.
    private static let maxPeriod = Rational(3600)

    private static let rotation = KeyframeTrack(keyTimes: [0, 0.5, 1], values: [0, 0.1 * .pi, -0.1 * .pi])
    private static let opacity = KeyframeTrack(keyTimes: [0, 0.25, 0.5, 0.75, 1], values: [0, 0.2, 0.7, 0.2, 0])

    private let values: ParameterValues
    private let album = Rect(x: 100, y: 120, width: 50, height: 50)
    public let period: Rational
    /// The nodes of the record: the disc with its grooves, which does not change, and the nodes
    /// that turn, at the angle 0.
    private var record: (disc: [Node], turning: [Node]) = ([], [])

    public init(_ values: ParameterValues) throws(ParameterError) {
        self.values = values
        let flight = values[Self.rate] / 4
        guard let common = flight.commonMultiple(values[Self.turn], atMost: Self.maxPeriod) else {
            throw ParameterError(
                .usage,
                "turn=\(values[Self.turn]) s and rate/4=\(flight) s have no common multiple of "
                    + "\(Self.maxPeriod) s or less; make one a simple multiple of the other",
                subjects: .parameters(Self.turn.name, Self.rate.name))
        }
        period = common
        record = (discNodes(), turningNodes())
    }

    public var canvas: Size { Size(160, 180) }
    public var background: Color { Color(0x16, 0x18, 0x23) }

    /// The phases: one for each note that sets out, or a single one unless the period is one flight
    /// and three delays fill it.
    public var phaseDurations: [(name: LocalizedText, duration: Rational)] {
        let delay = values[Self.noteDelay]
        guard delay > .zero, period == flightDuration, delay * 3 == flightDuration else {
            return [(name: LocalizedText("play", zh: "播放"), duration: period)]
        }
        let ordinals = ["一", "二", "三"]
        return ordinals.enumerated().map {
            (name: LocalizedText("note \($0 + 1) sets out", zh: "第\($1)个音符出发"), duration: delay)
        }
    }

    public func nodes(at time: Rational) -> [Node] {
        record(at: time) + (0..<3).map { note($0, at: time) }
    }

    /// Returns the turned record with its cover.
    private func record(at time: Rational) -> [Node] {
        let angle = 2 * .pi * MediaTiming(duration: values[Self.turn]).fraction(at: time).double
        let turning = Group(
            transform: AffineTransform.rotation(angle).then(.translation(album.center)), nodes: record.turning)
        return record.disc + [.group(turning)]
    }

    public func parts(at time: Rational) -> [LoaderPart] {
        [LoaderPart("record", nodes: record(at: time))]
            + (0..<3).map { LoaderPart("note \($0 + 1)", nodes: [note($0, at: time)]) }
    }

    // MARK: Notes

    /// The duration of a note's flight in seconds. As in the article, the parameter is the duration
    /// of four.
    private var flightDuration: Rational { values[Self.rate] / 4 }

    /// Returns a note's progress along its flight, in 0..<1.
    private func progress(ofNote index: Int, at time: Rational) -> Double {
        let timing = MediaTiming(duration: flightDuration, beginTime: values[Self.noteDelay] * Rational(index))
        return timing.fraction(at: time).double
    }

    private func note(_ index: Int, at time: Rational) -> Node {
        let progress = progress(ofNote: index, at: time)
        let transform = AffineTransform.scale(values[Self.noteSize] / 10 * lerp(1, 2, progress))
            .then(.rotation(Self.rotation.value(at: progress)))
            .then(.translation(notePosition(at: progress)))
        let path = index == 1 ? MusicNote.beamedQuavers : MusicNote.quaver
        return .group(
            Group(
                transform: transform, opacity: Self.opacity.value(at: progress),
                nodes: [.shape(Shape(path, fill: values[Self.noteColor]))]))
    }

    /// Returns the point of the flight's quadratic Bézier curve at the parameter `progress`.
    private func notePosition(at progress: Double) -> Point {
        let (begin, control, end) = flightCurve
        let rest = 1 - progress
        return begin * (rest * rest) + control * (2 * rest * progress) + end * (progress * progress)
    }

    /// The start, control and end points of a note's flight.
    private var flightCurve: (begin: Point, control: Point, end: Point) {
        let begin = Point(album.center.x - 5, album.maxY)
        let sideX = values[Self.sideX]
        let sideY = values[Self.sideY]
        let length = values[Self.controlLength]
        return (begin, begin + Point(-sideX / 2 - length, -sideY / 2 + length), begin + Point(-sideX, -sideY))
    }

    public func objects(at time: Rational) -> [MovingObject] {
        (0..<3).map { index in
            let progress = progress(ofNote: index, at: time)
            return MovingObject(
                "note \(index + 1)", title: LocalizedText("note \(index + 1)", zh: "音符 \(index + 1)"),
                values[Self.noteColor], at: notePosition(at: progress),
                radius: values[Self.noteSize] / 2 * lerp(1, 2, progress), depth: index, labelSide: .leftHand)
        }
    }

    public func drawing(ofObject name: String, at time: Rational) -> [Node]? {
        guard let index = (0..<3).first(where: { name == "note \($0 + 1)" }) else { return nil }
        return [note(index, at: time)]
    }

    public func landmarks(at time: Rational) -> [Landmark] {
        let (begin, control, end) = flightCurve
        // Labels go outside of the bend: the record and the arrows are inside.
        return [
            Landmark("begin", begin, labelSide: .belowRight), Landmark("control", control, labelSide: .left(shift: 0)),
            Landmark("end", end, labelSide: .belowRight),
        ]
    }

    /// Returns the curve and its control polygon.
    public func construction(at time: Rational) -> [ConstructionLine] {
        let (begin, control, end) = flightCurve
        return [.polyline([begin, control, end]), .path(from: begin, control: control, to: end)]
    }

    // MARK: Record

    /// Returns the disc and its grooves, which look the same at any angle. As nodes that never
    /// change, they are drawn once.
    private func discNodes() -> [Node] {
        let radius = album.width / 2
        let disc = Path.circle(center: album.center, radius: radius)
        let grooves = stride(from: radius - 2, to: values[Self.coverDiameter] / 2 + 1, by: -2)
        return [.shape(Shape(disc, fill: values[Self.discColor]))]
            + grooves.map { groove in
                let stroke = Stroke(Color.white.opacity(0.09), width: 0.5, join: .round)
                return .shape(Shape(.circle(center: album.center, radius: groove), stroke: stroke))
            }
    }

    /// Returns the light on the grooves and the cover, centred at the origin and not rotated.
    private func turningNodes() -> [Node] {
        [sheen(radius: album.width / 2 - 1), coverNode()]
    }

    /// Returns the light on the grooves: two opposite lobes that fade to both sides as cos².
    private func sheen(radius: Double) -> Node {
        /// The opacity on the axis of a lobe.
        let maxOpacity = 48.0 / 255
        /// The angle of one lobe's axis in radians.
        let axis = -0.7
        /// Half the angle of a lobe in turns.
        let halfTurns = 0.95 / (2 * .pi)
        /// Stops on each side of an axis: straight lines between them differ from cos² by 0.5/255.
        let steps = 8
        let stops = [0.25, 0.75].flatMap { middle in
            (-steps...steps).map { step in
                let distance = Double(step) / Double(steps)
                let level = cos(distance * .pi / 2)
                return GradientStop(middle + distance * halfTurns, Color.white.opacity(maxOpacity * level * level))
            }
        }
        let light = ConicGradient(center: .zero, startAngle: axis - .pi / 2, stops: stops)
        return .shape(Shape(.circle(center: .zero, radius: radius), fill: .conicGradient(light)))
    }

    private func coverNode() -> Node {
        let radius = values[Self.coverDiameter] / 2
        guard let bitmap = values[Self.cover] else {
            return .group(Group(transform: .scale(radius), nodes: AlbumCover.shapes.map { .shape($0) }))
        }
        let frame = Rect(x: -radius, y: -radius, width: 2 * radius, height: 2 * radius)
        let clip = Path.circle(center: .zero, radius: radius)
        return .group(Group(clip: clip, nodes: [.image(Image(bitmap, frame: frame))]))
    }
}
