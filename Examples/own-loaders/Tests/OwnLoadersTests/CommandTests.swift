import Foundation
import LoaderVideo
import OwnLoaders
import Testing

/// The exit code and output of a program.
private struct Outcome {
    var code: Int32
    var output: String
    var errors: String
}

/// Tests of every command of the example's command line with its own loaders. Each test removes its
/// folder.
@Suite struct CommandTests {
    private static let ids = ["pulsing-dots", "chasing-arc", "pendulum"]
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("own-loaders-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// The program, which is built next to the tests.
    private static let program: URL = {
        let arguments = CommandLine.arguments.map { URL(fileURLWithPath: $0) }
        let bundle = arguments.first { $0.pathExtension == "xctest" } ?? arguments[0]
        return bundle.deletingLastPathComponent().appendingPathComponent("own-loaders")
    }()

    /// Runs the program until it ends, optionally with a signal after a second.
    private func run(_ arguments: [String], signal: Int32? = nil) throws -> Outcome {
        let process = Process()
        (process.executableURL, process.arguments, process.currentDirectoryURL) = (Self.program, arguments, folder)
        let (output, errors) = (folder.appendingPathComponent(".out"), folder.appendingPathComponent(".err"))
        for file in [output, errors] { FileManager.default.createFile(atPath: file.path, contents: nil) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        if let signal {
            Thread.sleep(forTimeInterval: 1)
            kill(process.processIdentifier, signal)
        }
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }

    private func size(of name: String) -> Int {
        (try? Data(contentsOf: folder.appendingPathComponent(name)).count) ?? 0
    }

    @Test(arguments: ids) func everyCommandTakesIt(id: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        func expect(_ arguments: String..., says word: String) throws {
            let process = try run(arguments)
            #expect(process.code == 0, "\(arguments): \(process.errors)")
            #expect(process.output.contains(word), "\(arguments): \(process.output)")
        }
        try expect("encode", id, "--slowmo", "2", "--size", "160x120", "--fps", "10", "-o", "a.mp4", says: "a.mp4: ")
        try expect(
            "encode", id, "--annotate", "all", "--lang", "zh", "--chapters", "--size", "640x480", "--fps", "5", "-o",
            "n.webm",
            says: "n.webm: ")
        try expect("still", id, "--at", "phase:0+1/2", "--annotate", "all", "-o", "s.png", says: "s.png: ")
        try expect("list", id, says: id)
        try expect("phases", id, "--lang", "zh", says: "阶段")
        try expect("telemetry", id, "--fps", "10", says: "frame")
        try expect("sheet", id, "-o", "sheet.png", says: "sheet.png: ")
        try expect("bench", "--clip", id, "--size", "64x64", "--quick", says: "wall")
        for name in ["a.mp4", "n.webm", "s.png", "sheet.png"] { #expect(size(of: name) > 500, "\(name)") }
    }

    /// Presets accept these loaders and their parameters, and a second run has nothing to do.
    @Test func presetsTakeThem() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let preset = """
            defaults: {size: 64x64, fps: 10, outputs: [mp4, webm]}
            clips:
              - {loader: [pulsing-dots, pendulum, qq-mail]}
              - {loader: chasing-arc, set: {width: 9}, name: wide}
            """
        try Data(preset.utf8).write(to: folder.appendingPathComponent("own.yaml"))
        #expect(try run(["presets", "validate", "own.yaml"]).code == 0)
        let first = try run(["batch", "own.yaml", "-o", "out"])
        #expect(first.code == 0 && first.output.contains("8 made"), "\(first.output)\(first.errors)")
        let second = try run(["batch", "own.yaml", "-o", "out"])
        #expect(second.code == 0 && second.output.contains("8 up to date"), "\(second.output)\(second.errors)")
        #expect(size(of: "out/wide.mp4") > 500)
    }

    /// Help and messages name the example's own program, never `loadervid`.
    @Test func onlyItsOwnNameIsMet() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var arguments =
            [[]]
            + [
                "encode", "batch", "batch run", "batch merge", "still", "phases", "telemetry", "sheet", "analyze",
                "compare",
                "presets", "presets list", "presets show", "presets validate", "presets schema", "presets reference",
                "list",
                "bench", "doctor",
            ].map { $0.split(separator: " ").map(String.init) }
        arguments = arguments.map { $0 + ["--help"] }
        try Data("clips: [{loader: dots, sizes: 3}, {loader: pendulum, set: {reach: far, width: 1}}]".utf8).write(
            to: folder.appendingPathComponent("bad.yaml"))
        try Data("clips: [{loader: pendulum, size: 64x64, duration: 0.1}]".utf8).write(
            to: folder.appendingPathComponent("good.yaml"))
        arguments += [
            ["list"], ["presets", "schema"], ["presets", "show", "good.yaml"], ["presets", "validate", "bad.yaml"],
            ["nonsense"],
            ["encode", "pendulum"], ["encode", "dots", "-o", "a.mp4"], ["encode", "pendulum", "-o", "a.avi"],
            ["encode", "pendulum", "--codec", "none", "-o", "a.mp4"],
            ["still", "pendulum", "--at", "0", "-o", "good.yaml"],
            ["encode", "pendulum", "--codec", "libx264", "--size", "16x16", "--speed", "none", "-o", "a.mp4"],
            ["analyze", "bad.yaml"], ["batch", "bad.yaml"], ["batch", "good.yaml", "--progress", "plain"],
            ["batch", "merge", "nowhere"], ["bench", "--clip", "dots"],
        ]
        for arguments in arguments {
            let process = try run(arguments)
            #expect(
                !(process.output + process.errors).contains("loadervid"),
                "\(arguments): \(process.output)\(process.errors)")
            if arguments.last == "--help" {
                #expect(process.code == 0 && process.output.contains("own-loaders"), "\(arguments): \(process.errors)")
            }
        }
        let closed = try run(["encode", "pendulum", "--codec", "mpeg2video", "--fps", "7", "-o", "a.mkv"])
        #expect(
            closed.code == 69 && closed.errors.contains("'own-loaders doctor' lists those that work"),
            "\(closed.errors)")
        #expect(try run(["--version"]).output.hasPrefix("own-loaders with loadervid "))
        #expect(try run(["doctor"]).output.hasPrefix("own-loaders with loadervid "))
        let ended = try run(["encode", "pendulum", "--duration", "90000", "-o", "a.mp4"], signal: SIGTERM)
        #expect(ended.code == 130 && ended.errors.contains("own-loaders: "), "\(ended.errors)")
        #expect(!ended.errors.contains("loadervid"), "\(ended.errors)")
    }

    @Test func mistakesAreLines() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let near = try run(["still", "pendulums", "--at", "0", "-o", "a.png"])
        #expect(near.code == 64 && near.errors.contains("did you mean 'pendulum'?"), "\(near.errors)")
        let value = try run(["still", "pendulum", "--set", "reach=300", "--at", "0", "-o", "a.png"])
        #expect(value.code == 64 && value.errors.hasPrefix("own-loaders: "), "\(value.errors)")
        #expect(value.errors.contains("5...80 degrees"), "\(value.errors)")
    }
}

/// Clips of the example's loaders, written from Swift.
@Suite struct ClipTests {
    @Test(arguments: [PulsingDots() as any Loader, ChasingArc(), Pendulum()])
    func clipsAreWritten(loader: any Loader) async throws {
        let path = NSTemporaryDirectory() + "/\(loader.id)-\(UUID().uuidString).webm"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let report = try await Clip(loader, slowmo: 2, size: .pixels(width: 64, height: 64)).write(to: path)
        #expect(report.frameCount == (loader.period * 120).rounded)
        // Objects end where they started.
        let (first, last) = (loader.objects(at: 0), loader.objects(at: loader.period - Rational(1, 1_000_000)))
        #expect(zip(first, last).allSatisfy { $0.position.distance(to: $1.position) < 0.01 })
        #expect(loader.phases.map(\.duration).reduce(0, +) == loader.period)
    }
}
