import Foundation
import Loaders
import Motion
import Pipeline
import TestSupport
import Testing

/// Values, of which every option takes some.
private let samples = [
    "0", "2", "3", "0.25", "1/3", "30000/1001", "59.94", "phase:1", "phase:2+1/2", "64x32", "#123456", "#12345678",
    "tomato", "h264", "medium", "yuv444p", "true", "all", "clock,phases",
]

private let sourceTree = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

@Suite struct RegistryTests {
    private let registry = OptionRegistry.standard

    private func request(_ texts: [String: String]) throws -> RenderRequest {
        var request = RenderRequest(loader: try LoaderRequest(id: "qq-mail"), container: .mp4)
        try registry.apply(texts, to: &request)
        return request
    }

    /// What is written says all: read again it is the same request.
    @Test(arguments: OptionRegistry.standard.options.map(\.key))
    func whatIsReadCanBeWritten(key: String) throws {
        let option = try #require(registry[key])
        var values = samples
        if case .word(let words) = option.form { values = words }
        let taken = values.filter { option.refusal(of: $0) == nil }
        var seen: Set<[String: String]> = []
        for value in taken {
            let texts = registry.texts(of: try request([key: value]))
            #expect(registry.texts(of: try request(texts)) == texts, "\(value)")
            seen.insert(texts)
        }
        // Any value but the default makes a difference.
        #expect(seen.contains { !$0.isEmpty }, "\(taken)")
        #expect(option.refusal(of: "\u{1}") != nil && option.refusal(of: "") != nil)
        #expect(throws: RenderError.self) { try request([key: ""]) }
    }

    @Test func whatIsGivenByDefaultIsNotWritten() throws {
        #expect(try registry.texts(of: request([:])).isEmpty)
        #expect(try registry.texts(of: request(registry.standardTexts)).isEmpty)
        #expect(registry.standardTexts["fps"] == "60" && registry.standardTexts["codec"] == nil)
    }

    @Test func exclusionsHoldBothWays() {
        for option in registry.options {
            for other in registry.excluded(by: option.key) {
                #expect(registry.excluded(by: other).contains(option.key), "\(option.key) \(other)")
            }
        }
        #expect(registry.excluded(by: "set.motion") == ["motion"])
        let pairs = registry.exclusions(among: ["to", "step", "phase", "ramp", "set.motion", "motion", "fps"])
        #expect(pairs.map { "\($0.first) \($0.second)" } == ["motion set.motion", "to phase", "ramp step"])
    }

    private func document(_ name: String) throws -> [String] {
        try String(contentsOf: sourceTree.appendingPathComponent("docs/\(name)"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    /// The rows of the documentation are the registry's, which `loadervid presets reference` prints.
    @Test func theDocumentationHasTheRowsOfTheRegistry() throws {
        let rows = OptionReference.commandLineRows(.motion, .picture, .slowMotion, .time, .encoding)
        let lines = try document("command-line.md")
        let keys = Set(registry.options.map(\.key))
        let written = lines.drop { !$0.hasPrefix("## What is shown") }.prefix { !$0.hasPrefix("## Presets") }.filter {
            line in line.firstMatch(of: /^\| `--([a-z-]+)/).map { keys.contains(String($0.1)) } ?? false
        }
        #expect(written == rows)
        let presets = try document("presets.md")
        let table = presets.drop { !$0.hasPrefix("## Options") }.dropFirst().prefix { !$0.hasPrefix("#") }
        #expect(table.filter { $0.hasPrefix("| `") } == OptionReference.presetRows())
        #expect(presets.contains { $0.hasPrefix("| \(OptionReference.outputKeys()) |") })
    }
}

/// Errors say what they are about, so that nobody need read their words.
@Suite struct TopicTests {
    private func topics(
        of id: String = "qq-mail", settings: [String] = [], _ texts: [String: String] = [:]
    ) throws -> [Topic] {
        var loader = try LoaderRequest(id: id)
        loader.settings = settings
        var request = RenderRequest(loader: loader, container: .mp4)
        let error = try #require(throws: RenderError.self) {
            try OptionRegistry.standard.apply(texts, to: &request)
            _ = try RenderPlan(request)
        }
        return error.about
    }

    @Test(arguments: [
        ("slowmo", "5000"), ("hold", "9999"), ("ramp", "0.5"), ("motion-blur", "2"), ("gop", "61"), ("duration", "0"),
        ("duration", "0.001"), ("duration", "999999999"), ("codec", "h266"), ("codec", "vp8"), ("quality", "99"),
        ("speed", "warp"), ("pixel-format", "rgb25"), ("background", "#0000"), ("size", "33x16"), ("size", "4x4"),
        ("scale", "0"), ("to", "99999"), ("fps", "fast"), ("cycles", "0"),
    ])
    func anOptionIsToBlame(key: String, value: String) throws {
        #expect(try topics([key: value]).first == .option(key))
    }

    @Test func aPhaseThatIsNotThereMayBeGivenInTwoWays() throws {
        #expect(try topics(["phase": "9"]) == .options("from", "phase"))
        #expect(try topics(["to": "phase:9"]) == .options("to", "phase"))
        #expect(try topics(of: "iqiyi", ["motion": "ticks"]) == .options("motion"))
        #expect(try topics(["step": "true", "hold": "0"]) == .options("hold", "step"))
    }

    @Test func parametersAndTheirFilesAreToBlame() throws {
        #expect(try topics(settings: ["radius=99"]) == .parameters("radius"))
        #expect(try topics(settings: ["radus=9"]) == .parameters("radus"))
        #expect(try topics(of: "qq-pull", settings: ["topRadius=5"]) == .parameters("bottomRadius", "topRadius"))
        #expect(try topics(of: "douyin", settings: ["cover=no.png"]) == [.parameter("cover"), .file("no.png")])
    }
}
