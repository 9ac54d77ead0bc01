import Animations
import Explain
import Foundation
import Render
import TestSupport
import Testing

@testable import Batch

/// The schema that editors use accepts every preset that the reader accepts.
@Suite struct SchemaAgreementTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let fuzzCount = environment["LOADERVID_FUZZ"].flatMap { Int($0) }

    @Test(.slow) func theSchemaAcceptsReadablePresets() throws {
        let accepted = try compare(count: 1000, seed: 12)
        #expect(accepted > 100)
    }

    /// The same with many more presets, for scripts/fuzz-presets, which also passes accepted
    /// presets to another validator.
    @Test(.enabled(if: fuzzCount != nil)) func fuzz() throws {
        let seed = Self.environment["LOADERVID_FUZZ_SEED"].flatMap { Int($0) } ?? 1
        let count = Self.fuzzCount ?? 0
        let accepted = try compare(count: count, seed: seed, keeping: Self.environment["LOADERVID_FUZZ_ACCEPTED"])
        print("schema: \(count) presets, \(accepted) read and accepted")
    }

    /// The schema rejects invalid presets, so that editors mark them.
    @Test(arguments: [
        "clips: [{loader: qqmail}]", "clips: [{loader: film.yaml}]", "clips: [{lodaer: qq}]", "clips: []", "clip: 1",
        "name: a/b", "name: -a", "clips: [{loader: qq, fps: true}]", "clips: [{loader: qq, step: 1}]",
        "clips: [{loader: qq, annotate: 'clock,clok'}]", "clips: [{loader: qq, outputs: [avi]}]",
        "clips: [{loader: qq, matrix: {fps: 30}}]", "clips: [{loader: qq, lang: de}]",
        "clips: [{loader: qq, start-number: -1}]", "clips: [{loader: qq, start-number: 1.5}]",
        "clips: [{loader: qq, loop: 0}]", "clips: [{loader: qq, timecode: '25:00:00:00'}]",
        "clips: [{loader: qq, encoder-option: tune}]", "clips: [{loader: qq, trim-margin: x}]",
        "clips: [{loader: qq, trim-margin: -1}]", "clips: [{loader: qq, fps: 30fps}]",
        "clips: [{loader: qq, slowmo: 4x}]", "clips: [{loader: qq, from: 'phase:x'}]",
        "clips: [{loader: qq, size: 1080}]", "clips: [{loader: qq, size: 1080p}]",
        "clips: [{loader: qq, layout: tall}]", "clips: [{loader: qq, max-bytes: 2 TB}]",
    ])
    func theSchemaRejectsMistakes(text: String) throws {
        try withFiles {
            let (root, _) = YAMLParser.parse(Array(text.utf8), file: "p", form: "", limits: DocumentLimits())
            let node = try #require(root)
            #expect(try schema().refusal(of: Instance(node, .yaml12)) != nil)
        }
    }

    private func schema() throws -> JSONSchema { try JSONSchema(JSONEncoder().encode(PresetSchema.schema)) }

    /// Runs `body` with a catalog in which files named `.json` are loaders.
    private func withFiles<Result>(_ body: () throws -> Result) rethrows -> Result {
        let kind = LoaderCatalog.FileKind(suffixes: [".json"]) { (path) throws(ParameterError) in
            LoaderDefinition(id: path, title: LocalizedText("film"), parameters: QQMail.parameters) {
                (values) throws(ParameterError) in try QQMail(values)
            }
        }
        return try LoaderCatalog.$current.withValue(LoaderCatalog.current.adding(kind), operation: body)
    }

    /// The number of generated presets that the reader accepts. The schema must accept each of
    /// them, in either version of YAML.
    private func compare(count: Int, seed: Int, keeping folder: String? = nil) throws -> Int {
        try withFiles {
            let schema = try schema()
            let directory = try PresetDirectory(["base.yaml": "defaults: {fps: 30}\n"])
            var generator = PresetGenerator(seed: seed)
            var accepted = 0
            for number in 0..<count {
                let text = generator.next()
                let path = directory.directory.file("p.yaml")
                try makeFile(text, at: path)
                guard (try? PresetReader().read([path])) != nil else { continue }
                accepted += 1
                if let folder { try makeFile(text, at: "\(folder)/\(number).yaml") }
                let (root, _) = YAMLParser.parse(Array(text.utf8), file: path, form: "", limits: DocumentLimits())
                let node = try #require(root)
                for version in Instance.Version.allCases {
                    let refusal = schema.refusal(of: Instance(node, version))
                    #expect(refusal == nil, "\(version), seed \(seed):\n\(text)")
                }
            }
            return accepted
        }
    }
}
