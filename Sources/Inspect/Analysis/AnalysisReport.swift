import Core

/// A clip analysis in JSON form. Lengths are in pixels of the clip and times in seconds.
package struct AnalysisReport: Encodable, Sendable {
    /// A tracked object.
    package struct Object: Encodable, Sendable {
        /// Its colour as `#rrggbb`.
        package var color: String
        /// Its step in the clip's first phase; nil without a table.
        package var start: Int?
        /// Its step in each phase of the clip.
        package var stages: [Int]
        /// The confidence in the steps, 0...1.
        package var confidence: Double
        /// Time, x, y, visibility, and 1 for a guessed position or 0 for a measured one, for each
        /// frame.
        package var track: [[Double]]

        enum CodingKeys: String, CodingKey { case color, start, stages, confidence, track }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(color, forKey: .color)
            try container.encode(start, forKey: .start)
            try container.encode(stages, forKey: .stages)
            try container.encode(confidence, forKey: .confidence)
            try container.encode(track, forKey: .track)
        }
    }

    /// The loader that the clip shows.
    package struct Match: Encodable, Sendable {
        /// The loader's id.
        package var loader: String
        /// Pixels per point.
        package var scale: Double
        /// Seconds of model time per second of the clip.
        package var speed: Double
        /// The rms distance between the tracks and the loader's objects in pixels.
        package var rmsPx: Double
    }

    /// Width in pixels.
    package var width: Int
    /// Height in pixels.
    package var height: Int
    /// Length in seconds.
    package var duration: Double
    /// The directions that all objects follow, by step; nil if there are none.
    package var table: [Int]?
    /// The duration of a phase in seconds; nil without a table.
    package var phase: Double?
    /// The duration of one pass through the table in seconds; nil without a table.
    package var period: Double?
    /// The distance that an object moves in a phase, in pixels; nil without a table.
    package var offset: Double?
    /// The objects that move.
    package var objects: [Object]
    /// The loader that the clip shows; nil if none was recognized.
    package var match: Match?

    /// The shapes and their motions; nil if none was found.
    package var motion: MotionReport?
    /// The reasons why the table or a part of the clip is missing.
    package var warnings: [String] = []

    /// Creates the report of tracks and shapes.
    package init(_ analysis: MotionAnalysis) {
        if case .success(let tracks) = analysis.tracks {
            self.init(tracks)
        } else {
            self.init(width: analysis.width, height: analysis.height, duration: analysis.duration.roundedToMillionths)
        }
        motion = (try? analysis.shapes.get()).map(MotionReport.init)
        warnings = analysis.doubts
    }

    private init(width: Int, height: Int, duration: Double) {
        self.width = width
        self.height = height
        self.duration = duration
        objects = []
    }

    /// Creates the report of an analysis. Rounds lengths to a thousandth of a pixel and times to a
    /// microsecond.
    package init(_ analysis: ClipAnalysis) {
        width = analysis.width
        height = analysis.height
        duration = analysis.duration.roundedToMillionths
        let phases = analysis.phases
        table = phases?.table.directions
        phase = phases?.phase.roundedToMillionths
        period = phases?.period.roundedToMillionths
        offset = phases?.offset.roundedToThousandths
        objects = analysis.objects.enumerated().map { number, object in
            let member = phases?.members.firstIndex(of: number)
            let steps = member.flatMap { phases?.table.steps(of: $0, phases: phases?.phaseCount ?? 0) }
            return Object(
                color: object.color.hexString, start: steps?.first, stages: steps ?? [],
                confidence: object.confidence.roundedToThousandths,
                track: analysis.times.indices.map { frame in
                    let position = object.positions[frame]
                    return [
                        analysis.times[frame].roundedToMillionths, position.x.roundedToThousandths,
                        position.y.roundedToThousandths,
                        object.visibility[frame].roundedToThousandths, object.isGuessed(at: frame) ? 1 : 0,
                    ]
                })
        }
        match = analysis.match.map {
            Match(
                loader: $0.loader, scale: $0.scale.roundedToMillionths, speed: $0.speed.roundedToMillionths,
                rmsPx: $0.rmsPx.roundedToThousandths)
        }
    }

    enum CodingKeys: String, CodingKey {
        case motion, warnings
        case width, height, duration, table, phase, period, offset, objects, match
    }

    package func encode(to encoder: any Encoder) throws {
        // Unknown values are written as null rather than omitted.
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
        try container.encode(motion, forKey: .motion)
        try container.encode(warnings, forKey: .warnings)
    }
}
