import Animations
import Core
import Foundation
import Render
import TestSupport
import Testing

@testable import Lottie

/// Notes, lessons and pages about Lottie files.
@Suite struct NoteTests {
    private static let fall = keys(key(0, [50, 20]), key(10, [50, 80]))
    private static let note =
        "the drawing's colours are close to the background #ffffff, so the background is now #17181c"

    private func whiteDisc() -> JSON {
        lottie(shapes(ellipse([0, 0], [40, 40]), fill([1, 1, 1]), at: ["p": Self.fall], ["nm": "ball"]))
    }

    /// Lessons, pages and plots of white art have a dark background, with a note.
    @Test(arguments: [
        "tutorial sheet s.yaml -o a.png", "page film.json -o a.html", "phases film.json --plot a.png",
    ])
    func whiteArtIsVisibleEverywhere(command: String) throws {
        let fixture = try LottieCommandFixture(whiteDisc())
        try makeFile("tutorial: film.json\nsteps:\n  - play: 1\n", at: fixture.directory.file("s.yaml"))
        let outcome = try Subprocess(
            builtProgram, command.split(separator: " ").map(String.init), directory: fixture.directory
        ).wait()
        #expect(outcome.code == 0 && outcome.errorText.contains(Self.note), "\(outcome.errorText)")
        guard command.contains("sheet") else { return }
        let sheet = try #require(PixelGrid(png: bytes(of: fixture.directory.file("a.png"))))
        let dark = Pixel(23, 24, 28)
        let pixels = stride(from: 0, to: sheet.height, by: 4).flatMap { y in
            stride(from: 0, to: sheet.width, by: 4).map { sheet[$0, y] }
        }
        #expect(pixels.contains { $0.distance(to: dark) <= 2 } && pixels.contains(.white))
    }

    /// A white disc is the background of the colours on it.
    @Test func whitePanelsKeepTheirBackground() throws {
        let needle = shapes(
            rectangle([15, 0], [30, 6]), fill(red), at: ["p": [50, 50], "r": keys(key(0, 0), key(10, 180))])
        let panel = shapes(ellipse([0, 0], [90, 90]), fill([1, 1, 1]), at: ["p": [50, 50]])
        #expect(AnnotationBackground.color(for: try LottieFixture(lottie(needle, panel)).loader) == nil)
        #expect(AnnotationBackground.color(for: try LottieFixture(whiteDisc()).loader) != nil)
    }

    @Test func nearlyWhiteClipsGetAWarning() throws {
        let faint = shapes(ellipse([0, 0], [40, 40]), fill([0.98, 0.98, 0.98]), at: ["p": [50, 50]])
        let fixture = try LottieCommandFixture(lottie(faint))
        let errors = try fixture.runSuccessfully("encode", "film.json", "-o", "a.mp4").errorText
        #expect(errors.contains("warning: the frames look blank"), "\(errors)")
        #expect(errors.contains("use --background black"))
        let grey = shapes(ellipse([0, 0], [40, 40]), fill([0.93, 0.93, 0.93]), at: ["p": [50, 50]])
        try makeFile(lottie(grey).text, at: fixture.directory.file("grey.json"))
        #expect(try !fixture.runSuccessfully("encode", "grey.json", "-o", "b.mp4").errorText.contains("warning"))
    }

    /// The radius of an object does not jump to zero when it grows beyond a limit.
    @Test func anObjectIsADiscAtAllTimesOrNever() throws {
        func radii(_ scale: Double) throws -> [Double] {
            let grown = keys(key(0, [20, 20]), key(10, list([scale, scale])))
            let json = lottie(
                shapes(ellipse([0, 0], [100, 100]), fill(black), at: ["p": [50, 50], "s": grown], ["nm": "a"]))
            let loader = try LottieFixture(json).loader.withAllObjects
            return (0..<10).compactMap { loader.objects(at: Rational(Int128($0), 10)).first?.radius }
        }
        #expect(try radii(22).count == 10 && radii(22).allSatisfy { $0 > 0 })
        #expect(try radii(60).allSatisfy { $0 == 0 })
    }

    @Test func theExtentOfAnObjectIsThatOfItsDrawing() throws {
        let bar = shapes(
            rectangle([0, 0], [60, 10]), fill(black), at: ["p": keys(key(0, [50, 20]), key(10, [50, 80]))],
            ["nm": "bar"])
        let loader = try LottieFixture(lottie(bar, solid("#0f0", 100, 30, ["nm": "ground"]))).loader
        let extent = try #require(loader.bounds(ofObject: "bar", at: 0))
        #expect(extent == Rect(x: 20, y: 15, width: 60, height: 10))
        #expect(loader.drawing(ofObject: "bar", at: 0)?.isEmpty == false)
        #expect(loader.drawing(ofObject: "ball", at: 0) == nil)
    }

    /// A matte that is elsewhere hides an object.
    @Test func anObjectBehindItsMatteIsInvisible() throws {
        let matte = shapes(
            rectangle([0, 0], [20, 20]), fill(black), at: ["p": keys(key(0, [20, 20]), key(10, [80, 80]))],
            ["nm": "window", "td": 1])
        let ball = disc(keys(key(0, [80, 80]), key(10, [80, 81])), ["nm": "ball", "tt": 1])
        let loader = try LottieFixture(lottie(matte, ball)).loader.withAllObjects
        #expect(loader.bounds(ofObject: "ball", at: 0) == nil)
        #expect(loader.bounds(ofObject: "ball", at: Rational(99, 100)) != nil)
    }

    @Test func nothingRestsWhileAnythingMoves() throws {
        let ball = disc(keys(key(0, [20, 20]), key(10, [20, 80])), ["nm": "ball"])
        // Two frames of sixty, between the instants at which objects are measured.
        let flash = disc([80, 50], ["nm": "flash", "ip": 33, "op": 35])
        func names(_ layers: JSON...) throws -> [String] {
            try LottieFixture(lottie(to: 60).with(["layers": .array(layers)])).loader.phases.map(\.name.english)
        }
        #expect(try names(ball) == ["ball drops", "rest"])
        #expect(try !names(ball, flash).contains("rest"))
    }

    @Test func pluralsAndChineseSpacing() throws {
        func name(_ stem: String) throws -> LocalizedText {
            let discs = (1...3).map { number in
                let x = Double(20 * number)
                return disc(
                    keys(key(0, list([x, 50])), key(10, list([x, 80]))), ["nm": .string("\(stem) \(number)")])
            }
            return try LottieFixture(lottie(discs[0], discs[1], discs[2])).loader.phases[0].name
        }
        #expect(try name("box").english == "boxes 1-3 drop")
        #expect(try name("pony").english == "ponies 1-3 drop")
        #expect(try name("key").english == "keys 1-3 drop")
        #expect(try name("dots").english == "dots 1-3 drop")
        #expect(try name("box").text(in: .zh) == "box 1-3 落下")
        #expect(try name("球").text(in: .zh) == "球 1-3 落下")
        let pair = lottie(
            disc(Self.fall, ["nm": "cube"]), disc(keys(key(0, [80, 20]), key(10, [80, 80])), ["nm": "球"]))
        #expect(try LottieFixture(pair).loader.phases[0].name.text(in: .zh) == "cube 与球落下")
    }

    /// A stroke that vanishes from its start erases itself, and has no position without a drawing.
    @Test func strokesDrawAndEraseThemselves() throws {
        let ring = shapes(
            ellipse([0, 0], [60, 60]),
            trim(keys(key(10, 0), key(20, 100)), keys(key(0, 0), key(10, 100))), stroke(black, 6),
            at: ["p": [30, 50]], ["nm": "ring"])
        let loader = try LottieFixture(lottie(ring, to: 30)).loader.withAllObjects
        let names = loader.phases.map(\.name.english)
        #expect(names.contains { $0.contains("draws itself") } && names.contains { $0.contains("erases itself") })
        #expect(loader.objects(at: 1).first?.isVisible == true)
        #expect(loader.objects(at: Rational(5, 2)).first?.isVisible == false)
        let times = MotionCurves(loader).pieces[0].joined().map(\.time)
        #expect(times.allSatisfy { $0 < 2.01 }, "\(times)")
    }

    /// First scripts say what the names of phases say.
    @Test func firstScriptsUseThePhasesNames() throws {
        let ring = shapes(
            ellipse([0, 0], [60, 60]), trim(0, keys(key(0, 0), key(10, 100))), stroke(black, 6), at: ["p": [50, 50]],
            ["nm": "ring"])
        let dot = disc(keys(key(10, [50, 50]), key(20, [80, 50])), ["nm": "dot"])
        let fixture = try LottieCommandFixture(lottie(ring, dot, to: 20))
        let text = try fixture.runSuccessfully("tutorial", "new", "film.json").text
        for phase in try fixture.listing("film.json").phases {
            #expect(text.contains(phase.name.dropFirst()), "\(phase.name): \(text)")
        }
        #expect(!text.contains("go") || !text.contains("round"), "\(text)")
    }

    @Test func telemetryHasTheChosenObjects() throws {
        let json = lottie(disc(Self.fall, ["nm": "a"]), disc(Self.fall, ["nm": "b"]))
        let fixture = try LottieCommandFixture(json)
        let lines = try fixture.runSuccessfully(
            "telemetry", "film.json", "--fps", "10", "--csv", "--objects", "b=Ball"
        ).text.split(separator: "\n").dropFirst()
        #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(",b,") && !$0.contains(",a,") })
        expectRefusal(try fixture.run("phases", "film.json", "--objects", "a=Ball,b=Ball"), 64, "objects")
    }

    @Test func listsHaveDecimals() throws {
        let json = lottie(disc(keys(key(0, [50, 20]), key(7, [50, 80])), ["nm": "a"]), rate: 30, to: 14)
        let fixture = try LottieCommandFixture(json)
        let text = try fixture.runSuccessfully("list", "film.json").text
        #expect(text.contains("period 0.467 s") && text.contains("0.233 s") && !text.contains("7/15"), "\(text)")
        #expect(try fixture.listing("film.json").period == "7/15")
    }

    /// Markers without a name of their own do not name phases.
    @Test func numbersDoNotNamePhases() throws {
        func names(_ markers: (String, Double)..., length: Double = 0) throws -> [String] {
            let list = markers.map { JSON.object(["cm": .string($0.0), "tm": .number($0.1), "dr": .number(length)]) }
            let json = lottie(disc(Self.fall, ["nm": "ball"])).with(["markers": .array(list)])
            return try LottieFixture(json).loader.phases.map(\.name.english)
        }
        #expect(try names(("0", 0)) == ["ball drops"])
        #expect(try names(("1", 0), ("2", 5)) == ["ball drops"])
        #expect(try names(("", 2), ("", 8)) == ["ball drops"])
        #expect(try names(("Marker_1", 0), ("Marker_2", 5), length: 5) == ["ball drops", "ball drops (2)"])
        #expect(try names(("in", 0)) == ["in"])
        #expect(try names(("in", 0), ("3", 5)) == ["in", "ball drops"])
        #expect(try names(("marker of the end", 5)) == ["unmarked", "marker of the end"])
    }

    /// The disc of an object is around what it draws, not around its anchor point.
    @Test func discsAreAroundTheDrawing() throws {
        let ball = shapes(
            ellipse([0, -10], [20, 20]), fill(black), at: ["p": keys(key(0, [50, 40]), key(10, [50, 90]))],
            ["nm": "ball"])
        let object = try #require(try LottieFixture(lottie(ball)).loader.withAllObjects.objects(at: 0).first)
        #expect(object.radius == 10 && object.position == Point(50, 40) && object.discCenter == Point(50, 30))
    }
}
