/// What an error is about, so that whoever knows where a user wrote it can point there.
public enum Topic: Sendable, Hashable {
    /// An option, by its key such as `fps`.
    case option(String)
    /// A parameter of a loader, by its name such as `radius`.
    case parameter(String)
    /// A file, by its path as it was given.
    case file(String)
}

extension [Topic] {
    /// Options by their keys, the likeliest first.
    public static func options(_ keys: String...) -> [Topic] { keys.map(Topic.option) }

    /// Parameters of a loader by their names, the likeliest first.
    public static func parameters(_ names: String...) -> [Topic] { names.map(Topic.parameter) }
}
