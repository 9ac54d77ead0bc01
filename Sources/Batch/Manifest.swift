import Animations
import Core
import Media
import Render

/// The record of an output that was made: a recipe and the bytes that it gave. It stays true even
/// if the file changes, so records of several manifests never contradict each other.
package struct OutputRecord: Sendable, Hashable, Codable {
    /// The recipe's fingerprint.
    package let fingerprint: String
    /// Size in bytes.
    package let bytes: Int
    /// SHA-256 of the contents.
    package let sha256: String
    /// The recipe, from which the reason for a new rendering is derived.
    package let recipe: Recipe
    /// The settings changed for a file size limit, as option values by their keys; nil for none.
    package var reducedSettings: [String: String]?
    /// The sidecars by file extension, such as `vtt`; empty for none. Outputs that differ only in
    /// their extension share their sidecars, and one of them has the records. Nil if an earlier
    /// version made the output, which did not record sidecars.
    package var sidecars: [String: FileRecord]?

    private enum CodingKeys: String, CodingKey {
        case fingerprint, bytes, sha256, recipe
        // The key of the first manifests with file size limits.
        case reducedSettings = "concessions"
        case sidecars
    }
}

/// The size and hash of a file that a batch made.
package struct FileRecord: Sendable, Hashable, Codable {
    /// Size in bytes.
    package let bytes: Int
    /// SHA-256 of the contents.
    package let sha256: String

    /// The record of a file with these contents. Throws `LoadervidError` if memory for the hash
    /// runs out.
    init(of contents: [UInt8]) throws {
        bytes = contents.count
        do { sha256 = try SHA256.hash(contents) } catch { throw LoadervidError(error) }
    }
}

/// An output in a batch's plan.
package struct ManifestEntry: Sendable, Hashable, Codable {
    /// The fingerprint of its recipe.
    package let fingerprint: String
    /// The index of the shard that makes it; nil if the batch has no shards.
    package let shard: Int?
    /// The preset's name.
    package let preset: String
    /// The number of frames.
    package let frames: Int
    /// The clip's duration in seconds; nil in manifests of earlier versions.
    package let duration: Double?
    /// The timing of the frames; nil if the clip has only one, and in manifests of earlier
    /// versions.
    package let timing: TimeMap.Timing?
}

/// The plan and the records of a batch in a directory.
package struct Manifest: Sendable, Hashable, Codable {
    /// The version of the format that this program reads and writes.
    package static let schema = 1

    /// The version of this manifest's format.
    package let schema: Int
    /// The shard that wrote the manifest; nil for a whole batch.
    package let shard: Shard?
    /// The toolchain of the batch.
    package let toolchain: Toolchain
    /// All outputs of the batch by path, including those of other shards.
    package let plan: [String: ManifestEntry]
    /// The records by output path, including outputs that are no longer planned.
    package internal(set) var outputs: [String: OutputRecord]

    /// A manifest with a batch's plan and its records.
    package init(
        shard: Shard?, toolchain: Toolchain, plan: [String: ManifestEntry], outputs: [String: OutputRecord] = [:]
    ) {
        schema = Manifest.schema
        self.shard = shard
        self.toolchain = toolchain
        self.plan = plan
        self.outputs = outputs
    }

    /// Returns the name of a manifest's file.
    package static func fileName(of shard: Shard?) -> String {
        shard.map { "manifest-\($0.index)-of-\($0.count).json" } ?? "manifest.json"
    }

    /// Reads a manifest. Throws `LoadervidError` if it has another format, is damaged, or names
    /// outputs outside its directory.
    package init(json: [UInt8], path: String) throws {
        struct Version: Decodable { var schema: Int }
        let remedy = "remove it (existing outputs then need \(commandOption: "force"))"
        let version: Version
        do { version = try JSONCoding.decode(Version.self, from: json) } catch {
            throw LoadervidError(.badData, "\(path) is not a batch manifest; \(remedy)")
        }
        guard version.schema == Manifest.schema else {
            throw LoadervidError(
                .badData,
                "\(path) has format \(version.schema), but this program supports only \(Manifest.schema); use the program "
                    + "that wrote it, or \(remedy)")
        }
        do { self = try JSONCoding.decode(Manifest.self, from: json) } catch {
            throw LoadervidError(.badData, "\(path) is damaged; \(remedy)")
        }
        guard hasValidNumbers else { throw LoadervidError(.badData, "\(path) is damaged; \(remedy)") }
        let endings = Sidecar.allCases.map(\.rawValue)
        let sidecars = outputs.values.flatMap { $0.sidecars?.keys.map { $0 } ?? [] }
        if let unknown = sidecars.filter({ !endings.contains($0) }).min() {
            throw LoadervidError(
                .badData, "\(path) has sidecars with the unknown extension \(quoted(unknown)); \(remedy)")
        }
        if let unsafe = Set(plan.keys).union(outputs.keys).filter({ !OutputDirectory.isSafe($0) }).min() {
            throw LoadervidError(
                .badData, "\(path) names \(quoted(unsafe)), which is outside the output directory; \(remedy)")
        }
    }
}

// An untrusted manifest may hold any number. Later sums and conversions rely on these limits.

extension Manifest {
    /// True if every number is one that a batch can write.
    fileprivate var hasValidNumbers: Bool {
        let isValidShard = shard.map { (try? Shard(index: $0.index, count: $0.count)) != nil } ?? true
        return isValidShard && plan.values.allSatisfy(\.hasValidNumbers)
            && outputs.values.allSatisfy(\.hasValidNumbers)
    }
}

extension ManifestEntry {
    /// The maximum length of a clip in seconds, about 30 years.
    private static let maxDuration = 1e9

    fileprivate var hasValidNumbers: Bool {
        let isValidDuration = duration.map { (0...ManifestEntry.maxDuration).contains($0) } ?? true
        let isValidShard = shard.map { (0..<Shard.maxCount).contains($0) } ?? true
        return (1...RenderPlan.maxFrames).contains(frames) && isValidDuration && isValidShard
    }
}

extension OutputRecord {
    fileprivate var hasValidNumbers: Bool {
        bytes >= 0 && (sidecars ?? [:]).values.allSatisfy { $0.bytes >= 0 }
    }
}

/// A manifest's text, with one line per record. Each record is encoded once, although the text is
/// written after each output.
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
        try JSONCoding.text(value)
    }
}
