import Animations
import Batch
import Core
import Foundation
import Media
import Render
import TestSupport
import Testing

/// A change of one field of a request.
private struct Change: CustomTestStringConvertible, Sendable {
    let field: String
    let apply: @Sendable (inout RenderRequest) throws -> Void

    init(_ field: String, _ apply: @escaping @Sendable (inout RenderRequest) throws -> Void) {
        self.field = field
        self.apply = apply
    }

    var testDescription: String { field }

    static let ofLoader = [
        Change("definition") { $0.loader.definition = try LoaderCatalog.builtIn.definition("qq-pull") },
        Change("settings") { $0.loader.settings = ["green=red"] },
        Change("motion") { $0.loader.motion = "ticks" },
        Change("parameters") { $0.loader.parameters = ["subframes": "on"] },
        Change("background") { $0.loader.background = Color(1, 2, 3) },
        Change("size") { $0.loader.size = .pixels(width: 32, height: 18) },
        Change("shape") { $0.loader.shape = .square },
        Change("theme") { $0.loader.theme = .dark },
        Change("isTrimmed") { $0.loader.isTrimmed = true },
        Change("trimMargin") { $0.loader.trimMargin = 3 },
        // Any file works, since its contents count.
        Change("mark") { $0.loader.mark = #filePath },
        Change("annotations") { $0.loader.annotations = [.clock] },
        Change("objects") { $0.loader.objects = [ObjectChoice("red", title: "Ball")] },
        Change("font") { $0.loader.font = "DejaVu Serif" },
        Change("language") { $0.loader.language = .zh },
    ]

    static let ofRequest = [
        Change("container") { $0.container = .mkv },
        Change("vector") { $0.encoding.format = .vector(.svg) },
        Change("slowmo") { $0.slowmo = 2 },
        Change("chosenFrameRate") { $0.frameRate = FrameRate(12)! },
        Change("extent") { $0.extent = .duration(1) },
        Change("timing") { $0.timing = .exact },
        Change("from") { $0.from = .seconds(Rational(1, 3)) },
        Change("to") { $0.to = .phase(1, fraction: 0) },
        Change("hold") { $0.hold = 1 },
        Change("ramp") { $0.ramp = 2 },
        Change("isStepped") { $0.isStepped = true },
        Change("isSideBySide") { $0.isSideBySide = true },
        Change("motionBlur") { $0.motionBlur = Rational(1, 2) },
        Change("hasChapters") { $0.hasChapters = true },
        Change("hasPoster") { $0.hasPoster = true },
        Change("keyFrameInterval") { $0.keyFrameInterval = 1 },
        Change("codec") { $0.codec = "hevc" },
        Change("quality") { $0.quality = "30" },
        Change("speed") { $0.speed = "fast" },
        Change("pixelFormat") { $0.pixelFormat = "yuv444p" },
        Change("title") { $0.title = "Balls" },
        Change("maxBytes") { $0.maxBytes = 2_000_000 },
        Change("audioCodec") { $0.audioCodec = .pcm },
        Change("profile") { $0.profile = "hq" },
        Change("bitDepth") { $0.bitDepth = 10 },
        Change("encoderOptions") { $0.encoderOptions = EncoderOptions("tune=animation") },
        Change("posterFormat") { $0.posterFormat = .jpg },
        Change("timecode") { $0.timecode = Timecode("01:00:00:00") },
        Change("startNumber") { $0.startNumber = 1 },
        Change("audio") { $0.audio = #filePath },
        Change("captions") { $0.captions = .both },
        Change("transitions") { $0.transitions = .cut },
        Change("hasCaptionTrack") { $0.hasCaptionTrack = false },
        Change("usesRepetition") { $0.usesRepetition = false },
        Change("hasLongFrames") { $0.hasLongFrames = true },
        Change("gamut") { $0.gamut = .p3 }, Change("matte") { $0.matte = .white },
        Change("plays") { $0.plays = 3 }, Change("dithers") { $0.dithers = true },
    ]

    /// Changes between similar values.
    static let subtle = [
        Change("from a phase") { $0.from = .phase(0, fraction: Rational(1, 7)) },
        Change("another part of it") { $0.from = .phase(0, fraction: Rational(2, 7)) },
        Change("cycles") { $0.extent = .cycles(2) },
        Change("as many seconds") { $0.extent = .duration(2) },
        Change("a scale") { $0.loader.size = .scale(2) },
        Change("a colour near black") { $0.loader.background = Color(red: 0.0001, green: 0, blue: 0) },
        Change("black") { $0.loader.background = Color(red: 0, green: 0, blue: 0) },
        Change("two settings") { $0.loader.settings = ["green=red", "red=blue"] },
        Change("other annotations") { $0.loader.annotations = [.clock, .labels] },
    ]
}

@Suite struct RecipeTests {
    private func fingerprint(_ request: RenderRequest, _ toolchain: Toolchain = toolchain) throws -> String {
        try Recipe(request, toolchain: toolchain, fonts: "a font").fingerprint()
    }

    @Test func fontsAreThoseOfTheTexts() throws {
        let plain = try Toolchain.fonts(named: nil, hasCode: false)
        let named = try Toolchain.fonts(named: "DejaVu Sans Mono", hasCode: false)
        #expect(!plain.isEmpty && named.contains("DejaVu Sans Mono") && named != plain)
        let code = try Toolchain.fonts(named: nil, hasCode: true)
        #expect(code != plain && plain.components(separatedBy: ", ").allSatisfy(code.contains))
    }

    /// Every field of a request must change the fingerprint, and must be listed here.
    @Test func everyFieldCounts() throws {
        let plain = try request()
        // Limits for reading do not change the output.
        let limits = ["maxImagePixels"]
        #expect(Mirror(reflecting: plain.loader).children.compactMap(\.label) == Change.ofLoader.map(\.field) + limits)
        #expect(try fingerprint(request { $0.loader.maxImagePixels = 1 }) == fingerprint(plain))
        let fields = [Mirror(reflecting: plain), Mirror(reflecting: plain.encoding)].flatMap { mirror in
            mirror.children.compactMap(\.label).filter { !["loader", "encoding"].contains($0) }
        }
        #expect(fields.sorted() == Change.ofRequest.map(\.field).sorted())
        var seen: [String: String] = [try fingerprint(plain): "none"]
        for change in Change.ofLoader + Change.ofRequest + Change.subtle {
            let other = seen.updateValue(change.field, forKey: try fingerprint(request("qq-mail", change.apply)))
            #expect(other == nil, "\(change.field) makes no difference to \(other ?? "")")
        }
    }

    @Test func equalRequestsHaveEqualFingerprints() throws {
        let all = try request { $0.loader.annotations = AnnotationKind.all }
        let again = try request { $0.loader.annotations = Set(AnnotationKind.allCases.reversed()).subtracting([.grid]) }
        #expect(try fingerprint(all) == fingerprint(again))
        let settings = try request { $0.loader.settings = ["green=red", "red=blue"] }
        let reordered = try request { $0.loader.settings = ["red=green", "green=red", "red=blue"] }
        #expect(try fingerprint(settings) == fingerprint(reordered))
    }

    @Test func versionsAndVisibleFontsCount() throws {
        let newer = Toolchain(versions: ["loadervid": "1", "FFmpeg": "6"])
        let plain = try request()
        #expect(try fingerprint(plain) != fingerprint(plain, newer))
        let (old, new) = try (
            Recipe(plain, toolchain: toolchain, fonts: "a"), Recipe(plain, toolchain: newer, fonts: "b")
        )
        #expect(old.change(to: new) == "FFmpeg 5 → 6")
        #expect(try old.fingerprint() == Recipe(plain, toolchain: toolchain, fonts: "b").fingerprint())
        let noted = try request { $0.loader.annotations = [.clock] }
        let fonts = try ["a", "b"].map { try Recipe(noted, toolchain: toolchain, fonts: $0) }
        #expect(fonts[0].change(to: fonts[1]) == "fonts a → b")
        #expect(try fonts[0].fingerprint() != fonts[1].fingerprint())
    }

    /// An image counts by its contents, not by its path.
    @Test func imagesCountByTheirContents() throws {
        let directory = try TemporaryDirectory()
        let paths = ["one.png", "same.png", "other.png"].map(directory.file)
        for (path, text) in zip(paths, ["picture", "picture", "another"]) { try makeFile(text, at: path) }
        let recipes = try paths.map { path in
            let request = try request("douyin") { $0.loader.settings = ["cover=\(path)"] }
            return try Recipe(request, toolchain: toolchain, fonts: "")
        }
        #expect(recipes[0].change(to: recipes[1]) == nil)
        #expect(recipes[0].change(to: recipes[2]) == "set cover: the image changed")
        let drawn = try Recipe(
            request("douyin") { $0.loader.settings = ["cover=drawn"] }, toolchain: toolchain, fonts: "")
        #expect(drawn.change(to: recipes[0]) != nil)
        #expect(throws: LoadervidError.self) {
            try Recipe(
                request("douyin") { $0.loader.settings = ["cover=missing.png"] }, toolchain: toolchain, fonts: "")
        }
    }

    /// A custom parameter that takes a path counts by the contents of its file, except for its
    /// default, which is a word.
    @Test func filesOfCustomParametersCountByTheirContents() throws {
        let hue = Parameter("hue", 0, defaultText: "plain", limits: "a path", summary: "", takesPath: true) {
            (text, loadImage) throws(ParameterError) in
            text == "plain" ? 0 : try loadImage(text).width
        }
        let own = LoaderDefinition(id: "own", title: "Own", parameters: [hue]) { _ in QQMail() }
        let directory = try TemporaryDirectory()
        let paths = ["one.png", "same.png", "other.png"].map(directory.file)
        for (path, text) in zip(paths, ["picture", "picture", "another"]) { try makeFile(text, at: path) }
        let recipes = try (paths + ["plain"]).map { text in
            let request = try request {
                $0.loader.definition = own
                $0.loader.settings = ["hue=\(text)"]
            }
            return try Recipe(request, toolchain: toolchain, fonts: "").fingerprint()
        }
        #expect(recipes[0] == recipes[1])
        #expect(Set(recipes).count == 3)
    }

    @Test func changesAreDescribed() throws {
        let old = try Recipe(request(), toolchain: toolchain, fonts: "")
        func change(_ body: (inout RenderRequest) -> Void) throws -> String? {
            old.change(to: try Recipe(request("qq-mail", body), toolchain: toolchain, fonts: ""))
        }
        #expect(try change { $0.slowmo = Rational(3, 2) } == "slowmo: 1 → 3/2")
        #expect(try change { ($0.quality, $0.codec) = ("20", "hevc") } == "codec: none → hevc, quality: none → 20")
    }

    @Test func currentVersionsAreKnown() {
        let versions = Toolchain.current(program: "9.9").versions
        #expect(versions["loadervid"] == "9.9")
        for name in ["FFmpeg", "libavcodec", "libavformat", "libavutil", "libswscale", "cairo", "pango"] {
            #expect(versions[name]?.isEmpty == false, "\(name)")
        }
        #expect(versions["encoders"]?.contains("libx264.so") == true)
    }

    @Test func hashesAreSHA256() throws {
        let known = [
            "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ]
        for (text, hash) in known { #expect(try SHA256.hash(Array(text.utf8)) == hash) }
        let path = try TemporaryDirectory()
        try makeFile(String(repeating: "a", count: 1_000_000), at: path.file("a"))
        let (count, hash) = try SHA256.file(path.file("a"))
        #expect(count == 1_000_000 && hash == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(throws: FFmpegError.self) { try SHA256.file(path.file("b")) }
    }
}
