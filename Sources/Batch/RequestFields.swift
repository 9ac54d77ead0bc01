import Animations
import Core
import Media
import Render

/// Everything in a request that determines an output's bytes, as text by option key.
///
/// Options with their default value have no entry. A test changes every field of a request and
/// expects a change here.
struct RequestFields {
    private(set) var texts: [String: String]

    /// Creates the fields. Reads the files that settings and options name, since their contents
    /// count and not their paths. Throws `LoadervidError` if a file cannot be read.
    init(_ request: RenderRequest) throws {
        texts = OptionRegistry.current.texts(of: request)
        let definition = request.loader.definition
        for option in OptionRegistry.current.options {
            guard case .file = option.valueKind, let path = texts[option.key] else { continue }
            let isSound = option.key == "audio"
            texts[option.key] = try RequestFields.contents(
                of: path, maxBytes: isSound ? AudioSource.maxFileBytes : request.loader.maxImageBytes)
        }
        // The caption track is not an option: lessons turn it off when captions are drawn in the
        // frames.
        if !request.hasCaptionTrack { texts["caption-track"] = "off" }
        // A loader file is represented by its contents.
        texts["loader"] = try definition.contents.map { "file \(try $0())" } ?? definition.id
        texts["format"] = request.encoding.format.name
        try addSettings(of: request.loader)
    }

    /// Returns the hash of a file. The limit is the one that applies when the file is read for its
    /// purpose.
    private static func contents(of path: String, maxBytes: Int) throws -> String {
        "sha256:" + (try InputHash.file(path, maxBytes: maxBytes))
    }

    private mutating func addSettings(of request: LoaderRequest) throws {
        for setting in request.settings {
            let (name, value) = setting.keyAndValue
            let field = "set \(name)"
            // If a key is given twice, the last value counts.
            texts[field] = value
            guard request.definition.isPath(value, for: name) else { continue }
            texts[field] = try RequestFields.contents(of: value, maxBytes: request.maxImageBytes)
        }
    }
}

extension LoaderRequest {
    /// The maximum size of an image file in bytes.
    fileprivate var maxImageBytes: Int { Bitmap.maxFileBytes(pixels: maxImagePixels) }
}

extension String {
    /// The parts of `key=value`.
    fileprivate var keyAndValue: (key: String, value: String) {
        guard let equals = utf8.firstIndex(of: UInt8(ascii: "=")) else { return (self, "") }
        return (String(self[..<equals]), String(self[utf8.index(after: equals)...]))
    }
}
