/// The names of options in messages: `--fps` on a command line; `fps` in presets and for programs.
package enum OptionName {
    /// The text that the front end writes before the key of an option.
    @TaskLocal package static var prefix = ""
    /// True while messages name the keys of a document.
    @TaskLocal package static var isInDocument = false

    /// Runs a function whose messages name the keys of a document.
    package static func inDocuments<Value, Failure>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try $isInDocument.withValue(true) { Result(catching: body) }.get()
    }
}

extension DefaultStringInterpolation {
    /// Appends the name of an option as users of the current front end know it.
    package mutating func appendInterpolation(option key: String) {
        appendLiteral((OptionName.isInDocument ? "" : OptionName.prefix) + key)
    }

    /// Appends the name of an option that is meant on the command line even in messages about a
    /// document, such as `force`, which no document has. It has the front end's prefix there, too.
    package mutating func appendInterpolation(commandOption key: String) {
        appendLiteral(OptionName.prefix + key)
    }
}
