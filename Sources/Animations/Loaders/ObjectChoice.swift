import Core

/// An object to show in annotations, charts and tables, and its name there.
public struct ObjectChoice: Sendable, Hashable {
    /// The object's name in telemetry.
    public var name: String
    /// The name in captions; nil for the object's own.
    public var title: String?

    /// A choice of an object by its name in telemetry.
    public init(_ name: String, title: String? = nil) {
        self.name = name
        self.title = title
    }

    /// The maximum number of choices. The phase table has no room for more.
    private static let maxChoices = 24
    /// The maximum length of a name or title in characters.
    private static let maxLength = 80

    /// Parses a comma-separated list such as `cube,disc=Ball`. Returns nil for any other text, and
    /// if two objects would have the same name.
    public static func list(from text: String) -> [ObjectChoice]? {
        let items = text.split(separator: ",", omittingEmptySubsequences: false)
        guard items.count <= maxChoices, text.visible == text else { return nil }
        let choices = items.compactMap { item -> ObjectChoice? in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
            guard parts.allSatisfy({ (1...maxLength).contains($0.count) }) else { return nil }
            return ObjectChoice(parts[0], title: parts.count > 1 ? parts[1] : nil)
        }
        let captions = Set(choices.map { $0.title ?? $0.name })
        let names = Set(choices.map(\.name))
        return [choices.count, names.count, captions.count].allSatisfy { $0 == items.count } ? choices : nil
    }

    /// Returns the list that `list(from:)` parses.
    public static func text(of choices: [ObjectChoice]) -> String {
        choices.map { choice in choice.name + (choice.title.map { "=\($0)" } ?? "") }.joined(separator: ",")
    }

    private static func trimmed(_ text: Substring) -> String {
        let end = text.reversed().drop { $0 == " " }.reversed()
        return String(end.drop { $0 == " " })
    }

    /// Returns the index of each chosen object in a list of names. Throws `ParameterError` for the
    /// first name that is not in the list.
    ///
    /// - Parameter titles: each object's names in captions; a choice may use one that is unique.
    package static func indices(
        of choices: [ObjectChoice], in names: [String], titles: [[String]], loader: String
    ) throws(ParameterError) -> [Int] {
        func index(of name: String) -> Int? {
            if let index = names.firstIndex(where: { key($0) == key(name) }) { return index }
            let found = titles.indices.filter { titles[$0].contains { key($0) == key(name) } }
            return found.count == 1 ? found[0] : nil
        }
        var indices: [Int] = []
        for choice in choices {
            guard let index = index(of: choice.name) else {
                let remedy =
                    names.isEmpty
                    ? "it has no moving objects"
                    : NearestName.question(choice.name, in: names)
                        ?? "use some of " + names.prefix(maxChoices).joined(separator: ", ")
                throw ParameterError(
                    .usage, "\(option: "objects"): \(loader) has no object \(quoted(choice.name)); \(remedy)",
                    subjects: .options("objects"))
            }
            guard !indices.contains(index) else {
                throw ParameterError(
                    .usage, "\(option: "objects"): \(quoted(names[index])) is chosen twice; remove one of them",
                    subjects: .options("objects"))
            }
            indices.append(index)
        }
        return indices
    }

    /// Returns a name as far as a list can express it: commas separate its items, and equals signs
    /// precede titles.
    private static func key(_ name: String) -> String {
        name.filter { $0 != "," && $0 != "=" }
    }
}

/// A loader that shows some of another one's objects, under other names.
private struct LoaderWithChosenObjects: Loader {
    let base: any Loader
    /// The indices of the objects in the loader's list.
    let indices: [Int]
    let choices: [ObjectChoice]

    var id: String { base.id }
    var title: LocalizedText { base.title }
    var canvas: Size { base.canvas }
    var background: Color { base.background }
    var period: Rational { base.period }
    var preferredScale: Rational? { base.preferredScale }
    var omissions: [String] { base.omissions }
    var notes: [String] { base.notes }
    var details: [(name: String, text: String)] { base.details }
    var phaseDurations: [(name: LocalizedText, duration: Rational)] { base.phaseDurations }
    var withAllObjects: any Loader { self }

    func nodes(at time: Rational) -> [Node] { base.nodes(at: time) }
    func drawing(ofObject name: String, at time: Rational) -> [Node]? { base.drawing(ofObject: name, at: time) }
    func parts(at time: Rational) -> [LoaderPart] { base.parts(at: time) }
    func landmarks(at time: Rational) -> [Landmark] { base.landmarks(at: time) }
    func construction(at time: Rational) -> [ConstructionLine] { base.construction(at: time) }

    func objects(at time: Rational) -> [MovingObject] {
        let all = base.objects(at: time)
        return zip(indices, choices).map { index, choice in
            choice.title.map { all[index].titled($0) } ?? all[index]
        }
    }
}

extension Loader {
    /// Returns the loader with the chosen objects only.
    public func showing(_ choices: [ObjectChoice]) throws(ParameterError) -> any Loader {
        let objects = objects(at: .zero)
        let indices = try ObjectChoice.indices(
            of: choices, in: objects.map(\.name),
            titles: objects.map { object in Language.allCases.map { object.title.text(in: $0) } }, loader: id)
        return LoaderWithChosenObjects(base: self, indices: indices, choices: choices)
    }

    /// The loader itself: all its objects are shown.
    public var withAllObjects: any Loader { self }
}
