import Animations
import ArgumentParser
import Core
import Render

/// `loadervid telemetry`: prints the position of each object in each frame.
struct TelemetryCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "telemetry", abstract: "Print each object's exact position in every frame of a clip.",
            discussion: """
                Times are in seconds, positions in points, velocities in points per second of model time.
                The frames are those of one cycle of '\(Program.name) encode' with the same --fps, --slowmo and --timing.

                EXAMPLES
                  \(Program.name) telemetry qq-mail --fps 60 --csv > balls.csv
                  \(Program.name) telemetry jelly --fps 30000/1001 --slowmo 4 --json
                """)
    }

    @OptionGroup var choice: LoaderChoice
    @OptionGroup var format: NumberFormat

    @OptionGroup var frames: RegisteredOptions<TelemetryChoice>

    func run() throws {
        let loader = try choice.configuredLoader()
        let request = try choice.request(frames.texts)
        let fps = request.frameRate
        let slowmo = request.slowmo
        let limits = RenderRequest.slowmoLimits
        guard limits.contains(slowmo) else {
            let low = limits.lowerBound
            let high = limits.upperBound
            throw LoadervidError(
                .usage, "\(option: "slowmo"): \(slowmo) is outside the range \(low)...\(high)",
                subjects: .options("slowmo"))
        }
        let map = TimeMap(
            period: loader.period, frameRate: fps, slowmo: slowmo, extent: .cycles(1), timing: request.timing)
        guard map.frameCount <= RenderPlan.maxFrames else {
            throw LoadervidError(
                .usage,
                "a cycle has \(map.frameCount) frames, above the maximum of \(RenderPlan.maxFrames); lower --fps or "
                    + "--slowmo")
        }
        try write(Telemetry(loader, timeMap: map, frameRate: fps))
    }

    /// Writes the samples frame by frame, so that memory does not grow with the clip's length.
    private func write(_ telemetry: Telemetry) throws {
        /// Writes text; returns false if the reader has closed the pipe.
        func send(_ text: String) throws -> Bool {
            ConsoleOutput.write(format.json ? loggedJSON(text) : text, terminator: "")
            return try Loadervid.flushOutput()
        }
        guard try send(format.json ? "[" : Telemetry.Sample.csvHeader(hasPoses: telemetry.hasPoses) + "\n")
        else { return }
        var lines: [String] = []
        for frame in 0..<telemetry.frameCount {
            for sample in telemetry.samples(ofFrame: frame) {
                let isFirst = frame == 0 && lines.isEmpty
                lines.append(format.json ? (isFirst ? "\n" : ",\n") + "  " + sample.json : sample.csv + "\n")
            }
            guard frame % 64 == 63 || frame == telemetry.frameCount - 1 else { continue }
            guard try send(lines.joined()) else { return }
            lines = frame == telemetry.frameCount - 1 ? [] : [""]
        }
        if format.json { _ = try send("\n]\n") }
    }
}
