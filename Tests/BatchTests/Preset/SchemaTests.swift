import Batch
import Explain
import Foundation
import TestSupport
import Testing

/// The schema that editors use matches the reader.
@Suite struct SchemaTests {
    private let schema: [String: Any]

    init() throws {
        let data = Data(try bytes(of: shippedFolder + "/schema.json"))
        schema = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func keys(of definition: String?) throws -> [String] {
        var object = schema
        if let definition {
            let all = try #require(schema["definitions"] as? [String: Any])
            object = try #require(all[definition] as? [String: Any])
        }
        #expect(object["additionalProperties"] as? Bool == false)
        return try #require(object["properties"] as? [String: Any]).keys.sorted()
    }

    private func matrixKeys() throws -> [String] {
        let all = try #require(schema["definitions"] as? [String: [String: Any]])
        let properties = try #require(all["clip"]?["properties"] as? [String: [String: Any]])
        let matrix = try #require(properties["matrix"])
        return try #require(matrix["properties"] as? [String: Any]).keys.sorted()
    }

    /// The keys that the reader lists for an unknown key without a similar one.
    private func known(_ text: String) throws -> [String] {
        let problems = try PresetDirectory(["p.yaml": text]).problems()
        let problem = try #require(problems.first { $0.contains("'@@@@@@@@'") }, "\(problems)")
        let list = try #require(problem.firstMatch(of: /use one of (.*)/)).1
        return list.split(separator: ", ").map(String.init).sorted()
    }

    @Test func theKeysMatchTheReader() throws {
        #expect(try keys(of: nil) == known("'@@@@@@@@': 1\n"))
        #expect(try keys(of: "clip") == known("clips: [{'@@@@@@@@': 1}]\n"))
        #expect(try keys(of: "defaults") == known("defaults: {'@@@@@@@@': 1}\n"))
        #expect(try keys(of: "output") == known("clips: [{outputs: [{'@@@@@@@@': 1}]}]\n"))
    }

    @Test func everyAxisIsKnown() throws {
        let keys = try matrixKeys()
        let lines = keys.map { "      \($0): [x]\n" }.joined()
        let problems = try PresetDirectory(["p.yaml": "clips:\n  - matrix:\n\(lines)"]).problems()
        #expect(keys.count > 50)
        #expect(!problems.contains { $0.contains("unknown key") || $0.contains("no loader has") })
    }

    /// The shipped presets refer to the schema and have no problems.
    @Test(.slow) func shippedPresetsAreGood() throws {
        let paths = try DocumentFile.all(in: shippedFolder)
        #expect(
            paths.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent } == [
                "apng", "app-store", "ci-smoke", "gif", "prores", "readme", "slowmo-phases", "tutorials", "web", "webp",
            ])
        for path in paths {
            let text = String(decoding: try bytes(of: path), as: UTF8.self)
            #expect(text.hasPrefix("# yaml-language-server: $schema=schema.json\n"))
        }
        let made = try PresetReader(shipped: shippedFolder).read(paths)
        #expect(Set(made.map(\.preset)).count == paths.count)
        let smoke = made.filter { $0.preset == "ci-smoke" }.flatMap(\.outputs)
        #expect(smoke.count >= 10)
        #expect(Set(smoke.map(\.request.loader.definition.id)).count == 8)
        #expect(Set(smoke.map(\.plan.container)).count == 4)
        let lessons = made.filter { $0.preset == "tutorials" }.flatMap(\.outputs)
        #expect(lessons.count == 28)
        let previews = made.filter { $0.preset == "app-store" }.flatMap(\.outputs)
        #expect(previews.allSatisfy { $0.plan.width == 1080 && $0.plan.height == 1920 })
        #expect(previews.allSatisfy { (15 * 30...30 * 30).contains($0.plan.frameCount) })
    }
}
