/// Limits on the size of a document, since documents may come from untrusted sources.
package struct DocumentLimits: Sendable, Hashable {
    /// Maximum size of a file in bytes.
    package var fileBytes = 1 << 20
    /// Maximum count of values in a file, with aliases expanded.
    package var nodes = 20_000
    /// Maximum nesting depth, at most `maxDepth`.
    package var depth = 16

    /// The upper bound of `depth`: the parser recurses, so each level takes stack.
    package static let maxDepth = 64

    /// The default limits.
    package init() {}
}
