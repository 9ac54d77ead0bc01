import Core

/// A loader type that a catalogue can instantiate with values for its parameters.
public protocol CatalogLoader: Loader {
    /// The name in commands: lowercase letters, digits and hyphens, such as `qq-mail`.
    static var id: String { get }
    /// A short description of the animation.
    static var title: LocalizedText { get }
    /// The loader's parameters; none by default.
    static var parameters: [any LoaderParameter] { get }

    /// A loader with the given values. Throws `ParameterError` if values that are each valid do not
    /// fit together.
    init(_ values: ParameterValues) throws(ParameterError)
}

extension CatalogLoader {
    public static var parameters: [any LoaderParameter] { [] }
    public var id: String { Self.id }
    public var title: LocalizedText { Self.title }

    /// A loader with default values. They must fit together; anything else is a mistake in the
    /// loader.
    public init() {
        do throws(ParameterError) { try self.init(ParameterValues()) } catch {
            preconditionFailure("\(Self.id) refuses its own defaults: \(error)")
        }
    }
}

/// An entry of a catalogue: a loader's name, title and parameters, and a function that makes it.
public struct LoaderDefinition: Sendable {
    /// The name in commands, such as `qq-mail`.
    public let id: String
    /// A short description of the animation.
    public let title: LocalizedText
    /// The loader's parameters.
    public let parameters: [any LoaderParameter]
    /// Returns a fingerprint of the file that the loader was read from, such as a hash of its
    /// contents; nil if the loader does not come from a file.
    ///
    /// A function, because few commands need the value.
    public var contents: (@Sendable () throws(ParameterError) -> String)?
    /// True if the loader meets the protocol's requirements by construction, so that `make` need
    /// not check them. Objects and phases of a Lottie file are costly to find.
    package var isChecked = false
    private let maker: @Sendable (ParameterValues) throws(ParameterError) -> any Loader

    /// A definition whose `make` function returns a loader with values for its parameters.
    public init(
        id: String, title: LocalizedText, parameters: [any LoaderParameter] = [],
        make: @escaping @Sendable (ParameterValues) throws(ParameterError) -> any Loader
    ) {
        self.id = id
        self.title = title
        self.parameters = parameters
        maker = make
    }

    /// The definition of a loader type.
    public init<L: CatalogLoader>(_ type: L.Type) {
        self.init(id: L.id, title: L.title, parameters: L.parameters) { (values) throws(ParameterError) in try L(values)
        }
    }

    /// The definition of a single loader without parameters.
    public init(_ loader: any Loader) {
        self.init(id: loader.id, title: loader.title) { _ in loader }
    }

    /// Returns the loader with values for some of its parameters. Throws `ParameterError` if the
    /// values do not fit together or if the loader violates a requirement of the protocol: a
    /// positive period, a finite canvas, phases that fill the period and the same objects at all
    /// times.
    public func make(_ values: ParameterValues = ParameterValues()) throws(ParameterError) -> any Loader {
        let loader = try maker(values)
        if !isChecked { try loader.checkRequirements() }
        return loader
    }

    /// Returns true if the loader has a parameter with this name.
    public func hasParameter(_ name: String) -> Bool { parameters.contains { $0.name == name } }

    /// Returns true if `text`, as the value of the parameter `name`, is the path of a file.
    public func isPath(_ text: String, for name: String) -> Bool {
        parameters.contains { $0.name == name && $0.takesPath && $0.defaultText != text }
    }
}
