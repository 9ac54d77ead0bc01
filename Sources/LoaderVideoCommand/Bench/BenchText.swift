import Core
import Render

/// Benchmarks as text.
enum BenchText {
    /// Returns all figures of one clip.
    static func text(_ figures: BenchFigures) -> String {
        let runs = figures.runs == 1 ? "1 run" : "\(figures.runs) runs"
        let threads = figures.threadsA == 0 ? "its own choice of threads" : "\(figures.threadsA) threads"
        let head =
            "\(figures.name): \(figures.frames) frames, \(figures.size), \(figures.encoder), "
            + "repetition \(figures.repetition), \(runs)"
        let sides = [
            ["", "encoder alone", "scenes to file"],
            ["frames/s", fixed(figures.fpsA, 1), fixed(figures.fpsB, 1)],
            ["CPU time", "\(fixed(figures.cpuA, 2)) s", "\(fixed(figures.cpuB, 2)) s"],
            ["bytes", "\(figures.bytesA)", "\(figures.bytesB) (file \(figures.fileBytes))"],
            ["peak memory", bytes(figures.memory.a), bytes(figures.memory.b)],
            ["PSNR", decibels(figures.psnrA), decibels(figures.psnrB)],
        ]
        let ratio = figures.ratio
        let times = figures.stages.values.reduce(0, +)
        let stages = RenderProfile.Stage.allCases.map { stage in
            "\(stage) \(percent((figures.stages["\(stage)"] ?? 0) / times))"
        }
        let memory = figures.memory
        let encoders = "\(memory.workers) x the \(bytes(memory.encoder)) of one encoder"
        let rest = [
            ["wall time", "\(fixed(ratio.median, 3)) (\(fixed(ratio.min, 3))...\(fixed(ratio.max, 3)))"],
            ["bytes", fixed(figures.bytesRatio, 3)],
            ["memory", memory.ratio.map { "\(fixed($0, 2)) of \(encoders) with one thread" } ?? "n/a"],
            ["time", stages.joined(separator: ", ")],
            ["work", "\(percent(figures.outsideEncoder)) outside the encoder"],
            ["drawing", "\(fixed(1000 * figures.drawing, 3)) ms per frame, without encoding"],
        ]
        return
            ([head] + Table.lines(sides) + ["relative to the encoder alone, with \(threads)"] + Table.lines(rest))
            .joined(separator: "\n")
    }

    /// The head of the suite's table.
    static let tableHead = row(
        "clip", ["a frames/s", "b frames/s", "wall b/a", "min...max", "bytes b/a", "PSNR b-a", "outside", "memory"])

    /// Returns a line of the suite's table. A value that misses its target is followed by an
    /// exclamation mark and the target.
    static func row(_ figures: BenchFigures) -> String {
        func marked(_ text: String, _ item: String, _ limit: String?) -> String {
            figures.missed.contains(item) ? "\(text)! >\(limit ?? "")" : text
        }
        let target = figures.target
        let loss = figures.psnrA.flatMap { a in
            figures.psnrB.map { a == $0 ? "0 dB" : "\(fixed($0 - a, 2)) dB" }
        }
        return row(
            figures.name,
            [
                fixed(figures.fpsA, 1), fixed(figures.fpsB, 1),
                marked(fixed(figures.ratio.median, 3), "ratio", target.map { fixed($0.ratio, 2) }),
                "\(fixed(figures.ratio.min, 2))...\(fixed(figures.ratio.max, 2))",
                marked(fixed(figures.bytesRatio, 3), "bytes_ratio", target.map { fixed($0.bytesRatio, 2) }),
                marked(loss ?? "n/a", "psnr_loss", target.map { fixed($0.psnrLoss, 2) }),
                marked(percent(figures.outsideEncoder), "outside_encoder", target.map { percent($0.outsideEncoder) }),
                marked(
                    figures.memory.ratio.map { fixed($0, 2) } ?? "n/a", "memory_ratio",
                    target?.memoryRatio.map { fixed($0, 2) }),
            ])
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        return (padded(name, 34) + cells.map { padded($0, 14) }.joined()).trimmed
    }

    private static func bytes(_ count: Int?) -> String { count.map { Summary.bytes($0) } ?? "n/a" }

    private static func decibels(_ value: Double?) -> String {
        value.map { $0 == .infinity ? "inf" : "\(fixed($0, 2)) dB" } ?? "n/a"
    }

    private static func percent(_ part: Double) -> String { "\(fixed(100 * part, 1))%" }

    /// Returns a number with exactly `places` decimals.
    private static func fixed(_ value: Double, _ places: Int) -> String { NumberText.fixed(value, places: places) }
}

extension String {
    /// The string without trailing spaces.
    fileprivate var trimmed: String { String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? endIndex)]) }
}
