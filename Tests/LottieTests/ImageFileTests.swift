import Core
import Foundation
import Raster
import Render
import TestSupport
import Testing

@testable import Lottie

/// The image files of animations and other input files, as batches read and hash them.
@Suite struct ImageFileTests {
    private let fixture: LottieCommandFixture
    private var directory: TemporaryDirectory { fixture.directory }

    init() throws { fixture = try LottieCommandFixture() }

    private func writeImage(_ color: Color, at name: String, side: Int = 4) throws {
        let rasterizer = try Rasterizer(width: side, height: side)
        try rasterizer.draw(Scene(size: Size(Double(side), Double(side)), background: color, nodes: []))
        try Data(rasterizer.pixmap.png()).write(to: URL(fileURLWithPath: directory.file(name)))
    }

    /// Extends a file without allocating disk space.
    private func lengthen(_ name: String, to size: Int) throws {
        let path = directory.file(name)
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
        try #require(truncate(path, off_t(size)) == 0)
    }

    private func asset(_ id: String, _ file: String) -> JSON {
        ["id": .string(id), "u": "", "p": .string(file), "w": 100, "h": 100]
    }

    private func image(_ id: String, _ more: [String: JSON] = [:]) -> JSON {
        layer(2, [:], ["refId": .string(id)]).with(more)
    }

    private func write(_ json: JSON, to name: String = "film.json") throws {
        try makeFile(json.text, at: directory.file(name))
    }

    private static let clip = "clips: [{loader: film.json, name: a, size: 32x32, fps: 10, speed: ultrafast}]\n"

    /// Runs a dry run of a batch.
    private func plan(_ preset: String = clip) throws -> Outcome {
        try makeFile(preset, at: directory.file("p.yaml"))
        return try Subprocess(builtProgram, ["batch", "p.yaml", "--dry-run"], directory: directory).wait(timeout: 20)
    }

    @Test func onlyDrawnImagesAreHashed() throws {
        try writeImage(Color(255, 0, 0), at: "drawn.png")
        try writeImage(Color(255, 0, 0), at: "hidden.png")
        try lengthen("huge.png", to: 200 << 30)
        try write(
            lottie(
                image("d"), image("i", ["hd": true]),
                assets: [asset("d", "drawn.png"), asset("h", "huge.png"), asset("i", "hidden.png")]))
        let planned = try plan()
        #expect(planned.code == 0 && planned.text.contains("make (new)"), "\(planned.errorText)")
        #expect(planned.cpuSeconds < 5)
        try fixture.runSuccessfully("batch", "p.yaml", "--progress", "none")
        try lengthen("huge.png", to: 100 << 30)
        try writeImage(Color(0, 0, 255), at: "hidden.png")
        #expect(try plan().text.contains("up to date"))
        try writeImage(Color(0, 0, 255), at: "drawn.png", side: 64)
        #expect(try plan().text.contains("make (loader: "))
    }

    @Test func unusedAssetsAreNotRead() throws {
        let assets = (0..<100_000).map { JSON.object(["id": .string("\($0)"), "p": "film.json"]) }
        try write(lottie(disc([50, 50]), assets: assets))
        let planned = try plan()
        #expect(planned.code == 0 && planned.cpuSeconds < 10, "\(planned.errorText)")
    }

    /// One byte limit covers all images, whether they are drawn or hashed.
    @Test func imageFilesOverTheLimitAreRefused() throws {
        try writeImage(Color(255, 0, 0), at: "d.png")
        try lengthen("d.png", to: 200 << 30)
        try write(lottie(image("d"), assets: [asset("d", "d.png")]))
        let words = ["film.json", "the image 'd'", "214748364800", "208777216", "compress them"]
        for arguments in [["still", "film.json", "--at", "0", "-o", "a.png"], ["batch", "p.yaml", "--dry-run"]] {
            try makeFile(Self.clip, at: directory.file("p.yaml"))
            let outcome = try Subprocess(builtProgram, arguments, directory: directory).wait(timeout: 20)
            #expect(outcome.code == 65, "\(outcome.errorText)")
            for word in words { #expect(outcome.errorText.contains(word), "\(outcome.errorText)") }
        }
        // Each image is within the limit, but their sum is not.
        try lengthen("d.png", to: 100 << 20)
        try writeImage(Color(255, 0, 0), at: "e.png")
        try lengthen("e.png", to: 100 << 20)
        try write(lottie(image("d"), image("e"), assets: [asset("d", "d.png"), asset("e", "e.png")]))
        #expect(try plan().errorText.contains("the image 'e'"))
    }

    /// An image counts once, even if only layers that no frame shows have it.
    @Test(.slow) func unseenImagesCountOnce() throws {
        try writeImage(Color(255, 0, 0), at: "d.png")
        try lengthen("d.png", to: 80 << 20)
        try write(lottie(image("d", ["op": -1]), assets: [asset("d", "d.png")]))
        #expect(try plan().code == 0)
        try write(lottie(image("d", ["op": -1]), image("d"), assets: [asset("d", "d.png")]))
        #expect(try plan().code == 0)
        // A layer that shows a broken image is refused, even if another layer with that image is
        // never visible.
        try makeFile("no image", at: directory.file("e.png"))
        try write(lottie(image("e", ["op": -1]), assets: [asset("e", "e.png")]))
        #expect(try plan().code == 0)
        try write(lottie(image("e", ["op": -1]), image("e"), assets: [asset("e", "e.png")]))
        #expect(try plan().errorText.contains("the image 'e'"))
    }

    /// Only the images that frames show have remarks.
    @Test(arguments: [false, true]) func movedImagesHaveRemarks(isUnseen: Bool) throws {
        try writeImage(Color(255, 0, 0), at: "d.png")
        let layers = isUnseen ? [image("d", ["op": -1])] : [image("d", ["op": -1]), image("d"), image("d")]
        try write(lottie(assets: [asset("d", "elsewhere/d.png")]).with(["layers": .array(layers)]))
        let loader = try LottieFiles.definition(directory.file("film.json")).make()
        #expect(loader.details.filter { $0.text.contains("is read from 'd.png'") }.count == (isUnseen ? 0 : 1))
    }

    @Test func otherInputsOverTheirLimitsAreRefused() throws {
        try writeImage(Color(255, 0, 0), at: "cover.png")
        try lengthen("cover.png", to: 200 << 30)
        try SoundFile.make("aac", directory.file("sound.m4a"), seconds: "0.3")
        try lengthen("sound.m4a", to: 200 << 30)
        let cases = [
            ("{loader: douyin, set: {cover: cover.png}}", ["cover.png", "214748364800", "553648128", "--max-pixels"]),
            ("{loader: qq, mark: cover.png}", ["cover.png", "214748364800", "553648128"]),
            ("{loader: qq, audio: sound.m4a}", ["sound.m4a", "214748364800", "1073741824", "ffmpeg -i sound.m4a"]),
        ]
        for (clip, words) in cases {
            let outcome = try plan("clips: [\(clip)]\n")
            #expect(outcome.code == 65 && outcome.cpuSeconds < 5, "\(outcome.errorText)")
            for word in words { #expect(outcome.errorText.contains(word), "\(outcome.errorText)") }
        }
    }

    /// A file that several clips show is read and parsed once.
    @Test(.slow) func clipsShareAParsedFile() throws {
        let marks = (0..<100_000).map { JSON.object(["id": .string("\($0)"), "layers": .array([])]) }
        try write(lottie(disc([50, 50]), assets: marks))
        func seconds(_ count: Int) throws -> Double {
            let sizes = (0..<count).map { "\(32 + 2 * $0)x32" }.joined(separator: ", ")
            let outcome = try plan(
                "clips: [{loader: film.json, name: 'a-{size}', fps: 10, matrix: {size: [\(sizes)]}}]\n")
            try #require(outcome.code == 0, "\(outcome.errorText)")
            #expect(outcome.text.contains("\(count) output"))
            return outcome.cpuSeconds
        }
        let (one, many) = (try seconds(1), try seconds(40))
        #expect(many < 4 * one, "\(many) s of CPU time for 40 clips, and \(one) s for one")
    }

    /// Applies even if the animation is cached from another clip and its files are not opened
    /// again.
    @Test func outputsNeverReplaceTheAnimationsInputs() throws {
        try fixture.runSuccessfully(
            "encode", "qq-mail", "--size", "32x16", "--fps", "5", "--progress", "none", "-o", "d.gif")
        try write(lottie(image("d"), assets: [asset("d", "d.gif")]))
        let definition = try LottieFiles.definition(directory.file("film.json"))
        let readings: [() throws -> Void] = [
            { _ = try definition.make() }, { _ = try #require(try definition.contents?()) },
        ]
        for name in ["film.json", "d.gif"] {
            let before = try bytes(of: directory.file(name))
            for reading in readings + readings {
                try FilesInUse.$current.withValue(FilesInUse()) {
                    try reading()
                    let error = try #require(throws: LoadervidError.self) {
                        try OutputFile(path: directory.file(name), overwrites: true)
                    }
                    #expect(error.kind == .usage && error.description.contains(name), "\(error)")
                }
            }
            #expect(try bytes(of: directory.file(name)) == before)
        }
    }

    /// A changed file is read again, even if its modification time is the same.
    @Test func changedFilesAreReadAgain() throws {
        let path = directory.file("film.json")
        var fingerprints: Set<String> = []
        for color in ["#f00", "#0f0", "#00f"] {
            try write(lottie(solid(color, 10, 10)))
            fingerprints.insert(try #require(try LottieFiles.definition(path).contents?()))
        }
        #expect(fingerprints.count == 3)
        try write(lottie(image("d"), assets: [asset("d", "d.png")]))
        let definition = try LottieFiles.definition(path)
        #expect(throws: (any Error).self) { _ = try definition.make() }
        try writeImage(Color(255, 0, 0), at: "d.png")
        let red = try #require(try definition.contents?())
        try FileManager.default.removeItem(atPath: directory.file("d.png"))
        try writeImage(Color(0, 255, 255), at: "d.png", side: 64)
        func render() throws -> PixelGrid {
            try PixelGrid(of: definition.make().scene(at: 0), width: 100, height: 100)
        }
        expect(try render(), [(50, 50, Pixel(0, 255, 255))])
        #expect(try red != #require(try definition.contents?()))
        try FileManager.default.removeItem(atPath: directory.file("d.png"))
        try writeImage(Color(255, 0, 0), at: "d.png")
        #expect(try red == #require(try definition.contents?()))
        expect(try render(), [(50, 50, .fullRed)])
    }
}
