import Core

/// A catalogue of loaders, which finds them by id or file.
public struct LoaderCatalog: Sendable {
    /// A kind of file that contains a loader, such as a Lottie animation.
    public struct FileKind: Sendable {
        /// The file name suffixes in lower case, such as `.json`.
        public let suffixes: [String]
        /// Reads the loader in the file at `path`.
        public let read: @Sendable (_ path: String) throws(ParameterError) -> LoaderDefinition

        public init(
            suffixes: [String], read: @escaping @Sendable (_ path: String) throws(ParameterError) -> LoaderDefinition
        ) {
            self.suffixes = suffixes
            self.read = read
        }
    }

    /// The entries in the order in which they are listed.
    public let definitions: [LoaderDefinition]
    /// The names of all parameters, sorted and without duplicates.
    public let parameterNames: [String]
    private var fileKinds: [FileKind] = []

    /// A catalogue of the given loaders.
    public init(_ definitions: [LoaderDefinition] = []) {
        self.definitions = definitions
        parameterNames = Set(definitions.flatMap { $0.parameters.map(\.name) }).sorted()
    }

    /// The built-in loaders, which are taken from seven articles.
    public static let builtIn = LoaderCatalog([
        .init(IQIYI.self), .init(QQ.self), .init(QQPull.self), .init(QQMail.self), .init(PreLoader.self),
        .init(Jelly.self), .init(Douyin.self), .init(OneLoading.self),
    ])

    /// The catalogue that commands and presets use. A program with its own loaders adds them for
    /// the duration of its command; the default is the built-in loaders.
    @TaskLocal public static var current = builtIn

    /// Returns the catalogue with additional loaders. A loader replaces an entry with the same id.
    public func adding(_ more: [LoaderDefinition]) -> LoaderCatalog {
        var all = definitions
        for definition in more {
            if let index = all.firstIndex(where: { $0.id == definition.id }) {
                all[index] = definition
            } else {
                all.append(definition)
            }
        }
        var catalog = LoaderCatalog(all)
        catalog.fileKinds = fileKinds
        return catalog
    }

    /// Returns the catalogue with an additional kind of file.
    public func adding(_ kind: FileKind) -> LoaderCatalog {
        var catalog = self
        catalog.fileKinds.append(kind)
        return catalog
    }

    /// The ids in the order in which they are listed.
    public var ids: [String] { definitions.map(\.id) }

    /// Returns true if a name is the path of a loader file. The file need not exist.
    public func isFile(_ name: String) -> Bool {
        let lowered = name.lowercased()
        return !definitions.contains { $0.id == name }
            && fileKinds.contains { $0.suffixes.contains(where: lowered.hasSuffix) }
    }

    /// The suffixes of loader files, in lower case.
    public var fileSuffixes: [String] { fileKinds.flatMap(\.suffixes) }

    /// Returns the loader with an id, or the loader in the file at a path.
    ///
    /// Throws `ParameterError` if the id is unknown, with the most similar id and all known ones,
    /// or if the file is invalid.
    public func definition(_ name: String) throws(ParameterError) -> LoaderDefinition {
        if let definition = definitions.first(where: { $0.id == name }) { return definition }
        let lowered = name.lowercased()
        if let kind = fileKinds.first(where: { $0.suffixes.contains(where: lowered.hasSuffix) }) {
            return try kind.read(name)
        }
        // A path with another extension is a mistyped file, not a mistyped built-in loader.
        let isPath = name.contains { "./".contains($0) }
        let nearest = isPath ? nil : NearestName.question(name, in: ids)
        let hint = nearest.map { "\($0) There are" } ?? "there are"
        let files = fileSuffixes.isEmpty ? "" : ", and files that end in \(fileSuffixes.joined(separator: ", "))"
        throw ParameterError(
            .usage, "there is no loader \(quoted(name)); \(hint) \(ids.joined(separator: ", "))\(files)")
    }
}
