import PlatformFoundation
import Pipeline

/// What is known of an output that was made: these bytes come from this recipe. That stays true whatever happens to the
/// file, so that records of several manifests never contradict each other.
public struct OutputRecord: Sendable, Hashable, Codable {
    /// The recipe's fingerprint.
    public let fingerprint: String
    /// Size in bytes.
    public let bytes: Int
    /// SHA-256 of the contents.
    public let sha256: String
    /// What it was made by, for telling why something else is wanted now.
    public let recipe: Recipe
    /// What was given up for the recipe's limit of bytes, as options are written and by their keys; nil for nothing.
    public var concessions: [String: String]?
}

/// An output that a batch is to make.
public struct PlannedOutput: Sendable, Hashable, Codable {
    /// The fingerprint of its recipe.
    public let fingerprint: String
    /// The shard that it falls to, if the batch has shards.
    public let shard: Int?
    /// The preset's name.
    public let preset: String
    /// Frames in the clip.
    public let frames: Int
    /// The clip's length in seconds; earlier versions did not write it.
    public let duration: Double?
}

/// What a batch is to make in a directory, and what it has made.
public struct Manifest: Sendable, Hashable, Codable {
    /// The version of this format.
    public static let schema = 1

    /// The version of this format that it is written in.
    public let schema: Int
    /// The shard whose manifest it is.
    public let shard: Shard?
    /// What the batch was planned with.
    public let toolchain: Toolchain
    /// All outputs of the batch, those of other shards too, by their paths.
    public let plan: [String: PlannedOutput]
    /// What was made, by the outputs' paths; outputs that are no longer planned as well.
    public internal(set) var outputs: [String: OutputRecord]

    /// A batch's plan, and what is known of its outputs.
    public init(
        shard: Shard?, toolchain: Toolchain, plan: [String: PlannedOutput], outputs: [String: OutputRecord] = [:]
    ) {
        schema = Manifest.schema
        (self.shard, self.toolchain, self.plan, self.outputs) = (shard, toolchain, plan, outputs)
    }

    /// The name of the file that holds it.
    public static func fileName(of shard: Shard?) -> String {
        shard.map { "manifest-\($0.index)-of-\($0.count).json" } ?? "manifest.json"
    }

    /// Reads a manifest. Throws `RenderError` if it is none of this format, or names outputs outside its directory.
    public init(json: [UInt8], path: String) throws {
        struct Version: Decodable { var schema: Int }
        let data = Data(json)
        let decoder = JSONDecoder()
        let remedy = "remove it (outputs that are there then take --force)"
        let version: Version
        do { version = try decoder.decode(Version.self, from: data) } catch {
            throw RenderError(.badData, "\(path) is no manifest of a batch: \(remedy)")
        }
        guard version.schema == Manifest.schema else {
            throw RenderError(
                .badData,
                "\(path) has format \(version.schema), this program knows \(Manifest.schema): use the program that "
                    + "wrote it, or \(remedy)")
        }
        do { self = try decoder.decode(Manifest.self, from: data) } catch {
            throw RenderError(.badData, "\(path) is damaged: \(remedy)")
        }
        if let bad = Set(plan.keys).union(outputs.keys).filter({ !OutputTree.isSafe($0) }).min() {
            throw RenderError(.badData, "\(path) names '\(bad)', which is no place for an output: \(remedy)")
        }
    }
}

/// A manifest's text, whose records are written once each however often the whole is: a line for each output.
struct ManifestText {
    private let head: String
    private var records: [String: String] = [:]

    init(_ manifest: Manifest) throws {
        let shard = try manifest.shard.map { "\"shard\": \(try ManifestText.line($0)),\n" } ?? ""
        head =
            "{\"schema\": \(manifest.schema),\n\(shard)\"toolchain\": \(try ManifestText.line(manifest.toolchain)),\n"
            + "\"plan\": {\n\(try ManifestText.object(manifest.plan.mapValues(ManifestText.line)))},\n"
        records = try manifest.outputs.mapValues(ManifestText.line)
    }

    mutating func set(_ record: OutputRecord?, for path: String) throws {
        records[path] = try record.map(ManifestText.line)
    }

    var text: String {
        get throws { "\(head)\"outputs\": {\n\(try ManifestText.object(records))}}\n" }
    }

    private static func object(_ lines: [String: String]) throws -> String {
        try lines.sorted { $0.key < $1.key }.map { "\(try line($0.key)): \($0.value)" }.joined(separator: ",\n") + "\n"
    }

    private static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
