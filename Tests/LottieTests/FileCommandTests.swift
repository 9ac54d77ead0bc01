import Foundation
import Raster
import Scene
import TestSupport
import Testing

@testable import Lottie

/// Files good and bad, as who runs the program meets them.
@Suite struct FileCommandTests {
    @Test func absentAndBrokenFiles() throws {
        let workshop = try Workshop(movie(disc([50, 50])))
        expectRefusal(try workshop.run("still", "none.json", "--at", "0", "-o", "a.png"), 66, "none.json")
        expectRefusal(try workshop.run("encode", "none.lottie", "-o", "a.mp4"), 66, "none.lottie")
        try makeFile("{\"v\": 1,\n  \"w\": oops}", at: workshop.directory.file("bad.json"))
        expectRefusal(
            try workshop.run("still", "bad.json", "--at", "0", "-o", "a.png"), 65, "bad.json", "line 2, column")
        try makeFile("", at: workshop.directory.file("empty.json"))
        expectRefusal(try workshop.run("list", "empty.json"), 65, "empty.json")
        try makeFile("[1, 2]", at: workshop.directory.file("list.json"))
        expectRefusal(try workshop.run("phases", "list.json"), 65, "no Lottie animation")
        try makeFile("PK\u{3}\u{4} and no more", at: workshop.directory.file("cut.lottie"))
        expectRefusal(try workshop.run("still", "cut.lottie", "--at", "0", "-o", "a.png"), 65, "cut.lottie", "archive")
        #expect(!(try workshop.directory.names().contains { $0.hasPrefix("a.") }))
    }

    @Test func whatIsNotSupportedIsRefusedLineByLine() throws {
        let json = movie(
            disc([50, 50], ["ef": [["ty": 34, "nm": "Warp"]]]), solid("#f00", 20, 20, ["bm": 17, "sy": [["ty": 1]]]))
        let workshop = try Workshop(json)
        let refused = try workshop.run("still", "film.json", "--at", "0", "-o", "a.png")
        #expect(refused.code == 65 && refused.output.isEmpty)
        let named = [
            "layers[0].ef[0]: the effect 'Warp' (type 34)", "layers[1].bm: the blend mode 17",
            "layers[1].sy[0]: a layer style",
        ]
        #expect(refused.errorLines.count == 4, "\(refused.errorText)")
        for (line, words) in zip(refused.errorLines, named + ["--lenient"]) {
            #expect(line.contains(words) && line.contains("film.json"), "\(line)")
        }
        #expect(!(try workshop.directory.names().contains("a.png")))
        let drawn = try workshop.did("still", "film.json", "--at", "0", "--lenient", "--scale", "1", "-o", "b.png")
        #expect(drawn.errorLines.count == 3 && drawn.errorLines.allSatisfy { $0.contains("without layers[") })
        let picture = try #require(PixelGrid(png: bytes(of: workshop.directory.file("b.png"))))
        expect(picture, [(50, 50, .black), (10, 10, .fullRed)])
    }

    @Test func archivesHoldSeveralAnimations() throws {
        let workshop = try Workshop()
        let manifest = #"{"version": "1.0", "animations": [{"id": "first"}, {"id": "second"}]}"#
        try workshop.zip(
            [
                "manifest.json": manifest, "animations/first.json": movie(solid("#f00")).text,
                "animations/second.json": movie(solid("#00f")).text,
            ], to: "both.lottie")
        expect(try workshop.still("both.lottie"), [(50, 50, .fullRed)])
        expect(try workshop.still("both.lottie", at: "0", "--animation", "second"), [(50, 50, .fullBlue)])
        expect(try workshop.still("both.lottie", at: "0", "--animation", "first"), [(50, 50, .fullRed)])
        expectRefusal(
            try workshop.run("still", "both.lottie", "--at", "0", "--animation", "third", "-o", "a.png"), 65, "'third'",
            "first, second")
    }

    @Test func archivesOfTheSecondVersionAndTheirPictures() throws {
        let workshop = try Workshop()
        try writePicture(at: workshop.directory.file("packed/i/dot.png"))
        let json = movie(
            layer(2, [:], ["refId": "d"]), assets: [["id": "d", "u": "", "p": "dot.png", "w": 100, "h": 100]])
        try workshop.zip(
            ["manifest.json": #"{"version": "2", "animations": [{"id": "x"}]}"#, "a/x.json": json.text],
            to: "plain.lottie")
        expectRefusal(try workshop.run("still", "plain.lottie", "--at", "0", "-o", "a.png"), 65, "'d'", "dot.png")
        let script =
            "import zipfile; z = zipfile.ZipFile('plain.lottie', 'a'); z.write('packed/i/dot.png', 'i/dot.png')"
        try TestSupport.run("python3", ["-c", script], directory: workshop.directory)
        expect(try workshop.still("plain.lottie"), [(50, 50, .fullRed)])
    }

    @Test func archivesWithoutAManifestAreRefused() throws {
        let workshop = try Workshop()
        try workshop.zip(["animations/a.json": movie(solid("#000")).text], to: "bare.lottie")
        expectRefusal(try workshop.run("still", "bare.lottie", "--at", "0", "-o", "a.png"), 65, "manifest.json")
        try makeFile(movie(solid("#000")).text, at: workshop.directory.file("one.json"))
        expectRefusal(try workshop.run("still", "one.json", "--at", "0", "--animation", "x", "-o", "a.png"), 65, "'x'")
    }

    /// A red picture of four pixels.
    private func writePicture(at path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let scene = Scene(size: Size(2, 2), background: Color(255, 0, 0), nodes: [])
        let rasterizer = try Rasterizer(width: 2, height: 2)
        try rasterizer.draw(scene)
        try Data(rasterizer.pixmap.png()).write(to: URL(fileURLWithPath: path))
    }

    private func picture(_ folder: String, _ file: String) -> JSON {
        movie(
            layer(2, [:], ["refId": "d"]),
            assets: [["id": "d", "u": .string(folder), "p": .string(file), "w": 100, "h": 100]])
    }

    @Test func picturesAreReadBesideTheAnimationOnly() throws {
        let workshop = try Workshop()
        for path in ["inside/images/dot.png", "outside.png", "inside-not/dot.png"] {
            try writePicture(at: workshop.directory.file(path))
        }
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: workshop.directory.file("inside/images/away.png"), withDestinationPath: "../../outside.png")
        try manager.createSymbolicLink(
            atPath: workshop.directory.file("inside/elsewhere"), withDestinationPath: "../inside-not")
        try manager.createSymbolicLink(
            atPath: workshop.directory.file("inside/images/near.png"), withDestinationPath: "dot.png")
        func write(_ json: JSON) throws { try makeFile(json.text, at: workshop.directory.file("inside/film.json")) }
        for (folder, file) in [("images/", "dot.png"), ("", "images/dot.png"), ("images/", "near.png")] {
            try write(picture(folder, file))
            expect(try workshop.still("inside/film.json"), [(50, 50, .fullRed)])
        }
        for (folder, file) in [
            ("../", "outside.png"), ("", workshop.directory.file("outside.png")), ("images/", "away.png"),
            ("elsewhere/", "dot.png"), ("images/../../", "outside.png"), ("", "file:///etc/passwd"),
            ("http://localhost/", "dot.png"), ("images/", "none.png"), ("", "/dev/zero"), ("", "images"),
            ("", "film.json"),
        ] {
            try write(picture(folder, file))
            expectRefusal(
                try workshop.run("still", "inside/film.json", "--at", "0", "-o", "a.png"), 65, "the image 'd'")
        }
    }

    @Test func presetsFindFilesBesideThem() throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(
            atPath: workshop.directory.file("site"), withIntermediateDirectories: true)
        try makeFile(movie(solid("#f00")).text, at: workshop.directory.file("site/film.json"))
        try makeFile(
            "clips:\n  - loader: film.json\n    name: film\n    scale: 1\n    outputs: [mp4]\n",
            at: workshop.directory.file("site/site.yaml"))
        try workshop.did("batch", "site/site.yaml", "-o", "clips", "--progress", "none")
        let files = FileManager.default.enumerator(atPath: workshop.directory.file("clips"))?.compactMap {
            $0 as? String
        }
        let clip = try #require(files?.first { $0.hasSuffix(".mp4") })
        let video = try DecodedVideo(path: workshop.directory.file("clips/" + clip), rgba: true)
        #expect(video.times.count == 60)
        let color = video.pictures[0].color(50, 50)
        #expect(color[0] > 245 && color[1] < 10 && color[2] < 10)
    }

    /// A clip is stale when its animation changed, or a picture that the animation takes from its folder.
    @Test func batchesSeeOtherPictures() throws {
        let workshop = try Workshop()
        let image = workshop.directory.file("images/dot.png")
        try writePicture(at: image)
        try makeFile(picture("images/", "dot.png").text, at: workshop.directory.file("film.json"))
        try makeFile(
            "clips:\n  - {loader: film.json, name: film, size: 64x64, fps: 2, outputs: [mp4]}\n",
            at: workshop.directory.file("site.yaml"))
        let made = { try workshop.did("batch", "site.yaml", "--progress", "none") }
        let check = { try workshop.run("batch", "site.yaml", "--check", "--progress", "none").code }
        try made()
        #expect(try check() == 0)
        try makeFile(movie(solid("#0f0")).text, at: workshop.directory.file("images/other.json"))
        #expect(try check() == 0)
        try Data(Data(base64Encoded: LottieSeeds.picture) ?? Data()).write(to: URL(fileURLWithPath: image))
        #expect(try check() == 1)
        try made()
        #expect(try check() == 0)
        try makeFile(movie(solid("#0f0")).text, at: workshop.directory.file("film.json"))
        #expect(try check() == 1)
    }
}
