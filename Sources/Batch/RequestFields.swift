import Loaders
import Media
import Pipeline
import Scene

/// Everything in a request that shapes an output, as texts by the keys of options.
///
/// What is as it is by default has no entry. A test changes every field of a request and expects a change here.
struct RequestFields {
    private(set) var texts: [String: String]

    /// Reads the files that settings and options name: their contents count, not their places.
    init(_ request: RenderRequest) throws {
        texts = OptionRegistry.current.texts(of: request)
        let definition = request.loader.definition
        for option in OptionRegistry.current.options {
            guard case .file = option.form, let path = texts[option.key] else { continue }
            texts[option.key] = try RequestFields.contents(of: path)
        }
        // No option of a loader's clip, which says nothing.
        if !request.hasCaptionTrack { texts["caption-track"] = "off" }
        // A loader in a file counts by what is in it, wherever it is.
        texts["loader"] = try definition.contents.map { "file \(try $0())" } ?? definition.id
        texts["format"] = request.container.rawValue
        try addSettings(of: request.loader)
    }

    private static func contents(of path: String) throws -> String { "sha256:" + (try SHA256.file(path).hash) }

    private mutating func addSettings(of request: LoaderRequest) throws {
        for setting in request.settings {
            let (name, value) = setting.keyAndValue
            let field = "set \(name)"
            // A key that is given twice takes its last value.
            texts[field] = value
            guard request.definition.isPath(value, for: name) else { continue }
            texts[field] = try RequestFields.contents(of: value)
        }
    }
}

extension String {
    /// The parts of `key=value`.
    fileprivate var keyAndValue: (key: String, value: String) {
        guard let equals = utf8.firstIndex(of: UInt8(ascii: "=")) else { return (self, "") }
        return (String(self[..<equals]), String(self[utf8.index(after: equals)...]))
    }
}
