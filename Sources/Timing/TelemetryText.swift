import Loaders

/// Telemetry for other programs.
extension Telemetry.Sample {
    private static let names = [
        "frame", "time", "model_time", "phase", "object", "x", "y", "vx", "vy", "radius", "depth",
    ]
    /// What follows where objects have a pose: factors, degrees and 0...1.
    private static let poseNames = ["scale_x", "scale_y", "rotation", "opacity"]

    private var cells: [String] {
        [
            "\(frame)", CSV.number(time.double), CSV.number(modelTime.double), "\(phase)", object,
            CSV.number(position.x), CSV.number(position.y), CSV.number(velocity.x), CSV.number(velocity.y),
            CSV.number(radius), "\(depth)",
        ] + (pose?.cells ?? [])
    }

    /// The names of what `csv` has, separated by commas.
    public static func csvHead(hasPoses: Bool) -> String {
        (names + (hasPoses ? poseNames : [])).joined(separator: ",")
    }

    /// The sample as comma-separated values: times in seconds, positions in points, nine decimals at most.
    public var csv: String { cells.map(CSV.quoted).joined(separator: ",") }

    /// The sample as a JSON object on one line, with the same numbers. The names of objects have no quotes, no backslashes and
    /// nothing that moves a cursor: nothing in them needs an escape.
    public var json: String {
        let pairs = zip(Self.names + Self.poseNames, cells).map { name, cell in
            "\"\(name)\": " + (name == "object" ? "\"\(cell)\"" : cell)
        }
        return "{" + pairs.joined(separator: ", ") + "}"
    }
}

extension MovingObject.Pose {
    fileprivate var cells: [String] {
        [CSV.number(scale.x), CSV.number(scale.y), CSV.number(rotation), CSV.number(opacity)]
    }
}
