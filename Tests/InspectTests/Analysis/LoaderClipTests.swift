import Animations
import Core
import Foundation
import Inspect
import Media
import Render
import TestSupport
import Testing

/// QQ Mail's balls, encoded by the pipeline.
struct MailClip: CustomTestStringConvertible, Sendable {
    var scale = 2
    var fps = "30"
    var slowmo: Rational = 1
    var container = Container.mp4
    var quality: String?
    var isGIF = false
    var cycles = 2

    var testDescription: String {
        "scale \(scale), \(fps) fps, slowmo \(slowmo), \(isGIF ? "gif" : container.rawValue), quality \(quality ?? "-")"
    }

    /// Encodes the cycles and returns the path.
    func write(in scratch: TemporaryDirectory) throws -> String {
        var loader = try LoaderRequest(id: "qq-mail")
        loader.size = .scale(Rational(scale))
        guard let rate = FrameRate(text: fps) else { return "" }
        var request = RenderRequest(loader: loader, container: container, frameRate: rate)
        request.slowmo = slowmo
        request.extent = .cycles(cycles)
        request.timing = .exact
        request.quality = quality
        request.speed = container == .webm ? "5" : "fast"
        let path = scratch.file("mail.\(container.rawValue)")
        _ = try RenderPipeline([RenderPlan(request)], jobs: 1, memory: 1 << 30)
            .run(to: .file(try OutputFile(path: path, overwrites: true)))
        guard isGIF else { return path }
        let gif = scratch.file("mail.gif")
        try ffmpeg(["-i", path, gif])
        return gif
    }

    /// Analyses the clip and checks all known properties. Returns the relative error of the phase
    /// and the error of the offset in points.
    func check() throws -> (phase: Double, offset: Double) {
        let scratch = try TemporaryDirectory()
        let analysis = try ClipAnalysis(path: write(in: scratch))
        let found = analysis.phases
        let phases = try #require(found, "\(testDescription): no table")
        #expect(phases.table.directions == [-1, 1, 1, -1, 0, 0], "\(testDescription)")
        #expect(phases.table.starts == [1, 5, 3], "\(testDescription)")
        let recognized = analysis.match
        let match = try #require(recognized, "\(testDescription): no match")
        #expect(match.loader == "qq-mail", "\(testDescription)")
        #expect(abs(match.scale / Double(scale) - 1) < 0.02, "\(testDescription)")
        #expect(abs(match.speed * slowmo.double - 1) < 0.01, "\(testDescription)")
        let phaseError = abs(phases.phase / (0.24 * slowmo.double) - 1)
        let offsetError = abs(phases.offset / Double(scale) - 30)
        #expect(phaseError < 0.01, "\(testDescription)")
        #expect(offsetError < 0.5, "\(testDescription)")
        return (phaseError, offsetError)
    }
}

@Suite struct LoaderClipTests {
    static let quick = [
        MailClip(), MailClip(scale: 4, slowmo: 2, container: .webm, cycles: 1), MailClip(quality: "35"),
        MailClip(scale: 3, fps: "24", isGIF: true),
    ]

    @Test(.slow, arguments: quick) func recoversQQMail(_ clip: MailClip) throws { _ = try clip.check() }

    @Test func comparesWithTheLoader() throws {
        let scratch = try TemporaryDirectory()
        let analysis = try ClipAnalysis(path: MailClip(scale: 4, cycles: 1).write(in: scratch))
        let loader = try QQMail(ParameterValues())
        let comparison = try LoaderAlignment(analysis, id: "qq-mail", loader: loader)
        #expect(comparison.rms < 0.15)
        #expect(comparison.phases.count == 6)
        #expect(comparison.worst.deviation < 0.6)
        // Other loaders have no positions that could be compared.
        for type in LoaderCatalog.builtIn.definitions where type.id != "qq-mail" {
            let other = try type.make()
            let error = try #require(throws: LoadervidError.self) {
                try LoaderAlignment(analysis, id: type.id, loader: other)
            }
            #expect(
                error
                    == LoadervidError(
                        .badData, "the loader has no moving balls whose positions can be compared; use one of qq-mail"))
        }
    }

    /// Balls in the article's colours that follow other tables are not the article's loader.
    @Test(arguments: [[1, 0, -1, -1, 0, 1], [1, 1, -1, -1]])
    func otherTablesDoNotFit(table: [Int]) throws {
        let scratch = try TemporaryDirectory()
        var clip = BallClip(name: "other table", table: table, starts: [0, 2, 3], offset: 60)
        clip.phases = Double(2 * table.count)
        try clip.write(to: scratch.file("clip.mkv"))
        let analysis = try ClipAnalysis(path: scratch.file("clip.mkv"))
        let loader = try QQMail(ParameterValues())
        let error = try #require(throws: LoadervidError.self) {
            try LoaderAlignment(analysis, id: "qq-mail", loader: loader)
        }
        #expect(error.kind == .badData)
        #expect(error.description.contains("not move like those of qq-mail"), "\(error)")
    }

    /// In two phases all balls move evenly, which does not determine the speed.
    @Test func shortClipsDoNotFit() throws {
        let scratch = try TemporaryDirectory()
        try BallClip(name: "two phases", phases: 2).write(to: scratch.file("clip.mkv"))
        let analysis = try ClipAnalysis(path: scratch.file("clip.mkv"))
        let loader = try QQMail(ParameterValues())
        let error = try #require(throws: LoadervidError.self) {
            try LoaderAlignment(analysis, id: "qq-mail", loader: loader)
        }
        #expect(error.kind == .badData && error.description.contains("less than half a period"), "\(error)")
    }

    /// In a long clip, many speeds are candidates.
    @Test(.slow) func longClipsAreCompared() throws {
        let scratch = try TemporaryDirectory()
        var clip = MailClip()
        clip.scale = 1
        clip.fps = "12"
        clip.cycles = 45
        let analysis = try ClipAnalysis(path: clip.write(in: scratch))
        let comparison = try LoaderAlignment(analysis, id: "qq-mail", loader: QQMail(ParameterValues()))
        #expect(comparison.rms < 0.5)
        #expect(abs(comparison.match.speed - 1) < 0.03)
    }

    @Test func otherLoadersHaveNoTable() throws {
        let scratch = try TemporaryDirectory()
        var request = RenderRequest(
            loader: try LoaderRequest(id: "oneloading"), container: .mp4,
            frameRate: FrameRate(text: "20"))
        request.loader.size = .scale(2)
        let path = scratch.file("one.mp4")
        _ = try RenderPipeline([RenderPlan(request)], jobs: 1, memory: 1 << 30)
            .run(to: .file(try OutputFile(path: path, overwrites: true)))
        let analysis = try ClipAnalysis(path: path)
        #expect(analysis.phases == nil)
        #expect(analysis.match == nil)
        #expect(!analysis.objects.isEmpty)
    }
}

/// The full matrix takes minutes. `scripts/test-analysis` runs it in release mode.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOADERVID_MATRIX_TESTS"] != nil), .serialized)
struct AnalysisMatrixTests {
    static var loaderClips: [MailClip] {
        [1, 2, 4].flatMap { scale in
            ["24", "30", "60"].flatMap { fps in
                [Rational(1, 2), 1, 3].flatMap { slowmo in
                    [MailClip(container: .mp4), MailClip(container: .webm), MailClip(isGIF: true)].flatMap { base in
                        ["18", "35"].map { quality in
                            var clip = base
                            clip.scale = scale
                            clip.fps = fps
                            clip.slowmo = slowmo
                            clip.quality = quality
                            return clip
                        }
                    }
                }
            }
        }
    }

    static var ballClips: [BallClip] {
        RecoveryTests.quick.flatMap { base in
            ["24", "25", "30", "60"].flatMap { fps in
                ["18", "28", "35"].flatMap { crf in
                    [false, true].map { isUneven in
                        var clip = base
                        (clip.fps, clip.isUneven, clip.options["crf"]) = (fps, isUneven, crf)
                        clip.name += ", \(fps) fps, crf \(crf)\(isUneven ? ", uneven" : "")"
                        return clip
                    }
                }
            }
        }
    }

    @Test func loaders() throws {
        var phases: [Double] = []
        var offsets: [Double] = []
        var failures: [String] = []
        for clip in Self.loaderClips {
            do {
                let errors = try clip.check()
                phases.append(errors.phase)
                offsets.append(errors.offset)
            } catch { failures.append(clip.testDescription) }
        }
        report("qq-mail", count: Self.loaderClips.count, phases, offsets, "pt", failures)
        #expect(failures.isEmpty)
    }

    @Test func balls() throws {
        var phases: [Double] = []
        var offsets: [Double] = []
        var failures: [String] = []
        for clip in Self.ballClips {
            let scratch = try TemporaryDirectory()
            do {
                try clip.write(to: scratch.file("clip.mkv"))
                let recovery = try Recovery(clip, try ClipAnalysis(path: scratch.file("clip.mkv")))
                phases.append(recovery.phaseError)
                offsets.append(recovery.offsetError)
            } catch { failures.append(clip.name) }
        }
        report("other balls", count: Self.ballClips.count, phases, offsets, "px", failures)
        #expect(failures.isEmpty)
        #expect((phases.max() ?? 1) < 0.01)
        #expect((offsets.max() ?? 9) < 1.5)
    }

    private func report(
        _ name: String, count: Int, _ phases: [Double], _ offsets: [Double], _ unit: String, _ failures: [String]
    ) {
        func summary(_ values: [Double]) -> String {
            let sorted = values.sorted()
            guard let worst = sorted.last else { return "none" }
            return String(format: "worst %.5f, median %.5f", worst, sorted[sorted.count / 2])
        }
        print("\(name): \(count) clips, \(failures.count) without a table or match")
        print("  phase length, relative error: \(summary(phases))")
        print("  offset, error in \(unit): \(summary(offsets))")
        for failure in failures { print("  failed: \(failure)") }
    }
}
