import Motion
import Scene

/// An analysis as one JSON object: lengths in pixels of the clip, times in seconds.
public struct AnalysisReport: Encodable, Sendable {
    /// A tracked object.
    public struct Object: Encodable, Sendable {
        /// Its colour as `#rrggbb`.
        public var color: String
        /// Its stage in the clip's first phase; nil without a table.
        public var start: Int?
        /// Its stage in each phase of the clip.
        public var stages: [Int]
        /// How sure that is, 0...1.
        public var confidence: Double
        /// Time, x and y for each picture.
        public var track: [[Double]]

        enum CodingKeys: String, CodingKey { case color, start, stages, confidence, track }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(color, forKey: .color)
            try container.encode(start, forKey: .start)
            try container.encode(stages, forKey: .stages)
            try container.encode(confidence, forKey: .confidence)
            try container.encode(track, forKey: .track)
        }
    }

    /// The loader that the clip shows.
    public struct Match: Encodable, Sendable {
        /// The loader's id.
        public var loader: String
        /// Pixels per point.
        public var scale: Double
        /// Model time per time of the clip.
        public var speed: Double
        /// Distance of the tracks from the loader's, rms in pixels.
        public var rmsPx: Double
    }

    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// Length in seconds.
    public var duration: Double
    /// The shared displacements by stage; nil if there are none.
    public var table: [Int]?
    /// Length of a phase in seconds; nil without a table.
    public var phase: Double?
    /// Length of all stages in seconds; nil without a table.
    public var period: Double?
    /// How far an object moves in a phase, in pixels; nil without a table.
    public var offset: Double?
    /// What moves.
    public var objects: [Object]
    /// The loader it is; nil if none.
    public var match: Match?

    /// The report of an analysis, with lengths and times to a thousandth and a millionth.
    public init(_ analysis: ClipAnalysis) {
        (width, height, duration) = (analysis.width, analysis.height, analysis.duration.millionths)
        let phases = analysis.phases
        table = phases?.table.directions
        phase = phases?.phase.millionths
        period = phases?.period.millionths
        offset = phases?.offset.thousandths
        objects = analysis.objects.enumerated().map { number, object in
            let member = phases?.members.firstIndex(of: number)
            let stages = member.flatMap { phases?.table.stages(of: $0, phases: phases?.phaseCount ?? 0) }
            return Object(
                color: object.color.hexString, start: stages?.first, stages: stages ?? [],
                confidence: object.confidence.thousandths,
                track: zip(analysis.times, object.positions).map {
                    [$0.millionths, $1.x.thousandths, $1.y.thousandths]
                })
        }
        match = analysis.match.map {
            Match(
                loader: $0.loader, scale: $0.scale.millionths, speed: $0.speed.millionths, rmsPx: $0.rmsPx.thousandths)
        }
    }

    enum CodingKeys: String, CodingKey {
        case width, height, duration, table, phase, period, offset, objects, match
    }

    public func encode(to encoder: any Encoder) throws {
        // What is not known is null, not left out.
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(width, forKey: .width)
        try container.encode(height, forKey: .height)
        try container.encode(duration, forKey: .duration)
        try container.encode(table, forKey: .table)
        try container.encode(phase, forKey: .phase)
        try container.encode(period, forKey: .period)
        try container.encode(offset, forKey: .offset)
        try container.encode(objects, forKey: .objects)
        try container.encode(match, forKey: .match)
    }
}
