import Animations
import Core
import Foundation
import Render
import TestSupport
import Testing

/// Sample values. Every option accepts some of them.
private let samples = [
    "0", "2", "3", "0.25", "1/3", "30000/1001", "59.94", "phase:1", "phase:2+1/2", "64x32", "#123456", "#12345678",
    "tomato", "h264", "medium", "yuv444p", "true", "all", "clock,phases",
    "tune=animation", "01:00:00:00",
]

@Suite struct RegistryTests {
    private let registry = OptionRegistry.standard

    private func request(_ texts: [String: String]) throws -> RenderRequest {
        var request = RenderRequest(loader: try LoaderRequest(id: "qq-mail"), container: .mp4)
        try registry.apply(texts, to: &request)
        return request
    }

    /// A request survives formatting and parsing.
    @Test(arguments: OptionRegistry.standard.options.map(\.key))
    func parsedValuesCanBeFormatted(key: String) throws {
        let option = try #require(registry[key])
        var values = samples
        if case .word(let words) = option.valueKind { values = words }
        let accepted = values.filter { option.refusal(of: $0) == nil }
        var seen: Set<[String: String]> = []
        for value in accepted {
            let texts = registry.texts(of: try request([key: value]))
            #expect(registry.texts(of: try request(texts)) == texts, "\(value)")
            seen.insert(texts)
        }
        // Any value except the default changes the request.
        #expect(seen.contains { !$0.isEmpty }, "\(accepted)")
        #expect(option.refusal(of: "\u{1}") != nil && option.refusal(of: "") != nil)
        #expect(throws: LoadervidError.self) { try request([key: ""]) }
    }

    @Test func defaultsAreOmitted() throws {
        #expect(try registry.texts(of: request([:])).isEmpty)
        #expect(try registry.texts(of: request(registry.defaultTexts)).isEmpty)
        #expect(registry.defaultTexts["fps"] == "60" && registry.defaultTexts["codec"] == nil)
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
        try String(contentsOfFile: "\(sourceTree)/docs/\(name)", encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    /// The documentation has the registry's rows, which `loadervid presets reference` prints.
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

/// Errors name their subjects, so that no code has to parse messages.
@Suite struct ErrorSubjectTests {
    private func subjects(
        of id: String = "qq-mail", settings: [String] = [], _ texts: [String: String] = [:]
    ) throws -> [ErrorSubject] {
        var loader = try LoaderRequest(id: id)
        loader.settings = settings
        var request = RenderRequest(loader: loader, container: .mp4)
        let error = try #require(throws: LoadervidError.self) {
            try OptionRegistry.standard.apply(texts, to: &request)
            _ = try RenderPlan(request)
        }
        return error.subjects
    }

    @Test(arguments: [
        ("slowmo", "5000"), ("hold", "9999"), ("ramp", "0.5"), ("motion-blur", "2"), ("gop", "61"), ("duration", "0"),
        ("duration", "0.001"), ("duration", "999999999"), ("codec", "h266"), ("codec", "vp8"), ("quality", "99"),
        ("speed", "warp"), ("pixel-format", "rgb25"), ("background", "#0000"), ("size", "33x16"), ("size", "4x4"),
        ("scale", "0"), ("to", "99999"), ("fps", "fast"), ("cycles", "0"),
    ])
    func errorsNameTheirOption(key: String, value: String) throws {
        #expect(try subjects([key: value]).first == .option(key))
    }

    @Test func missingPhasesNameBothOptions() throws {
        #expect(try subjects(["phase": "9"]) == .options("from", "phase"))
        #expect(try subjects(["to": "phase:9"]) == .options("to", "phase"))
        #expect(try subjects(of: "iqiyi", ["motion": "ticks"]) == .options("motion"))
        #expect(try subjects(["step": "true", "hold": "0"]) == .options("hold", "step"))
    }

    @Test func errorsNameParametersAndFiles() throws {
        #expect(try subjects(settings: ["radius=99"]) == .parameters("radius"))
        #expect(try subjects(settings: ["radus=9"]) == .parameters("radus"))
        #expect(try subjects(of: "qq-pull", settings: ["topRadius=5"]) == .parameters("bottomRadius", "topRadius"))
        #expect(try subjects(of: "douyin", settings: ["cover=no.png"]) == [.parameter("cover"), .file("no.png")])
    }
}
