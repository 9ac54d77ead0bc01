/// Telemetry for other programs.
extension Telemetry.Sample {
    private static let names = [
        "frame", "time", "model_time", "phase", "object", "x", "y", "vx", "vy", "radius", "depth",
    ]

    private var cells: [String] {
        [
            "\(frame)", CSV.number(time.double), CSV.number(modelTime.double), "\(phase)", object,
            CSV.number(position.x), CSV.number(position.y), CSV.number(velocity.x), CSV.number(velocity.y),
            CSV.number(radius), "\(depth)",
        ]
    }

    /// The names of what `csv` has, separated by commas.
    public static var csvHead: String { names.joined(separator: ",") }

    /// The sample as comma-separated values: times in seconds, positions in points, nine decimals at most.
    public var csv: String { cells.map(CSV.quoted).joined(separator: ",") }

    /// The sample as a JSON object on one line, with the same numbers. The names of objects are plain words: nothing in them
    /// needs an escape.
    public var json: String {
        let pairs = zip(Self.names, cells).map { name, cell in
            "\"\(name)\": " + (name == "object" ? "\"\(cell)\"" : cell)
        }
        return "{" + pairs.joined(separator: ", ") + "}"
    }
}
