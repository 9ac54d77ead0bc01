import Media
import Pipeline

/// All that determines an output's bytes: what was asked for and what makes it. Not the number of workers, the machine,
/// the directory or the time.
public struct Recipe: Sendable, Hashable, Codable {
    /// The request's fields by the names of `encode`'s options; a file is given by its contents.
    public let request: [String: String]
    /// Program, libraries and, for pictures with captions, fonts.
    public let toolchain: Toolchain

    /// The recipe of a request. Throws `RenderError` if a picture that it refers to cannot be read.
    ///
    /// - Parameters:
    ///   - script: what tells the script of a lesson from others, if it is one.
    ///   - hasText: whether there are letters in the pictures besides those of annotations.
    public init(
        _ request: RenderRequest, script: String? = nil, toolchain: Toolchain, fonts: String, hasText: Bool = false
    ) throws {
        do {
            var texts = try RequestFields(request).texts
            texts["tutorial"] = script
            self.request = texts
        } catch { throw RenderError(error) }
        var toolchain = toolchain
        if hasText || !request.loader.annotations.isEmpty { toolchain.versions["fonts"] = fonts }
        self.toolchain = toolchain
    }

    /// SHA-256 of the recipe, as 64 hexadecimal digits.
    public func fingerprint() throws -> String {
        var text = ""
        for (title, table) in [("request", request), ("toolchain", toolchain.versions)] {
            for (key, value) in table.sorted(by: { $0.key < $1.key }) {
                // With its length no value can look like the next entry.
                text += "\(title) \(key) \(value.utf8.count) \(value)\n"
            }
        }
        do { return try SHA256.hash(Array(text.utf8)) } catch { throw RenderError(error) }
    }

    /// Why an output that was made by this recipe is not what another one makes; nil if they are the same.
    public func change(to other: Recipe) -> String? {
        guard request == other.request else {
            let standard = OptionRegistry.current.standardTexts
            return describeChanges(request, other.request, standard: standard) { key, old, new in
                guard old.hasPrefix("sha256:"), new.hasPrefix("sha256:") else { return "\(key): \(old) → \(new)" }
                return "\(key): the \(key.hasPrefix("set ") ? "picture" : "file") changed"
            }
        }
        return toolchain.change(to: other.toolchain)
    }
}
