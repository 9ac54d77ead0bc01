import Media
import Raster

/// What makes bytes besides a request: this program, the libraries, and for captions the fonts, each with its version.
public struct Toolchain: Sendable, Hashable, Codable {
    /// Versions by name.
    public var versions: [String: String]

    /// Versions by name.
    public init(versions: [String: String]) { self.versions = versions }

    /// Written as an object of names and versions.
    public init(from decoder: any Decoder) throws {
        versions = try decoder.singleValueContainer().decode([String: String].self)
    }

    /// Written as an object of names and versions.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(versions)
    }

    /// What is in use here.
    ///
    /// - Parameter program: this program's version.
    public static func current(program: String) -> Toolchain {
        var versions = ["loadervid": program, "FFmpeg": FFmpegVersions.ffmpeg]
        for library in FFmpegVersions.libraries { versions[library.name] = library.version }
        versions["encoders"] = FFmpegVersions.encoderLibraries.joined(separator: " ")
        (versions["cairo"], versions["pango"]) = TextSystem.versions
        return Toolchain(versions: versions)
    }

    /// Letters, digits, signs and Chinese as captions have them.
    private static let sample = "Aa0 .,()/+-→°² 阶段:红球"

    /// The fonts that captions are set in, by their names and contents, as one text.
    static func fonts() throws -> String {
        try TextSystem.fonts(showing: sample).map { try "\($0.name) \(SHA256.hash($0.contents).prefix(12))" }
            .joined(separator: ", ")
    }

    /// How another toolchain differs, such as `FFmpeg 5.1.9 → 6.0`; nil if it does not.
    public func change(to other: Toolchain) -> String? {
        versions == other.versions ? nil : describeChanges(versions, other.versions) { "\($0) \($1) → \($2)" }
    }
}

/// The first few entries that differ between two tables, in words, in the order of their names. What a table does not have
/// is as standard, or else none.
func describeChanges(
    _ old: [String: String], _ new: [String: String], standard: [String: String] = [:],
    _ words: (_ key: String, _ old: String, _ new: String) -> String
) -> String {
    let keys = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    func text(_ key: String, _ table: [String: String]) -> String { table[key] ?? standard[key] ?? "none" }
    let shown = keys.prefix(3).map { words($0, text($0, old), text($0, new)) }
    return shown.joined(separator: ", ") + (keys.count > 3 ? ", ..." : "")
}
