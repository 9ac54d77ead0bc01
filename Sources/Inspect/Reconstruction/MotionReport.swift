import Core

/// The shapes and motions of a clip in JSON form. Lengths are in pixels of the clip, times in
/// seconds, angles in degrees.
package struct MotionReport: Encodable, Sendable {
    /// A keyframe: time, value, and the name of the timing function up to the next one.
    package struct Key: Encodable, Sendable {
        package var time: Double
        package var value: Double
        package var easing: String
    }

    /// A shape and its motion.
    package struct Shape: Encodable, Sendable {
        package var name: String
        package var shape: String
        package var color: String
        /// The path of the centre: `still`, `straight`, `circle` or `curve`.
        package var path: String
        /// The length of a straight path, the diameter of a circle, or the larger extent of a
        /// curve.
        package var amplitude: Double
        /// The lag behind the first shape of its group.
        package var delay: Double
        /// The number of its group from 1; null without one.
        package var group: Int?
        package var easings: [String]
        /// The smallest and the largest opacity, 0...1.
        package var opacity: [Double]
        /// The times in which the position is interpolated, as pairs of start and end.
        package var isGuessed: [[Double]]
        /// The keyframes of each value, by name.
        package var channels: [String: [Key]]

        enum CodingKeys: String, CodingKey {
            case name, shape, color, path, amplitude, delay, group, easings, opacity, isGuessed, channels
        }

        package func encode(to encoder: any Encoder) throws {
            // Unknown values are written as null rather than omitted, here and below.
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(shape, forKey: .shape)
            try container.encode(color, forKey: .color)
            try container.encode(path, forKey: .path)
            try container.encode(amplitude, forKey: .amplitude)
            try container.encode(delay, forKey: .delay)
            try container.encode(group, forKey: .group)
            try container.encode(easings, forKey: .easings)
            try container.encode(opacity, forKey: .opacity)
            try container.encode(isGuessed, forKey: .isGuessed)
            try container.encode(channels, forKey: .channels)
        }
    }

    /// Shapes with one motion.
    package struct Group: Encodable, Sendable {
        package var names: [String]
        /// The delay between neighbours; null if it varies.
        package var stagger: Double?

        enum CodingKeys: String, CodingKey { case names, stagger }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(names, forKey: .names)
            try container.encode(stagger, forKey: .stagger)
        }
    }

    /// The period; null if the clip does not repeat.
    package var period: Double?
    package var isLoop: Bool
    package var background: String
    package var shapes: [Shape]
    package var groups: [Group]

    enum CodingKeys: String, CodingKey { case period, isLoop, background, shapes, groups }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(period, forKey: .period)
        try container.encode(isLoop, forKey: .isLoop)
        try container.encode(background, forKey: .background)
        try container.encode(shapes, forKey: .shapes)
        try container.encode(groups, forKey: .groups)
    }

    init(_ clip: Reconstruction) {
        let summary = MotionSummary(clip)
        period = clip.period?.roundedToMillionths
        isLoop = clip.isLoop
        background = clip.background.hexString
        shapes = summary.descriptions.map(MotionReport.shape)
        groups = summary.groups.map { group in
            Group(names: group.members.map { clip.objects[$0].name }, stagger: group.stagger?.roundedToMillionths)
        }
    }

    private static func shape(_ description: MotionDescription) -> Shape {
        let object = description.object
        let (path, amplitude) = words(description.path)
        return Shape(
            name: object.name, shape: object.kindName, color: object.color.hexString, path: path,
            amplitude: amplitude.roundedToThousandths, delay: description.delay.roundedToMillionths,
            group: description.group.map { $0 + 1 }, easings: description.easings,
            opacity: [
                object.opacity.range.lowerBound.roundedToThousandths,
                object.opacity.range.upperBound.roundedToThousandths,
            ],
            isGuessed: object.guessed.map { [$0.lowerBound.roundedToMillionths, $0.upperBound.roundedToMillionths] },
            channels: channels(object))
    }

    private static func words(_ path: MotionPath) -> (String, Double) {
        switch path {
        case .still: return ("still", 0)
        case .straight(let from, let to): return ("straight", from.distance(to: to))
        case .circle(_, let radius): return ("circle", 2 * radius)
        case .curve(let box): return ("curve", max(box.width, box.height))
        }
    }

    private static func channels(_ object: ReconstructedObject) -> [String: [Key]] {
        func keys(_ curve: KeyframeCurve) -> [Key] {
            curve.keys.map {
                Key(time: $0.time.roundedToMillionths, value: $0.value.roundedToThousandths, easing: $0.easing.name)
            }
        }
        let degrees = 180 / Double.pi
        var channels = ["opacity": keys(object.opacity)]
        let colors = ["red": object.red, "green": object.green, "blue": object.blue]
        if colors.values.contains(where: { !$0.isConstant }) {
            for (name, curve) in colors { channels[name] = keys(curve.map { $0 * 255 }) }
        }
        guard object.kind != .morph else { return channels }
        channels["x"] = keys(object.x)
        channels["y"] = keys(object.y)
        channels["width"] = keys(object.width)
        channels["height"] = keys(object.height)
        channels["rotation"] = keys(object.rotation.map { $0 * degrees })
        if object.kind.isArc || object.kind == .ring { channels["lineWidth"] = keys(object.lineWidth) }
        if object.kind.isArc {
            channels["start"] = keys(object.start.map { $0 * degrees })
            channels["end"] = keys(object.end.map { $0 * degrees })
        }
        if object.kind == .rectangle {
            channels["cornerRadius"] = keys(object.cornerRadii)
        }
        return channels
    }
}
