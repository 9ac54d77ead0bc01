import Core

/// Telemetry as CSV and JSON.
extension Telemetry.Sample {
    private static let names = [
        "frame", "time", "model_time", "phase", "object", "x", "y", "vx", "vy", "radius", "depth",
    ]
    /// The additional columns of objects with a pose: scale factors, degrees and an opacity in
    /// 0...1.
    private static let poseNames = ["scale_x", "scale_y", "rotation", "opacity"]

    private var cells: [String] {
        [
            "\(frame)", CSV.number(time.double), CSV.number(modelTime.double), "\(phase)", CSV.cell(object.visible),
            CSV.number(position.x), CSV.number(position.y), CSV.number(velocity.x), CSV.number(velocity.y),
            CSV.number(radius), "\(depth)",
        ] + (pose?.cells ?? [])
    }

    /// Returns the header line for `csv`.
    public static func csvHeader(hasPoses: Bool) -> String {
        (names + (hasPoses ? poseNames : [])).joined(separator: ",")
    }

    /// The sample as comma-separated values: times in seconds and positions in points, with at most
    /// nine decimals.
    public var csv: String { cells.joined(separator: ",") }

    /// The sample as a JSON object on one line, with the same numbers.
    public var json: String {
        let pairs = zip(Self.names + Self.poseNames, cells).map { name, cell in
            "\"\(name)\": " + (name == "object" ? JSONText.literal(object) : cell)
        }
        return "{" + pairs.joined(separator: ", ") + "}"
    }
}

extension MovingObject.Pose {
    fileprivate var cells: [String] {
        [CSV.number(scale.x), CSV.number(scale.y), CSV.number(rotation), CSV.number(opacity)]
    }
}
