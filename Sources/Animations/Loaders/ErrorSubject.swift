/// The option, parameter or file that caused an error. A preset reader, for example, maps it to a
/// line and column.
public enum ErrorSubject: Sendable, Hashable {
    /// The option with this key, such as `fps`.
    case option(String)
    /// The loader parameter with this name, such as `radius`.
    case parameter(String)
    /// The file with this path, as the user wrote it.
    case file(String)
}

extension [ErrorSubject] {
    /// Returns options by their keys, the likeliest cause first.
    public static func options(_ keys: String...) -> [ErrorSubject] { keys.map(ErrorSubject.option) }

    /// Returns loader parameters by their names, the likeliest cause first.
    public static func parameters(_ names: String...) -> [ErrorSubject] { names.map(ErrorSubject.parameter) }
}
