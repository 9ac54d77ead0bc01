import ArgumentParser
import Loaders
import Motion
import Pipeline
import Timing

/// `loadervid telemetry`: where everything is in every frame.
struct TelemetryCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "telemetry", abstract: "Prints where each object is in every frame of a clip, from the model.",
            discussion: """
                Times are in seconds, positions in points, velocities in points per second of model time.
                The frames are those of '\(Program.name) encode' with the same --fps, --slowmo and --timing: one cycle.

                EXAMPLES
                  \(Program.name) telemetry qq-mail --fps 60 --csv > balls.csv
                  \(Program.name) telemetry jelly --fps 30000/1001 --slowmo 4 --json
                """)
    }

    @OptionGroup var choice: LoaderChoice
    @OptionGroup var format: NumberFormat

    @OptionGroup var frames: RegisteredOptions<FrameChoice>

    func run() throws {
        let loader = try choice.checked()
        let request = try choice.request(frames.texts)
        let (fps, slowmo) = (request.frameRate, request.slowmo)
        let limits = RenderRequest.slowmoLimits
        guard limits.contains(slowmo) else {
            let (low, high) = (limits.lowerBound, limits.upperBound)
            throw RenderError(
                .usage, "slowmo \(slowmo) is not possible: it takes \(low)...\(high) times slower",
                about: .options("slowmo"))
        }
        let map = TimeMap(
            period: loader.period, frameRate: fps, slowmo: slowmo, extent: .cycles(1), timing: request.timing)
        guard map.frameCount <= RenderPlan.mostFrames else {
            throw RenderError(
                .usage,
                "a cycle has \(map.frameCount) frames, more than \(RenderPlan.mostFrames): lower the frame rate or the slow motion"
            )
        }
        try write(Telemetry(loader, timeMap: map, frameRate: fps))
    }

    /// Writes frame by frame, so that long clips need no memory.
    private func write(_ telemetry: Telemetry) throws {
        let output = StandardOutput()
        func send(_ text: String) throws {
            var text = text
            try text.withUTF8 { try output.write(UnsafeRawBufferPointer($0)) }
        }
        try send(format.json ? "[" : Telemetry.Sample.csvHead(hasPoses: telemetry.hasPoses) + "\n")
        var lines: [String] = []
        for frame in 0..<telemetry.frameCount {
            for sample in telemetry.samples(ofFrame: frame) {
                let isFirst = frame == 0 && lines.isEmpty
                lines.append(format.json ? (isFirst ? "\n" : ",\n") + "  " + sample.json : sample.csv + "\n")
            }
            guard frame % 64 == 63 || frame == telemetry.frameCount - 1 else { continue }
            try send(lines.joined())
            lines = frame == telemetry.frameCount - 1 ? [] : [""]
        }
        if format.json { try send("\n]\n") }
    }
}
