import Core
import Media
import Raster

/// The versions of the program, the libraries and, for frames with text, the fonts. Together with a
/// request they determine an output's bytes.
package struct Toolchain: Sendable, Hashable, Codable {
    /// The versions by name.
    package var versions: [String: String]

    /// Creates a toolchain.
    package init(versions: [String: String]) { self.versions = versions }

    /// Decodes an object of names and versions.
    package init(from decoder: any Decoder) throws {
        versions = try decoder.singleValueContainer().decode([String: String].self)
    }

    /// Encodes an object of names and versions.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(versions)
    }

    /// Returns the toolchain of this process.
    ///
    /// - Parameter program: the program's version.
    package static func current(program: String) -> Toolchain {
        var versions = ["loadervid": program, "FFmpeg": FFmpegVersions.ffmpeg]
        for library in FFmpegVersions.libraries { versions[library.name] = library.version }
        versions["encoders"] = FFmpegVersions.encoderLibraries.joined(separator: " ")
        let textVersions = TextSystem.versions
        versions["cairo"] = textVersions.cairo
        versions["pango"] = textVersions.pango
        return Toolchain(versions: versions)
    }

    /// Characters that captions use: letters, digits, symbols and Chinese.
    private static let sample = "Aa0 .,()/+-→°² 阶段:红球"

    /// Returns the names and content hashes of the fonts for the texts of a clip, as one text.
    /// Throws if a font cannot be read.
    ///
    /// - Parameters:
    ///   - name: the family that replaces the default one; nil for the default.
    ///   - hasCode: true for a lesson, which may show code.
    package static func fonts(named name: String?, hasCode: Bool) throws -> String {
        let families = [name.map { Text.Family.named($0) } ?? .sansSerif] + (hasCode ? [Text.Family.monospaced] : [])
        return try TextSystem.fonts(showing: sample, in: families)
            .map { try "\($0.name) \(SHA256.hash($0.contents).prefix(12))" }.joined(separator: ", ")
    }

    /// Returns a description of the changes to another toolchain, such as `FFmpeg 5.1.9 → 6.0`;
    /// nil if they are equal.
    package func change(to other: Toolchain) -> String? {
        versions == other.versions ? nil : describeChanges(versions, other.versions) { "\($0) \($1) → \($2)" }
    }
}

/// Describes the first three differences between two tables, sorted by key. A missing entry has its
/// default value, or else "none".
func describeChanges(
    _ old: [String: String], _ new: [String: String], defaults: [String: String] = [:],
    _ describe: (_ key: String, _ old: String, _ new: String) -> String
) -> String {
    let keys = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    // An untrusted manifest may hold texts of several megabytes.
    func text(_ key: String, _ table: [String: String]) -> String {
        (table[key] ?? defaults[key] ?? "none").abbreviated(to: maxNameLength)
    }
    let shown = keys.prefix(3).map { describe($0.abbreviated(to: maxNameLength), text($0, old), text($0, new)) }
    return shown.joined(separator: ", ") + (keys.count > 3 ? ", ..." : "")
}
