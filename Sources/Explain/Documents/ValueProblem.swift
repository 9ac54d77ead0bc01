/// The problem of a text in a document, such as a path, a template or an expression.
package struct ValueProblem: Error {
    /// The problem in a few words, such as "is not a valid path".
    package let problem: String
    /// The remedy: what to write instead, such as "use a path without '..'"; nil if `problem` ends
    /// with it.
    package let remedy: String?
    /// The part of the text that has the problem; nil if `problem` states it.
    package let found: String?

    package init(problem: String, remedy: String?, found: String? = nil) {
        self.problem = problem
        self.remedy = remedy
        self.found = found
    }
}
