import Animations
import Media
import Render

/// The standard clips of `bench`, with their targets.
enum BenchSuite {
    /// A clip, as options of `bench` with which it can also be measured alone, and its target.
    private struct Row {
        let name: String
        let options: [String]
        let target: BenchTarget
    }

    private static var rows: [Row] {
        let plain = ["--duration", "10", "--size", "480x480"]
        let large = ["--duration", "10", "--size", "1920x1080"]
        let vp9 = ["--codec", "vp9", "--speed", "4", "--quality", "31"]
        let long = ["--duration", "72", "--timing", "seamless", "--size", "480x480"]
        return [
            Row(
                name: "10 s, 480x480", options: plain + ["--repetition", "off"],
                target: BenchTarget(ratio: 1, bytesRatio: 1.04)),
            Row(
                name: "10 s, 480x480, repetition", options: plain,
                target: BenchTarget(ratio: 0.8, bytesRatio: 1.05)),
            Row(
                name: "10 s, 1920x1080", options: large + ["--repetition", "off"],
                target: BenchTarget(ratio: 0.95, bytesRatio: 1.04, memoryRatio: 1.25)),
            Row(
                name: "10 s, 1920x1080, repetition", options: large,
                target: BenchTarget(ratio: 0.75, bytesRatio: 1.05, memoryRatio: 1.25)),
            Row(
                name: "10 s, 480x480, vp9", options: plain + vp9 + ["--repetition", "off"],
                target: BenchTarget(ratio: 0.55, bytesRatio: 1.06)),
        ]
            + LoaderCatalog.builtIn.definitions.map { loader in
                Row(
                    name: "\(loader.id), a cycle, 480x480", options: ["--clip", loader.id, "--size", "480x480"],
                    target: BenchTarget(ratio: 1.05, bytesRatio: 1.06))
            }
            + ["h264", "vp9"].map { codec in
                Row(
                    name: "72 s, seamless, \(CodecProfile.find(codec)?.encoder ?? codec)",
                    options: long + ["--codec", codec],
                    target: BenchTarget(ratio: 0.1, bytesRatio: 1.06))
            }
    }

    /// Measures the clips one by one, and prints the figures of each at once.
    static func run(_ conditions: Benchmark.Conditions, json: Bool, cancellation: CancellationToken) throws {
        if !json { try show(BenchText.tableHead) }
        var missed = 0
        for row in rows {
            let command = try BenchCommand.parse(row.options)
            let figures = try command.measure(
                conditions, name: row.name, target: row.target, cancellation: cancellation)
            if !figures.missed.isEmpty { missed += 1 }
            if json {
                printJSON(try figures.json)
                try Loadervid.flushOutput()
            } else {
                try show(BenchText.row(figures))
            }
        }
        guard !json else { return }
        try show("a: the encoder alone, b: scenes to file; \(missed) of \(rows.count) clips miss a target")
    }

    /// Prints and flushes a line, since the next one may take minutes.
    private static func show(_ line: String) throws {
        printText(line)
        try Loadervid.flushOutput()
    }
}
