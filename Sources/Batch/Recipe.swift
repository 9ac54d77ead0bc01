import Media
import Render

/// Everything that determines an output's bytes: the request and the toolchain. The number of
/// workers, the machine, the directory and the time do not matter.
package struct Recipe: Sendable, Hashable, Codable {
    /// The request's options by key; files are represented by the hash of their contents.
    package let request: [String: String]
    /// The versions of the program and libraries, and of the fonts if frames have text.
    package let toolchain: Toolchain

    /// The recipe of a request. Throws `LoadervidError` if a file that it refers to cannot be read.
    ///
    /// - Parameters:
    ///   - script: the fingerprint of a lesson's script; nil for other clips.
    ///   - hasText: true if frames have text other than annotations.
    package init(
        _ request: RenderRequest, script: String? = nil, toolchain: Toolchain, fonts: String, hasText: Bool = false
    ) throws {
        do {
            var texts = try RequestFields(request).texts
            texts["tutorial"] = script
            self.request = texts
        } catch { throw LoadervidError(error) }
        var toolchain = toolchain
        if hasText || !request.loader.annotations.isEmpty { toolchain.versions["fonts"] = fonts }
        self.toolchain = toolchain
    }

    /// The recipe of a clip that is not part of a batch.
    ///
    /// - Parameters:
    ///   - script: the fingerprint of a lesson's script; nil for other clips.
    ///   - program: the program's version.
    package init(_ request: RenderRequest, script: String? = nil, program: String, plan: RenderPlan) throws {
        let hasText = plan.source.hasText
        try self.init(
            request, script: script, toolchain: .current(program: program),
            fonts: hasText || !request.loader.annotations.isEmpty
                ? Toolchain.fonts(named: request.loader.font, hasCode: script != nil) : "", hasText: hasText)
    }

    /// Returns the SHA-256 of the recipe, as 64 hexadecimal digits.
    package func fingerprint() throws -> String {
        var text = ""
        for (title, table) in [("request", request), ("toolchain", toolchain.versions)] {
            for (key, value) in table.sorted(by: { $0.key < $1.key }) {
                // The length keeps a value from looking like the next entry.
                text += "\(title) \(key) \(value.utf8.count) \(value)\n"
            }
        }
        do { return try SHA256.hash(Array(text.utf8)) } catch { throw LoadervidError(error) }
    }

    /// Returns a description of the changes to another recipe; nil if they are equal.
    package func change(to other: Recipe) -> String? {
        guard request == other.request else {
            let defaults = OptionRegistry.current.defaultTexts
            return describeChanges(request, other.request, defaults: defaults) { key, old, new in
                Recipe.change(of: key, from: old, to: new)
            }
        }
        return toolchain.change(to: other.toolchain)
    }

    /// Returns a description of a changed field. Omits file contents, which are hashes and mean
    /// nothing to a reader.
    private static func change(of key: String, from old: String, to new: String) -> String {
        let file = "file "
        switch (old.hasPrefix(file), new.hasPrefix(file)) {
        case (true, true) where key == "loader": return "\(key): the file changed"
        case (true, false) where key == "loader": return "\(key): a file → \(new)"
        case (false, true) where key == "loader": return "\(key): \(old) → a file"
        default: break
        }
        if key == "tutorial", old != "none", new != "none" { return "\(key): the script changed" }
        guard old.hasPrefix("sha256:"), new.hasPrefix("sha256:") else { return "\(key): \(old) → \(new)" }
        return "\(key): the \(key.hasPrefix("set ") ? "image" : "file") changed"
    }
}
