import Loaders
import Media

/// The options of clips. Whoever adds one here has it on the command line, in its help, in presets with their schema and
/// matrices, in recipes and in the reference.
public struct OptionRegistry: Sendable {
    /// All of them, in the order of help and documentation.
    public let options: [ClipOption]
    private let byKey: [String: ClipOption]
    /// What options are unless given, as texts; those that are nothing then have none.
    public let standardTexts: [String: String]

    /// The options that come with the program.
    public static let standard = OptionRegistry(motion + picture + slowMotion + time + lesson + encoding)

    /// The options in use. `withValue` has others for as long as a body runs.
    @TaskLocal public static var current = OptionRegistry.standard

    private init(_ options: [ClipOption]) {
        self.options = options
        byKey = Dictionary(options.map { ($0.key, $0) }) { first, _ in first }
        standardTexts = byKey.compactMapValues { $0.write(.plain) }
    }

    /// These options and another, which displaces one of the same key.
    public func adding(_ option: ClipOption) -> OptionRegistry {
        OptionRegistry(options.filter { $0.key != option.key } + [option])
    }

    /// The option with a key.
    public subscript(key: String) -> ClipOption? { byKey[key] }

    // MARK: Options beside each other

    /// The keys that make no sense beside an option, or beside a parameter as `set.NAME`.
    public func excluded(by key: String) -> [String] {
        let own = byKey[key]?.excludes ?? []
        return own + options.filter { $0.excludes.contains(key) && !own.contains($0.key) }.map(\.key)
    }

    /// The pairs of keys that exclude each other, in the order of the options.
    public func exclusions(among keys: some Collection<String>) -> [(first: String, second: String)] {
        let known = options.map(\.key).filter(keys.contains) + keys.filter { byKey[$0] == nil }.sorted()
        return known.enumerated().flatMap { index, key in
            let excluded = excluded(by: key)
            return known[(index + 1)...].filter(excluded.contains).map { (key, $0) }
        }
    }

    /// The options whose values mean something else without an option.
    public func dependents(of key: String) -> [String] {
        options.filter { $0.dependsOn.contains(key) }.map(\.key)
    }

    // MARK: Requests

    /// Puts the values of options into a request. Throws `RenderError` for the first that is none.
    public func apply(_ texts: [String: String], to request: inout RenderRequest) throws {
        for option in options {
            guard let text = texts[option.key], !option.read(text, &request) else { continue }
            throw RenderError(
                .usage, "\(option.key) \(text) is not possible: \(option.refusal(of: text) ?? "give another")",
                about: .options(option.key))
        }
    }

    /// The values of a request that are not what they are in its container unless given.
    public func texts(of request: RenderRequest) -> [String: String] {
        var plain = RenderRequest.plain
        plain.container = request.container
        return byKey.compactMapValues { option in
            option.write(request).flatMap { $0 == option.write(plain) ? nil : $0 }
        }
    }
}

extension RenderRequest {
    /// What options are read into to see what they do; nothing is made of it.
    package static let plain = RenderRequest(loader: LoaderRequest(LoaderDefinition(QQMail.self)), container: .mp4)
}
