import Foundation
import Raster
import Core
import TestSupport
import Testing

@testable import Lottie

/// Valid and invalid files, tested through the commands.
@Suite struct FileCommandTests {
    @Test func missingAndInvalidFilesAreRefused() throws {
        let fixture = try LottieCommandFixture(lottie(disc([50, 50])))
        expectRefusal(try fixture.run("still", "none.json", "--at", "0", "-o", "a.png"), 66, "none.json")
        expectRefusal(try fixture.run("encode", "none.lottie", "-o", "a.mp4"), 66, "none.lottie")
        try makeFile("{\"v\": 1,\n  \"w\": oops}", at: fixture.directory.file("bad.json"))
        expectRefusal(
            try fixture.run("still", "bad.json", "--at", "0", "-o", "a.png"), 65, "bad.json", "line 2, column")
        try makeFile("", at: fixture.directory.file("empty.json"))
        expectRefusal(try fixture.run("list", "empty.json"), 65, "empty.json")
        try makeFile("[1, 2]", at: fixture.directory.file("list.json"))
        expectRefusal(try fixture.run("phases", "list.json"), 65, "not a Lottie animation")
        try makeFile("PK\u{3}\u{4} and no more", at: fixture.directory.file("cut.lottie"))
        expectRefusal(try fixture.run("still", "cut.lottie", "--at", "0", "-o", "a.png"), 65, "cut.lottie", "archive")
        #expect(!(try fixture.directory.names().contains { $0.hasPrefix("a.") }))
    }

    @Test func unsupportedFeaturesAreReportedLineByLine() throws {
        let json = lottie(
            disc([50, 50], ["ef": [["ty": 34, "nm": "Warp"]]]), solid("#f00", 20, 20, ["bm": 17, "sy": [["ty": 5]]]))
        let fixture = try LottieCommandFixture(json)
        let refused = try fixture.run("still", "film.json", "--at", "0", "-o", "a.png")
        #expect(refused.code == 65 && refused.output.isEmpty)
        let named = [
            "layers[0].ef[0]: the effect 'Warp' (type 34)", "layers[1].bm: the blend mode 17",
            "layers[1].sy[0]: a layer style",
        ]
        #expect(refused.errorLines.count == 4, "\(refused.errorText)")
        for (line, words) in zip(refused.errorLines, named + ["--lenient"]) {
            #expect(line.contains(words) && line.contains("film.json"), "\(line)")
        }
        #expect(!(try fixture.directory.names().contains("a.png")))
        let drawn = try fixture.runSuccessfully(
            "still", "film.json", "--at", "0", "--lenient", "--scale", "1", "-o", "b.png")
        #expect(drawn.errorLines.count == 3 && drawn.errorLines.allSatisfy { $0.contains("without layers[") })
        let bitmap = try #require(PixelGrid(png: bytes(of: fixture.directory.file("b.png"))))
        expect(bitmap, [(50, 50, .black), (10, 10, .fullRed)])
    }

    @Test func archivesContainSeveralAnimations() throws {
        let fixture = try LottieCommandFixture()
        let manifest = #"{"version": "1.0", "animations": [{"id": "first"}, {"id": "second"}]}"#
        try fixture.zip(
            [
                "manifest.json": manifest, "animations/first.json": lottie(solid("#f00")).text,
                "animations/second.json": lottie(solid("#00f")).text,
            ], to: "both.lottie")
        expect(try fixture.still("both.lottie"), [(50, 50, .fullRed)])
        expect(try fixture.still("both.lottie", at: "0", "--animation", "second"), [(50, 50, .fullBlue)])
        expect(try fixture.still("both.lottie", at: "0", "--animation", "first"), [(50, 50, .fullRed)])
        expectRefusal(
            try fixture.run("still", "both.lottie", "--at", "0", "--animation", "third", "-o", "a.png"), 65, "'third'",
            "first, second")
    }

    @Test func version2ArchivesAndTheirImagesAreRead() throws {
        let fixture = try LottieCommandFixture()
        try writeImage(at: fixture.directory.file("packed/i/dot.png"))
        let json = lottie(
            layer(2, [:], ["refId": "d"]), assets: [["id": "d", "u": "", "p": "dot.png", "w": 100, "h": 100]])
        try fixture.zip(
            ["manifest.json": #"{"version": "2", "animations": [{"id": "x"}]}"#, "a/x.json": json.text],
            to: "plain.lottie")
        expectRefusal(try fixture.run("still", "plain.lottie", "--at", "0", "-o", "a.png"), 65, "'d'", "dot.png")
        let script =
            "import zipfile; z = zipfile.ZipFile('plain.lottie', 'a'); z.write('packed/i/dot.png', 'i/dot.png')"
        try TestSupport.run("python3", ["-c", script], directory: fixture.directory)
        expect(try fixture.still("plain.lottie"), [(50, 50, .fullRed)])
    }

    @Test func archivesWithoutAManifestAreRefused() throws {
        let fixture = try LottieCommandFixture()
        try fixture.zip(["animations/a.json": lottie(solid("#000")).text], to: "bare.lottie")
        expectRefusal(try fixture.run("still", "bare.lottie", "--at", "0", "-o", "a.png"), 65, "manifest.json")
        try makeFile(lottie(solid("#000")).text, at: fixture.directory.file("one.json"))
        expectRefusal(try fixture.run("still", "one.json", "--at", "0", "--animation", "x", "-o", "a.png"), 65, "'x'")
    }

    /// Writes a red image of four pixels.
    private func writeImage(at path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let scene = Scene(size: Size(2, 2), background: Color(255, 0, 0), nodes: [])
        let rasterizer = try Rasterizer(width: 2, height: 2)
        try rasterizer.draw(scene)
        try Data(rasterizer.pixmap.png()).write(to: URL(fileURLWithPath: path))
    }

    private func imageAnimation(_ folder: String, _ file: String) -> JSON {
        lottie(
            layer(2, [:], ["refId": "d"]),
            assets: [["id": "d", "u": .string(folder), "p": .string(file), "w": 100, "h": 100]])
    }

    @Test func imagesAreOnlyReadFromTheAnimationsDirectory() throws {
        let fixture = try LottieCommandFixture()
        for path in ["inside/images/dot.png", "outside.png", "inside-not/dot.png"] {
            try writeImage(at: fixture.directory.file(path))
        }
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: fixture.directory.file("inside/images/away.png"), withDestinationPath: "../../outside.png")
        try manager.createSymbolicLink(
            atPath: fixture.directory.file("inside/elsewhere"), withDestinationPath: "../inside-not")
        try manager.createSymbolicLink(
            atPath: fixture.directory.file("inside/images/near.png"), withDestinationPath: "dot.png")
        func write(_ json: JSON) throws { try makeFile(json.text, at: fixture.directory.file("inside/film.json")) }
        for (folder, file) in [("images/", "dot.png"), ("", "images/dot.png"), ("images/", "near.png")] {
            try write(imageAnimation(folder, file))
            expect(try fixture.still("inside/film.json"), [(50, 50, .fullRed)])
        }
        for (folder, file) in [
            ("../", "outside.png"), ("", fixture.directory.file("outside.png")), ("images/", "away.png"),
            ("elsewhere/", "dot.png"), ("images/../../", "outside.png"), ("", "file:///etc/passwd"),
            ("http://localhost/", "dot.png"), ("images/", "none.png"), ("", "/dev/zero"), ("", "images"),
            ("", "film.json"),
        ] {
            try write(imageAnimation(folder, file))
            expectRefusal(
                try fixture.run("still", "inside/film.json", "--at", "0", "-o", "a.png"), 65, "the image 'd'")
        }
    }

    @Test func presetsFindFilesInTheirDirectory() throws {
        let fixture = try LottieCommandFixture()
        try FileManager.default.createDirectory(
            atPath: fixture.directory.file("site"), withIntermediateDirectories: true)
        try makeFile(lottie(solid("#f00")).text, at: fixture.directory.file("site/film.json"))
        try makeFile(
            "clips:\n  - loader: film.json\n    name: film\n    scale: 1\n    outputs: [mp4]\n",
            at: fixture.directory.file("site/site.yaml"))
        try fixture.runSuccessfully("batch", "site/site.yaml", "-o", "clips", "--progress", "none")
        let files = FileManager.default.enumerator(atPath: fixture.directory.file("clips"))?.compactMap {
            $0 as? String
        }
        let clip = try #require(files?.first { $0.hasSuffix(".mp4") })
        let video = try DecodedVideo(path: fixture.directory.file("clips/" + clip), rgba: true)
        #expect(video.times.count == 60)
        let color = video.bitmaps[0].color(50, 50)
        #expect(color[0] > 245 && color[1] < 10 && color[2] < 10)
    }

    /// A clip is out of date if its animation changed, or an image that the animation draws.
    @Test func batchesDetectChangedImages() throws {
        let fixture = try LottieCommandFixture()
        let image = fixture.directory.file("images/dot.png")
        try writeImage(at: image)
        try makeFile(imageAnimation("images/", "dot.png").text, at: fixture.directory.file("film.json"))
        try makeFile(
            "clips:\n  - {loader: film.json, name: film, size: 64x64, fps: 2, outputs: [mp4]}\n",
            at: fixture.directory.file("site.yaml"))
        let made = { try fixture.runSuccessfully("batch", "site.yaml", "--progress", "none") }
        let check = { try fixture.run("batch", "site.yaml", "--check", "--progress", "none").code }
        try made()
        #expect(try check() == 0)
        try makeFile(lottie(solid("#0f0")).text, at: fixture.directory.file("images/other.json"))
        #expect(try check() == 0)
        try Data(Data(base64Encoded: LottieSeeds.image) ?? Data()).write(to: URL(fileURLWithPath: image))
        #expect(try check() == 1)
        try made()
        #expect(try check() == 0)
        try makeFile(lottie(solid("#0f0")).text, at: fixture.directory.file("film.json"))
        #expect(try check() == 1)
        let dry = try fixture.runSuccessfully("batch", "site.yaml", "--dry-run")
        #expect(dry.text.contains("make (loader: the file changed)"), "\(dry.text)")
    }
}
