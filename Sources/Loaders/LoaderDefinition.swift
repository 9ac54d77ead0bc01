import Scene

/// A loader that a catalogue makes by its type, with values for its parameters.
public protocol CatalogLoader: Loader {
    /// The name in commands: small letters, digits and hyphens, such as `qq-mail`.
    static var id: String { get }
    /// What it shows, in a few words.
    static var title: LocalizedText { get }
    /// Everything about it that can be changed; nothing unless it says otherwise.
    static var parameters: [any LoaderParameter] { get }

    /// A loader with the given values. Throws if they are each right but do not fit together.
    init(_ values: ParameterValues) throws(ParameterError)
}

extension CatalogLoader {
    public static var parameters: [any LoaderParameter] { [] }
    public var id: String { Self.id }
    public var title: LocalizedText { Self.title }

    /// The loader as it is by default. Its own defaults have to fit together: that they do not is a mistake in the loader.
    public init() {
        do throws(ParameterError) { try self.init(ParameterValues()) } catch {
            preconditionFailure("\(Self.id) refuses its own defaults: \(error)")
        }
    }
}

/// An entry of a catalogue: what a loader is called, what can be set, and how it is made.
public struct LoaderDefinition: Sendable {
    /// The name in commands, such as `qq-mail`.
    public let id: String
    /// What it shows, in a few words.
    public let title: LocalizedText
    /// Everything about it that can be changed.
    public let parameters: [any LoaderParameter]
    /// What tells the file that it was read from, if it was, from others of that name, such as a hash of its contents.
    ///
    /// It is computed when it is asked for: few commands do.
    public var contents: (@Sendable () throws(ParameterError) -> String)?
    private let maker: @Sendable (ParameterValues) throws(ParameterError) -> any Loader

    /// A loader that `make` makes from values of its parameters.
    public init(
        id: String, title: LocalizedText, parameters: [any LoaderParameter] = [],
        make: @escaping @Sendable (ParameterValues) throws(ParameterError) -> any Loader
    ) {
        (self.id, self.title, self.parameters, maker) = (id, title, parameters, make)
    }

    /// A type of loaders.
    public init<L: CatalogLoader>(_ type: L.Type) {
        self.init(id: L.id, title: L.title, parameters: L.parameters) { (values) throws(ParameterError) in try L(values)
        }
    }

    /// A loader as it is, of which nothing can be set.
    public init(_ loader: any Loader) {
        self.init(id: loader.id, title: loader.title) { _ in loader }
    }

    /// The loader with values for some of its parameters. Throws if they do not fit together, or if the loader is not what
    /// the protocol promises: a positive period, a finite canvas, phases that fill the period, the same objects at all times.
    public func make(_ values: ParameterValues = ParameterValues()) throws(ParameterError) -> any Loader {
        let loader = try maker(values)
        try loader.checkPromises()
        return loader
    }

    /// Whether it has a parameter of a name.
    public func hasParameter(_ name: String) -> Bool { parameters.contains { $0.name == name } }

    /// Whether the text for a parameter of a name is the path of a file.
    public func isPath(_ text: String, for name: String) -> Bool {
        parameters.contains { $0.name == name && $0.takesPath && $0.defaultText != text }
    }
}
