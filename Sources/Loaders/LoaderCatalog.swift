/// Loaders by the names that users give them.
public struct LoaderCatalog: Sendable {
    /// Files that are loaders, such as those of another program.
    public struct FileKind: Sendable {
        /// How the names of such files end, in small letters, such as `.json`.
        public let suffixes: [String]
        /// The loader in the file at a path.
        public let read: @Sendable (_ path: String) throws(ParameterError) -> LoaderDefinition

        /// Files that `read` reads.
        public init(
            suffixes: [String], read: @escaping @Sendable (_ path: String) throws(ParameterError) -> LoaderDefinition
        ) {
            (self.suffixes, self.read) = (suffixes, read)
        }
    }

    /// The entries in the order in which they are listed.
    public let definitions: [LoaderDefinition]
    /// The names of all parameters, each once, sorted.
    public let parameterNames: [String]
    private var fileKinds: [FileKind] = []

    /// A catalogue of some loaders.
    public init(_ definitions: [LoaderDefinition] = []) {
        self.definitions = definitions
        parameterNames = Set(definitions.flatMap { $0.parameters.map(\.name) }).sorted()
    }

    /// The seven articles' loaders.
    public static let builtIn = LoaderCatalog([
        .init(IQIYI.self), .init(QQ.self), .init(QQPull.self), .init(QQMail.self), .init(PreLoader.self),
        .init(Jelly.self), .init(Douyin.self), .init(OneLoading.self),
    ])

    /// Where commands and presets look names up: the built-in loaders, unless a program of own loaders adds its own for the
    /// time that it runs.
    @TaskLocal public static var current = builtIn

    /// The catalogue with more loaders. One with an id that is there already takes its place.
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

    /// The catalogue with another kind of files.
    public func adding(_ kind: FileKind) -> LoaderCatalog {
        var catalog = self
        catalog.fileKinds.append(kind)
        return catalog
    }

    /// The ids in the order in which they are listed.
    public var ids: [String] { definitions.map(\.id) }

    /// Whether a name is the path of a file that is a loader, there or not.
    public func isFile(_ name: String) -> Bool {
        let lowered = name.lowercased()
        return !definitions.contains { $0.id == name }
            && fileKinds.contains { $0.suffixes.contains(where: lowered.hasSuffix) }
    }

    /// The loader with an id, or in the file at a path of a known kind.
    ///
    /// Throws one line with the nearest id, or all of them if none is near, or with what is wrong with the file.
    public func definition(_ name: String) throws(ParameterError) -> LoaderDefinition {
        if let definition = definitions.first(where: { $0.id == name }) { return definition }
        let lowered = name.lowercased()
        if let kind = fileKinds.first(where: { $0.suffixes.contains(where: lowered.hasSuffix) }) {
            return try kind.read(name)
        }
        let hint = NearestWord.to(name, in: ids).map { "did you mean '\($0)'? There are" } ?? "there are"
        throw ParameterError(.usage, "there is no loader '\(name)': \(hint) \(ids.joined(separator: ", "))")
    }
}

/// What a mistyped word may have been meant to be.
public enum NearestWord {
    /// The known word with the smallest edit distance to `word`, if that is at most half its length.
    public static func to(_ word: String, in known: [String]) -> String? {
        let ranked = known.map { (word: $0, distance: editDistance(word.lowercased(), $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.word.count / 2) ? best.word : nil
    }

    /// Levenshtein's distance: how many letters must be put in, taken out or changed.
    static func editDistance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.prefix(64)), Array(b))
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
