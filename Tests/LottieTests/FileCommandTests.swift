import Core
import Foundation
import Raster
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
            disc([50, 50], ["ef": [["ty": 34, "nm": "Warp"]]]), solid("#f00", 20, 20, ["bm": 99, "sy": [["ty": 5]]]))
        let fixture = try LottieCommandFixture(json)
        let refused = try fixture.run("still", "film.json", "--at", "0", "-o", "a.png")
        #expect(refused.code == 65 && refused.output.isEmpty)
        let named = [
            "layers[0].ef[0]: the effect 'Warp' (type 34)", "layers[1].bm: the blend mode 99",
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

    @Test(.slow) func imagesAreOnlyReadFromTheAnimationsDirectory() throws {
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
            ("images/../../", "outside.png"), ("", "file:///etc/passwd"), ("http://localhost/", "none.png"),
            ("images/", "none.png"), ("", "/dev/zero"), ("", "images"),
            ("", "film.json"),
        ] {
            try write(imageAnimation(folder, file))
            expectRefusal(
                try fixture.run("still", "inside/film.json", "--at", "0", "-o", "a.png"), 65, "the image 'd'")
        }
    }

    /// Images that are not where the animation says are looked for by name, in its directory only.
    @Test(.slow, arguments: ["", "images/", "img/", "assets/"])
    func imagesAreFoundInTheUsualDirectories(place: String) throws {
        let fixture = try LottieCommandFixture()
        try writeImage(at: fixture.directory.file("site/\(place)dot.png"))
        for folder in ["missing/", "../outside/", "http://localhost/", "/images/"] {
            try makeFile(imageAnimation(folder, "dot.png").text, at: fixture.directory.file("site/film.json"))
            let outcome = try fixture.runSuccessfully(
                "still", "site/film.json", "--at", "0", "--scale", "1", "--force", "-o", "a.png")
            #expect(
                outcome.errorLines == [
                    "a.png: note: the image 'd' is read from '\(place)dot.png', because '\(folder)dot.png' does not exist"
                ])
            let bitmap = try #require(PixelGrid(png: bytes(of: fixture.directory.file("a.png"))))
            expect(bitmap, [(50, 50, .fullRed)])
        }
    }

    /// A batch notices an image that appears where the animation says.
    @Test func batchesPreferTheImageThatTheFileNames() throws {
        let fixture = try LottieCommandFixture()
        try writeImage(at: fixture.directory.file("img/dot.png"))
        try makeFile(imageAnimation("images/", "dot.png").text, at: fixture.directory.file("film.json"))
        try makeFile(
            "clips:\n  - {loader: film.json, name: film, size: 64x64, fps: 2, outputs: [gif]}\n",
            at: fixture.directory.file("site.yaml"))
        try fixture.runSuccessfully("batch", "site.yaml", "--progress", "none")
        let check = { try fixture.run("batch", "site.yaml", "--check", "--progress", "none").code }
        #expect(try check() == 0)
        try FileManager.default.createDirectory(
            atPath: fixture.directory.file("images"), withIntermediateDirectories: true)
        try Data(Data(base64Encoded: LottieSeeds.image) ?? Data())
            .write(to: URL(fileURLWithPath: fixture.directory.file("images/dot.png")))
        #expect(try check() == 1)
    }

    /// Text in a missing font is drawn, with one note for the font, unless fonts are strict.
    @Test func missingFontsAreReplaced() throws {
        let text: JSON = [
            "d": ["k": [["t": 0, "s": ["t": "HI", "f": "NoSuchSerif-Bold", "s": 40, "fc": [0, 0, 0]]]]]
        ]
        let fixture = try LottieCommandFixture(
            lottie(layer(5, ["p": [10, 60]], ["t": text]), layer(5, ["p": [10, 90]], ["t": text])))
        let outcome = try fixture.runSuccessfully("encode", "film.json", "--fps", "5", "-o", "a.gif")
        let notes = outcome.errorLines.filter { $0.contains("NoSuchSerif") }
        #expect(notes.count == 1 && notes[0].hasPrefix("a.gif: note: the font 'NoSuchSerif-Bold' is not installed"))
        let strict = try fixture.run("encode", "film.json", "--strict-fonts", "-o", "b.gif")
        #expect(strict.code == 65 && strict.errorText.contains("the font 'NoSuchSerif-Bold' (it is not installed)"))
        try makeFile(
            "clips: [{loader: film.json, fps: 5, strict-fonts: true, outputs: [gif]}]\n",
            at: fixture.directory.file("p.yaml"))
        #expect(try fixture.run("batch", "p.yaml", "--progress", "none").code != 0)
    }

    /// Telegram's stickers are JSON compressed by gzip.
    @Test func stickersAreDecompressed() throws {
        let fixture = try LottieCommandFixture()
        func pack(_ script: String) throws {
            try TestSupport.run("python3", ["-c", "import gzip\n" + script], directory: fixture.directory)
        }
        try makeFile(lottie(solid("#f00")).text, at: fixture.directory.file("a.json"))
        try pack("open('a.tgs', 'wb').write(gzip.compress(open('a.json', 'rb').read()))")
        expect(try fixture.still("a.tgs"), [(50, 50, .fullRed)])
        try fixture.runSuccessfully("encode", "a.tgs", "--fps", "5", "-o", "a.gif")
        try pack("open('cut.tgs', 'wb').write(open('a.tgs', 'rb').read()[:-30])")
        expectRefusal(
            try fixture.run("still", "cut.tgs", "--at", "0", "-o", "b.png"), 65, "cut.tgs", "is damaged")
        try pack("open('bomb.tgs', 'wb').write(gzip.compress(b' ' * (17 << 20)))")
        expectRefusal(
            try fixture.run("still", "bomb.tgs", "--at", "0", "-o", "b.png"), 65,
            "decompresses to more than 16777216 bytes")
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
        let make = { _ = try fixture.runSuccessfully("batch", "site.yaml", "--progress", "none") }
        let check = { try fixture.run("batch", "site.yaml", "--check", "--progress", "none").code }
        try make()
        #expect(try check() == 0)
        try makeFile(lottie(solid("#0f0")).text, at: fixture.directory.file("images/other.json"))
        #expect(try check() == 0)
        try Data(Data(base64Encoded: LottieSeeds.image) ?? Data()).write(to: URL(fileURLWithPath: image))
        #expect(try check() == 1)
        try make()
        #expect(try check() == 0)
        try makeFile(lottie(solid("#0f0")).text, at: fixture.directory.file("film.json"))
        #expect(try check() == 1)
        let dry = try fixture.runSuccessfully("batch", "site.yaml", "--dry-run")
        #expect(dry.text.contains("make (loader: the file changed)"), "\(dry.text)")
    }
}
