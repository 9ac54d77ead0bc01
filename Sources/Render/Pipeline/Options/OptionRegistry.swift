import Animations
import Core
import Media

/// The options of clips. The command line and its help, presets with their schema and matrices,
/// recipes and the reference all follow from them.
package struct OptionRegistry: Sendable {
    /// The options in the order of help and documentation.
    package let options: [ClipOption]
    private let byKey: [String: ClipOption]
    /// The default values as texts, by key. Options without a default value have no entry.
    package let defaultTexts: [String: String]

    /// The built-in options.
    package static let standard = OptionRegistry(motion + picture + slowMotion + time + lesson + encoding)

    /// The options in use, which are the built-in ones by default.
    @TaskLocal package static var current = OptionRegistry.standard

    private init(_ options: [ClipOption]) {
        self.options = options
        byKey = Dictionary(options.map { ($0.key, $0) }) { first, _ in first }
        defaultTexts = byKey.compactMapValues { $0.format(.plain) }
    }

    /// Returns the registry with another option, which replaces one with the same key.
    package func adding(_ option: ClipOption) -> OptionRegistry {
        OptionRegistry(options.filter { $0.key != option.key } + [option])
    }

    /// The option with a key.
    package subscript(key: String) -> ClipOption? { byKey[key] }

    // MARK: Combinations

    /// Returns the keys that cannot be combined with an option, or with a parameter as `set.NAME`.
    package func excluded(by key: String) -> [String] {
        let own = byKey[key]?.excludes ?? []
        return own + options.filter { $0.excludes.contains(key) && !own.contains($0.key) }.map(\.key)
    }

    /// Returns the pairs of keys that exclude each other, in the order of the options.
    package func exclusions(among keys: some Collection<String>) -> [(first: String, second: String)] {
        let known = options.map(\.key).filter(keys.contains) + keys.filter { byKey[$0] == nil }.sorted()
        return known.enumerated().flatMap { index, key in
            let excluded = excluded(by: key)
            return known[(index + 1)...].filter(excluded.contains).map { (key, $0) }
        }
    }

    /// Returns the keys of the options whose values change their meaning with an option.
    package func dependents(of key: String) -> [String] {
        options.filter { $0.dependsOn.contains(key) }.map(\.key)
    }

    // MARK: Requests

    /// Sets the values of options in a request. Throws `LoadervidError` for the first invalid one.
    package func apply(_ texts: [String: String], to request: inout RenderRequest) throws {
        for option in options {
            guard let text = texts[option.key], !option.read(text, &request) else { continue }
            throw LoadervidError(
                .usage,
                "\(option: option.key): \(quoted(text)) is invalid; \(option.refusal(of: text) ?? "give another value")",
                subjects: .options(option.key))
        }
    }

    /// Returns the values of a request that differ from the defaults of its container, by key.
    package func texts(of request: RenderRequest) -> [String: String] {
        var plain = RenderRequest.plain
        plain.container = request.container
        return byKey.compactMapValues { option in
            option.format(request).flatMap { $0 == option.format(plain) ? nil : $0 }
        }
    }
}

extension RenderRequest {
    /// A request with default values, to parse options and to compare with. It is never rendered.
    package static let plain = RenderRequest(loader: LoaderRequest(LoaderDefinition(QQMail.self)), container: .mp4)
}
